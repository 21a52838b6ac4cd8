"""Proper scores of forecasts: CRPS of an ensemble, Brier score of a chance, coverage and width of intervals.

A proper score cannot be improved by saying anything but what one believes (Gneiting and Raftery 2007).
Lower is better for all of them; a wide interval covers everything and scores badly.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def crps(draws: Array, at: float) -> float:
    """Return the continuous ranked probability score of equally likely draws (n,), in their unit.

    The fair estimator (Ferro 2014): its mean is that of the distribution the draws come from, whatever their
    number, so that ensembles of different size can be compared. One draw is scored by its distance. It is the
    absolute error where all draws are one.
    """
    x = np.sort(np.asarray(draws, np.float64))
    n = len(x)
    if not n or not np.isfinite(x).all() or not math.isfinite(at):
        return math.nan
    distance = float(np.abs(x - at).mean())
    if n == 1:
        return distance
    spread = float((x * (2.0 * np.arange(1, n + 1) - n - 1)).sum()) / (n * (n - 1))
    return distance - spread


def brier(chance: float, happened: bool) -> float:
    """Return the Brier score of a chance (0 to 1): 0 at best, 1 at worst, a quarter for even chances."""
    return (chance - float(happened)) ** 2


def interval(draws: Array, level: float) -> tuple[float, float]:
    """Return the central interval of draws that holds `level` of them."""
    low, high = np.quantile(draws, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def covered(draws: Array, low: float, high: float, level: float) -> bool:
    """Return whether the central interval of draws meets what the record allows (`low` to `high`)."""
    first, last = interval(draws, level)
    return bool(first <= high and last >= low)
