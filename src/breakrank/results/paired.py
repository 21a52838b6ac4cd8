"""The effect of a change, run by run: paired differences of two ensembles with common random numbers.

Two worlds that differ by one policy and share every draw differ only by what the policy does, so the
spread of their difference is much narrower than that of two independent ensembles (common random
numbers: Law 2015, "Simulation modeling and analysis", chapter 11; Glasserman and Yao 1992).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.case.prior import beta_quantile
from breakrank.results.measures import Values
from breakrank.results.uncertainty import UNSPLIT, Split, split

if TYPE_CHECKING:
    from breakrank.results.result import Result

CONFIDENCE = 0.95
"""Of the intervals of mean differences."""

Runs = NDArray[np.integer]
Verdict = Literal["agrees", "opposite", "unclear", "open"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure in two worlds, paired by run; every number is of the runs that finished in both.

    Attributes
    ----------
    id, label, unit : of the measure.
    before, after : means over runs in the case and in the other.
    mean : mean of after minus before.
    low, high : its 95% interval by the paired t-test. It holds the luck of the runs, and what is not known
        of the parameters where they are run under draws: runs of one draw are then taken together (see
        :func:`half_width`; nan for one run, or runs of one draw).
    more, less : shares of runs in which the other has more, and less; the rest does not differ.
    reduction : by what factor pairing cuts the variance of the mean difference, against as many unpaired
        runs: (var(before) + var(after)) / var(after - before). Infinite where all pairs differ alike,
        nan where nothing varies.
    runs : number of pairs.
    draws : number of draws that the pairs were run under; of pairs without draws, their number.
    paired : variance of after minus before between runs, that of the parameters and that of luck; nan
        without draws, or with too few that several pairs share.
    """

    id: str
    label: str
    unit: str
    before: float
    after: float
    mean: float
    low: float
    high: float
    more: float
    less: float
    reduction: float
    runs: int
    draws: int
    paired: Split = UNSPLIT

    @property
    def parameters(self) -> float:
        """Share of the variance of after minus before between runs that goes back to the parameters.

        The rest is luck. nan without draws, or with too few that several pairs share.
        """
        return self.paired.parameters

    @property
    def same_sign(self) -> float:
        """Share of runs whose difference has the sign of the mean (of a mean of 0: that do not differ)."""
        if self.mean == 0:
            return 1 - self.more - self.less
        return self.more if self.mean > 0 else self.less

    @property
    def told(self) -> bool:
        """Whether the mean difference can be told from zero: its interval leaves zero out."""
        return self.low > 0 or self.high < 0

    def against(self, expected: str) -> Verdict:
        """Say whether the difference has the sign that is expected: ``"more"``, ``"less"`` or ``"either"``.

        ``"unclear"`` where it cannot be told from zero, ``"open"`` where either would do.
        """
        if expected == "either":
            return "open"
        if not self.told:
            return "unclear"
        return "agrees" if (self.mean > 0) == (expected == "more") else "opposite"


def pairs(before: Runs, after: Runs) -> tuple[Runs, NDArray[np.intp], NDArray[np.intp]]:
    """Return the numbers of the runs that two ensembles share, ascending, and their places in each."""
    found: tuple[Runs, NDArray[np.intp], NDArray[np.intp]] = np.intersect1d(
        before, after, assume_unique=True, return_indices=True
    )
    return found


def pairs_of(before: Result, after: Result) -> tuple[Runs, NDArray[np.intp], NDArray[np.intp]]:
    """Return the runs that finished in both of two results, as :func:`pairs` does."""
    return pairs(before.data["run"].values, after.data["run"].values)


def difference(
    id: str,  # noqa: A002
    label: str,
    unit: str,
    before: Values,
    after: Values,
    draw: NDArray[np.int64] | None = None,
) -> Difference:
    """Return the paired difference of one measure; both float64 (pairs,), in the same order of runs.

    Pairs in which either is not finite are left out.

    Parameters
    ----------
    draw : which draw of parameters each pair was run under, int64 (pairs,); by default each its own.
    """
    kept = np.isfinite(before) & np.isfinite(after)
    before, after = before[kept], after[kept]
    shared = None if draw is None else draw[kept]
    draw = np.arange(before.size) if shared is None else shared
    n = before.size
    if n == 0:
        return Difference(id, label, unit, *(math.nan,) * 8, 0, 0)
    apart = after - before
    mean = float(apart.mean())
    half = half_width(apart, draw)
    reduction = math.nan
    if n > 1:
        spread = float(apart.var(ddof=1))
        both = float(before.var(ddof=1) + after.var(ddof=1))
        reduction = both / spread if spread > 0 else math.inf if both > 0 else math.nan
    return Difference(
        id,
        label,
        unit,
        float(before.mean()),
        float(after.mean()),
        mean,
        mean - half,
        mean + half,
        float((apart > 0).mean()),
        float((apart < 0).mean()),
        reduction,
        n,
        np.unique(draw).size,
        split(apart, shared),
    )


def half_width(values: Values, draw: NDArray[np.int64], confidence: float = CONFIDENCE) -> float:
    """Return the half width of the t interval of a mean of runs, those of one draw taken together.

    The variance is that of a ratio of sums over clusters (Cochran 1977, chapter 11), which for one run each
    is the usual one; nan for fewer than two draws.
    """
    _, which, counts = np.unique(draw, return_inverse=True, return_counts=True)
    clusters = len(counts)
    if clusters < 2:
        return math.nan
    sums = np.bincount(which, values - values.mean())
    spread = float((sums**2).sum()) * clusters / (clusters - 1)
    return student(clusters - 1, confidence) * math.sqrt(spread) / len(values)


@cache
def student(freedom: float, confidence: float = CONFIDENCE) -> float:
    """Return the two-sided quantile of Student's t at a confidence.

    By the beta distribution: freedom / (freedom + t^2) is beta(freedom / 2, 1 / 2).

    >>> round(student(1), 2), round(student(10), 3), round(student(199), 3)
    (12.71, 2.228, 1.972)
    """
    x = beta_quantile(1 - confidence, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - x) / x)
