"""Axes of differences: even ones, and compressed ones on which a small effect is seen beside a large."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LinearAxis:
    """An axis from `low` to `high`."""

    low: float
    high: float
    bent: bool = False

    def to(self, value: float) -> float:
        """Return where a value stands on the axis."""
        return value

    def ticks(self) -> list[float]:
        """Return round values for its labels."""
        return [float(t) for t in round_ticks(self.low, self.high)]

    def domain(self) -> list[float]:
        """Return where it begins and ends, with room for marks at the edge."""
        edge = 0.02 * (self.high - self.low)  # so that no mark is cut in half
        return [self.low - edge, self.high + edge]


@dataclass(frozen=True, slots=True)
class Squeezed:
    """An axis that is linear around 0 and logarithmic beyond `unit`, for small effects beside large."""

    low: float
    high: float
    unit: float
    bent: bool = True

    def to(self, value: float) -> float:
        """Return where a value stands on the axis."""
        return math.copysign(math.log10(1 + abs(value) / self.unit), value)

    def ticks(self) -> list[float]:
        """Return round values for its labels."""
        found = [0.0]
        top = math.floor(math.log10(max(abs(self.low), abs(self.high))))
        first = max(math.ceil(math.log10(self.unit)), top - 3)
        for power in range(first, top + 1):
            found += [s * 10.0**power for s in (-1, 1) if self.low <= s * 10.0**power <= self.high]
        return sorted(found)

    def domain(self) -> list[float]:
        """Return where it begins and ends, with room for marks at the edge."""
        low, high = self.to(self.low), self.to(self.high)
        edge = 0.02 * (high - low)
        return [low - edge, high + edge]


def squeeze(ends: NDArray[np.float64], told: Sequence[bool]) -> LinearAxis | Squeezed:
    """Return an axis that shows the small effects too: compressed where the largest dwarf them.

    Parameters
    ----------
    ends : mean, low and high of each effect, float64 (effect, 3).
    told : which of them can be told from zero.
    """
    finite = ends[np.isfinite(ends)]
    low, high = min(float(finite.min()), 0.0), max(float(finite.max()), 0.0)
    if low == high:
        return LinearAxis(-1.0, 1.0)
    known = [abs(e) for e, one in zip(ends[:, 0], told, strict=True) if one] or [high - low]
    middle, largest = float(np.median(known)), max(-low, high)
    if largest <= 30 * middle and largest <= 300 * min(known):
        return LinearAxis(low, high)
    return Squeezed(
        low, high, max(10.0 ** math.floor(math.log10(max(min(known), largest / 1e4))), largest / 1e4)
    )


def round_ticks(low: float, high: float) -> list[float]:
    """Return round values between two, at most seven or so."""
    span = high - low
    step = 10.0 ** math.floor(math.log10(span / 4))
    step *= next(m for m in (1, 2, 5, 10) if span / (step * m) <= 6)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]
