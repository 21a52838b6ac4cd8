"""Which of many parameters matter at all, from prior simulations that are there already.

Three things are read off the ranks of an outcome, each a share of variance: what a straight line in the
rank of the parameter takes (Spearman 1904, squared), which finds weak steady effects; what the means in
bins of the parameter take (the correlation ratio, Pearson 1905: Sobol's first-order index whatever the
shape); and what the bins take of the distance from the middle, since a parameter that acts only together
with others moves no mean, but mostly the spread. Each is set against what it is by chance (chi-square, made
normal after Wilson and Hilferty 1931); the largest is the parameter's score, and shuffling the outcome
tells what score chance alone reaches. All of it costs no run beyond the bank's. Decision 15 has the
measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.calibrate.regression import ranks
from breakrank.results.json_files import json_ready

Numbers = NDArray[np.float64]

BINS = 8
"""Bins of a parameter."""
SHUFFLES = 400
CHANCE = 0.05
"""Chance with which shuffling lets any parameter of an outcome pass."""


@dataclass(frozen=True, slots=True)
class Screened:
    """What one parameter does to one outcome.

    Attributes
    ----------
    name : the parameter.
    share : of the variance of the outcome's rank that goes when it is known, corrected for chance; about 0,
        also below, where it does nothing.
    spread : the same of the distance of the outcome's rank from the middle.
    sign : rank correlation (Spearman), -1 to 1: which way it moves the outcome.
    score : how far the largest of the three is beyond chance, in standard deviations of a normal variable.
    bound : the score that chance alone does not pass for any parameter, in 95 of 100 shuffles.
    """

    name: str
    share: float
    spread: float
    sign: float
    score: float
    bound: float

    @property
    def told(self) -> bool:
        """Whether it can be told from chance."""
        return self.score > self.bound

    def as_json(self) -> dict[str, object]:
        """Return it ready for JSON; what is no finite number is ``None``."""
        told = {f: getattr(self, f) for f in ("share", "spread", "sign", "score", "bound")}
        return json_ready({"parameter": self.name} | told | {"told_from_chance": self.told})


def screen(names: Sequence[str], values: Numbers, outcome: Numbers, seed: int) -> tuple[Screened, ...]:
    """Return what each parameter does to an outcome, the highest score first.

    Parameters
    ----------
    names, values : parameters, and their draws, float64 (run, parameter).
    outcome : float64 (run,); runs without one are left out.
    seed : of the shuffling.
    """
    kept = np.isfinite(outcome)
    values, outcome = values[kept], outcome[kept]
    n = len(outcome)
    if n < 2 * BINS or np.ptp(outcome) == 0:
        return tuple(Screened(name, *(np.nan,) * 5) for name in names)
    y = _standard(ranks(outcome))
    rng = np.random.default_rng([seed, 0x5C4EE])
    level = np.stack([y, *(rng.permutation(y) for _ in range(SHUFFLES))])
    away = np.stack([_standard(row) for row in np.abs(level)])
    found, highest = [], np.full(SHUFFLES, -np.inf)
    for k, name in enumerate(names):
        x = values[:, k]
        signs = level @ _standard(ranks(x)) / n
        means, spreads = _between(x, level), _between(x, away)
        score = np.max(
            [_score(signs**2 * n, 1), _score(means * n, BINS - 1), _score(spreads * n, BINS - 1)], axis=0
        )
        highest = np.maximum(highest, score[1:])
        found.append((name, _corrected(means[0], n), _corrected(spreads[0], n), signs[0], score[0]))
    bound = float(np.quantile(highest, 1 - CHANCE))
    told = (
        Screened(name, float(share), float(spread), float(sign), float(score), bound)
        for name, share, spread, sign, score in found
    )
    return tuple(sorted(told, key=lambda s: -s.score))


def _between(x: Numbers, outcomes: Numbers) -> Numbers:
    """Return the share of variance between bins of a parameter, of each row of outcomes (shuffle, run)."""
    n = len(x)
    edges = np.arange(BINS) * n // BINS
    counts = np.diff([*edges, n])
    means = np.add.reduceat(outcomes[:, np.argsort(x, kind="stable")], edges, axis=1) / counts
    return np.asarray((counts * means**2).sum(1) / n)


def _corrected(share: float, n: int) -> float:
    """Return a share of variance between bins less what it is on average without any dependence."""
    chance = (BINS - 1) / (n - 1)
    return (share - chance) / (1 - chance)


def _score(square: Numbers, freedom: int) -> Numbers:
    """Return chi-square variables as standard normal ones (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return np.asarray((np.cbrt(square / freedom) - (1 - spread)) / np.sqrt(spread))


def _standard(values: Numbers) -> Numbers:
    spread = values.std()
    return np.asarray((values - values.mean()) / (spread if spread > 0 else 1.0))
