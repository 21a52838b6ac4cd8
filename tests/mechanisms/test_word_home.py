"""Word home told plainly: who tells whom how he is treated, what each then expects, the public channel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import EV_WORD, LEAVE, LEAVE_WITH_FAMILY, SERVING
from breakrank.mechanisms.guest_table import REFUSED, SETTLED, Guests
from breakrank.mechanisms.learning import RECEIVED, Expectations
from tests.engine.stage import Stage
from tests.mechanisms.plain import PlainMinds, mind, ties
from tests.mechanisms.plain_guests import Host, some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def staged(seed: int, word: float = 0.4, n: int | None = None, **values: float) -> Stage:
    stage = Stage(seed, {k.replace("__", "."): v for k, v in values.items()}, {"host_word": word}, n=n)
    some_guests(stage)
    own, rng = stage.run.view(Expectations).own, stage.rng
    own[:, :6] = rng.integers(0, 3, (stage.n, 6)) * rng.random((stage.n, 6))
    own[:, 6] = rng.integers(0, stage.run.day + 1, stage.n)
    mechanism = stage.play["word_home"]
    mechanism.told.counts[:] = rng.random(2) * 5
    mechanism.dawn(stage.run)
    return stage


@settings(max_examples=100, deadline=None)
@given(seeds, share, st.floats(0, 50), st.integers(1, 300))
def test_telling_agrees_with_a_plain_telling(seed: int, word: float, contact: float, memory: int) -> None:
    values = {"word_home__contact": contact, "comrades__memory": memory}
    stage = staged(seed, word, **values)
    mechanism, run = stage.play["word_home"], stage.run
    host, day, minds = Host(stage), run.day, PlainMinds(stage)
    well, badly = (x * math.exp(-1 / memory) for x in mechanism.told.counts)
    told = [0.0, 0.0]
    for h in host.here:
        if h.stay > SETTLED or h.spy:
            continue
        tells, whom, _, _ = host.four("word_home.tell", h)
        friends = ties(stage, h.who)
        if tells < 1 - math.exp(-contact / 7) and friends:
            friend = friends[int(whom * len(friends))]
            if run.records.fate[friend] == SERVING:
                lot = 0.0 if h.decided == REFUSED else h.quality * h.morale
                told = [told[0] + lot, told[1] + 1 - lot]
                minds.learn(RECEIVED, friend, lot, 1 - lot)
                host.records.record(day, h.who, EV_WORD, -1, friend, lot)
    mechanism.receive(run)
    host.assert_same()
    minds.assert_same()
    reach = stage.world["word_home.reach"] * 1e5 / stage.n
    assert mechanism.told.counts == pytest.approx([well + reach * told[0], badly + reach * told[1]])


@settings(max_examples=60, deadline=None)
@given(seeds, share, st.floats(0, 20))
def test_what_is_expected_agrees_with_a_plain_reckoning(seed: int, word: float, weight: float) -> None:
    stage = staged(seed, word, word_home__weight=weight)
    mechanism, run = stage.play["word_home"], stage.run
    moments = stage.moments(stage.some())
    stage.weigh(moments, "word_home")
    evidence = stage.world["comrades.weight"]
    well, badly = mechanism.told.counts
    public = (evidence * word + well) / (evidence + well + badly)
    assert run.measured["word_public"][run.day] == pytest.approx(public)
    expected = [weight * (mind(stage, RECEIVED, i) - public) for i in moments.who]
    assert stage.term(moments, "word_home.public") == pytest.approx([weight * public] * moments.n)
    assert stage.term(moments, "word_home.comrades") == pytest.approx(expected, rel=1e-9, abs=1e-12)
    # both together are what he expects: a share, times its weight
    both = np.array(stage.term(moments, "word_home.public")) + stage.term(moments, "word_home.comrades")
    assert ((both >= -1e-6) & (both <= weight * (1 + 1e-6) + 1e-9)).all()


def test_the_terms_speak_of_leaving_the_country_only() -> None:
    stage = Stage(1, n=3)
    for term in stage.play["word_home"].terms:
        assert set(term.options) == {LEAVE, LEAVE_WITH_FAMILY}


@settings(max_examples=60, deadline=None)
@given(seeds, share, share)
def test_better_treatment_never_makes_anybody_expect_worse(seed: int, a: float, b: float) -> None:
    low, high = sorted((a, b))
    expected = []
    for quality in (low, high):
        stage = staged(seed, word_home__contact=20)
        stage.run.view(Guests).quality[:] = quality
        mechanism = stage.play["word_home"]
        mechanism.receive(stage.run)
        stage.run.open_day(stage.run.day + 1)
        mechanism.dawn(stage.run)
        expected.append(np.array([mind(stage, RECEIVED, i) for i in range(stage.n)]))
    assert (expected[0] <= expected[1] + 1e-6).all()


def test_bad_treatment_makes_fewer_come_than_none_at_all() -> None:
    expected: dict[float | None, float] = {}
    for quality in (None, 0.1, 0.9):
        stage = staged(3, 0.45, n=400, word_home__contact=50, word_home__reach=5)
        g, mechanism = stage.run.view(Guests), stage.play["word_home"]
        mechanism.told.counts[:] = 0.0
        if quality is not None:
            g.quality[:], g.morale[:], g.decided[:] = quality, 1.0, 0
            mechanism.receive(stage.run)
        mechanism.dawn(stage.run)
        expected[quality] = float(stage.run.view(Expectations).public[RECEIVED, 0])
    assert expected[None] == pytest.approx(0.45)
    assert expected[0.1] < 0.45 < expected[0.9]


def test_without_contact_only_the_field_counts() -> None:
    stage = staged(3, 0.6, n=40, word_home__contact=0)
    mechanism = stage.play["word_home"]
    mechanism.told.counts[:] = 0.0
    before = stage.records
    for _ in range(5):
        mechanism.receive(stage.run)
        mechanism.dawn(stage.run)
    assert stage.run.view(Expectations).public[RECEIVED, 0] == pytest.approx(0.6)
    before.assert_same(stage.run.records)
