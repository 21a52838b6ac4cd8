"""``breakrank explain``: sentences, a table and a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from breakrank import load_answer
from tests.cli.conftest import Call

pytestmark = pytest.mark.thorough

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
