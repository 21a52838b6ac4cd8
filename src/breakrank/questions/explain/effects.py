"""What taking something out does, run by run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.explain.outcomes import ExplainedOutcome
from breakrank.results.json_files import json_ready
from breakrank.results.paired import half_width

Numbers = NDArray[np.float64]

HARDLY = 0.01
"""A mechanism without which no more than this share of a count is left is one that it takes."""


@dataclass(frozen=True, slots=True)
class PairedEffect:
    """A mean of differences between runs that share their luck, with 90 and 95% intervals.

    Attributes
    ----------
    outcome : the measure.
    without : the mechanisms taken out.
    before, after : means over the runs as the case has it, and without them.
    mean : mean difference, in the unit of the measure.
    low, high : its 95% interval; ``low90``, ``high90`` that of 90%. Paired t, over draws of parameters where
        there are any, as runs that share a draw are not independent.
    same_sign : share of runs whose difference has the sign of the mean.
    size : mean difference on the scale of :meth:`ExplainedOutcome.scaled`, over the standard deviation
        between runs (Cohen 1988, pooled); 0 if nothing differs, infinite if nothing else does.
    runs : number of pairs.
    """

    outcome: str
    without: tuple[str, ...]
    before: float
    after: float
    mean: float
    low: float
    high: float
    low90: float
    high90: float
    same_sign: float
    size: float
    runs: int

    @property
    def told(self) -> bool:
        """Whether it can be told from zero: its 95% interval leaves zero out."""
        return self.low > 0 or self.high < 0

    @property
    def vital(self) -> bool:
        """Whether hardly anything is left of a count without it, and less in every run."""
        return self.told and 0 <= self.after <= HARDLY * self.before and self.same_sign == 1

    def as_json(self) -> dict[str, object]:
        """Return it ready for JSON; what is no finite number is ``None``."""
        fields = ("outcome", "without", "before", "after", "mean", "same_sign", "size")
        told: dict[str, object] = {name: getattr(self, name) for name in fields}
        told |= {"interval95": (self.low, self.high), "interval90": (self.low90, self.high90)}
        return json_ready(told | {"told_from_zero": self.told, "runs": self.runs})


def effect(
    asked: ExplainedOutcome,
    without: tuple[str, ...],
    before: Numbers,
    after: Numbers,
    draw: NDArray[np.int64],
) -> PairedEffect:
    """Return what taking mechanisms out does to one outcome.

    Parameters
    ----------
    before, after : the outcome by run, float64 (run,), in the same order; a pair that lacks one is left out.
    draw : which draw of parameters each run had, int64 (run,).
    """
    kept = np.isfinite(before) & np.isfinite(after)
    before, after, draw = before[kept], after[kept], draw[kept]
    apart = after - before
    n = len(apart)
    if not n:
        return PairedEffect(asked.measure, without, *(math.nan,) * 9, 0)
    mean = float(apart.mean())
    half95, half90 = half_width(apart, draw, 0.95), half_width(apart, draw, 0.90)
    sign = float((np.sign(apart) == np.sign(mean)).mean())
    return PairedEffect(
        asked.measure,
        without,
        float(before.mean()),
        float(after.mean()),
        mean,
        mean - half95,
        mean + half95,
        mean - half90,
        mean + half90,
        sign,
        _size(asked.scaled(before), asked.scaled(after)),
        n,
    )


def _size(before: Numbers, after: Numbers) -> float:
    difference = float(after.mean() - before.mean())
    if difference == 0 or len(before) < 2:
        return 0.0 if difference == 0 else math.nan
    spread = math.sqrt((before.var(ddof=1) + after.var(ddof=1)) / 2)
    return difference / spread if spread > 0 else math.copysign(math.inf, difference)
