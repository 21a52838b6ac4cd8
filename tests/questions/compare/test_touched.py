"""A change that touches nothing is said to, with the reason."""

from __future__ import annotations

from typing import Any

import pytest

import breakrank
from breakrank.answer.answer import Answer
from breakrank.case import Case


@pytest.fixture(scope="module")
def case() -> Case:
    return breakrank.load_case("crimea-2014", "point").set({"force.strength": 1_000})


def asked(case: Case, *others: Case, values: dict[str, float] | None = None) -> Answer:
    return breakrank.compare(case, *others, values=values or {}, runs=2, workers=1)


def with_event(case: Case, field: str, op: str, value: float, date: str = "2014-03-05") -> Case:
    effect: dict[str, Any] = {"field": field, "op": op, "value": value}
    event = {"id": "test", "date": date, "title": "A test", "assumed": "a test", "effects": [effect]}
    return case.with_events([event])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("sanctions", "multiply", 2.0), "sanctions is the same on every day"),
        (("sanctions", "add", 0.3), "sanctions acts through high_command"),
    ],
)
def test_what_touches_nothing_says_why(case: Case, change: tuple[str, str, float], why: str) -> None:
    answer = asked(case, with_event(case, *change))
    assert answer.finding.startswith("This change touched nothing")
    (note,) = [one for one in answer.notes if "touched nothing" in one]
    assert why in note


def test_a_mechanism_that_is_off_is_the_reason(case: Case) -> None:
    off = case.set({"plots.on": 0})
    answer = asked(off, values={"plots.baseline_plan": 3})
    assert any("plots, which is switched off" in note for note in answer.notes)


def test_what_moves_a_utility_is_not_said_to_touch_nothing(case: Case) -> None:
    small = asked(case, values={"decision.head_start": case.value("decision.head_start") + 1e-9})
    assert not any("touched nothing" in note for note in small.notes)
    assert any("nobody chose otherwise" in note for note in small.notes)
    large = asked(case, values={"decision.baseline_leave": 0.5})
    assert not any("touched nothing" in note or "otherwise" in note for note in large.notes)
