"""How many pairs of runs a wanted precision needs, told from those that were made.

A pilot's spread says how wide the interval of more runs will be (Law 2015, "Simulation modeling and
analysis", chapter 9). The answer is itself uncertain: from 100 pairs, the number needed is known to some 30%.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.errors import UsageError
from breakrank.results.measures import find
from breakrank.study.paired import Difference, student

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Precision:
    """How narrow 95% intervals of mean differences should be, as half of their width.

    Attributes
    ----------
    share : of the case's own mean, for every measure that is not named; ``None`` for none.
    of : by measure, in its unit.
    """

    share: float | None
    of: Mapping[str, float]

    def half_width(self, d: Difference) -> float | None:
        """Return the half-width wanted of a difference; ``None`` where none is, or the case's mean is 0."""
        if d.id in self.of:
            return self.of[d.id]
        if self.share is None or not math.isfinite(d.before) or d.before == 0:
            return None
        return self.share * abs(d.before)


@dataclass(frozen=True, slots=True)
class Needed:
    """Pairs of runs that give a half-width, and as many runs of each case if they were not paired."""

    half_width: float
    pairs: int
    unpaired: int | None


def precision(texts: Iterable[str]) -> Precision:
    """Return the precision that is asked for in words such as ``5%`` or ``registered=20``.

    Raises
    ------
    UsageError
        for anything else, an unknown measure, or a width that is not above 0.
    """
    share: float | None = None
    of: dict[str, float] = {}
    for text in texts:
        name, sign, number = text.rpartition("=")
        name, number = name.strip(), number.strip()
        percent = not sign and number.endswith("%")
        try:
            value = float(number.removesuffix("%"))
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and value > 0 and (percent or name)):
            raise UsageError(
                f"--precision {text!r} is neither a share of the case's mean, as in --precision 5%, nor "
                "MEASURE=HALF-WIDTH, as in --precision registered=20"
            )
        if percent:
            share = value / 100
        else:
            of[find(name).id] = value
    return Precision(share, of)


def needed(d: Difference, half_width: float) -> Needed | None:
    """Return how many runs give a 95% interval of so many units to either side; ``None`` from one pair."""
    if d.draws < 2 or not math.isfinite(d.high - d.low):
        return None
    variance = ((d.high - d.low) / 2 / student(d.draws - 1)) ** 2 * d.runs
    each = d.runs / d.draws
    apart = variance * d.reduction if math.isfinite(d.reduction) else None
    return Needed(
        half_width,
        _fewest(variance, half_width, 1 / each),
        None if apart is None else _fewest(apart, half_width, 2 / each),
    )


def _fewest(variance: float, half_width: float, samples: float) -> int:
    """Return the fewest runs n with t * sqrt(variance / n) <= half-width, t at samples * (n - 1) degrees.

    `samples` is a part of one where several runs share a draw of the parameters.
    """
    n = max(2, math.ceil(variance * (1.96 / half_width) ** 2))
    while student(max(1, round(samples * (n - 1)))) * math.sqrt(variance / n) > half_width:
        n += max(1, n // 200)
    return n
