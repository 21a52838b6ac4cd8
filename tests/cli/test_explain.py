"""``breakrank explain``: sentences, a table, a folder, and what cannot be explained."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from breakrank import load_answer
from tests.cli.conftest import Outcome

pytestmark = pytest.mark.thorough

Call = Callable[..., Outcome]
FEW = ("--runs", 3, "--until", "2025-02-20", "--workers", 1)


def test_a_case_is_explained(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("explain", template, *FEW, "--outcome", "left_abroad", "--outcome", "serving")
    assert done.code == 0, done.err
    assert "effect of switching off each mechanism" in done.out
    assert "Without a mechanism" in done.out
    folder = tmp_path / "breakrank-explain-small-0"
    assert sorted(p.name for p in tmp_path.iterdir()) == [folder.name, "breakrank-small.store"]
    kept = load_answer(folder)
    assert list(dict.fromkeys(kept.table("removals")["outcome"])) == ["left_abroad", "serving"]
    assert kept.table("removals")["without"].nunique() == 19
    assert kept.provenance.command.startswith("breakrank explain ")
    assert {"answer.json", "removals.csv", "events.csv", "each-event.csv", "removals.svg", "case"} == {
        p.name for p in folder.iterdir()
    }
    again = call("explain", template, *FEW, "--outcome", "left_abroad", "--outcome", "serving", "--json")
    assert json.loads(again.out) == kept.as_json()
    assert (tmp_path / "breakrank-explain-small-0-2").is_dir()  # nothing earlier is lost
    assert "runs were in" in again.err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--outcome", "left_abrod"), "did you mean 'left_abroad'"),
        (("--date", "2031-01-01"), "2031-01-01"),
        (("--ensemble", "posterior"), "has no posterior"),
    ],
)
def test_what_cannot_be_explained(
    call: Call, template: Path, tmp_path: Path, more: tuple[object, ...], says: str
) -> None:
    done = call("explain", template, *FEW, "--store", tmp_path / "s", "--out", tmp_path / "o", *more)
    assert done.code == 2, done.err
    assert says in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "o").exists()
