"""Threshold cascades: who acts once enough others do (Granovetter 1978).

Each of a group has a *threshold*, the number of others who must act before he does. Groups of nearly the
same people can end in opposite ways: with thresholds 0, 1, ..., 99 all hundred act, one after another; let
the one with threshold 1 have 2, and one acts alone. With normally distributed thresholds the group follows
the continuous map x ← size·Φ((x − mean) / sd), which stays low until the spread passes a critical value,
and then jumps to nearly all.

Source: M. Granovetter (1978), "Threshold models of collective behavior", American Journal of Sociology 83(6).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from breakrank.errors import UsageError
from breakrank.show import vegalite as vl
from breakrank_classics.resting import bisect, cdf, curve, density, resting_points, stable, stairs, walk
from breakrank_classics.shared import DASH, Field, finished, listed, palette, tree, whole, within

CLOSE = 10
"""Persons shown in a closer look at a large group."""


@dataclass(frozen=True, repr=False)
class Cascade:
    """How a cascade through a finite group went.

    Attributes
    ----------
    thresholds : ascending; how many others must act first. At most 0: acts in any case.
    path : number acting after each round, from 0 to where nobody more joins.
    """

    thresholds: tuple[float, ...]
    path: tuple[int, ...]

    @property
    def acting(self) -> int:
        """Number acting in the end."""
        return self.path[-1]

    @property
    def size(self) -> int:
        """Number of people."""
        return len(self.thresholds)

    def willing(self, acting: float) -> int:
        """Return how many act if `acting` do."""
        return bisect_right(self.thresholds, acting)

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> vl.Chart:
        """Return a chart of how many act against how many did before, and where that comes to rest."""
        look, n, rest = palette(theme), self.size, self.acting
        rounds = len(self.path) - 1
        steps = stairs(self.willing, self.thresholds, n)
        field = Field(look, "acting before (persons)", "then acting (persons)", (0, n), (0, n))
        heading = f"{rest:,} of {n:,} act", f"after {rounds:,} round{'s' * (rounds != 1)}"

        def drawn(low: float, high: float, title: str, below: str) -> vl.Chart:
            near = replace(field, x=(low, high), y=(low, high))
            return near.layered(
                title,
                below,
                near.line([(low, low), (high, high)], look.muted, 1),
                near.line([p for p in steps if low <= min(p) and max(p) <= high], look.baseline),
                near.dots([(rest, rest)], look.record),
            )

        whole = drawn(0, n, *heading)
        if n <= 2 * CLOSE:
            return finished(look, whole)
        low = min(max(0, rest - CLOSE // 2), n - CLOSE)
        return finished(look, whole, drawn(low, low + CLOSE, "Where it comes to rest", "the same, closer"))

    def __repr__(self) -> str:
        rows = {"people": self.size, "rounds": len(self.path) - 1, "acting": self.acting}
        return tree("Cascade (Granovetter 1978)", rows)


def cascade(thresholds: Iterable[float]) -> Cascade:
    """Let a group with the given thresholds react, round by round, until nobody more joins.

    Parameters
    ----------
    thresholds : one for each person, in persons; any order.

    Raises
    ------
    UsageError
        for an empty group or a threshold that is no finite number.

    >>> cascade([0, 1, 2, 3]).path
    (0, 1, 2, 3, 4)
    >>> cascade([0, 2, 2, 3]).acting
    1
    """
    ordered = tuple(sorted(within("a threshold", t) for t in thresholds))
    if not ordered:
        raise UsageError("there are no thresholds; a group has at least one person")
    path = [0]
    while (acting := bisect_right(ordered, path[-1])) > path[-1]:
        path.append(acting)
    return Cascade(ordered, tuple(path))


class Tipping(NamedTuple):
    """The spread of thresholds at which a crowd tips, and how many act at that point (both in persons)."""

    sd: float
    acting: float


@dataclass(frozen=True, repr=False)
class NormalCrowd:
    """A large crowd with normally distributed thresholds, as a continuous map.

    Whoever has a threshold of 0 or less acts in any case, whoever has one above `size` never does.

    Parameters
    ----------
    mean : mean threshold, persons.
    sd : standard deviation of thresholds, persons, above 0.
    size : number of people (a share of 1 of the map), at least 1.

    Raises
    ------
    UsageError
        for a parameter out of its range.

    >>> round(NormalCrowd(mean=25, sd=12).acting, 3)
    4.021
    """

    mean: float = 25.0
    sd: float = 10.0
    size: int = 100

    def __post_init__(self) -> None:
        within("mean", self.mean)
        within("sd", self.sd, 0, ends=False)
        whole("size", self.size, 1, 10**12)

    @property
    def slope(self) -> float:
        """Steepness of the map in shares, 1 / sd."""
        return self.size / self.sd

    @property
    def offset(self) -> float:
        """The mean threshold in standard deviations."""
        return self.mean / self.sd

    def willing(self, acting: float) -> float:
        """Return how many act if `acting` do."""
        return self.size * cdf((acting - self.mean) / self.sd)

    @cached_property
    def fixed_points(self) -> tuple[float, ...]:
        """Every number acting that reproduces itself, ascending: one or three (persons)."""
        return tuple(self.size * t for t in resting_points(self.slope, self.offset))

    @property
    def acting(self) -> float:
        """How many act in the end when nobody did at first: the lowest fixed point, since the map rises."""
        return self.fixed_points[0]

    def stable(self, point: float) -> bool:
        """Return whether a crowd comes back to a fixed point after a small disturbance."""
        return stable(self.slope, self.offset, point / self.size)

    @cached_property
    def critical(self) -> Tipping:
        """The spread at which the low fixed point meets the middle one and both vanish.

        There the map touches the diagonal: with z = (x − mean) / sd, Φ(z) − z φ(z) = mean / size and
        sd = size·φ(z). The left side rises in z, so there is exactly one solution below 0.

        Raises
        ------
        UsageError
            for a mean threshold that is not between 0 and half of the crowd: it does not tip upwards.
        """
        share = self.mean / self.size
        if not 0 < share < 0.5:
            least = f"above 0 and below {self.size / 2:g}, half of the crowd"
            raise UsageError(f"mean is {self.mean:g}; a crowd tips upwards only where it is {least}")
        z = bisect(lambda z: cdf(z) - z * density(z) < share, -40.0, 0.0)
        return Tipping(self.size * density(z), self.size * cdf(z))

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> vl.Chart:
        """Return two charts: the map with its fixed points, and how many act for each spread."""
        look, n = palette(theme), float(self.size)
        path = [0.0]
        while len(path) < 200 and (step := self.willing(path[-1])) > path[-1] + n * 1e-4:
            path.append(step)
        field = Field(look, "acting before (persons)", "then acting (persons)", (0, n), (0, n))
        points = self.fixed_points
        left = field.layered(
            f"{self.acting:,.2f} of {self.size:,} act",
            f"thresholds normal: mean {self.mean:g}, sd {self.sd:g}",
            field.line([(0, 0), (n, n)], look.muted, 1),
            field.line(curve(self.willing, 0, n), look.baseline),
            field.line(walk(path), look.baseline, 0.7),
            field.dots([(p, p) for p in points], look.record, filled=[self.stable(p) for p in points]),
        )
        if not 0 < self.mean < n / 2:
            return finished(look, left)
        tip = self.critical
        widest = max(5 * tip.sd, 1.2 * self.sd)
        field = Field(
            look, "spread of thresholds (sd, persons)", "acting in the end (persons)", (0, widest), (0, n)
        )

        def ends(sd: float) -> float:
            return NormalCrowd(self.mean, sd, self.size).acting

        right = field.layered(
            f"The crowd tips at sd {tip.sd:,.6g}",
            "from nobody acting at first",
            field.line([(tip.sd, 0), (tip.sd, n)], look.muted, 1, dash=DASH),
            field.line(curve(ends, tip.sd * 0.02, tip.sd * (1 - 1e-9), 100), look.baseline),
            field.line(curve(ends, tip.sd * (1 + 1e-9), widest, 100), look.baseline),
            field.dots([(self.sd, self.acting)], look.record),
        )
        return finished(look, left, right)

    def __repr__(self) -> str:
        rows = {
            "thresholds": f"normal, mean {self.mean:g}, sd {self.sd:g}, {self.size} people",
            "fixed points": listed(self.fixed_points, 4),
            "acting": f"{self.acting:.4f}",
        }
        return tree("NormalCrowd (Granovetter 1978)", rows)
