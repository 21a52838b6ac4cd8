"""A plane for differences: its values lie on both sides of zero."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from breakrank.show import vegalite as vl
from breakrank.show.time_axes import Plane

STEPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
"""Round numbers, times a power of ten, that an axis may end with."""


@dataclass(frozen=True)
class Signed(Plane):
    """A plane whose values lie on both sides of zero.

    Attributes
    ----------
    bottom : smallest value to be drawn, at most 0.
    """

    bottom: float = 0.0

    @cached_property
    def floor(self) -> float:
        """The lower end of the axis: a round number no more than the smallest value."""
        if self.bottom >= 0:
            return 0.0
        step = 10.0 ** math.floor(math.log10(-self.bottom))
        return -next(step * m for m in STEPS if step * m >= -self.bottom)

    @cached_property
    def ceiling(self) -> float:
        """The upper end of the axis; 0 where every difference is negative."""
        if self.top <= 0:
            return 0.0 if self.bottom < 0 else 1.0
        step = 10.0 ** math.floor(math.log10(self.top))
        return next(step * m for m in STEPS if step * m >= self.top)

    @property
    def pattern(self) -> str:
        """How differences are written: with their sign."""
        size = max(self.ceiling, -self.floor)
        if self.share:
            return f"+.{max(0, math.ceil(-1 - math.log10(size)))}%"
        return "+,.0f" if size > 4 else "+,.1f"

    def y(self, name: str, spans: bool = False) -> vl.Channel:
        """Return the encoding of a value field; one layer of a chart `spans` both axes for all."""
        if not spans:
            return vl.field(f"{name}:Q")
        scale = vl.Scale(domain=[self.floor, self.ceiling], nice=False, zero=True)
        axis = self._value_axis() | {"tickMinStep": 0.0001 if self.share else 0.1, "tickCount": 4}
        return vl.field(f"{name}:Q", scale=scale, axis=axis)
