"""A store whose small files are lost or damaged goes on, or says how."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank.errors import UsageError
from breakrank.runs.backends import Here
from breakrank.runs.store import Store
from tests.runs.stored import kept, part_folders, stored_of, study_of

DEEP = "[" * 100_000
"""Nested deeper than Python reads."""


def test_a_store_that_lost_its_name_is_opened_again(tmp_path: Path) -> None:
    study = study_of(3)
    kept(tmp_path, study, Here())
    before = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}
    for create in (True, False):
        (tmp_path / "store.json").unlink()
        assert len(Store(tmp_path, create=create).ensembles()) == 1
        assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} == before
    assert kept(tmp_path, study, Here()).reused == 3


@pytest.mark.parametrize("left", ["", DEEP, "[]", '{"breakrank_store": 1}'])
def test_a_damaged_name_says_what_to_do(left: str, tmp_path: Path) -> None:
    kept(tmp_path, study_of(3), Here())
    (tmp_path / "store.json").write_text(left, "utf-8")
    with pytest.raises(UsageError, match=r"store\.json is not readable\n  If it was one, delete store\.json"):
        Store(tmp_path)
    (tmp_path / "store.json").unlink()
    assert kept(tmp_path, study_of(3), Here()).reused == 3


def test_a_folder_of_cases_is_not_taken_for_a_store(tmp_path: Path) -> None:
    (tmp_path / "cases" / "mine").mkdir(parents=True)
    with pytest.raises(UsageError, match="holds something that is no store"):
        Store(tmp_path)


@pytest.mark.parametrize("name", ["ensemble.json", "failed.json", "part.json"])
def test_nesting_deeper_than_python_reads_is_damage(name: str, tmp_path: Path) -> None:
    study = study_of(3)
    kept(tmp_path, study, Here())
    folder = part_folders(tmp_path)[0] if name == "part.json" else stored_of(tmp_path, study).folder
    (folder / name).write_text(DEEP, "utf-8")
    assert len(Store(tmp_path).ensembles()) == (name != "ensemble.json")
    account = kept(tmp_path, study, Here())
    assert account.finished == 3
    assert len(account.aside) == (name == "part.json")
