"""A comparison says which question it asks: of the world that happened, of what is to come, or at large."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.draws import Draws
from breakrank.case.luck import Luck, LuckPath
from breakrank.questions.compare.compare import unpaired
from breakrank.questions.compare.query import acts_from, query_of
from tests.new_cases import without_priors

GIVEN = dt.date(2025, 3, 10)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return breakrank.load_case(breakrank.new_case(tmp_path / "mine"), "values")


def later_event(case: Case, date: str) -> Case:
    effect = {"field": "pay", "op": "multiply", "value": 0.9}
    return case.with_events(
        [{"id": "cut", "date": date, "title": "Pay cut", "effects": [effect], "assumed": "Invented."}]
    )


def worlds_of(case: Case) -> Case:
    luck = Luck(3, (LuckPath(0), LuckPath(1)), GIVEN)
    return case.with_draws(Draws(("belief.candour",), np.array([[0.2], [0.3]]), luck=luck))


def test_a_parameter_acts_from_the_first_day_and_an_event_from_its_own(case: Case) -> None:
    assert acts_from(case, case.set({"fear.on": 0})) == case.calendar.start
    assert acts_from(case, later_event(case, "2025-04-02")) == dt.date(2025, 4, 2)
    both = later_event(case, "2025-04-02").set({"fear.on": 0})
    assert acts_from(case, both) == case.calendar.start
    moved = later_event(case, "2025-04-02")
    assert acts_from(moved, later_event(case, "2025-03-20")) == dt.date(2025, 3, 20)


@pytest.mark.parametrize(("date", "kind"), [("2025-03-10", "counterfactual"), ("2025-03-11", "forecast")])
def test_worlds_ask_of_what_happened_up_to_the_day_that_was_given(case: Case, date: str, kind: str) -> None:
    worlds = worlds_of(case)
    found = query_of(worlds, later_event(worlds, date))
    assert (found["kind"], found["given"], found["from"]) == (kind, "2025-03-10", date)
    assert query_of(worlds, worlds.set({"fear.on": 0}))["kind"] == "counterfactual"
    assert query_of(worlds, worlds.set({"belief.candour": 0.5}))["from"] == str(case.calendar.start)


def test_without_worlds_the_model_is_asked_at_large(case: Case) -> None:
    found = query_of(case, later_event(case, "2025-03-11"))
    assert (found["kind"], found["given"]) == ("at large", None)
    assert "need not agree with the record" in found["told"]


def test_counterfactuals_that_change_the_force_cannot_be_paired(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "small")
    file = folder / "counterfactuals.yaml"
    edit = "{force: {branches: {army: {strength: 3400}, guard: {strength: 1600}}}}"
    added = f"- {{id: fewer, title: A larger guard, question: What if?, edit: {edit}}}\n"
    file.write_text(f"{file.read_text('utf-8').rstrip()}\n{added}", "utf-8")
    assert unpaired(breakrank.load_case(folder, "values")) == ["fewer"]
