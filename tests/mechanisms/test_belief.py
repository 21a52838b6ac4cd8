"""Belief: counts of comrades opposed, moved by public acts and by confiding, which has its risk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import DUE_CONFIDED, EV_CONFIDED, INVITED, SERVING
from breakrank.mechanisms.learning import OPPOSED, PUNISHED, Expectations
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import PlainMinds, belief, column, four, margin, mind, set_the_mood, ties

seeds = st.integers(0, 2**32)


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 1), st.sampled_from([None, INVITED]))
def test_confiding_agrees_with_a_plain_telling(
    seed: int, chance: float, candour: float, occasion: int | None
) -> None:
    stage = Stage(seed, {"belief.confide": chance, "belief.candour": candour})
    set_the_mood(stage)
    stage.any_fates(0.8)
    run = stage.run
    who = stage.some(0.8)
    moments = stage.moments(who, occasion)
    records = stage.records
    minds = PlainMinds(stage)
    confidant = column(stage, "belief.confidant").copy()
    informer = column(stage, "counterintelligence.informer")
    for i, why in zip(who.tolist(), moments.occasion.tolist(), strict=True):
        dare, which, shows, _ = four(stage, "belief.confide", i, when=run.day)
        trusted = ties(stage, i)
        bold = dare < chance * (1 - mind(stage, PUNISHED, i))
        if not trusted or why == INVITED or not bold or margin(stage, i) <= 0:
            continue
        friend = trusted[int(which * len(trusted))]
        if records.fate[friend] != SERVING:
            continue
        records.record(run.day, i, EV_CONFIDED, -1, friend)
        alike = margin(stage, friend) > 0
        minds.learn(OPPOSED, friend, 1, 0)
        if informer[friend] or (alike and shows < candour):
            minds.learn(OPPOSED, i, 1, 0)
        else:
            minds.learn(OPPOSED, i, 0, 1)
        if informer[friend] or not alike:
            confidant[friend] = i
            records.schedule(run.day + 1, DUE_CONFIDED, friend)
    stage.play["belief"].meet(run, moments)
    records.assert_same(run.records)
    minds.assert_same()
    np.testing.assert_array_equal(column(stage, "belief.confidant"), confidant)


@settings(max_examples=40, deadline=None)
@given(seeds, st.floats(0, 10), st.floats(0, 1000))
def test_the_term_agrees_with_a_plain_reckoning(seed: int, weight: float, shown: float) -> None:
    stage = Stage(seed, {"belief.weight": weight}, {"revelation": shown})
    set_the_mood(stage)
    who = stage.some()
    moments = stage.moments(who)
    stage.weigh(moments, "belief")
    assert stage.term(moments, "belief.comrades") == [weight * belief(stage, i) for i in who]


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


@settings(max_examples=30, deadline=None)
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
