"""The likelihood of an observed figure, given what a run counts.

Its error, lag and conflicting sources are those of :class:`~breakrank.inference.observed.ObservedTarget`,
integrated. Besides, a figure may be wrong altogether, so that none alone rules a run out.

Weights of particles and members: normalised, tempered, resampled.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.case.ensemble import purpose
from breakrank.case.prior import normal_below
from breakrank.draws import luck_key, uniform_each
from breakrank.inference.observed import DISCREPANCY, Figure, ObservedTarget
from breakrank.inference.regression import Array, effective

WRONG = 0.01
"""Chance that a figure is wrong altogether: misread, or of something else."""
ASTRAY = 0.5
"""Mean distance of such a figure beyond its own error, on the scale on which it is compared (Laplace)."""
LEAST = 0.02
"""Least standard deviation of a value or range, on its scale: counts are rounded."""
NOWHERE = 8.0
"""Where a run answers nothing, its count is as far off as this, on the scale."""


def log_likelihood(target: ObservedTarget, counts: Array) -> Array:
    """Return the logarithm of the likelihood of each run (n,), always finite.

    Parameters
    ----------
    target : with its figures.
    counts : of runs on its date, and on each of the days before it that the lag allows (n, lag + 1).
    """
    return np.asarray(np.log(likelihood(target, target.scaled(counts)).mean(axis=1)))


def likelihood(target: ObservedTarget, y: Array, scatter: float = 0.0, shift: Array | float = 0.0) -> Array:
    """Return the likelihood of counts on a target's scale: the density of a value, the chance of a bound.

    Parameters
    ----------
    target : with its figures.
    y : counts on the scale (n, ...); of yes or no, 1 or 0 or the chance of yes.
    scatter : standard deviation of counts about `y`, which is integrated out.
    shift : of the figures' ends; where it is not 0, a bound is a value that lies so far beyond its end.
    """
    mixed = np.zeros(np.shape(y))
    for figure in target.figures:
        mixed += figure.weight * _likelihood(target, figure, y, scatter, np.asarray(shift))
    return mixed


def _likelihood(target: ObservedTarget, figure: Figure, y: Array, scatter: float, shift: Array) -> Array:
    low, high = target.bounds(figure)
    if target.scale == "plain":
        chance = np.where(np.isfinite(y), y * (low <= 1 <= high) + (1 - y) * (low <= 0 <= high), 0.0)
        chance = np.where(shift == 0, chance, 1.0 - chance)
        return np.asarray(WRONG + (1.0 - 2.0 * WRONG) * chance)
    bounded = math.isfinite(low) and math.isfinite(high)
    soft = math.hypot(report_error(target, figure), scatter)
    y = np.where(np.isfinite(y), y, low - NOWHERE if math.isfinite(low) else high + NOWHERE)
    if low == high:
        return _density(low + shift - y, soft)
    width = high - low if bounded else 1.0
    below, above = low - y, high - y
    inside = np.maximum(normal_below(above / soft) - normal_below(below / soft), 0.0)
    near = _between(below / (soft + ASTRAY), above / (soft + ASTRAY))
    met = np.asarray(((1 - WRONG) * inside + WRONG * near) / width)
    if not shift.any():
        return met
    return np.where(shift == 0, met, _density(np.where(shift > 0, high, low) + shift - y, soft))


def _density(away: Array, soft: float) -> Array:
    """Return the density of a report that lies so far from a count."""
    right = np.exp(-0.5 * (away / soft) ** 2) / (soft * math.sqrt(2 * math.pi))
    wrong = np.exp(-np.abs(away) / (soft + ASTRAY)) / (2 * (soft + ASTRAY))
    return np.asarray((1 - WRONG) * right + WRONG * wrong)


def report_error(target: ObservedTarget, figure: Figure) -> float:
    """Return the standard deviation of a report on its target's scale, discrepancy included."""
    bounded = all(map(math.isfinite, target.bounds(figure)))
    return max(target.softness(figure, DISCREPANCY), LEAST if bounded else 1e-9)


def _between(low: Array, high: Array) -> Array:
    """Return the chance of a standard Laplace number between two others, exact far out."""
    flip = low > 0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    return np.asarray(_below(high) - _below(low))


def _below(x: Array) -> Array:
    tail = 0.5 * np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, tail, 1.0 - tail))


def normalise(logs: Array) -> Array:
    """Return weights that add up to 1, of their logarithms (n,)."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def log_mean_exp(logs: Array) -> float:
    """Return the logarithm of the mean of numbers, of their logarithms (n,)."""
    top = float(logs.max())
    return top + float(np.log(np.exp(logs - top).mean()))


def temper(logs: Array, target_ess: float) -> float:
    """Return the largest power of weights, up to 1, with an effective sample size of `target_ess` or more.

    Parameters
    ----------
    logs : logarithms of the weights (n,).
    """
    low, high = 0.0, 1.0
    if effective(normalise(logs)) >= target_ess:
        return 1.0
    for _ in range(50):
        power = (low + high) / 2
        low, high = (power, high) if effective(normalise(power * logs)) >= target_ess else (low, power)
    return low


def resample(weights: Array, number: int, start: float) -> NDArray[np.int64]:
    """Return systematically resampled positions (number,), ascending (Kitagawa 1996).

    Parameters
    ----------
    weights : of each position (n,). start : a number from (0, 1).
    """
    edges = np.cumsum(weights)
    taken = np.searchsorted(edges / edges[-1], (np.arange(number) + start) / number, side="right")
    return np.asarray(np.minimum(taken, len(weights) - 1), np.int64)


def start_of(seed: int, what: str, number: int) -> float:
    """Return where systematic resampling starts, from (0, 1)."""
    one = np.zeros(1, np.uint32)
    key = luck_key(seed, f"worlds {what}", number)
    return float(uniform_each(key, purpose("resample"), one, np.zeros(1, np.int64))[0])
