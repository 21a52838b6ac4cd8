"""An uprising's rounds: against a plain reckoning, in edge cases, and what may never make fewer join."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mechanisms.plain_uprising import Played, alike, plain_play, some_game

shares = st.floats(0, 1)
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


def assert_no_fewer(better: Played, worse: Played, rounds: int) -> None:
    """Check that by each round still played where things are better, all have joined who have elsewhere."""
    assert better.fell or (not worse.fell and better.total >= worse.total - 1e-9)
    for r in range(better.last_round(rounds) + 1):
        early = (worse.joined >= 0) & (worse.joined <= r)
        assert ((better.joined >= 0) & (better.joined <= r))[early].all()


@given(seeds, st.sampled_from(["belief", "threshold", "strength", "launch", "public", "refusal"]), shares)
def test_better_prospects_never_make_fewer_join(seed: int, what: str, size: float) -> None:
    game = replace(some_game(seed, 40), sight=0.0)
    rng = np.random.default_rng(seed + 2)
    who = rng.random(40) < rng.choice([0.03, 0.3, 1])
    up, down = (lambda a: np.where(who, a + (1 - a) * size, a)), (lambda a: np.where(who, a * (1 - size), a))
    better = {
        "belief": lambda: replace(game, belief=up(game.belief)),
        "threshold": lambda: replace(game, threshold=down(game.threshold)),
        "strength": lambda: replace(game, strength=game.strength - size),
        "launch": lambda: replace(game, launch=game.launch | (who & ~game.ordered)),
        "public": lambda: replace(game, public=game.public - size),
        "refusal": lambda: replace(game, refusal=game.refusal * (1 - size) + 1e-3 * size),
    }[what]()
    assert_no_fewer(better.play(), game.play(), game.rounds)


@given(seeds)
def test_players_may_stand_in_any_order(seed: int) -> None:
    game = some_game(seed)
    order = np.random.default_rng(seed).permutation(game.n)
    columns = ("weight", "threshold", "belief", "precision", "ordered", "launch", "identity")
    shuffled = replace(game, **{name: getattr(game, name)[order].copy() for name in columns}).play()
    straight = game.play()
    assert shuffled.joined.tolist() == straight.joined[order].tolist()
    assert shuffled.refused.tolist() == straight.refused[order].tolist()
    assert (shuffled.total, shuffled.left) == pytest.approx((straight.total, straight.left), abs=2e-9)


def test_a_players_errors_are_his_own() -> None:
    # without weight he changes nothing for others, and whatever he does, they see what they saw
    game = replace(some_game(8, 30), weight=np.append(np.full(29, 1 / 29), 0.0), sight=0.05)
    game.launch[-1] = False
    other = replace(game, threshold=np.append(game.threshold[:-1], 1 - game.threshold[-1]))
    assert other.play().success[:-1].tolist() == game.play().success[:-1].tolist()
    later = replace(game, day=game.day + 1)
    assert later.play().success.tolist() != game.play().success.tolist()


def test_without_players_nothing_happens() -> None:
    played = alike(0).play()
    assert (played.total, played.left) == (0.0, 0.5)


def test_a_regime_without_strength_falls_before_anyone_moves() -> None:
    played = replace(alike(5), strength=0.0).play()
    assert (played.total, played.left) == (0.0, 0.0)
    assert (played.joined == -1).all()
    assert (played.success == 0).all()


def test_without_rounds_only_those_who_launch_have_joined() -> None:
    game = replace(alike(10), rounds=0)
    game.launch[:3] = True
    played = game.play()
    assert played.joined.tolist() == [0] * 3 + [-1] * 7
    assert played.success.tolist() == [1] * 3 + [0] * 7
    assert played.total == pytest.approx(0.3)


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


def test_all_weight_on_one() -> None:
    game = alike(3)
    game.weight[:] = [1, 0, 0]
    assert game.play().fell
    stays = replace(game, threshold=np.array([1.0, 0.5, 0.5]), rounds=63).play()
    assert stays.total == 0.0
    assert stays.joined[0] == -1
    game.launch[0] = True
    assert game.play().joined.tolist() == [0, -1, -1]


def test_weights_that_fall_short_of_1_by_rounding_are_all_the_weight() -> None:
    game = replace(alike(10, threshold=0.0), strength=1.0)
    assert sum(game.weight.tolist()) < 1
    played = game.play()
    assert played.fell
    assert (played.joined == 1).all()


def test_who_sees_nothing_stays() -> None:
    played = alike(5, precision=0.0).play()
    assert (played.joined == -1).all()
    assert (played.success == 0).all()


def test_a_refusal_weakens_the_regime_once_and_coming_over_counts_twice() -> None:
    # near the strength at which they are of two minds, so that most see P between refusal and threshold
    game = replace(alike(10, threshold=0.9), strength=0.1 + 1e-4, refusal=0.01, rounds=1)
    game.ordered[:2] = True
    played = game.play()
    refused = np.flatnonzero(played.refused == 1)
    assert played.left == pytest.approx(
        game.strength - 0.1 * (len(refused) + int((played.joined[:2] == 1).sum()))
    )
    over = replace(
        alike(4, threshold=0.0), ordered=np.array([True, False, False, False]), strength=1.5, rounds=1
    )
    played = over.play()
    assert (played.total, played.left) == pytest.approx((1.0, 1.25))
    assert played.refused.tolist() == [-1] * 4


def test_coming_over_helps_a_uprising_no_less_than_refusing() -> None:
    # the others see a strength of 0.5 and move once it is below 0.35, or below 0.48 if they see 0.2 joined:
    # were his weight left with the regime when he comes over, the uprising would win by his refusal only
    game = replace(alike(9, threshold=0.65), strength=0.5, refusal=0.01, rounds=12)
    game.weight[:] = [0.2] + [0.1] * 8
    game.ordered[0], game.precision[0] = True, 1.0
    refuses, joins = (replace(game, threshold=np.append(p, game.threshold[1:])).play() for p in (0.9, 0.0))
    assert (refuses.refused[0], refuses.joined[0]) == (1, -1)
    assert (joins.refused[0], joins.joined[0]) == (-1, 1)
    assert refuses.fell
    assert joins.fell
    assert_no_fewer(joins, refuses, game.rounds)


def test_a_refusal_of_1_means_that_nobody_refuses() -> None:
    for seed in range(30):
        assert (replace(some_game(seed), refusal=1.0).play().refused == -1).all()


def test_more_rounds_than_a_day_has_are_not_played() -> None:
    game = replace(alike(5, threshold=0.7), strength=0.9, precision=np.full(5, 2.0))
    assert (
        replace(game, rounds=1000).play().success.tolist() == replace(game, rounds=63).play().success.tolist()
    )
