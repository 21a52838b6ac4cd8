"""Decision, fear and challenger, which only weigh: options, terms and their signs, told plainly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import (
    ADRIFT,
    AGAINST,
    CALLED_OVER,
    DEFEATED,
    DESERT,
    ERRAND,
    EV_DESERTED,
    FAMILY_SHOCK,
    HIDING,
    INVITED,
    LEAVE,
    LEAVE_PASS,
    LEAVE_WITH_FAMILY,
    OCCASIONS,
    OPTIONS,
    POSTING,
    REPORT,
    STAY,
    UNDER_FIRE,
    WARNED,
)
from breakrank.mechanisms.challenger import appeal_by_day
from breakrank.mechanisms.learning import PUNISHED, Expectations, News
from breakrank.mechanisms.regime import Watch
from tests.engine.stage import Stage
from tests.mechanisms.plain import mind, set_the_mood, tier

seeds = st.integers(0, 2**32)
AT_WAR = {UNDER_FIRE, ADRIFT, CALLED_OVER}
WHEN = {
    DESERT: {LEAVE_PASS, ERRAND, FAMILY_SHOCK, WARNED, DEFEATED, *AT_WAR},
    LEAVE: {LEAVE_PASS, ERRAND, FAMILY_SHOCK, POSTING, INVITED, WARNED, DEFEATED, *AT_WAR},
    LEAVE_WITH_FAMILY: {LEAVE_PASS, FAMILY_SHOCK, INVITED, WARNED},
}
"""The occasions on which each way of going can be considered."""


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from([0, 1]), st.integers(0, len(OCCASIONS) - 1))
def test_occasions_open_the_options(seed: int, ways_out: int, occasion: int) -> None:
    stage = Stage(seed, {"ways_out.on": ways_out})
    set_the_mood(stage)
    moments = stage.moments(stage.some(), occasion)
    stage.weigh(moments, "decision")
    for j, i in enumerate(moments.who):
        feeds = int(stage.force.dependants[i])
        assert moments.open[:, j].tolist() == [
            True,
            occasion in WHEN[DESERT],
            bool(ways_out) and occasion in WHEN[LEAVE],
            bool(ways_out) and occasion in WHEN[LEAVE_WITH_FAMILY] and feeds > 0,
            *(False for _ in OPTIONS[REPORT:]),  # for others to open
        ]
        assert stage.term(moments, "decision.habit_desert")[j] == -stage.world["decision.habit_desert"]
        assert stage.term(moments, "decision.habit_leave")[j] == -stage.world["decision.habit_leave"]
        assert stage.term(moments, "decision.breadwinner")[j] == -stage.world["decision.breadwinner"] * feeds
        start = stage.world["decision.head_start"] if occasion == ERRAND else 0.0
        assert stage.term(moments, "decision.head_start")[j] == start


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_who_deserts_hides(seed: int) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    moments = stage.moments(stage.some())
    moments.choice[:] = stage.rng.choice([STAY, DESERT, LEAVE, REPORT], moments.n)
    moments.count[:] = np.bincount(moments.choice, minlength=len(OPTIONS))
    records = stage.records
    for j, i in enumerate(moments.who.tolist()):
        if moments.choice[j] == DESERT:
            records.move(stage.run.day, i, HIDING, EV_DESERTED)
    stage.play["decision"].act(stage.run, moments)
    records.assert_same(stage.run.records)


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 20), st.floats(0, 5), st.floats(0.01, 0.99), st.floats(0, 20))
def test_fear_agrees_with_a_plain_reckoning(
    seed: int, risk: float, slope: float, prior: float, watch: float
) -> None:
    values = {"risk_weight": risk, "punishment_slope": slope, "prior_mean": prior}
    stage = Stage(seed, {f"fear.{k}": v for k, v in values.items()}, {"surveillance": watch})
    set_the_mood(stage)
    moments = stage.moments(stage.some())
    stage.weigh(moments, "fear")
    weight, parents = stage.world["fear.reprisal_weight"], stage.world["fear.relatives_beside"]
    gone, hurt, _ = stage.run.view(News).told.counts
    evidence, watch = stage.world["comrades.weight"], float(stage.run.view(Watch).today[0])
    left = stage.world["fear.unwatched"]
    odds = (left + (1 - left) * watch) * prior / (1 - prior)
    watched = odds / (1 + odds)
    public = stage.run.view(Expectations).public[PUNISHED, 0]
    assert public == pytest.approx((evidence * watched + hurt) / (evidence + gone + hurt))
    who = moments.who.tolist()
    sees = [mind(stage, PUNISHED, i) for i in who]
    stake = [risk * (1 + slope * tier(stage, i)) for i in who]
    assert stage.term(moments, "fear.risk") == [-p * s for p, s in zip(sees, stake, strict=True)]
    behind = [parents + int(stage.force.dependants[i]) for i in who]
    alone = [-p * weight * b for p, b in zip(sees, behind, strict=True)]
    assert stage.term(moments, "fear.reprisal_alone") == alone
    assert stage.term(moments, "fear.reprisal_family") == [-p * weight * parents for p in sees]


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 300), st.floats(0, 1))
def test_the_challenger_agrees_with_a_plain_reckoning(
    seed: int, credible: float, states: float, amnesty: float
) -> None:
    fields = {"credibility": credible, "recognition": states, "amnesty": amnesty}
    stage = Stage(seed, fields=fields)
    set_the_mood(stage)
    moments = stage.moments(stage.some())
    stage.weigh(moments, "preference")
    stage.weigh(moments, "challenger")
    weight = {k: stage.world[f"challenger.{k}_weight"] for k in ("pull", "amnesty", "recognition")}
    trust = 1 - (1 - credible) * (1 - weight["recognition"]) ** states
    assert appeal_by_day(stage.world).tolist() == pytest.approx([trust] * stage.world.days)
    pull = [weight["pull"] * trust if m > 0 else 0.0 for m in moments.margin]
    assert stage.term(moments, "challenger.pull") == pytest.approx(pull)
    offered = [
        weight["amnesty"] * amnesty * trust * (1 + tier(stage, i)) if m > 0 else 0.0
        for i, m in zip(moments.who, moments.margin, strict=True)
    ]
    assert stage.term(moments, "challenger.amnesty") == pytest.approx(offered)


def test_there_is_no_credibility_without_a_challenger() -> None:
    stage = Stage(1, {"challenger.on": 0}, {"credibility": 1, "recognition": 300})
    assert not appeal_by_day(stage.world).any()


SIGNS = {
    "grievance": (1, set(AGAINST)),
    "belief": (1, set(AGAINST)),
    "fear": (-1, set(AGAINST)),
    "challenger": (1, set(AGAINST) - {DESERT}),
}


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_terms_speak_for_or_against_going_as_their_mechanism_says(seed: int) -> None:
    stage = Stage(seed, fields={"credibility": 0.5, "host_word": 0.5, "amnesty": 0.5, "revelation": 1})
    set_the_mood(stage)
    moments = stage.moments(stage.some())
    stage.weigh(moments)
    for term in stage.days.terms:
        assert all(0 < factor <= 1 for factor in term.options.values())
    for mechanism in stage.days.mechanisms:
        for term in mechanism.terms:
            assert set(term.options) <= set(range(1, len(OPTIONS))), "staying is what all is measured against"
            if mechanism.name in SIGNS:
                sign, options = SIGNS[mechanism.name]
                assert set(term.options) <= options
                assert all(sign * value >= 0 for value in stage.term(moments, term.name))
    assert np.isfinite(moments.terms).all()


def test_each_term_is_named_after_its_mechanism_and_only_once() -> None:
    stage = Stage(1)
    names = [(m.name, term.name) for m in stage.days.mechanisms for term in m.terms]
    assert all(term.startswith(f"{mechanism}.") for mechanism, term in names)
    assert len({term for _, term in names}) == len(names) == len(stage.days.terms)
