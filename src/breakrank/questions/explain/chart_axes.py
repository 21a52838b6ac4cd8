"""What the charts of an explanation stand on: axes, lines at round numbers, numbers beside, headings."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.explain.phrases import signed
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Sheet
from breakrank.show.style import SMALL, TEXT
from breakrank.show.words import percent


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


STEP = 19
"""Height of a row, px."""
WIDE, NARROW = 740, 340
"""Widths of whole charts with their labels, px."""


def plot(look: Look) -> int:
    """Return the width of a plot, px: what names on the left and numbers on the right leave."""
    return look.wide - look.names - (76 if look.wide >= WIDE else 52)


def sign(look: Look, value: float, told: bool = True) -> str:
    """Return the hue of more or less."""
    return look.theme.muted if not told else look.theme.counterfactual if value > 0 else look.theme.baseline


def x_of(axis: LinearAxis | Squeezed) -> vl.Channel:
    """Return the encoding of places along an axis; the lines of `ground` stand for its ticks."""
    return vl.field("x:Q", scale=vl.Scale(domain=axis.domain(), nice=False, zero=False), axis=None)


def y_of(values: Sequence[str], look: Look) -> vl.Channel:
    """Return the encoding of rows by name, in the order of `values`."""
    return vl.field(
        "name:N",
        sort=list(values),
        scale=vl.Scale(domain=list(values)),
        axis=vl.Axis(
            title=None,
            grid=False,
            labelLimit=look.names - 8,
            minExtent=look.names,
            maxExtent=look.names,
            labelColor=look.theme.ink,
            labelFontSize=SMALL,
        ),
    )


def at(chart: vl.Chart, values: Sequence[str], look: Look) -> vl.Chart:
    """Return marks in the rows of their names."""
    placed: vl.Chart = chart.encode(y=y_of(values, look))
    return placed


def hue(field: str) -> vl.Channel:
    """Return the encoding of a colour that a field names itself."""
    return vl.field(f"{field}:N", scale=None, legend=None)


def ground(
    sheet: Sheet,
    rows: Sequence[Mapping[str, Any]],
    axis: LinearAxis | Squeezed,
    name: str,
    look: Look,
) -> list[Any]:
    """Return the ground: lines at round numbers, their labels below, the zero line, and the axis title."""
    wide = 60 if look.wide >= WIDE else 44
    span = axis.domain()[1] - axis.domain()[0]
    kept: list[float] = []
    for t in sorted(axis.ticks(), key=abs):  # labels that would run into one nearer to 0 are left out
        if all(abs(axis.to(t) - axis.to(k)) / span * plot(look) >= wide * 0.8 for k in kept):
            kept.append(t)
    share = name.startswith("share")
    ticks = [
        {
            "x": axis.to(t),
            "label": percent(t) if share else signed(t, "") if t else "0",
            "colour": look.theme.axis if t == 0 else look.theme.hairline,
        }
        for t in kept
    ]
    ground = sheet.on(ticks).mark("rule", strokeWidth=1).encode(x=x_of(axis), color=hue("colour"))
    below = sheet.on(ticks).mark("text", baseline="top", dy=6, fontSize=SMALL, color=look.theme.muted)
    height = vl.value((STEP + 3 if share else STEP) * len(rows))
    labels = below.encode(x=x_of(axis), y=height, text="label:N")
    called_ = (
        sheet.on([{"text": name}])
        .mark("text", align="left", baseline="top", dy=21, fontSize=SMALL, color=look.theme.muted)
        .encode(x=vl.value(0), y=height, text="text:N")
    )
    return [ground, labels, called_]


def numbers(sheet: Sheet, rows: Sequence[Mapping[str, Any]], values: Sequence[str], look: Look) -> vl.Chart:
    """Return the numbers on the right, one beside every row."""
    drawn = sheet.on([{"name": r["name"], "text": r["text"]} for r in rows])
    text = drawn.mark("text", align="left", dx=8, fontSize=SMALL, color=look.theme.ink)
    placed: vl.Chart = at(text, values, look).encode(x=vl.value(plot(look)), text="text:N")
    return placed


def title_of(text: str, below: str, look: Look) -> vl.Title:
    """Return the heading of a chart, broken where it would run out of it."""
    most = int(look.wide / (TEXT * 0.5))
    return vl.Title(text=_broken(text, most), subtitle=_broken(below, int(look.wide / (SMALL * 0.52))))


def _broken(text: str, most: int) -> list[str]:
    return textwrap.wrap(text, most)
