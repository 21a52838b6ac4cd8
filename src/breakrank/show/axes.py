"""Axes of charts: of time, and of two numbers; and the marks on them beside the bands of the model.

How charts are drawn, and their drawing without a browser. Marks are numbered events, and observed figures.
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

from breakrank.results.outcomes import assimilation
from breakrank.show import vegalite as vl
from breakrank.show import words
from breakrank.show.style import LIGHT, SMALL, SMALL_WIDTH, TEXT, WIDE_WIDTH, Theme, config
from breakrank.show.vegalite import Sheet, Width

if TYPE_CHECKING:
    import datetime as dt

    from breakrank.results.result import Result
    from breakrank.show.vegalite import Drawn, Width


Size = Literal["wide", "small"]


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
        return self.wide if size == "wide" else self.small


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
        scale["domain"] = {"expr": str(self.time)}
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


DASH = [2, 3]
"""Dashes of the rules of events."""


def tooltips(**titles: str) -> list[vl.Channel]:
    """Return the lines of a tooltip: title by name of a field that already reads as text."""
    return [vl.field(f"{field}:N", title=title) for field, title in titles.items()]


FEW = 6
"""Up to so many events cross a small chart as dashed hairlines; more stand at its top as ticks."""


def rules(events: Sequence[Dated], plane: Plane) -> list[vl.Chart]:
    """Return the events as dashed hairlines, or as ticks where they are many."""
    if not events:
        return []
    base = plane.sheet.on([{"date": e.date.isoformat()} for e in events])
    quiet: dict[str, Any] = {"color": plane.theme.axis, "strokeWidth": 1}
    if len(events) > FEW:
        return [base.mark("rule", **quiet).encode(x=plane.x(), y=vl.value(0), y2=vl.value(6))]
    return [base.mark("rule", **quiet, strokeDash=DASH).encode(x=plane.x())]


def numbered_rules(events: Sequence[Dated], plane: Plane, width: Width) -> list[vl.Chart]:
    """Return the events as dashed hairlines with numbers above, each led to its own number."""
    first, last = plane.time
    base = plane.sheet.on(event_rows(events, plane)).calculate(
        place=f"{first} + {place_expression(width)} * {last - first}",
        shown=place_expression(width, "t"),
        at="utcFormat(datum.date, '%-d %b %Y')",
    )
    quiet: dict[str, Any] = {"color": plane.theme.axis, "strokeWidth": 1}
    tips = tooltips(number="Event", at="Date", title="What")
    return [
        base.mark("rule", strokeDash=DASH, **quiet).encode(x=plane.x()),
        base.mark("rule", **quiet).encode(x=plane.x("place"), x2="date:T", y=vl.value(-9), y2=vl.value(0)),
        base.mark("text", fontSize=SMALL - 1, color=plane.theme.muted, baseline="bottom", dy=-1).encode(
            x=plane.x("place"), y=vl.value(-9), text="shown:N", tooltip=tips
        ),
    ]


def record_layers(records: Sequence[RecordMark], plane: Plane) -> list[vl.Chart]:
    """Return figures of the record in ink: a dot for a number, a bar for a range, an arrow for a bound.

    What was assimilated is filled, and has a plus.
    """
    if not records:
        return []
    ink, paper = plane.theme.record, plane.theme.paper
    tips = tooltips(label="Record", figure="Figure", at="Date", source="Source")
    base = plane.sheet.on(record_rows(records, plane)).calculate(at="utcFormat(datum.date, '%-d %b %Y')")
    bars = base.only("datum.low < datum.high").encode(
        x=plane.x(), y=plane.y("low"), y2="high:Q", tooltip=tips
    )
    point = base.encode(x=plane.x(), y=plane.y("middle"), tooltip=tips)
    layers = [
        bars.mark("rule", color=paper, strokeWidth=6),
        bars.mark("rule", color=ink, strokeWidth=2.5),
    ]
    for kind, shape in (("number", "circle"), ("at most", "triangle-down"), ("at least", "triangle-up")):
        for used, fill in (("false", paper), ("true", ink)):
            if any(_kind(c) == kind and bool(c.used) == (used == "true") for c in records):
                mark = point.only(f"datum.kind == '{kind}' && datum.used == {used}")
                look: dict[str, Any] = {"color": ink, "fill": fill, "size": 52, "strokeWidth": 1.8}
                layers.append(mark.mark("point", shape=shape, opacity=1, **look))
    row = vl.field("row:Q", scale=None, axis=None)
    text = base.encode(x=plane.x(), y=row, text="text:N", tooltip=tips)
    for side, align, dx in (("left", "right", -8), ("right", "left", 8)):
        there = text.only(f"datum.side == '{side}'")
        face: dict[str, Any] = {"align": align, "dx": dx, "fontSize": SMALL, "fontWeight": 500}
        layers.append(there.mark("text", stroke=paper, strokeWidth=3, strokeJoin="round", **face))
        layers.append(there.mark("text", color=ink, **face))
    return layers


def record_rows(records: Sequence[RecordMark], plane: Plane) -> list[dict[str, Any]]:
    """Return the rows of :func:`record_layers`: kind, ends, where the label goes so that no two overlap."""
    order = sorted(records, key=lambda c: -c.middle)
    placed = spaced([plane.row(c.middle) for c in order], SMALL + 3, 4, plane.height - 6)
    span = max(1, plane.days - 1)
    found = []
    for c, row in zip(order, placed, strict=True):
        kind = _kind(c)
        late = (c.date - plane.start).days / span > 0.6
        found.append(
            {
                "date": c.date.isoformat(),
                "kind": kind,
                "low": c.low if kind == "range" else c.middle,
                "high": c.high if kind == "range" else c.middle,
                "middle": c.middle,
                "label": c.label,
                "text": c.marked,
                "figure": ", ".join(filter(None, (c.text, assimilation(c.used)))),
                "used": bool(c.used),
                "source": c.source,
                "row": round(row, 1),
                "side": "left" if late else "right",
            }
        )
    return found


def _kind(c: RecordMark) -> str:
    if math.isinf(c.low) or math.isinf(c.high):
        return "at most" if math.isinf(c.low) else "at least"
    return "number" if c.low == c.high else "range"


MARK = 15
"""Least distance between the centres of two numbered marks, px."""
TOGETHER = 26
"""Events no further apart than this share a mark where a plot is too narrow for all, px."""
WIDTHS = (200, 300, 420, 600, 820)
"""Widths of the plot for which places of marks are worked out; between two of them the smaller's serve."""


@dataclass(frozen=True, slots=True)
class Dated:
    """One dated event: its number on the charts, and its date and title."""

    number: int
    id: str
    date: dt.date
    title: str


@dataclass(frozen=True, slots=True)
class RecordMark:
    """One figure of the record, to be drawn on the fan of the same measure.

    Attributes
    ----------
    date : day of the figure.
    low, high : its ends, equal for a single number; an infinite one is open (at least, at most).
    label : what was counted. source : who says so.
    unit : ``"share"`` for shares of 0 to 1, ``""`` for counts.
    used : whether the runs were conditioned on it; ``None`` where they were on no figure.
    """

    date: dt.date
    low: float
    high: float
    label: str
    source: str
    unit: str = ""
    used: bool | None = None

    @property
    def middle(self) -> float:
        """Where it stands: the middle of both ends, or the one that there is."""
        known = [end for end in (self.low, self.high) if math.isfinite(end)]
        return sum(known) / len(known)

    @property
    def text(self) -> str:
        """The figure in words."""
        return words.span(self.low, self.high, self.unit)

    @property
    def marked(self) -> str:
        """The figure in words, with a plus if it was assimilated, as in the table of a run."""
        return f"{self.text} +" if self.used else self.text


def dated(result: Result) -> list[Dated]:
    """Return the case's events that fall within its calendar, in order of date, numbered from 1."""
    start, end = result.case.calendar.start, result.case.calendar.end
    inside = sorted((e for e in result.case.events if start <= e.date <= end), key=lambda e: e.date)
    return [Dated(n, e.id, e.date, e.title) for n, e in enumerate(inside, 1)]


def earlier(result: Result) -> list[str]:
    """Return the dates and titles of events before the first day, which stand on no chart."""
    start = result.case.calendar.start
    before = sorted((e for e in result.case.events if e.date < start), key=lambda e: e.date)
    return [f"{words.day(e.date)}, {e.title}" for e in before]


def spaced(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places (ascending) as little as needed so that neighbours keep `gap` and all stay in [low, high].

    Least squares: places pushed together move as one block, set at the mean of what they want. Where even
    the whole width is too narrow, the places share it evenly.

    >>> spaced([10, 11, 50], 4, 0, 100)
    [8.5, 12.5, 50.0]
    """
    n = len(places)
    if n and gap * (n - 1) > high - low:
        even = (high - low) / max(1, n - 1)
        return [low + even * i for i in range(n)]
    blocks: list[tuple[float, int]] = []  # (sum of wanted first places, members)
    for place in places:
        block = (place, 1)
        while blocks and _end(blocks[-1], low, high, gap) > _first(block, low, high, gap):
            before, count = blocks.pop()
            block = (before + block[0] - gap * count * block[1], count + block[1])
        blocks.append(block)
    out: list[float] = []
    for block in blocks:
        first = _first(block, low, high, gap)
        out += [first + gap * k for k in range(block[1])]
    return out


def _first(block: tuple[float, int], low: float, high: float, gap: float) -> float:
    wanted, members = block
    return min(max(wanted / members, low), high - gap * (members - 1))


def _end(block: tuple[float, int], low: float, high: float, gap: float) -> float:
    return _first(block, low, high, gap) + gap * block[1]


def event_rows(events: Sequence[Dated], plane: Plane) -> list[dict[str, Any]]:
    """Return one row for each event: its date, title, and its mark for each width of :data:`WIDTHS`.

    Columns ``x0``, ``x1``, ... are places as fractions of the width, ``t0``, ``t1``, ... the texts there.
    Where a plot is too narrow for all numbers, neighbours share one mark such as ``3\u20135``; the first of
    them carries the text.
    """
    first, last = plane.time
    true = [(milliseconds(e.date) - first) / (last - first) for e in events]
    rows: list[dict[str, Any]] = [
        {"date": e.date.isoformat(), "number": str(e.number), "title": e.title} for e in events
    ]
    for i, width in enumerate(WIDTHS):
        crowded = len(events) * MARK > 0.75 * width
        groups = grouped(true, TOGETHER / width) if crowded else [[k] for k in range(len(events))]
        edge = 6 / width
        wanted = [sum(true[k] for k in group) / len(group) for group in groups]
        moved = spaced(wanted, (2 * MARK if crowded else MARK) / width, -edge, 1 + edge)
        for group, place in zip(groups, moved, strict=True):
            for k in group:
                rows[k][f"x{i}"] = round(place, 4)
                rows[k][f"t{i}"] = _span(events, group) if k == group[0] else ""
    return rows


def grouped(places: Sequence[float], span: float) -> list[list[int]]:
    """Return neighbours (by index, places ascending) in groups no wider than `span`.

    >>> grouped([0.1, 0.15, 0.3], 0.1)
    [[0, 1], [2]]
    """
    groups: list[list[int]] = []
    for k, place in enumerate(places):
        if groups and place - places[groups[-1][0]] <= span:
            groups[-1].append(k)
        else:
            groups.append([k])
    return groups


def _span(events: Sequence[Dated], group: list[int]) -> str:
    first, last = events[group[0]].number, events[group[-1]].number
    return str(first) if first == last else f"{first}\u2013{last}"


def place_expression(width: Width, field: str = "x") -> str:
    """Return the Vega expression that picks the column of :func:`event_rows` for the width of the plot.

    >>> place_expression(500)
    'datum.x2'
    """
    if width != "container":
        return f"datum.{field}{max([i for i, w in enumerate(WIDTHS) if w <= width], default=0)}"
    picked = f"datum.{field}0"
    for i, least in enumerate(WIDTHS[1:], 1):
        picked = f"(width >= {least} ? datum.{field}{i} : {picked})"
    return picked
