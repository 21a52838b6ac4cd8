"""Comrades: news of the day runs along ties to those who serve, adds up, and fades."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import (
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_CROSSED,
    EV_DESERTED,
    EV_DIED,
    EV_DISCHARGED,
    EV_FOLLOWED,
    EV_ILL_TREATED,
    EV_REPRISAL,
    EV_ROSE,
    EV_SHOT,
    EV_SURRENDERED,
    EV_WENT_OVER,
    EVENTS,
    SERVING,
)
from breakrank.engine.records import make_room, record
from breakrank.mechanisms.learning import OPPOSED, PUNISHED, Expectations, News, expected, learn, settle
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import PlainMinds, set_the_mood, ties

ROSE = {EV_ROSE, EV_FOLLOWED}
LEFT = {EV_DESERTED, EV_CROSSED, EV_WENT_OVER}
HURT = {
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_DIED,
    EV_DISCHARGED,
    EV_ILL_TREATED,
    EV_REPRISAL,
    EV_SHOT,
    EV_SURRENDERED,
}
seeds = st.integers(0, 2**32)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(0, 60))
def test_news_agrees_with_telling_each_tie(seed: int, events: int) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    stage.any_fates(0.6)
    run, rng = stage.run, stage.rng
    run.records = make_room(run.records, 200)
    record(run.records, 0, 0, EV_DESERTED, -1, -1, 0.0)  # a day that is past: told already
    run.open_day(run.day)
    for _ in range(events):
        record(run.records, run.day, int(rng.integers(stage.n)), int(rng.integers(len(EVENTS))), -1, -1, 0.0)
    minds, happened = PlainMinds(stage), [0, 0, 0]
    for _, i, event, *_ in rows(run.records, run.mark):
        if event not in LEFT | HURT | ROSE:
            continue
        happened[0 if event in LEFT else 1 if event in HURT else 2] += 1
        for j in ties(stage, i):
            if run.records.fate[j] != SERVING:
                continue
            if event in LEFT | HURT:
                minds.learn(PUNISHED, j, float(event in HURT), float(event in LEFT))
            if event in LEFT | ROSE:
                minds.learn(OPPOSED, j, 1, 0)
    known = run.view(News).told.counts.copy()
    stage.play["comrades"].dusk(run)
    minds.assert_same()
    left = np.exp(-1 / stage.world["comrades.memory"])
    shown = [stage.world[f"{k}.reach"] * 1e5 / stage.n for k in ("comrades", "fear")] * np.array(happened[:2])
    half = stage.world["rising.noticed"] * stage.world.scale
    rose = stage.world["rising.shown"] * happened[2] / (half + happened[2])
    np.testing.assert_allclose(run.view(News).told.counts, known * left + [*shown, rose])


def test_an_expectation_is_a_share_of_evidence_that_fades_to_its_prior() -> None:
    m = Expectations(np.zeros((1, 7), np.float32), np.zeros((3, 2)), np.array([50.0]))
    assert settle(m, OPPOSED, 6.0, 0.2, 2.0, 1.0) == (1.2 + 2) / 9
    assert expected(m, OPPOSED, 0, 0) == m.public[OPPOSED, 0]
    learn(m, OPPOSED, 0, 0, 3.0, 1.0)
    found = [expected(m, OPPOSED, day, 0) for day in (0, 50, 5000)]
    left = np.exp(-1)
    assert np.allclose(found, [6.2 / 13, (3.2 + 3 * left) / (9 + 4 * left), 3.2 / 9])
    learn(m, OPPOSED, 50, 0, 1e9, 0.0)
    assert 0.999 < expected(m, OPPOSED, 50, 0) <= 1.0  # however much happens
    assert expected(m, PUNISHED, 50, 0) == m.public[PUNISHED, 0]
