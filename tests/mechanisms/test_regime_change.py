"""An uprising's rounds against a plain reckoning, and the game that a commander pictures."""

import math
from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special, stats

from breakrank.mechanisms import regime_change
from breakrank.mechanisms.regime_change import (
    lowest_resting,
    normal_cdf,
    normal_quantile,
    quantile_nearly,
    success_seen,
    threshold_of,
)
from breakrank_classics.morris_shin import RegimeGame
from breakrank_classics.resting import resting_points
from tests.mechanisms.plain_uprising import alike, plain_play, some_game

seeds = st.integers(0, 2**32)


@given(seeds, st.integers(1, 30))
def test_a_uprising_agrees_with_a_plain_reckoning(seed: int, n: int) -> None:
    game = some_game(seed, n)
    joined, refused, success, total, left = plain_play(game)
    played = game.play()
    assert played.joined.tolist() == joined
    assert played.refused.tolist() == refused
    np.testing.assert_allclose(played.success, success, rtol=0, atol=1e-9)
    assert (played.total, played.left) == pytest.approx((total, left), abs=2e-9)


def test_the_games_above_are_not_all_alike() -> None:
    games = [some_game(seed) for seed in range(300)]
    played = [g.play() for g in games]
    assert 60 < sum(p.fell for p in played) < 240
    assert sum(bool((p.refused > 0).any()) for p in played) > 60
    assert sum(bool(((p.refused > 0) & (p.joined > p.refused)).any()) for p in played) > 10
    assert sum(len(set(p.joined.tolist())) > 3 for p in played) > 60


def test_without_players_nothing_happens() -> None:
    played = alike(0).play()
    assert (played.total, played.left) == (0.0, 0.5)


@pytest.mark.parametrize("alpha", [0.0, 50.0])
def test_those_with_nothing_to_lose_join_and_those_with_nothing_to_gain_never_do(alpha: float) -> None:
    game = replace(alike(10, threshold=1.0), alpha=alpha, strength=0.95, public=0.95)
    game.threshold[:4] = 0.0
    game.launch[9] = True
    played = game.play()
    assert played.joined.tolist() == [1] * 4 + [-1] * 5 + [0]
    assert not played.fell
    # even where the fall is as good as sure
    sure = replace(alike(10, threshold=1.0, precision=1e12), alpha=alpha, strength=0.3, public=0.3)
    sure.launch[:3] = True
    sure.weight[:3] -= 1e-7
    played = sure.play()
    assert played.success[3:].max() < 1
    assert played.joined.tolist() == [0] * 3 + [-1] * 7


def test_who_believes_himself_alone_joins_only_a_uprising_that_has_as_good_as_won() -> None:
    for beyond, moves in ((0.1, False), (1e-6, True)):
        game = replace(alike(10, belief=0.0, threshold=0.4), strength=0.4 + beyond)
        game.launch[:4] = True
        assert (game.play().joined >= 1).any() == moves


def test_weights_that_fall_short_of_1_by_rounding_are_all_the_weight() -> None:
    game = replace(alike(10, threshold=0.0), strength=1.0)
    assert reduce(add, game.weight.tolist()) < 1  # `sum` rounds once from Python 3.12 on
    played = game.play()
    assert played.fell
    assert (played.joined == 1).all()


def critical(joined: float, undecided: float, belief: float, cost: float, *seen: float) -> float:
    return regime_change.critical(joined, undecided, belief, cost, normal_quantile(cost), *seen)


@given(st.floats(0.01, 0.99), st.floats(0.1, 1000), st.floats(0, 100), st.floats(-1, 2))
def test_the_threshold_is_the_lowest_of_the_classic_game(
    cost: float, private: float, public: float, seen: float
) -> None:
    lowest = RegimeGame(cost, private, public, seen).equilibria[0].strength
    slope = public / math.sqrt(private)
    offset = (public * seen + math.sqrt(public + private) * stats.norm.ppf(cost)) / math.sqrt(private)
    assume(abs(1 - slope * stats.norm.pdf(slope * lowest - offset)) > 1e-4)  # where digits are lost
    assert critical(0.0, 1.0, 1.0, cost, private, seen, public) == pytest.approx(lowest, abs=1e-6)


@given(st.floats(0, 300), st.floats(-400, 400))
def test_the_lowest_resting_point_is_found(slope: float, offset: float) -> None:
    found = lowest_resting(slope, offset)
    assert 0 <= found <= 1
    assert normal_cdf(slope * found - offset) == pytest.approx(found, abs=1e-9)
    lowest = resting_points(slope, offset)[0]
    assume(abs(1 - slope * stats.norm.pdf(slope * lowest - offset)) > 1e-4)
    assert found == pytest.approx(lowest, abs=1e-9)


@pytest.mark.parametrize("slope", [2.0, math.sqrt(2 * math.pi), 3.0, 20.0])
def test_at_the_edge_of_several_equilibria_the_lowest_is_still_a_solution(slope: float) -> None:
    # tangency: shift the curve until the lower pair of solutions melts into one
    reach = math.sqrt(max(0.0, 2 * math.log(slope / math.sqrt(2 * math.pi))))
    touching = float(special.ndtr(-reach))
    for shift in (-1e-6, 1e-6):
        offset = slope * touching + reach + shift
        found = lowest_resting(slope, offset)
        assert normal_cdf(slope * found - offset) == pytest.approx(found, abs=1e-9)
        if slope > 2.6 and shift < 0:
            assert found > touching + 0.1  # hope no longer ends there
        else:
            assert found <= touching + 0.01


def test_the_ends_of_the_ranges() -> None:
    for public in (0.0, 10.0):
        assert critical(0.2, 0.8, 0.5, 0.0, 10.0, 0.5, public) == pytest.approx(0.6)
        assert critical(0.2, 0.8, 0.5, 1.0, 10.0, 0.5, public) == 0.2
        assert critical(0.2, 0.8, 0.0, 0.3, 10.0, 0.5, public) == 0.2
        assert critical(1.0, 0.0, 0.5, 0.3, 10.0, 0.5, public) == 1.0
        assert 0.999 < success_seen(100.0, 0.0, 10.0, 0.0, public) < 1


def test_thresholds_of_losses_and_gains() -> None:
    assert threshold_of(1.0, 3.0) == 0.25
    assert threshold_of(0.0, 2.0) == 0.0
    assert threshold_of(-1.0, 2.0) == 0.0
    assert threshold_of(1.0, 0.0) == 1.0
    assert threshold_of(1.0, -5.0) == 1.0
    assert threshold_of(-1.0, -5.0) == 1.0
    assert threshold_of(0.0, 0.0) == 1.0


def test_the_normal_distribution_to_the_last_digits() -> None:
    for reach, error in ((6, 1e-14), (37, 5e-13)):
        z = np.linspace(-reach, reach, 20_001)
        np.testing.assert_allclose([normal_cdf(v) for v in z], special.ndtr(z), rtol=error)
    p = np.concatenate(
        [np.logspace(-300, -1, 5_000), np.linspace(0.001, 0.999, 9_999), 1 - np.logspace(-15, -1)]
    )
    np.testing.assert_allclose([normal_quantile(v) for v in p], special.ndtri(p), rtol=2e-14, atol=1e-15)
    np.testing.assert_allclose([quantile_nearly(v) for v in p], special.ndtri(p), rtol=1.2e-9, atol=1e-9)
    assert (normal_quantile(0.0), normal_quantile(0.5), normal_quantile(1.0)) == (-math.inf, 0.0, math.inf)
