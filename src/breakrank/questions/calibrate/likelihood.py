"""How likely a figure of the record is where a run counts so many.

What a figure says, how far off it may be, which of conflicting sources is right and by how many days it may
be late are those of :class:`~breakrank.questions.calibrate.record.Aim`, from which calibration draws reports;
here the same is integrated. Besides, a figure may be wrong altogether, so that no figure alone rules a run
out.
"""

from __future__ import annotations

import math

import numpy as np

from breakrank.case.prior import normal_below
from breakrank.questions.calibrate.record import Aim, RecordFigure
from breakrank.questions.calibrate.regression import Array

WRONG = 0.01
"""Chance that a figure is wrong altogether: misread, or of something else."""
ASTRAY = 0.5
"""Mean distance of such a figure beyond its own error, on the scale on which it is compared (Laplace)."""
LEAST = 0.02
"""Least standard deviation of a value or range, on its scale: counts are rounded."""
NOWHERE = 8.0
"""Where a run answers nothing, its count is as far off as this, on the scale."""


def log_likelihood(aim: Aim, counts: Array, room: float = 1.0) -> Array:
    """Return the logarithm of the likelihood of each run (n,), always finite.

    Parameters
    ----------
    aim : a target with its figures.
    counts : what runs count on its date, and on each of the days before it that the lag allows (n, lag + 1).
    room : how many times as wide as their own error figures are taken, at least 1.
    """
    y = aim.scaled(counts)
    told = np.zeros(y.shape)
    for figure in aim.figures:
        told += figure.weight * _likelihood(aim, figure, y, room)
    return np.asarray(np.log(told.mean(axis=1)))


def most_likely(aim: Aim, room: float = 1.0) -> float:
    """Return a logarithm that no likelihood of :func:`log_likelihood` exceeds."""
    top = 0.0
    for figure in aim.figures:
        low, high = aim.bounds(figure)
        middle = np.array((low + high) / 2)
        if aim.scale == "plain":
            most = 1.0 - WRONG
        elif np.isfinite(middle):
            most = float(_likelihood(aim, figure, middle, room))
        else:
            most = 1.0
        top += figure.weight * most
    return math.log(top)


def _likelihood(aim: Aim, figure: RecordFigure, y: Array, room: float) -> Array:
    """Return the density of a report of a value or range, and the chance of one that meets a bound."""
    low, high = aim.bounds(figure)
    if aim.scale == "plain":
        return np.asarray(np.where((y >= low) & (y <= high), 1.0 - WRONG, WRONG))
    bounded = math.isfinite(low) and math.isfinite(high)
    soft = max(room * aim.softness(figure), LEAST if bounded else 1e-9)
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
