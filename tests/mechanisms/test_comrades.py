"""Comrades: news of the day runs along ties to those who serve, adds up, and fades."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.books import make_room, record
from breakrank.engine.codes import (
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_CROSSED,
    EV_DESERTED,
    EV_DIED,
    EV_ILL_TREATED,
    EV_REPRISAL,
    EV_SHOT,
    EV_SURRENDERED,
    EVENTS,
    SERVING,
)
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, heard, set_the_mood, ties

LEFT = {EV_DESERTED, EV_CROSSED}
HURT = {
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_DIED,
    EV_ILL_TREATED,
    EV_REPRISAL,
    EV_SHOT,
    EV_SURRENDERED,
}
seeds = st.integers(0, 2**32)


@settings(max_examples=80, deadline=None)
@given(seeds, st.integers(0, 60))
def test_news_agrees_with_telling_each_tie(seed: int, events: int) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    stage.any_fates(0.6)
    run, rng = stage.run, stage.rng
    run.books = make_room(run.books, 200)
    record(run.books, 0, 0, EV_DESERTED, -1, -1, 0.0)  # a day that is past: told already
    run.open_day(run.day)
    for _ in range(events):
        record(run.books, run.day, int(rng.integers(stage.n)), int(rng.integers(len(EVENTS))), -1, -1, 0.0)
    expected = {what: {i: heard(stage, i, what) for i in range(stage.n)} for what in ("gone", "punished")}
    for _, i, event, *_ in rows(run.books, run.mark):
        for j in ties(stage, i):
            if run.books.fate[j] == SERVING and event in LEFT | HURT:
                what = "gone" if event in LEFT else "punished"
                expected[what][j] = float(np.float32(expected[what][j] + 1))
    untouched = {what: column(stage, f"comrades.{what}").copy() for what in expected}
    stage.play["comrades"].dusk(run)
    for what, level in expected.items():
        told = column(stage, f"comrades.{what}") != untouched[what]
        for i in range(stage.n):
            assert heard(stage, i, what) == level[i]
            if told[i]:
                assert column(stage, f"comrades.{what}_day")[i] == run.day


@settings(max_examples=40, deadline=None)
@given(seeds, st.floats(0, 10, allow_subnormal=False), st.floats(0.05, 100))  # those round by halves
def test_the_term_agrees_with_a_plain_reckoning(seed: int, weight: float, half: float) -> None:
    stage = Stage(seed, {"comrades.proof_weight": weight, "comrades.half": half})
    set_the_mood(stage)
    who = stage.some()
    moments = stage.moments(who)
    stage.play["comrades"].weigh(stage.run, moments)
    gone = [heard(stage, i, "gone") for i in who]
    term = stage.term(moments, "comrades.proof")
    assert term == [weight * g / (half + g) if g > 0 else 0.0 for g in gone]
    assert all(0 <= t <= weight for t in term)


def test_news_fades_to_37_percent_in_the_time_given() -> None:
    stage = Stage(1, {"comrades.memory": 20}, n=2)
    column(stage, "comrades.gone")[:] = 1
    stage.run.open_day(20)
    moments = stage.moments(np.array([0], np.int32))
    stage.play["comrades"].weigh(stage.run, moments)
    left = np.exp(-1)
    weight, half = stage.world["comrades.proof_weight"], stage.world["comrades.half"]
    np.testing.assert_allclose(stage.term(moments, "comrades.proof"), weight * left / (half + left))
