"""A comparison is asked of draws that are valid for it; a change that touches nothing is said to."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.answer.answer import Answer
from breakrank.case import Case
from breakrank.case.changes import acts_from, undoes_selection
from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.errors import UsageError
from breakrank.questions.compare import changed_cases
from breakrank.questions.declared import Compare
from breakrank.questions.paired import (
    PairedRuns,
    draws_said,
    unpaired,
    valid_draws,
)
from breakrank.runs.study import NamedChanges
from tests.new_cases import full_case, without_priors

GIVEN = dt.date(2025, 3, 10)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return breakrank.load_case(full_case(tmp_path / "mine"), "point")


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


def test_a_changed_case_is_called_by_what_differs(case: Case) -> None:
    def called(other: Case) -> str:
        return changed_cases(Compare(others=other), case, NamedChanges())[0].title

    gone = case.events.ids[0]
    assert called(case.without_event(gone)) == f"without the event {gone}"
    assert called(case.set({"fear.on": 0}).without_event(gone)) == f"fear.on = 0; without the event {gone}"
    assert called(later_event(case, "2025-04-02")) == "with the event cut on 2025-04-02"
    assert called(case) == "changed case"


@pytest.mark.parametrize(("date", "undone"), [("2025-03-10", True), ("2025-03-11", False)])
def test_selected_runs_are_asked_of_what_acts_after_their_selection(
    case: Case, date: str, undone: bool
) -> None:
    worlds = worlds_of(case)
    other = later_event(worlds, date)
    assert undoes_selection(worlds, other) is undone
    found = valid_draws(worlds, [other])
    assert [one.draws is None for one in found] == [undone, undone]
    said = draws_said(found[0])
    assert ("agree with the record up to 2025-03-10" in said) is not undone
    assert str(acts_from(*found)) == date
    assert undoes_selection(worlds, worlds.set({"fear.on": 0}))
    assert undoes_selection(worlds, worlds.set({"belief.candour": 0.5}))
    assert not undoes_selection(worlds, worlds)


def test_one_change_that_undoes_the_selection_moves_the_whole_question(case: Case) -> None:
    worlds = worlds_of(case)
    found = valid_draws(worlds, [later_event(worlds, "2025-03-11"), worlds.set({"fear.on": 0})])
    assert [one.draws for one in found] == [None, None, None]
    assert "chance only" in draws_said(found[0])
    assert valid_draws(case, [worlds])[1].draws is None


def test_what_was_set_stays_set_in_draws_of_the_posterior() -> None:
    worlds = breakrank.load_case("venezuela-2019")
    other = worlds.set({"detection.wiretaps": 0})
    case, changed = valid_draws(worlds, [other])
    drawn = breakrank.load_case("venezuela-2019", "point").with_ensemble("posterior")
    assert case.digest == drawn.digest
    assert changed.digest == case.set({"detection.wiretaps": 0}).digest
    assert "posterior" in draws_said(case)


def test_results_of_selected_runs_are_not_paired_where_the_change_undoes_it(case: Case) -> None:
    """A regime that held in all unchanged runs by selection would seem to fall by whatever is changed."""
    worlds = worlds_of(case)
    before = breakrank.simulate(worlds, runs=2, workers=1, until="2025-03-12")
    after = breakrank.simulate(worlds.set({"fear.on": 0}), runs=2, workers=1, until="2025-03-12")
    with pytest.raises(UsageError, match="were selected to match the record"):
        PairedRuns.of_results(before, after)
    made = breakrank.compare(
        worlds.until("2025-03-12"), worlds.until("2025-03-12").set({"fear.on": 0}), runs=2, workers=1
    )
    assert made.provenance.ensemble == "fixed assumptions, chance only"
    assert "fixed assumptions, chance only" in repr(made)


def test_counterfactuals_that_change_the_force_cannot_be_paired(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "small")
    file = folder / "counterfactuals.yaml"
    edit = "{force: {branches: {army: {strength: 3400}, guard: {strength: 1600}}}}"
    added = f"- {{id: fewer, title: A larger guard, question: What if?, edit: {edit}}}\n"
    file.write_text(f"{file.read_text('utf-8').rstrip()}\n{added}", "utf-8")
    assert unpaired(breakrank.load_case(folder, "point")) == ["fewer"]


def test_a_plan_beside_a_scenario_is_of_no_selected_runs() -> None:
    asked: dict[str, Any] = {"runs": 1, "workers": 1, "until": "2019-01-03"}
    alone = breakrank.plan("venezuela-2019", **asked)
    assert "members that agree with the figures" in alone.provenance.ensemble
    for more in ({"scenarios": ["funded-only"]}, {"arrivals": 2.0}):
        beside = breakrank.plan("venezuela-2019", **asked, **more)
        assert "members" not in beside.provenance.ensemble
        assert "draws from the posterior" in " ".join(beside.notes)


@pytest.fixture(scope="module")
def crimea() -> Case:
    return breakrank.load_case("crimea-2014", "point").set({"force.strength": 1_000})


def asked(crimea: Case, *others: Case, values: dict[str, float] | None = None) -> Answer:
    return breakrank.compare(crimea, *others, values=values or {}, runs=2, workers=1)


def with_event(crimea: Case, field: str, op: str, value: float, date: str = "2014-03-05") -> Case:
    effect: dict[str, Any] = {"field": field, "op": op, "value": value}
    event = {"id": "test", "date": date, "title": "A test", "assumed": "a test", "effects": [effect]}
    return crimea.with_events([event])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("sanctions", "multiply", 2.0), "sanctions is the same on every day"),
        (("sanctions", "add", 0.3), "sanctions acts through high_command"),
    ],
)
def test_what_touches_nothing_says_why(crimea: Case, change: tuple[str, str, float], why: str) -> None:
    answer = asked(crimea, with_event(crimea, *change))
    assert answer.finding.startswith("This change touched nothing")
    (note,) = [one for one in answer.notes if "touched nothing" in one]
    assert why in note


def test_a_mechanism_that_is_off_is_the_reason(crimea: Case) -> None:
    off = crimea.set({"plots.on": 0})
    answer = asked(off, values={"plots.baseline_plan": 3})
    assert any("plots, which is switched off" in note for note in answer.notes)


def test_what_moves_a_utility_is_not_said_to_touch_nothing(crimea: Case) -> None:
    small = asked(crimea, values={"decision.head_start": crimea.value("decision.head_start") + 1e-9})
    assert not any("touched nothing" in note for note in small.notes)
    assert any("nobody chose otherwise" in note for note in small.notes)
    large = asked(crimea, values={"decision.baseline_leave": 0.5})
    assert not any("touched nothing" in note or "otherwise" in note for note in large.notes)
