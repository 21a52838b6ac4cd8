"""Gauges measure those who serve once a week, hold the reading, and touch nothing."""

from __future__ import annotations

import numpy as np

from breakrank.engine.codes import DEAD
from breakrank.mechanisms.learning import OPPOSED, Expectations
from tests.engine.stage import Stage


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
