"""How many pairs of runs bring the interval of a mean difference down to a width."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from breakrank.case.values import NumberError, number
from breakrank.errors import UsageError
from breakrank.results.measures import find
from breakrank.results.paired import Difference, student

if TYPE_CHECKING:
    from breakrank.case.draws import Draws
    from breakrank.results.uncertainty import Split


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
    """How many runs give a half-width, as far as any number does.

    Attributes
    ----------
    half_width : that is wanted, in the measure's unit.
    pairs : of runs; ``None`` if no number of them does, or it cannot be told.
    unpaired : runs of each case if they were not paired; ``None`` likewise, or where pairing leaves nothing.
    draws : of the parameters that there are; ``None`` for a case without.
    floor : half-width that is left with all draws, however many runs each has: 0 without draws, nan where the
        parts of luck and of the parameters are not known.
    """

    half_width: float
    pairs: int | None
    unpaired: int | None
    draws: int | None = None
    floor: float = 0.0


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
        name, sign, told = text.rpartition("=")
        name, told = name.strip(), told.strip()
        percent = not sign and told.endswith("%")
        try:
            value = number(told.removesuffix("%").strip())
        except NumberError:
            value = 0.0
        if not (value > 0 and (percent or name)):
            raise UsageError(
                f"--precision {text!r} is neither a share of the case's mean, as in --precision 5%, nor "
                "MEASURE=HALF-WIDTH, as in --precision registered=20"
            )
        if percent:
            share = value / 100
        else:
            of[find(name).id] = value
    return Precision(share, of)


def needed(d: Difference, half_width: float, draws: Draws | None = None) -> Needed | None:
    """Return the runs that give a 95% interval of a half-width in units; ``None`` from one pair.

    Once every draw of the parameters has been used, more runs take the luck out of each and tell no more
    about the parameters: the half-width then falls towards that of the means of the draws, and no further.

    Parameters
    ----------
    d : the difference as the pairs at hand have it.
    half_width : wanted, in the measure's unit.
    draws : that the case has; without, draws are taken to have no end, and as many pairs each as here.
    """
    if d.draws < 2 or not math.isfinite(d.high - d.low):
        return None
    rows, each = (math.inf, d.runs / d.draws) if draws is None else (len(draws), draws.each)
    of_a_row = ((d.high - d.low) / 2 / student(d.draws - 1)) ** 2 * d.draws
    paired = _Spread(_of_a_row(d.paired, each, of_a_row), d.paired, rows, each, 1)
    apart = _Spread(_of_a_row(d.unpaired, each, of_a_row * d.reduction), d.unpaired, rows, each, 2)
    return Needed(
        half_width,
        paired.fewest(half_width),
        apart.fewest(half_width) if math.isfinite(d.reduction) else None,
        None if draws is None else len(draws),
        paired.floor,
    )


def _of_a_row(split: Split, each: float, otherwise: float) -> float:
    return max(split.between + split.within / each, 0.0) if split.known else otherwise


class _Spread(NamedTuple):
    """What makes a mean unsure: the spread of its runs, and how many draws they can be made under.

    Attributes
    ----------
    of_a_row : variance of the mean of the runs that one draw has at first.
    split : variance between draws, and within them.
    rows, each : draws there are (infinitely many without any), and runs that one has before it comes again.
    samples : 1 for the mean of one sample, 2 for a difference of two.
    """

    of_a_row: float
    split: Split
    rows: float
    each: float
    samples: int

    @property
    def floor(self) -> float:
        """Half-width with all draws and infinitely many runs of each; nan where that cannot be told."""
        if math.isinf(self.rows):
            return 0.0
        if self.rows < 2 or not self.split.known:
            return math.nan
        return self._t(self.rows) * math.sqrt(max(self.split.between, 0.0) / self.rows)

    def fewest(self, half_width: float) -> int | None:
        """Return the fewest runs with t * (standard error of the mean) <= half-width."""
        enough = half_width * (1 + 1e-9)  # so that the runs there are suffice for the width there is
        n = max(math.ceil(2 * self.each), math.ceil(self.of_a_row * self.each * (1.96 / half_width) ** 2))
        while n <= self.rows * self.each and self._t(n / self.each) * self._first(n) > enough:
            n += max(1, n // 200)
        if n <= self.rows * self.each:
            return n
        if not self.floor < half_width:  # nan, too
            return None
        return self._again(enough)

    def _again(self, half_width: float) -> int:
        """Return the fewest runs if all draws have to be used more than once, which the floor allows."""
        assert math.isfinite(self.rows)
        t, once = self._t(self.rows), int(self.rows * self.each)
        luck = (half_width / t) ** 2 - max(self.split.between, 0.0) / self.rows
        n = max(once + 1, math.ceil(self.split.within / luck))
        whole = math.ceil(n / once) * once  # all draws equally often, so that this many suffice
        while n < whole and t * self._later(n) > half_width:
            n += max(1, n // 200)
        return min(n, whole)

    def _t(self, rows: float) -> float:
        return student(self.samples * (rows - 1))

    def _first(self, runs: int) -> float:
        """Return the standard error while every draw is used for the first time."""
        return math.sqrt(self.of_a_row * self.each / runs)

    def _later(self, runs: int) -> float:
        """Return the standard error where draws come again, some once more than others."""
        rows, each = int(self.rows), int(self.each)
        times, rest = divmod(runs, rows * each)
        more, some = divmod(rest, each)
        least = times * each
        squares = more * (least + each) ** 2 + (least + some) ** 2 + (rows - more - 1) * least**2
        return math.sqrt(max(self.split.between, 0.0) * squares / runs**2 + self.split.within / runs)
