"""``breakrank hindcast``: table, sentences, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.questions.hindcast.small import small_case

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hindcast")


@pytest.fixture(scope="module")
def case(home: Path) -> Path:
    return small_case(home / "small")


def ask(case: Path, home: Path, *more: object) -> tuple[object, ...]:
    few = ("--draws", 20, "--workers", 1, "--store", home / "store")
    return ("hindcast", case, *few, "--out", home / "out", *more)


def test_it_tells_who_carries_it_and_leaves_a_table_and_a_chart(call: Call, case: Path, home: Path) -> None:
    done = call(*ask(case, home))
    assert done.code == 0, done.err
    assert "Hindcasts of small" in done.out
    assert "logarithmic curve" in done.out
    assert "Not removed" in done.out
    files = sorted(p.name for p in (home / "out").iterdir())
    assert files == ["answer.json", "days.csv", "forecasts.csv", "scores.svg", "summary.csv"]
    again = call(*ask(case, home, "--as-of", "2025-03-10", "--json"))
    rows = json.loads(again.out)["tables"]["forecasts"]["rows"]
    assert {row["as_of"] for row in rows} == {"2025-03-10"}
    assert len((home / "out" / "forecasts.csv").read_text("utf-8").splitlines()) == len(rows) + 1
