"""``breakrank sweep``: a table, a chart, and where an outcome tips."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from breakrank import load_answer
from tests.cli.conftest import Outcome

Call = Callable[..., Outcome]
FEW = ("--runs", 4, "--until", "2025-03-15", "--workers", 1)
ONE = ("--over", "fear.risk_weight=0:12:3", "--outcome", "left_abroad>=2")


def test_a_parameter_and_where_it_tips(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("sweep", template, *ONE, *FEW, "--refine", 1)
    assert done.code == 0, done.err
    assert "Crossed out of the country, on the last day" in done.out
    assert "falls below 50% at fear.risk_weight" in " ".join(done.out.split())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["breakrank-small.store", "breakrank-sweep-small"]
    made = tmp_path / "breakrank-sweep-small"
    files = {"answer.json", "case", "chance.svg", "points.csv", "response.svg", "tipping.csv"}
    assert {p.name for p in made.iterdir()} == files
    assert "fear.risk_weight" in (made / "chance.svg").read_text("utf-8")
    kept = load_answer(made)
    assert set(kept.table("points")["runs"]) == {4}
    assert {0, 6, 12} <= set(kept.table("points")["fear.risk_weight"])
    assert {0.5} <= set(kept.table("tipping")["level"])
    again = call("sweep", template, *ONE, *FEW, "--refine", 1, "--json")
    assert json.loads(again.out) == kept.as_json()
    assert "12 of 12 runs were in" in again.err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--over", "fear.on=0:1:2", "--outcome", "fell"), "is no outcome such as"),
        (("--over", "fear.risk_weight=0:1", "--measure", "registerd"), "did you mean 'registered'"),
        (("--over", "fear.on=0:1", "--refine", "-1"), "--refine -1: 0 or more rounds are expected"),
    ],
)
def test_what_cannot_be_swept(
    call: Call, template: Path, tmp_path: Path, more: tuple[str, ...], says: str
) -> None:
    done = call("sweep", template, *more, *FEW, "--store", tmp_path / "s", "--out", tmp_path / "o")
    assert done.code == 2, done.err
    assert says in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "o").exists()
