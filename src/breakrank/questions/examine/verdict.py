"""Whether a change did what was expected of it: a difference, its interval, and the verdict.

The sign is judged by the 95% interval of the mean difference. A band is met by the mean, and missed where
the whole interval does (for "same" it has to lie within: equivalence, Schuirmann 1987). "No effect shown" and
"too few pairs" are kept apart: the first says that an effect worth the name would have been seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.results.paired import half_width

if TYPE_CHECKING:
    from breakrank.case.examination import Expectation

Verdict = Literal["right", "no effect shown", "wrong sign", "outside band", "too few pairs"]
VERDICTS: tuple[Verdict, ...] = ("right", "no effect shown", "wrong sign", "outside band", "too few pairs")
WORTH = 0.1
"""Share of what was there that an effect must have to be worth the name, where no band says more."""


@dataclass(frozen=True, slots=True)
class MeasuredEffect:
    """What became of one measure.

    Attributes
    ----------
    before, after : means over runs, without and with the change.
    mean, low, high : mean difference and its 95% interval.
    pairs : runs on each side, if as many.
    paired : whether runs share their luck; else the interval is that of two independent means.
    same : whether no run differs at all.
    """

    before: float
    after: float
    mean: float
    low: float
    high: float
    pairs: int
    paired: bool
    same: bool

    @property
    def ratio(self) -> float:
        """What it is with the change, as a multiple of what it was; nan where there was nothing."""
        return self.after / self.before if self.before else math.nan


def measured_effect(
    before: NDArray[np.float64], after: NDArray[np.float64], draw: NDArray[np.int64], paired: bool
) -> MeasuredEffect:
    """Return the difference between two ensembles, float64 (run,) each; nan where a run has no number.

    Parameters
    ----------
    draw : which draw of parameters each run had, int64 (run,).
    paired : whether run number k has the same soldiers and luck in both.
    """
    one, other = np.isfinite(before), np.isfinite(after)
    if paired:
        one = other = one & other
    a, b = before[one], after[other]
    if not (a.size and b.size):
        return MeasuredEffect(*(math.nan,) * 5, 0, paired, False)
    if paired:
        half = half_width(b - a, draw[one])
    else:
        half = math.hypot(half_width(a, draw[one]), half_width(b, draw[other]))
    was, became = float(a.mean()), float(b.mean())
    mean = became - was
    same = paired and bool((a == b).all())
    return MeasuredEffect(was, became, mean, mean - half, mean + half, min(a.size, b.size), paired, same)


def verdict(expected: Expectation, seen: MeasuredEffect) -> Verdict:
    """Return whether what was seen is what was expected."""
    if expected.sign == "identical":
        return "right" if seen.same else "too few pairs" if not seen.pairs else "wrong sign"
    if not math.isfinite(seen.high - seen.low):
        return "too few pairs"
    low, high = _band(expected, seen)
    if expected.sign == "same":
        if low <= seen.low and seen.high <= high:
            return "right"
        return "outside band" if seen.high < low or seen.low > high else "too few pairs"
    up = expected.sign in ("more", "no_less")
    near, far = (seen.low, seen.high) if up else (-seen.high, -seen.low)  # both ends, as seen from the sign
    if far < 0:
        return "wrong sign"
    edge = low if up else -high
    worth = edge if 0 < edge < math.inf else WORTH * abs(seen.before)
    if expected.sign in ("no_more", "no_less"):
        return "right" if near >= -worth else "too few pairs"
    if near > 0 and low <= seen.mean <= high:
        return "right"
    if near > 0:
        return "outside band" if seen.high < low or seen.low > high else "too few pairs"
    nothing = not up and seen.before == 0  # there to become less
    return "no effect shown" if far <= worth and not nothing else "too few pairs"


def _band(expected: Expectation, seen: MeasuredEffect) -> tuple[float, float]:
    """Return the band of the difference, as the expectation has it."""
    if expected.times is not None:
        low, high = (seen.before * times - seen.before for times in expected.times)
        return min(low, high), max(low, high)
    if expected.reaches is not None:
        return expected.reaches[0] - seen.before, expected.reaches[1] - seen.before
    return -math.inf, math.inf
