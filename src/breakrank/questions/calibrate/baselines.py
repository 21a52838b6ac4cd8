"""Naive forecasts of a dated figure: the last value, a constant rate, a saturating curve.

Each gives draws, so that it is scored as the model is. Draws are spaced evenly in probability and carry no
luck: the same figures give the same draws. What spreads them is said with each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.case.prior import normal_quantiles

Array = NDArray[np.float64]

DRAWS = 400
"""Draws of each forecast."""
RATE_SPREAD = 0.5
"""Standard deviation of the logarithm of a future rate where fewer than three intervals are known."""
HALF_TIMES = (1.0, 365.0)
"""Shortest and longest time in which a curve comes half-way to its end, days; log-uniform between."""
GRID = 200
"""Half-times at which the curve is fitted."""
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True)
class Counts:
    """A cumulative count at some days after its start.

    Attributes
    ----------
    days : since the day on which it was 0, ascending, above 0 (n,).
    values : the count on each (n,), n at least 1.
    spread : relative standard deviation of each figure (n,).
    """

    days: Array
    values: Array
    spread: Array


def last_value(counts: Counts) -> Array:
    """Return draws of a count that stays where it is, known as well as the last figure is, (400,)."""
    _, z = _plane()
    return np.asarray(counts.values[-1] * np.exp(counts.spread[-1] * z))


def constant_rate(counts: Counts, day: float, since: float | None = None) -> Array:
    """Return draws of the count on a day if it goes on at the rate so far, (400,).

    The rate is the mean one from 0 to the last figure. It is spread by how the rates between figures differ
    (from three intervals on), else by :data:`RATE_SPREAD`. With `since`, only what comes after that day
    counts.
    """
    _, z = _plane()
    first = np.concatenate([[0.0], counts.days])
    steps = np.diff(np.concatenate([[0.0], counts.values])) / np.diff(first)
    mean = counts.values[-1] / counts.days[-1]
    sigma = RATE_SPREAD
    if len(steps) >= 3 and (steps > 0).all():
        sigma = float(np.std(np.log(steps), ddof=1))
    rates = mean * np.exp(sigma * z)
    if since is not None:
        return np.asarray(rates * (day - since))
    return np.asarray(counts.values[-1] + rates * (day - counts.days[-1]))


def saturating_curve(counts: Counts, day: float) -> Array:
    """Return draws of a (1 - exp(-b t)) on a day, (400,).

    For each half-time ln 2 / b of a grid (log-uniform over :data:`HALF_TIMES`) the size `a` is fitted by
    weighted least squares; half-times weigh by how well their curve fits the figures. With one figure all
    curves through it weigh alike: that is the spread of what a single count says of a curve.
    """
    u, z = _plane()
    half = HALF_TIMES[0] * (HALF_TIMES[1] / HALF_TIMES[0]) ** ((np.arange(GRID) + 0.5) / GRID)
    b = math.log(2.0) / half
    shape = -np.expm1(-b[:, None] * counts.days)
    error = np.maximum(counts.spread * counts.values, 0.5)
    precision = ((shape / error) ** 2).sum(1)
    size = (shape * counts.values / error**2).sum(1) / precision
    misfit = (((counts.values - size[:, None] * shape) / error) ** 2).sum(1)
    # the size is integrated out under a prior even in its logarithm, since it is a count of unknown order
    weight = np.exp(-0.5 * (misfit - misfit.min())) / np.sqrt(precision) / np.maximum(size, 1e-9)
    edges = np.cumsum(weight) / weight.sum()
    pick = np.minimum(np.searchsorted(edges, u), GRID - 1)
    a = np.maximum(size[pick] + z / np.sqrt(precision[pick]), 0.0)
    return np.asarray(a * -np.expm1(-b[pick] * day))


def _plane() -> tuple[Array, Array]:
    """Return 400 points that fill the unit square evenly: uniform, and standard normal numbers."""
    k = np.arange(DRAWS)
    return (k + 0.5) / DRAWS, normal_quantiles(np.mod((k + 0.5) * _GOLDEN, 1.0))
