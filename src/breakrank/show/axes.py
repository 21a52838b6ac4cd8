"""Axes of charts: of time, and of two numbers.

How charts are drawn, and their drawing without a browser.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from breakrank.show import vegalite as vl
from breakrank.show.style import LIGHT, SMALL_WIDTH, TEXT, WIDE_WIDTH, Theme, config
from breakrank.show.vegalite import Sheet

if TYPE_CHECKING:
    from breakrank.show.vegalite import Drawn, Width


Size = Literal["wide", "half", "small"]


@dataclass(frozen=True, slots=True)
class Look:
    """How charts are drawn.

    Attributes
    ----------
    wide, small : widths, px: of a whole line, and of small multiples.
    names : room for the names of rows, px.
    still : leave out what answers to a pointer, for paper and pages without scripts.
    page : a page decides the widths of plots.
    """

    theme: Theme = LIGHT
    wide: int = WIDE_WIDTH
    small: int = SMALL_WIDTH
    names: int = 196
    still: bool = False
    page: bool = False

    def width(self, size: Size) -> Width:
        """Return the width of a plot."""
        if self.page:
            return "container"
        return {"wide": self.wide, "half": (self.wide - 74) // 2, "small": self.small}[size]


def svg(drawn: Drawn, theme: Theme, font: str = "") -> str:
    """Return a chart as one SVG element without scripts, styles or links; the same chart gives the same text.

    Parameters
    ----------
    font : named for all text; without one, text is set in the font around it.
    """
    text = vl.Chart(drawn.spec() | {"config": config(theme)}).svg()
    text = re.sub(r' (?:role|aria-[a-z]+|class|pointer-events)="[^"]*"', "", text)
    text = re.sub(r' font-family="[^"]*"', f' font-family="{font}"' if font else "", text)
    text = re.sub(r'<text [^>]*opacity="0"[^>]*>[^<]*</text>', "", text)
    text = text.replace(' xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1"', "")
    return _own_ids(text)


def _own_ids(text: str) -> str:
    """Return a drawing whose ids follow from what it shows: apart from others', and the same each time."""
    found = {name: k for k, name in enumerate(dict.fromkeys(re.findall(r'\bid="([^"]+)"', text)))}
    mark = hashlib.sha256(re.sub(r'(\bid="|url\(#)[^")]+', r"\1", text).encode()).hexdigest()[:8]
    return re.sub(
        r'(\bid="|url\(#)([^")]+)', lambda m: f"{m[1]}c{mark}-{found[m[2]]}" if m[2] in found else m[0], text
    )


SQUARE = 260
"""Side of a chart whose axes share one scale, px."""


@dataclass(frozen=True)
class NumberPlane:
    """A plane with two labelled axes, and the marks drawn on it."""

    look: Theme
    across: str
    up: str
    x: tuple[float, float]
    y: tuple[float, float]
    width: int = SQUARE
    nice: bool = False

    def marks(self, rows: Sequence[Mapping[str, Any]]) -> vl.Chart:
        """Return a chart of rows with `x` and `y` on these axes, without a mark as yet."""
        across = vl.Axis(title=self.across, tickCount=5, titlePadding=8)
        up = vl.Axis(
            title=self.up,
            titleAngle=0,
            titleAlign="left",
            titleAnchor="start",
            titleX=-40,
            titleY=-8,
            titleBaseline="bottom",
            minExtent=40,
            maxExtent=40,
            tickCount=5,
        )
        return vl.rows_of(rows).encode(
            x=vl.field("x:Q", scale=vl.Scale(domain=list(self.x), nice=False, zero=False), axis=across),
            y=vl.field("y:Q", scale=vl.Scale(domain=list(self.y), nice=self.nice, zero=False), axis=up),
        )

    def line(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        width: float = 1.8,
        dash: Sequence[int] | None = None,
    ) -> vl.Chart:
        """Return a line through the points in their order."""
        rows = [{"x": x, "y": y, "at": i} for i, (x, y) in enumerate(points)]
        drawn = self.marks(rows).mark(
            "line", color=colour, strokeWidth=width, strokeDash=list(dash or [1, 0])
        )
        return drawn.encode(order="at:Q")

    def dots(
        self, points: Sequence[tuple[float, float]], colour: str, *, filled: Sequence[bool] | bool = True
    ) -> vl.Chart:
        """Return dots, hollow where not `filled`; the pointer tells their numbers."""
        each = [filled] * len(points) if isinstance(filled, bool) else filled
        rows = [
            {"x": x, "y": y, "fill": colour if full else self.look.paper}
            for (x, y), full in zip(points, each, strict=True)
        ]
        drawn = self.marks(rows).mark(
            "point", size=64, stroke=colour, strokeWidth=1.8, opacity=1, filled=True
        )
        tips = [vl.field(f"{k}:Q", title=t, format=".4~f") for k, t in (("x", self.across), ("y", self.up))]
        return drawn.encode(fill=vl.field("fill:N", scale=None), tooltip=tips)

    def note(self, x: float, y: float, text: str, colour: str, *, above: bool = False) -> vl.Chart:
        """Return a word to the right of (x, y), and below it or above."""
        side: dict[str, Any] = {"baseline": "bottom", "dy": -6} if above else {"baseline": "top", "dy": 5}
        drawn = self.marks([{"x": x, "y": y, "text": text}])
        drawn = drawn.mark("text", color=colour, align="left", dx=8, fontSize=TEXT - 1, **side)
        return drawn.encode(text="text:N")


GUTTER = 46
"""Width kept for the labels of the vertical axis, px, so that the plots of small multiples align."""
_DAY = 86_400_000


def milliseconds(date: dt.date) -> int:
    """Return the start of a day as Vega counts time, ms since 1970 in UTC."""
    return (date - dt.date(1970, 1, 1)).days * _DAY


def round_up(value: float) -> float:
    """Return a round number no less than a positive value, for the end of an axis.

    >>> round_up(0.11), round_up(37), round_up(5001)
    (0.12, 40.0, 6000.0)
    """
    step = 10.0 ** math.floor(math.log10(value))
    return next(step * m for m in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * m >= value)


@dataclass(frozen=True)
class Plane:
    """Scales and axes shared by all layers of one chart.

    Attributes
    ----------
    start, end : first and last day of the time axis.
    top : largest value to be drawn.
    unit : said above the axis of values; ``"share"`` is drawn as per cent of 0 to 1.
    raised : room kept between the plot and the unit, px, for numbered marks.
    height : of the plot, px.
    sheet : the rows of its layers.
    """

    start: dt.date
    end: dt.date
    top: float
    unit: str
    theme: Theme
    height: int
    raised: int = 0
    sheet: Sheet = field(default_factory=Sheet)

    @property
    def days(self) -> int:
        """Days from first to last, inclusive."""
        return (self.end - self.start).days + 1

    @property
    def time(self) -> list[int]:
        """Ends of the time axis, ms; a single day gets half a day on either side."""
        first, last = milliseconds(self.start), milliseconds(self.end)
        return [first, last] if first < last else [first - _DAY // 2, last + _DAY // 2]

    @property
    def share(self) -> bool:
        """Whether values are shares of 0 to 1."""
        return self.unit == "share"

    @cached_property
    def ceiling(self) -> float:
        """The end of the axis of values: a round number no less than the largest value."""
        if self.share and not 0 < self.top < 0.8:
            return 1.0
        if self.top <= 4 and not self.share:
            return float(max(1, math.ceil(self.top)))
        return round_up(self.top)

    @property
    def pattern(self) -> str:
        """How values are written on the axis and under the pointer."""
        if not self.share:
            return ",.0f"
        return f".{max(0, math.ceil(-1 - math.log10(self.ceiling)))}%"

    def row(self, value: float) -> float:
        """Return where a value stands, px from the top of the plot."""
        return self.height * (1 - value / self.ceiling)

    def x(self, name: str = "date", spans: bool = False) -> vl.Channel:
        """Return the encoding of a date field; one layer of a chart `spans` both axes for all."""
        scale = vl.Scale(type="utc", nice=False)
        if not spans:
            return vl.field(f"{name}:T", scale=scale)
        # as an expression, so that the axis stands before any row of data is there
        scale["domain"] = vl.expr(str(self.time))
        return vl.field(f"{name}:T", scale=scale, axis=self._time_axis())

    def y(self, name: str, spans: bool = False) -> vl.Channel:
        """Return the encoding of a value field; one layer of a chart `spans` both axes for all."""
        if not spans:
            return vl.field(f"{name}:Q")
        scale = vl.Scale(domain=[0, self.ceiling], nice=False, zero=True)
        return vl.field(f"{name}:Q", scale=scale, axis=self._value_axis())

    def _time_axis(self) -> vl.Axis:
        every: dict[str, Any]
        if self.days <= 16:
            every, pattern = {"interval": "day", "step": 1}, "'%-d %b'"
        elif self.days <= 70:
            every, pattern = {"interval": "week", "step": 1}, "'%-d %b'"
        elif self.days <= 800:
            # quarters, so that January, which bears the year, is not thinned out of a small plot
            every = {"interval": "month", "step": 1 if self.days <= 400 else 3}
            pattern = "'%b'" if self.start.year == self.end.year else "utcmonth(datum.value) ? '%b' : '%Y'"
        else:
            every, pattern = {"interval": "year", "step": 1}, "'%Y'"
        return vl.Axis(
            title=None,
            grid=False,
            ticks=True,
            tickSize=4,
            tickColor=self.theme.axis,
            tickCount=every,
            labelExpr=f"utcFormat(datum.value, {pattern})",
            labelOverlap="parity",
            labelSeparation=6,
            labelFlush=True,
        )

    def _value_axis(self) -> vl.Axis:
        return vl.Axis(
            title="share" if self.share else self.unit,
            titleAngle=0,
            titleAlign="left",
            titleAnchor="start",
            titleX=-GUTTER,
            titleY=-10 - self.raised,
            titleBaseline="bottom",
            format=self.pattern,
            tickCount=4 if self.share or self.ceiling > 4 else int(self.ceiling),
            tickMinStep=0.0001 if self.share else 1,
            minExtent=GUTTER,
            maxExtent=GUTTER,
        )
