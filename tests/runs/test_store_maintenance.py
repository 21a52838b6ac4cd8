"""What a store holds: taken out where no study uses it, and going on where files are lost or damaged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from breakrank.errors import UsageError
from breakrank.runs.backends import Cores
from breakrank.runs.identity import code_digest
from breakrank.runs.store import Store, clean
from breakrank.runs.study import Scenario, Study
from tests.results.fake import assert_same_bits
from tests.runs.engines import GOOD, SEED, kept, part_folders, result_of, small_case, stored_of, study_of

CODE = code_digest(GOOD)


def test_runs_of_many_short_calls_are_those_of_one(tmp_path: Path) -> None:
    for runs in range(1, 7):
        assert kept(tmp_path / "many", study_of(runs), Cores(1)).made == 1
    kept(tmp_path / "one", study_of(6), Cores(1))
    assert_same_bits(*(result_of(tmp_path / name, study_of(6)) for name in ("many", "one")))


def test_a_run_in_two_parts_counts_once(tmp_path: Path) -> None:
    kept(tmp_path, study_of(4), Cores(1))
    before = result_of(tmp_path, study_of(4))
    first = part_folders(tmp_path)[0]
    shutil.copytree(first, first.with_name(first.name + "0"))
    assert Store(tmp_path).ensembles()[0].numbers()["runs"] == 4
    assert_same_bits(result_of(tmp_path, study_of(4)), before)


def test_what_other_versions_made_goes_and_the_rest_stays(tmp_path: Path) -> None:
    case = small_case()
    other = case.until(case.calendar.date(case.calendar.days - 2))
    both = Study((Scenario(case), Scenario(other, "shorter")), 3, SEED)
    kept(tmp_path, both, Cores(1))
    store = Store(tmp_path)
    found = [(one.scenario, one.code == CODE, one.numbers()) for one in store.ensembles()]
    assert [(name, now, its["runs"], its["failed"]) for name, now, its in found] == [
        ("case", True, 3, 0),
        ("shorter", True, 3, 0),
    ]
    assert clean(store, CODE) == 0
    assert kept(tmp_path, both, Cores(1)).reused == 6
    shutil.rmtree(store.ensembles()[1].stored.folder)  # as whoever wants a scenario no more may do
    assert clean(store, CODE) > 0
    assert len(list((tmp_path / "cases").iterdir())) == 1
    again = kept(tmp_path, both, Cores(1))
    assert (again.reused, again.made) == (3, 3)
    assert clean(Store(tmp_path), "another version") > 0
    assert Store(tmp_path).ensembles() == ()
    assert not list((tmp_path / "cases").iterdir())


def test_damaged_parts_are_cleared(tmp_path: Path) -> None:
    study = study_of(4)
    kept(tmp_path, study, Cores(1))
    (part_folders(tmp_path)[0] / "daily.parquet").write_bytes(b"spoilt")
    kept(tmp_path, study, Cores(1))
    store = Store(tmp_path)
    assert (tmp_path / "aside").is_dir()
    assert clean(store, CODE) > 0
    assert not (tmp_path / "aside").exists()
    assert store.ensembles()[0].numbers()["runs"] == 4


DEEP = "[" * 100_000
"""Nested deeper than Python reads."""


def test_a_store_that_lost_its_name_is_opened_again(tmp_path: Path) -> None:
    study = study_of(3)
    kept(tmp_path, study, Cores(1))
    before = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}
    for create in (True, False):
        (tmp_path / "store.json").unlink()
        assert len(Store(tmp_path, create=create).ensembles()) == 1
        assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} == before
    assert kept(tmp_path, study, Cores(1)).reused == 3


@pytest.mark.parametrize("left", ["", DEEP, "[]", '{"breakrank_store": 1}'])
def test_a_damaged_name_says_what_to_do(left: str, tmp_path: Path) -> None:
    kept(tmp_path, study_of(3), Cores(1))
    (tmp_path / "store.json").write_text(left, "utf-8")
    with pytest.raises(UsageError, match=r"store\.json is not readable\n  If it was one, delete store\.json"):
        Store(tmp_path)
    (tmp_path / "store.json").unlink()
    assert kept(tmp_path, study_of(3), Cores(1)).reused == 3


def test_a_folder_of_cases_is_not_taken_for_a_store(tmp_path: Path) -> None:
    (tmp_path / "cases" / "mine").mkdir(parents=True)
    with pytest.raises(UsageError, match="holds something that is no store"):
        Store(tmp_path)


@pytest.mark.parametrize("name", ["ensemble.json", "failed.json", "part.json"])
def test_nesting_deeper_than_python_reads_is_damage(name: str, tmp_path: Path) -> None:
    study = study_of(3)
    kept(tmp_path, study, Cores(1))
    folder = part_folders(tmp_path)[0] if name == "part.json" else stored_of(tmp_path, study).folder
    (folder / name).write_text(DEEP, "utf-8")
    assert len(Store(tmp_path).ensembles()) == (name != "ensemble.json")
    account = kept(tmp_path, study, Cores(1))
    assert account.finished == 3
    assert len(account.aside) == (name == "part.json")
