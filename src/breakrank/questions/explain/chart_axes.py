"""What the charts of an explanation stand on: axes, lines at round numbers, numbers beside, headings."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.explain.phrases import signed
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL, TEXT


@dataclass(frozen=True, slots=True)
class EffectAxis:
    """An axis from `low` to `high`; with a `unit` it is linear around 0 and logarithmic beyond the unit.

    Small effects are then seen beside large ones.
    """

    low: float
    high: float
    unit: float = 0.0

    def to(self, value: float) -> float:
        """Return where a value stands on the axis."""
        return math.copysign(math.log10(1 + abs(value) / self.unit), value) if self.unit else value

    def ticks(self) -> list[float]:
        """Return round values for its labels."""
        if not self.unit:
            return round_ticks(self.low, self.high)
        top = math.floor(math.log10(max(abs(self.low), abs(self.high))))
        powers = range(max(math.ceil(math.log10(self.unit)), top - 3), top + 1)
        found = [sign * 10.0**power for power in powers for sign in (-1, 1)]
        return sorted([0.0, *(t for t in found if self.low <= t <= self.high)])

    def domain(self) -> list[float]:
        """Return where it begins and ends, with room for marks at the edge."""
        low, high = self.to(self.low), self.to(self.high)
        edge = 0.02 * (high - low)  # so that no mark is cut in half
        return [low - edge, high + edge]


def squeeze(ends: NDArray[np.float64], told: Sequence[bool]) -> EffectAxis:
    """Return an axis that shows the small effects too: compressed where the largest dwarf them.

    Parameters
    ----------
    ends : mean, low and high of each effect, float64 (effect, 3).
    told : which of them can be told from zero.
    """
    finite = ends[np.isfinite(ends)]
    low, high = min(float(finite.min()), 0.0), max(float(finite.max()), 0.0)
    if low == high:
        return EffectAxis(-1.0, 1.0)
    known = [abs(e) for e, one in zip(ends[:, 0], told, strict=True) if one] or [high - low]
    middle, largest = float(np.median(known)), max(-low, high)
    if largest <= 30 * middle and largest <= 300 * min(known):
        return EffectAxis(low, high)
    return EffectAxis(
        low, high, max(10.0 ** math.floor(math.log10(max(min(known), largest / 1e4))), largest / 1e4)
    )


def round_ticks(low: float, high: float) -> list[float]:
    """Return round values between two, at most seven or so."""
    span = high - low
    step = 10.0 ** math.floor(math.log10(span / 4))
    step *= next(m for m in (1, 2, 5, 10) if span / (step * m) <= 6)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


STEP = 19
"""Height of a row, px."""
WIDE, NARROW = 740, 340
"""Widths of whole charts with their labels, px."""


def plot(look: Look) -> int:
    """Return the width of a plot, px: what names on the left and numbers on the right leave."""
    return look.wide - look.names - (76 if look.wide >= WIDE else 52)


def sign(look: Look, value: float, told: bool) -> str:
    """Return the hue of more or less."""
    return look.theme.muted if not told else look.theme.counterfactual if value > 0 else look.theme.baseline


def hue(field: str) -> vl.Channel:
    """Return the encoding of a colour that a field names itself."""
    return vl.field(f"{field}:N", scale=None, legend=None)


@dataclass(frozen=True)
class RowChart:
    """A chart with a row for each name: lines at round values, marks, and a number on the right of each.

    Rows hold ``name``, ``text`` (the number), ``colour``, and places on the axis by field.
    """

    rows: Sequence[Mapping[str, Any]]
    axis: EffectAxis
    look: Look
    sheet: Sheet = field(default_factory=Sheet)

    def marks(self, type: str, at: str = "x", **face: Any) -> vl.Chart:  # noqa: A002, ANN401
        """Return marks in the rows of their names, at the places of a field."""
        names = [row["name"] for row in self.rows]
        labels = vl.Axis(
            title=None,
            grid=False,
            labelLimit=self.look.names - 8,
            minExtent=self.look.names,
            maxExtent=self.look.names,
            labelColor=self.look.theme.ink,
            labelFontSize=SMALL,
        )
        y = vl.field("name:N", sort=names, scale=vl.Scale(domain=names), axis=labels)
        return self.sheet.on(self.rows).mark(type, **face).encode(x=self._x(at), y=y)

    def spans(self, low: str, high: str, **face: Any) -> vl.Chart:  # noqa: ANN401
        """Return bars from one field to another, in the colour of their rows."""
        return self.marks("rule", low, **face).encode(x2=f"{high}:Q", color=hue("colour"))

    def drawn(self, measure: str, marks: Sequence[vl.Chart], title: vl.Title) -> Drawn:
        """Return the chart; `measure` is the title of the axis."""
        width, height = plot(self.look), STEP * len(self.rows)
        text = self.marks("text", align="left", dx=8, fontSize=SMALL, color=self.look.theme.ink)
        numbers = text.encode(x=vl.value(width), text="text:N")
        return self.sheet.drawn([*self._ground(measure, height), *marks, numbers], width, height, title)

    def _x(self, name: str) -> vl.Channel:
        scale = vl.Scale(domain=self.axis.domain(), nice=False, zero=False)
        return vl.field(f"{name}:Q", scale=scale, axis=None)

    def _ground(self, measure: str, height: int) -> list[vl.Chart]:
        """Return lines at round values, their labels below, the zero line, and the title of the axis."""
        axis, look = self.axis, self.look
        wide = 60 if look.wide >= WIDE else 44
        span = axis.domain()[1] - axis.domain()[0]
        kept: list[float] = []
        for t in sorted(axis.ticks(), key=abs):  # labels that would run into one nearer to 0 are left out
            if all(abs(axis.to(t) - axis.to(k)) / span * plot(look) >= wide * 0.8 for k in kept):
                kept.append(t)
        ticks = [
            {
                "x": axis.to(t),
                "label": signed(t, "") if t else "0",
                "colour": look.theme.axis if t == 0 else look.theme.hairline,
            }
            for t in kept
        ]
        base, below = self.sheet.on(ticks), vl.value(height)
        face: dict[str, Any] = {"baseline": "top", "fontSize": SMALL, "color": look.theme.muted}
        called = self.sheet.on([{"text": measure}]).mark("text", align="left", dy=21, **face)
        return [
            base.mark("rule", strokeWidth=1).encode(x=self._x("x"), color=hue("colour")),
            base.mark("text", dy=6, **face).encode(x=self._x("x"), y=below, text="label:N"),
            called.encode(x=vl.value(0), y=below, text="text:N"),
        ]


def title_of(text: str, below: str, look: Look) -> vl.Title:
    """Return the heading of a chart, broken where it would run out of it."""
    most = int(look.wide / (TEXT * 0.5))
    lines = textwrap.wrap(below, int(look.wide / (SMALL * 0.52)))
    return vl.Title(text=textwrap.wrap(text, most), subtitle=lines)
