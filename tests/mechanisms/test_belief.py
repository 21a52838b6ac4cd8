"""Belief: counts of comrades opposed, moved by public acts and by confiding, which has its risk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import EV_CONFIDED
from breakrank.mechanisms.learning import Expectations
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import belief

seeds = st.integers(0, 2**32)


@pytest.mark.parametrize(("mean", "strength"), [(0.2, 6), (0.001, 0.1), (0.999, 1000)])
def test_everyone_starts_from_the_prior(mean: float, strength: float) -> None:
    stage = Stage(1, {"belief.prior_mean": mean, "comrades.weight": strength})
    assert [belief(stage, i) for i in range(stage.n)] == pytest.approx([mean] * stage.n, rel=1e-5)


def test_public_acts_speak_to_everyone_and_fall_silent_again() -> None:
    shown = np.zeros(30)
    shown[3:6] = 4
    stage = Stage(1, {"belief.prior_mean": 0.2, "comrades.weight": 6}, {"revelation": shown})
    found = []
    for day in range(8):
        stage.run.open_day(day)
        stage.play["belief"].dawn(stage.run)
        found.append(belief(stage, 0))
    loud, quiet = (1.2 + 4) / 10, 0.2
    assert found == pytest.approx([quiet] * 3 + [loud] * 3 + [quiet] * 2, rel=1e-6)


@given(seeds)
def test_belief_stays_strictly_between_none_and_all(seed: int) -> None:
    stage = Stage(seed, {"belief.confide": 1}, {"revelation": 3})
    for day in range(10):
        stage.run.open_day(day)
        for name in ("grievance", "preference", "belief"):
            stage.play[name].dawn(stage.run)
        stage.play["belief"].meet(stage.run, stage.moments(stage.some()))
    assert all(0 < belief(stage, i) < 1 for i in range(stage.n))
    confided = [row for row in rows(stage.run.records) if row[2] == EV_CONFIDED]
    learnt = stage.run.view(Expectations).own[:, :2].sum()
    assert learnt <= 2 * len(confided) + 1e-5  # each time both learn one thing, and forget it
