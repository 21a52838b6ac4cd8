"""The plane a dated series is drawn on: one time axis in UTC, one axis of values with its unit above it."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from breakrank.show import vegalite as vl
from breakrank.show.sheet import Sheet
from breakrank.show.style import Theme

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

    def step_ms(self, points: int) -> int:
        """Return the time between neighbouring points of an axis, ms."""
        first, last = self.time
        return (last - first) // max(1, points - 1)

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
