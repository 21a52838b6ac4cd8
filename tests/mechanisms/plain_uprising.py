"""Uprisings to play, and a slow and obvious reckoning of them that compiled code has to meet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from breakrank.draws import NOBODY, decision, gaussian, luck_key, words
from breakrank.mechanisms.regime_change import play
from breakrank_classics.resting import resting_points

NAME = int(decision("test.rising"))
KEY = luck_key(3, "run")


@dataclass
class Game:
    """An uprising about to begin."""

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


def alike(n: int, **kinds: float) -> Game:
    """Return players all alike: by default opposed, believing so of others, seeing sharply; none launches."""
    given = {"threshold": 0.5, "belief": 1.0, "precision": 1e6} | kinds
    columns = {name: np.full(n, value) for name, value in given.items()}
    nobody, who = np.zeros(n, bool), np.arange(n, dtype=np.uint32)
    return Game(np.full(n, 1 / max(n, 1)), ordered=nobody, launch=nobody.copy(), identity=who, **columns)
