"""What luck and what is not known of the parameters each add to the spread of an ensemble.

Where each row of a case's draws serves several runs, those runs differ by luck alone (that of the days, and
of who the soldiers are), and rows differ by luck and parameters: an analysis of variance with one random
factor (Searle, Casella and McCulloch 1992, chapter 3) tells the two apart without a single further run.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from breakrank.case import Case

FEWEST = 10
"""Rows with several runs that it takes; with fewer, the split is not told."""


class Parts(NamedTuple):
    """The spread of one outcome, taken apart.

    Attributes
    ----------
    parameters : share of the variance that the parameters cause, 0 to 1.
    low, high : ends of the 90% interval that luck alone would leave around the median.
    rows : rows of draws that it rests on.
    """

    parameters: float
    low: float
    high: float
    rows: int


UNKNOWN = Parts(math.nan, math.nan, math.nan, 0)


class Split(NamedTuple):
    """The variance of one number between runs, taken apart as it is (and not on another scale).

    Attributes
    ----------
    between : what rows of draws add, the parameters' part. Chance may take this estimate below 0.
    within : what is left between runs of one row: luck.
    """

    between: float
    within: float

    @property
    def parameters(self) -> float:
        """Share of the variance that the parameters cause, 0 to 1; nan where it is not known."""
        total = max(self.between, 0.0) + self.within
        return max(self.between, 0.0) / total if total > 0 else math.nan

    @property
    def known(self) -> bool:
        """Whether the two could be told apart."""
        return math.isfinite(self.between) and math.isfinite(self.within)


UNSPLIT = Split(math.nan, math.nan)


def holds(case: Case) -> str:
    """Return in words what the spread of an ensemble of a case holds."""
    if getattr(case, "draws", None) is None:
        return "the luck of the runs at fixed parameters"
    return "the luck of the runs and what is not known of the parameters"


def rows_of(case: Case, runs: NDArray[np.integer]) -> NDArray[np.int64] | None:
    """Return which row of a case's draws each of some runs lived under, int64 (run,).

    ``None`` where the case has no draws.
    """
    draws = getattr(case, "draws", None)
    if draws is None:
        return None
    numbers: NDArray[np.int64] = np.asarray(runs, np.int64)
    return np.asarray((numbers // draws.each) % len(draws), np.int64)


def parts(values: NDArray[np.float64], rows: NDArray[np.int64] | None) -> Parts:
    """Return how much of a spread is luck and how much the parameters.

    Numbers that are never negative and exceed 1 somewhere are taken as counts, whose luck multiplies: they
    are taken apart on the scale of log(1 + x), all others as they are.

    Parameters
    ----------
    values : float64 (run,); what is not finite is left out.
    rows : int64 (run,), which runs share their parameters; ``None`` for all of them.

    Returns
    -------
    Parts
        all nan (:data:`UNKNOWN`) where fewer than :data:`FEWEST` rows have several runs, or nothing varies.
    """
    if rows is None:
        return UNKNOWN
    finite = np.isfinite(values)
    values, rows = values[finite], rows[finite]
    _, group, size = np.unique(rows, return_inverse=True, return_counts=True)
    several = size[group] > 1
    if int((size > 1).sum()) < FEWEST:
        return UNKNOWN
    counts = bool(values.min() >= 0 and values.max() > 1)
    scaled = np.log1p(values) if counts else values
    total = float(scaled.var(ddof=1))
    if total <= 0:
        return UNKNOWN
    mean = np.bincount(group, scaled) / size
    apart = (scaled - mean[group])[several]
    freedom = int((size[size > 1] - 1).sum())
    luck = float((apart**2).sum()) / freedom
    n = size[group][several]
    whole = apart * np.sqrt(n / (n - 1))  # few of a row lie nearer to their own mean than luck has them
    ends = float(np.median(scaled)) + np.quantile(whole, (0.05, 0.95))
    low, high = np.expm1(ends) if counts else ends
    least = 0.0 if values.min() >= 0 else -math.inf
    return Parts(
        min(max(1 - luck / total, 0.0), 1.0), max(float(low), least), float(high), int((size > 1).sum())
    )


def split(values: NDArray[np.float64], rows: NDArray[np.int64] | None) -> Split:
    """Return the variance between runs in two parts, by the method of moments (mean squares of one factor).

    Of numbers whose mean is asked for, such as paired differences: the variance of the mean of `r` rows of
    `n` runs each is ``between / r + within / (r * n)``.

    Parameters
    ----------
    values : float64 (run,), all finite.
    rows : int64 (run,), which runs share their parameters; ``None`` for a case without draws.

    Returns
    -------
    Split
        both nan (:data:`UNSPLIT`) where fewer than :data:`FEWEST` rows have several runs.
    """
    if rows is None:
        return UNSPLIT
    _, group, size = np.unique(rows, return_inverse=True, return_counts=True)
    if int((size > 1).sum()) < FEWEST:
        return UNSPLIT
    runs, number = values.size, size.size
    mean = np.bincount(group, values) / size
    within = float(((values - mean[group]) ** 2).sum()) / (runs - number)
    square = float((size * (mean - values.mean()) ** 2).sum()) / (number - 1)
    to_a_row = (runs - float((size**2).sum()) / runs) / (number - 1)
    return Split((square - within) / to_a_row, within)
