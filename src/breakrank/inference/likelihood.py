"""The likelihood of an observed figure, given what a run counts.

Its error, lag and conflicting sources are those of :class:`~breakrank.inference.observed.ObservedTarget`,
integrated. Besides, a figure may be wrong altogether, so that none alone rules a run out.
"""

from __future__ import annotations

import math

import numpy as np

from breakrank.case.prior import normal_below
from breakrank.inference.observed import DISCREPANCY, Figure, ObservedTarget
from breakrank.inference.regression import Array

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
    y = target.scaled(counts)
    mixed = np.zeros(y.shape)
    for figure in target.figures:
        mixed += figure.weight * _likelihood(target, figure, y)
    return np.asarray(np.log(mixed.mean(axis=1)))


def _likelihood(target: ObservedTarget, figure: Figure, y: Array) -> Array:
    """Return the density of a report of a value or range, and the chance of one that meets a bound."""
    low, high = target.bounds(figure)
    if target.scale == "plain":
        return np.asarray(np.where((y >= low) & (y <= high), 1.0 - WRONG, WRONG))
    bounded = math.isfinite(low) and math.isfinite(high)
    soft = max(DISCREPANCY * target.softness(figure), LEAST if bounded else 1e-9)
    y = np.where(np.isfinite(y), y, low - NOWHERE if math.isfinite(low) else high + NOWHERE)
    below, above = low - y, high - y
    if low == high:
        right = np.exp(-0.5 * (below / soft) ** 2) / (soft * math.sqrt(2 * math.pi))
        wrong = np.exp(-np.abs(below) / (soft + ASTRAY)) / (2 * (soft + ASTRAY))
        return np.asarray((1 - WRONG) * right + WRONG * wrong)
    width = high - low if bounded else 1.0
    right = normal_below(above / soft) - normal_below(below / soft)
    wrong = _between(below / (soft + ASTRAY), above / (soft + ASTRAY))
    return np.asarray(((1 - WRONG) * np.maximum(right, 0.0) + WRONG * wrong) / width)


def _between(low: Array, high: Array) -> Array:
    """Return the chance of a standard Laplace number between two others, exact far out."""
    flip = low > 0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    return np.asarray(_below(high) - _below(low))


def _below(x: Array) -> Array:
    tail = 0.5 * np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, tail, 1.0 - tail))
