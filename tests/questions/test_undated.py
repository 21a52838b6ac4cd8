"""What remains of an outcome without dated events: told before a case is believed."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.models_evidence import Target
from breakrank.inference.report import failures, little_confirmed
from breakrank.questions.guide import _undated
from breakrank.questions.run.trial import trial
from breakrank.runs.carry_out import Making
from breakrank.runs.undated import HALF, Remains, acting, first_event, undated


@pytest.fixture(scope="module")
def case() -> Case:
    loaded = breakrank.load_case("venezuela-2019", "point")
    return loaded.until("2019-03-15").set({"force.strength": 5_000})


def test_all_events_go_and_nothing_else(case: Case) -> None:
    bare = undated(case, acting(case), "bare").case
    assert acting(case)
    assert not acting(bare)
    assert bare.content.fields == case.content.fields


def test_the_share_is_that_of_two_runs_made_by_hand(case: Case) -> None:
    told = _undated(case, "left", (3, 5), Making(workers=1))
    bare = undated(case, acting(case), "bare").case
    sides = [breakrank.simulate(one, 3, 5, workers=1).whole for one in (case, bare)]
    means = [float(one.data["exits_rank"].sum()) / 3 for one in sides]
    assert (told[""].before, told[""].after) == pytest.approx(means)
    assert told[""].share == pytest.approx(means[1] / means[0])
    assert set(told) == {"", *(e.id for e in acting(case))}


def test_a_trial_run_doubts_a_level(case: Case) -> None:
    tame = case.with_events(
        [e.model_copy(update={"effects": ()}) for e in acting(case)[1:]]  # one event is left
    ).set({"decision.baseline_leave": 3, "decision.baseline_desert": 3})
    found = trial(tame)
    assert found.remains.share >= HALF
    assert any(found.remains.words in doubt.text for doubt in found.doubts)


def test_a_figure_from_before_is_asked_for(case: Case) -> None:
    def told(**more: Any) -> Case:
        plain = {"id": "x", "label": "X", "unit": "soldiers", "assumed": "a test", "at_most": 20}
        target = Target.model_validate(plain | more)
        return type(case)(replace(case.content, targets=(target,)), case.catalogue)

    first = min(e.date for e in acting(case))
    assert first_event(told(measure="left", date="2019-03-01")) == first
    assert first_event(told(measure="left", date=str(first))) is None
    assert first_event(type(case)(replace(case.content, targets=()), case.catalogue)) is None


def test_a_fit_that_rests_on_the_level_is_no_approval() -> None:
    parameters = pd.DataFrame({"r_hat": [1.0], "ess": [500.0], "informed": [False]})
    targets = pd.DataFrame({"label": ["Left"], "inside": [True]})

    def fails(share: float) -> tuple[str, ...]:
        told = Remains("left", 100.0, 100 * share, 40)._asdict()
        return failures({"misfit": {"posterior": {"p": 0.5}}, "without_events": told}, tables)

    tables = {"parameters": parameters, "targets": targets}
    assert fails(HALF - 0.01) == ()
    (words,) = fails(HALF)
    assert "the level" in words
    assert little_confirmed(10, 4)
    assert not little_confirmed(10, 5)
