"""The choice is a multinomial logit, written out slowly, and a rising wish to leave only moves stayers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.draws import NOBODY, decision, draw_moments, luck_key, uniform
from breakrank.engine.codes import OCCASIONS, OPTIONS
from breakrank.engine.moments import OCCASIONS as ROOM
from breakrank.engine.moments import Moments, open_moments, soldiers_of
from breakrank.engine.rows import Rows
from breakrank.engine.run import Now
from breakrank.engine.weighing import above_exp, pick, tell
from tests.engine.stage import random_force

KEY = luck_key(3, "run")
NAME = int(decision("test.choice"))
FORCE = random_force(np.random.default_rng(9), 1000)
SOLDIERS = soldiers_of(FORCE, Rows(FORCE.n))
DAY = 6


def decide(moments: Moments, factor: np.ndarray, day: int = DAY, witnessed: bool = True) -> Moments:
    """Let everyone choose by the utilities that terms and factors make, as the pass over deciders does."""
    draw_moments(KEY, NAME, moments.identity, day * ROOM, moments.occasion, moments.draw)
    for j in range(moments.n):
        utility = tuple(utilities(moments, factor, j))
        best = max(utility[1:])
        moments.choice[j] = 0
        if witnessed or not moments.draw[j] * (1 + (len(OPTIONS) - 1) * above_exp(best)) < 1:
            moments.choice[j] = pick(utility, float(moments.draw[j]))
        if witnessed:
            tell(utility, j, moments)
        moments.count[moments.choice[j]] += 1
    return moments


def utilities(moments: Moments, factor: np.ndarray, j: int) -> list[float]:
    found = []
    for o in range(len(OPTIONS)):
        u = 0.0 if moments.open[o, j] else -math.inf
        for k in range(len(moments.terms)):
            if factor[k, o] != 0:
                u += float(factor[k, o] * moments.terms[k, j])
        found.append(u)
    return found


def opened(who: np.ndarray, occasion: np.ndarray, terms: int = 1) -> Moments:
    nobody = np.full(len(who), -1, np.int32)
    moments = open_moments(
        Now(KEY, DAY, 0, False),
        SOLDIERS,
        who,
        occasion.astype(np.uint8),
        nobody,
        (terms, len(OPTIONS)),
        watched=True,
    )
    moments.open[0] = True
    return moments


def any_moments(seed: int, size: float = 3.0) -> tuple[Moments, np.ndarray]:
    rng = np.random.default_rng(seed)
    n, terms = int(rng.integers(1, 60)), 6
    who = np.sort(rng.choice(1000, n, replace=False)).astype(np.int32)
    moments = opened(who, rng.integers(0, len(OCCASIONS), n), terms)
    moments.terms[:] = rng.normal(0, size, (terms, n)) * (rng.random((terms, n)) < 0.7)
    moments.open[1:] = rng.random((len(OPTIONS) - 1, n)) < 0.6
    factor = rng.choice([0.0, 0.25, 0.5, 1.0], (terms, len(OPTIONS)))
    factor[:, 0] = 0
    return moments, factor


def plain_choice(moments: Moments, factor: np.ndarray, j: int, day: int) -> tuple[list, list, int]:
    """Return utilities, chances and the option taken of decider j."""
    utility = utilities(moments, factor, j)
    highest = max(utility)
    weight = [math.exp(u - highest) if u > -math.inf else 0.0 for u in utility]
    total = 0.0
    for w in weight:
        total += w
    when = day * 16 + int(moments.occasion[j])
    draw = uniform(KEY, NAME, int(FORCE.identity[moments.who[j]]), int(NOBODY), when) * total
    passed, taken = 0.0, 0
    for o in range(len(OPTIONS)):
        if moments.open[o, j]:
            passed += weight[o]
            taken = o
            if draw < passed:
                break
    return utility, [w / total for w in weight], taken


@given(st.integers(0, 2**32), st.integers(0, 3659))
def test_choices_agree_with_a_plain_logit(seed: int, day: int) -> None:
    moments, factor = any_moments(seed)
    decide(moments, factor, day)
    for j in range(moments.n):
        utility, chance, taken = plain_choice(moments, factor, j, day)
        assert moments.utility[:, j].tolist() == utility
        assert moments.chance[:, j].tolist() == chance
        assert moments.choice[j] == taken
    assert moments.count.tolist() == np.bincount(moments.choice, minlength=len(OPTIONS)).tolist()


@given(st.integers(0, 2**32), st.sampled_from([0.3, 3.0, 30.0, 300.0]))
def test_chances_are_chances(seed: int, size: float) -> None:
    moments, factor = any_moments(seed, size)
    decide(moments, factor)
    assert np.isfinite(moments.chance).all()
    assert (moments.chance >= 0).all()
    assert (moments.chance <= 1).all()
    assert moments.chance.sum(axis=0) == pytest.approx(1, abs=1e-12)
    assert not moments.chance[~moments.open].any()
    assert moments.open[moments.choice, np.arange(moments.n)].all()


@given(st.integers(0, 2**32))
def test_nobody_chooses_otherwise_for_being_watched(seed: int) -> None:
    watched, factor = any_moments(seed)
    unwatched, _ = any_moments(seed)
    decide(watched, factor)
    decide(unwatched, factor, witnessed=False)
    assert unwatched.choice.tolist() == watched.choice.tolist()
    assert unwatched.count.tolist() == watched.count.tolist()


@given(st.integers(0, 2**32), st.integers(1, len(OPTIONS) - 1), st.floats(0.01, 5))
def test_a_more_attractive_option_only_ever_gains_from_those_before_it_and_stayers_only_leave(
    seed: int, option: int, more: float
) -> None:
    moments, factor = any_moments(seed)
    drawn, _ = any_moments(seed)
    factor[:, option] = 0
    factor[0] = 0
    factor[0, option] = 1
    moments.terms[0] = -2
    drawn.terms[0] = -2 + more
    before, after = decide(moments, factor).choice, decide(drawn, factor).choice
    assert not ((before != 0) & (after == 0)).any()  # nobody is drawn back to staying
    assert not ((before == option) & (after != option)).any()  # nobody leaves the better option
    later = before > option
    assert (after[later] >= option).all()  # options behind it lose to it alone
    assert (after[before < option] <= option).all()


def test_frequencies_are_the_chances() -> None:
    who = np.arange(1000, dtype=np.int32)
    counts, closed = np.zeros(len(OPTIONS), int), [9.0] * (len(OPTIONS) - 4)
    for day in range(40):
        moments = opened(who, np.zeros(1000))
        moments.open[1:4] = True
        moments.terms[0] = 1.0
        counts += decide(moments, np.array([[0, 1.0, -1.0, 0.5, *closed]]), day).count
    expected = np.exp([0, 1, -1, 0.5, *(-np.inf for _ in closed)])
    expected /= expected.sum()
    spread = np.sqrt(40_000 * expected * (1 - expected))
    assert (np.abs(counts - 40_000 * expected) <= 4 * spread).all()


def test_occasions_of_one_day_have_luck_of_their_own() -> None:
    chosen = []
    for occasion in range(len(OCCASIONS)):
        moments = opened(np.arange(1000, dtype=np.int32), np.full(1000, occasion))
        moments.open[:] = True
        chosen.append(decide(moments, np.zeros((1, len(OPTIONS)))).choice.copy())
    even = 1 / len(OPTIONS)
    for a in range(len(OCCASIONS)):
        for b in range(a):
            assert 0.5 * even < (chosen[a] == chosen[b]).mean() < 1.5 * even
