"""Word home told plainly: who tells whom how he is treated, what each then expects, the public channel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import EV_WORD, LEAVE, LEAVE_WITH_FAMILY, SERVING
from breakrank.mechanisms.guest_table import SETTLED, STREET, Guests
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, ties
from tests.mechanisms.plain_guests import Host, some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def staged(seed: int, word: float = 0.4, n: int | None = None, **values: float) -> Stage:
    stage = Stage(seed, {f"word_home.{k}": v for k, v in values.items()}, {"host_word": word}, n=n)
    some_guests(stage)
    heard, rng = stage.play["word_home"].heard, stage.rng
    told = rng.random(stage.n) < 0.5
    heard.counts[:] = np.where(told, rng.integers(1, 5, stage.n) * rng.random(stage.n), 0)
    heard.told[:] = heard.counts * rng.random(stage.n)
    heard.on[:] = rng.integers(0, stage.run.day + 1, stage.n)
    heard.anything[:] = np.packbits(np.pad(told, (0, 8 - stage.n % 8)), bitorder="little")
    stage.play["word_home"].learnt = float(rng.uniform(-0.5, 0.5))
    return stage


def f32(value: float) -> float:
    return float(np.float32(value))


@settings(max_examples=200, deadline=None)
@given(
    seeds, share, st.floats(0, 50), st.floats(1, 300), st.floats(0.1, 50), st.integers(1, 300), st.booleans()
)
def test_telling_agrees_with_a_plain_telling(
    seed: int, word: float, contact: float, memory: float, public_days: float, seen: int, feedback: bool
) -> None:
    stage = staged(
        seed,
        word,
        contact=contact,
        memory=memory,
        public_days=public_days,
        seen=seen,
        feedback=int(feedback),
    )
    mechanism, run = stage.play["word_home"], stage.run
    host, day = Host(stage), run.day
    told, counts, on = (column(stage, f"word_home.{k}").tolist() for k in ("told", "counts", "on"))
    public = min(max(word + mechanism.learnt, 0.0), 1.0)
    learnt, care, treatment = mechanism.learnt, 0, 0.0
    for h in host.here if feedback else []:
        if h.stay > SETTLED or h.spy:
            continue
        if h.stay <= STREET:
            care, treatment = care + 1, treatment + h.quality
        tells, whom, _, _ = host.four("word_home.tell", h)
        friends = ties(stage, h.who)
        if tells < 1 - math.exp(-contact / 7) and friends:
            friend = friends[int(whom * len(friends))]
            if run.books.fate[friend] == SERVING:
                fade = math.exp(-(day - on[friend]) / memory)
                told[friend] = f32(told[friend] * fade + h.quality)
                counts[friend] = f32(counts[friend] * fade + 1.0)
                on[friend] = day
                host.books.record(day, h.who, EV_WORD, -1, friend, h.quality)
    if care:
        learnt += (treatment / care - public) * (1 - math.exp(-1 / public_days)) * (care / (care + seen))
    mechanism.receive(run)
    host.assert_same()
    assert [column(stage, f"word_home.{k}").tolist() for k in ("told", "counts", "on")] == [told, counts, on]
    assert mechanism.learnt == learnt
    assert run.gauges["word_public"][day] == np.float32(public)
    assert 0 <= mechanism.public(day) <= 1


@settings(max_examples=100, deadline=None)
@given(seeds, share, st.floats(0, 20), st.floats(0.01, 20), st.floats(1, 300))
def test_what_is_expected_agrees_with_a_plain_reckoning(
    seed: int, word: float, weight: float, public_counts: float, memory: float
) -> None:
    stage = staged(seed, word, weight=weight, public_counts=public_counts, memory=memory)
    mechanism, run = stage.play["word_home"], stage.run
    moments = stage.moments(stage.some())
    mechanism.weigh(run, moments)
    public = mechanism.public(run.day)
    heard = mechanism.heard
    expected = []
    for i in moments.who:
        n, told = float(heard.counts[i]), float(heard.told[i])
        fade = math.exp(-(run.day - int(heard.on[i])) / memory)
        mean = (public_counts * public + told * fade) / (public_counts + n * fade)
        expected.append(weight * (mean - public) if n > 0 else 0.0)
    assert stage.term(moments, "word_home.public") == [weight * public] * moments.n
    assert stage.term(moments, "word_home.comrades") == pytest.approx(expected, rel=1e-12, abs=1e-15)
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
    terms = []
    for quality in (low, high):
        stage = staged(seed, contact=20)
        g = stage.run.view(Guests)
        g.quality[:] = quality
        mechanism = stage.play["word_home"]
        mechanism.receive(stage.run)
        stage.run.open_day(stage.run.day + 1)
        moments = stage.moments(np.arange(stage.n, dtype=np.int32), 0)
        mechanism.weigh(stage.run, moments)
        terms.append(
            np.array(stage.term(moments, "word_home.public"))
            + np.array(stage.term(moments, "word_home.comrades"))
        )
    assert (terms[0] <= terms[1] + 1e-6).all()


def test_the_public_channel_ends_where_people_are_treated() -> None:
    for quality in (0.0, 0.3, 1.0):
        stage = staged(3, 0.6, n=40, public_days=2, seen=1)
        g, mechanism = stage.run.view(Guests), stage.play["word_home"]
        g.quality[:] = quality
        mechanism.learnt = 0.0
        apart = [abs(mechanism.public(0) - quality)]
        for _ in range(60):
            mechanism.receive(stage.run)
            apart.append(abs(mechanism.public(0) - quality))
        assert apart == sorted(apart, reverse=True)
        assert apart[-1] < 1e-6


def test_without_feedback_only_the_field_counts() -> None:
    stage = staged(3, 0.6, n=40, feedback=0)
    mechanism = stage.play["word_home"]
    mechanism.learnt = 0.0
    before = stage.books
    for _ in range(5):
        mechanism.receive(stage.run)
    assert mechanism.public(7) == 0.6
    before.assert_same(stage.run.books)


def test_word_fades_to_37_percent_in_the_time_given() -> None:
    stage = Stage(1, {"word_home.memory": 20, "word_home.public_counts": 1, "word_home.weight": 1}, n=2)
    heard = stage.play["word_home"].heard
    heard.told[:], heard.counts[:], heard.anything[:] = 1, 1, 255
    stage.run.open_day(20)
    moments = stage.moments(np.array([0], np.int32))
    stage.play["word_home"].weigh(stage.run, moments)
    left = math.exp(-1)
    assert stage.term(moments, "word_home.comrades") == pytest.approx([left / (1 + left)])
