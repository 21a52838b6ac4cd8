"""A rising's rounds: against a plain reckoning, its known equilibria, and what may never make fewer join."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import special, stats

from breakrank.classics.morris_shin import RegimeGame
from breakrank.classics.resting import resting_points
from breakrank.draws import NOBODY, decision, gaussian, luck_key, words
from breakrank.mechanisms.regime_change import (
    critical,
    lowest_resting,
    normal_cdf,
    normal_quantile,
    play,
    success_seen,
    threshold_of,
)

NAME = int(decision("test.rising"))
KEY = luck_key(3, "run")
shares = st.floats(0, 1)
seeds = st.integers(0, 2**32)


@dataclass
class Game:
    """A rising about to begin."""

    weight: np.ndarray
    threshold: np.ndarray
    belief: np.ndarray
    precision: np.ndarray
    ordered: np.ndarray
    launch: np.ndarray
    identity: np.ndarray
    strength: float = 0.5
    public: float = 0.4
    alpha: float = 0.0
    sight: float = 0.0
    refusal: float = 0.8
    rounds: int = 6
    day: int = 11

    @property
    def n(self) -> int:
        return len(self.weight)

    def play(self) -> Played:
        joined = np.where(self.launch, 0, -1).astype(np.int16)
        refused, success = np.full(self.n, 77, np.int16), np.full(self.n, np.nan)
        total, left = play(
            KEY, NAME, self.day, self.identity, self.weight, self.threshold, self.belief, self.precision,
            self.ordered, joined, refused, self.strength, self.public, self.alpha, self.sight, self.refusal,
            self.rounds, success,
        )  # fmt: skip
        return Played(joined, refused, success, total, left)


@dataclass
class Played:
    joined: np.ndarray
    refused: np.ndarray
    success: np.ndarray
    total: float
    left: float

    @property
    def fell(self) -> bool:
        return self.total >= self.left

    def last_round(self, rounds: int) -> int:
        """Return the last round played, as far as its moves show."""
        return int(max(self.joined.max(), self.refused.max())) if self.fell else rounds


def some_game(seed: int, n: int = 25) -> Game:
    rng = np.random.default_rng(seed)
    weight = rng.exponential(size=n) + 1e-3
    launch = rng.random(n) < 0.15
    return Game(
        weight / weight.sum(),
        np.where(rng.random(n) < 0.08, rng.integers(0, 2, n), rng.random(n)),
        rng.random(n),
        10 ** rng.uniform(0, 3, n),
        (rng.random(n) < 0.3) & ~launch,
        launch,
        rng.choice(2**32 - 1, n, replace=False).astype(np.uint32),
        strength=rng.uniform(0, 1.1),
        public=rng.uniform(-0.2, 1.2),
        alpha=rng.choice([0.0, 1.0, 30.0, 200.0]),
        sight=rng.choice([0.0, 0.05]),
        refusal=rng.uniform(0.05, 1),
        rounds=int(rng.integers(0, 9)),
    )


# ---- the plain reckoning


def plain_critical(j: float, w: float, b: float, p: float, beta: float, y: float, alpha: float) -> float:
    if w * b == 0 or p == 1:
        return j
    if p == 0:
        return j + w * b
    offset = (alpha * (y - j) + math.sqrt(alpha + beta) * NormalDist().inv_cdf(p)) / math.sqrt(beta)
    return j + w * b * resting_points(alpha * w * b / math.sqrt(beta), offset)[0]


def plain_play(g: Game) -> tuple[list[int], list[int], list[float], float, float]:
    joined = [0 if launches else -1 for launches in g.launch]
    refused = [-1] * g.n
    success = [1.0 if launches else 0.0 for launches in g.launch]
    seen_signals: list[list[float]] = [[] for _ in range(g.n)]
    on_side = set(range(g.n))
    for r in range(1, g.rounds + 1):
        crowd = math.fsum(w for w, j in zip(g.weight, joined, strict=True) if j >= 0)
        left = g.strength - math.fsum(g.weight[c] for c in range(g.n) if c not in on_side)
        if crowd >= left - 1e-9:
            break
        for c in range(g.n):
            if 0 <= joined[c] < r:
                continue
            four = words(KEY, NAME, int(g.identity[c]), int(NOBODY), 64 * g.day + r)
            seen_signals[c].append(left + gaussian(*four[:2]) / math.sqrt(g.precision[c]))
            crowd_seen = min(1.0, max(0.0, crowd + g.sight * gaussian(*four[2:])))
            beta, mean = r * g.precision[c], sum(seen_signals[c]) / r
            enough = plain_critical(
                crowd_seen, 1 - crowd_seen, g.belief[c], g.threshold[c], beta, g.public, g.alpha
            )
            posterior = NormalDist(
                (beta * mean + g.alpha * g.public) / (beta + g.alpha), 1 / math.sqrt(beta + g.alpha)
            )
            success[c] = posterior.cdf(enough)
            if success[c] >= g.threshold[c] and g.threshold[c] < 1:
                joined[c] = r
                if g.ordered[c]:
                    on_side.discard(c)
            elif g.ordered[c] and c in on_side and success[c] >= g.refusal * g.threshold[c]:
                refused[c] = r
                on_side.discard(c)
    crowd = math.fsum(w for w, j in zip(g.weight, joined, strict=True) if j >= 0)
    return (
        joined,
        refused,
        success,
        crowd,
        g.strength - math.fsum(g.weight[c] for c in range(g.n) if c not in on_side),
    )


@settings(max_examples=300, deadline=None)
@given(seeds, st.integers(1, 30))
def test_a_rising_agrees_with_a_plain_reckoning(seed: int, n: int) -> None:
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


# ---- the game that a player pictures


@pytest.mark.parametrize(
    ("cost", "private", "public", "seen", "known"),
    [(0.5, 10, 5, 0.4, 0.65881), (0.3, 10, 5, 0.6, 0.85041), (0.5, 10, 10, 0.5, 0.10694)],
)
def test_known_thresholds(cost: float, private: float, public: float, seen: float, known: float) -> None:
    assert critical(0.0, 1.0, 1.0, cost, private, seen, public) == pytest.approx(known, abs=0.5e-5)


@settings(max_examples=500, deadline=None)
@given(st.floats(0.01, 0.99), st.floats(0.1, 1000), st.floats(0, 100), st.floats(-1, 2))
def test_the_threshold_is_the_lowest_of_the_classic_game(
    cost: float, private: float, public: float, seen: float
) -> None:
    lowest = RegimeGame(cost, private, public, seen).equilibria[0].strength
    slope = public / math.sqrt(private)
    offset = (public * seen + math.sqrt(public + private) * stats.norm.ppf(cost)) / math.sqrt(private)
    assume(abs(1 - slope * stats.norm.pdf(slope * lowest - offset)) > 1e-4)  # where digits are lost
    assert critical(0.0, 1.0, 1.0, cost, private, seen, public) == pytest.approx(lowest, abs=1e-6)


@settings(max_examples=500, deadline=None)
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


@settings(max_examples=200, deadline=None)
@given(shares, shares, st.floats(0.01, 1), st.floats(0.01, 0.99), st.floats(0.1, 1e6), st.floats(-1, 2))
def test_without_a_public_signal_the_threshold_has_a_closed_form(
    joined: float, undecided: float, belief: float, cost: float, private: float, seen: float
) -> None:
    # the two conditions of the game, solved in turn instead of by the formula
    found = critical(joined, undecided, belief, cost, private, seen, 0.0)
    signal = found - stats.norm.ppf(cost) / math.sqrt(private)
    attacking = stats.norm.cdf(math.sqrt(private) * (signal - found))
    assert found == pytest.approx(joined + undecided * belief * attacking, abs=1e-9)
    assert success_seen(found, signal, private, seen, 0.0) == pytest.approx(cost, abs=1e-9)
    faint = critical(joined, undecided, belief, cost, private, seen, 1e-12 * private)
    assert faint == pytest.approx(found, abs=1e-5)


@settings(max_examples=200, deadline=None)
@given(st.lists(shares, min_size=4, max_size=4), st.floats(0.1, 1e4), st.floats(-1, 2), st.floats(0.1, 1e3))
def test_whoever_sees_the_critical_signal_is_of_two_minds(
    parts: list[float], private: float, seen: float, public: float
) -> None:
    joined, belief, cost, _ = parts
    cost = 0.02 + 0.96 * cost
    found = critical(joined, 1 - joined, belief, cost, private, seen, public)
    both = private + public
    signal = (found * both - stats.norm.ppf(cost) * math.sqrt(both) - public * seen) / private
    attacking = stats.norm.cdf(math.sqrt(private) * (signal - found))
    assert found == pytest.approx(joined + (1 - joined) * belief * attacking, abs=1e-6)
    assert success_seen(found, signal, private, seen, public) == pytest.approx(cost, abs=1e-6)


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
    assert (normal_quantile(0.0), normal_quantile(0.5), normal_quantile(1.0)) == (-math.inf, 0.0, math.inf)


# ---- what may never make fewer join


def assert_no_fewer(better: Played, worse: Played, rounds: int) -> None:
    """Check that by each round still played where things are better, all have joined who have elsewhere."""
    assert better.fell or (not worse.fell and better.total >= worse.total - 1e-9)
    for r in range(better.last_round(rounds) + 1):
        early = (worse.joined >= 0) & (worse.joined <= r)
        assert ((better.joined >= 0) & (better.joined <= r))[early].all()


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=100, deadline=None)
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


# ---- edge cases


def alike(n: int, **kinds: float) -> Game:
    """Return players all alike: by default opposed, believing so of others, seeing sharply; none launches."""
    given = {"threshold": 0.5, "belief": 1.0, "precision": 1e6} | kinds
    columns = {name: np.full(n, value) for name, value in given.items()}
    nobody, who = np.zeros(n, bool), np.arange(n, dtype=np.uint32)
    return Game(np.full(n, 1 / max(n, 1)), ordered=nobody, launch=nobody.copy(), identity=who, **columns)


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


def test_who_believes_himself_alone_joins_only_a_rising_that_has_as_good_as_won() -> None:
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


def test_coming_over_helps_a_rising_no_less_than_refusing() -> None:
    # the others see a strength of 0.5 and move once it is below 0.35, or below 0.48 where they see 0.2 joined:
    # were his weight left with the regime when he comes over, the rising would win by his refusal only
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
