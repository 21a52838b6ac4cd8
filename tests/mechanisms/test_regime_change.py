"""An uprising's rounds: against a plain reckoning, and in edge cases."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
