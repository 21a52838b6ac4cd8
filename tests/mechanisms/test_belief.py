"""What soldiers believe of each other: from public acts, from comrades, and as a survey reads it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import DEAD, EV_CONFIDED
from breakrank.mechanisms.comrades import OPPOSED, PUNISHED, Expectations, expected, fading, learn, settle
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import belief

seeds = st.integers(0, 2**32)


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


def test_an_expectation_is_a_share_of_evidence_that_fades_to_its_prior() -> None:
    m = Expectations(np.zeros((1, 7), np.float32), np.zeros((3, 2)), fading(50.0, 5001))
    assert settle(m, OPPOSED, 6.0, 0.2, 2.0, 1.0) == (1.2 + 2) / 9
    assert expected(m, OPPOSED, 0, 0) == m.public[OPPOSED, 0]
    learn(m, OPPOSED, 0, 0, 3.0, 1.0)
    found = [expected(m, OPPOSED, day, 0) for day in (0, 50, 5000)]
    left = np.exp(-1)
    assert np.allclose(found, [6.2 / 13, (3.2 + 3 * left) / (9 + 4 * left), 3.2 / 9])
    learn(m, OPPOSED, 50, 0, 1e9, 0.0)
    assert 0.999 < expected(m, OPPOSED, 50, 0) <= 1.0  # however much happens
    assert expected(m, PUNISHED, 50, 0) == m.public[PUNISHED, 0]


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
