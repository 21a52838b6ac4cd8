"""The days of a comparison are those of its pairs, and its pages say its verdict and what was changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import breakrank
from tests.new_cases import full_case

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    folder = full_case(tmp_path_factory.mktemp("cases") / "made-up")
    case = breakrank.load_case(folder)
    other = case.set({"decision.baseline_leave": 4})
    return breakrank.compare(case, other, runs=5, seed=3, workers=1, outcomes=("serving", "cost"))


def test_days_are_those_of_the_pairs(answer: Answer) -> None:
    table = answer.table("daily")
    last = table[table["date"] == table["date"].max()].set_index("id")
    both = [name for name in answer.table().index if name in last.index]
    assert len(both) > 5
    for name in both:
        for number in ("before", "after", "mean", "low", "high"):
            assert last.loc[name, number] == answer.table().loc[name, number], (name, number)
    assert "median" not in table, "one estimand: the mean of the pairs"
    left = table[table["id"] == "left"]
    assert (np.diff(left["before"]) >= 0).all()
    assert last.loc["left", "after"] > last.loc["left", "before"]


def test_what_the_literature_expects_is_held_against_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    case = breakrank.load_case(full_case(tmp_path_factory.mktemp("cases") / "made-up"))
    answer = breakrank.compare(case, ["no-appeal", "null-model"], runs=12, workers=2)
    rows = answer.table()
    expected = rows[rows["expected"] != ""]
    assert dict(zip(expected["id"], expected["expected"], strict=True))["left_abroad"] == "less"
    assert any(note.startswith("Changed: the event appeal does not happen") for note in answer.notes)
    assert any("less expected (" in note for note in answer.notes)


def test_what_cannot_be_told_from_zero_heads_no_chart(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    case = breakrank.load_case(full_case(tmp_path_factory.mktemp("cases") / "made-up"))
    little = breakrank.compare(case, case.set({"decision.baseline_leave": 10}), runs=5, seed=3, workers=1)
    assert "; how many leave by 30 Jun 2025 hardly changes (−0.4 to +0.8)." in little.finding
    assert little.figures[0].title == "How many leave by 30 Jun 2025 hardly changes (−0.4 to +0.8)"
