"""Gauges measure those who serve once a week, hold the reading, and touch nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import DEAD, SERVING
from breakrank.mechanisms.learning import OPPOSED, Expectations
from tests.engine.stage import Stage
from tests.mechanisms.plain import belief, margin, set_the_mood


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_readings_agree_with_asking_everyone(seed: int) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    stage.any_fates(0.7)
    run, records = stage.run, stage.records
    run.open_day(14)
    serving = [i for i in range(stage.n) if run.records.fate[i] == SERVING]
    stage.play["opinion_survey"].dusk(run)
    if serving:
        opposed = np.float32(sum(margin(stage, i) > 0 for i in serving) / len(serving))
        believed = sum(belief(stage, i) for i in serving) / len(serving)
        assert (run.measured["opposed"][14:] == opposed).all()
        assert run.measured["belief"][14:] == pytest.approx(believed, rel=1e-6)
    assert np.isnan(run.measured["opposed"][:14]).all()
    records.assert_same(run.records)


def test_readings_are_taken_weekly_and_held() -> None:
    stage = Stage(2, n=5)
    for day in range(20):
        stage.run.open_day(day)
        stage.play["grievance"].view.shock_day[:] = day
        for name in ("grievance", "preference", "belief"):
            stage.play[name].dawn(stage.run)
        stage.run.view(Expectations).own[:, 2 * OPPOSED] += 1
        stage.play["opinion_survey"].dusk(stage.run)
    steps = np.flatnonzero(np.diff(stage.run.measured["belief"])) + 1
    assert steps.tolist() == [7, 14]


def test_where_nobody_serves_there_is_no_reading() -> None:
    stage = Stage(2, n=5)
    stage.set_fates((DEAD,))
    stage.play["opinion_survey"].dusk(stage.run)
    assert np.isnan(stage.run.measured["opposed"]).all()


def test_a_large_force_is_sampled_evenly_by_identity() -> None:
    stage = Stage(1, n=30_000 // 5)
    gauges = stage.play["opinion_survey"]
    step = int(stage.force.identity[-1] + 1) // 10_000
    assert step >= 2
    assert (stage.force.identity[gauges.sample] % step == 0).all()
