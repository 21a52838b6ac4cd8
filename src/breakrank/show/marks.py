"""Marks on a chart beside the model's bands: numbered events, and observed figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from breakrank.results.outcomes import assimilation
from breakrank.show import vegalite as vl
from breakrank.show import words
from breakrank.show.axes import Plane, milliseconds
from breakrank.show.style import SMALL
from breakrank.show.vegalite import Width

if TYPE_CHECKING:
    import datetime as dt

    from breakrank.results.result import Result

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
    order = sorted(records, key=lambda c: -_middle(c))
    placed = spaced([plane.row(_middle(c)) for c in order], SMALL + 3, 4, plane.height - 6)
    span = max(1, plane.days - 1)
    found = []
    for c, row in zip(order, placed, strict=True):
        kind = _kind(c)
        late = (c.date - plane.start).days / span > 0.6
        found.append(
            {
                "date": c.date.isoformat(),
                "kind": kind,
                "low": c.low if kind == "range" else _middle(c),
                "high": c.high if kind == "range" else _middle(c),
                "middle": _middle(c),
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
    if c.low is None or c.high is None:
        return "at most" if c.low is None else "at least"
    return "number" if c.low == c.high else "range"


def _middle(c: RecordMark) -> float:
    if c.low is None or c.high is None:
        return c.high if c.high is not None else c.low or 0.0
    return (c.low + c.high) / 2


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
    low, high : its ends, equal for a single number; ``None`` is open (at least, at most).
    label : what was counted. source : who says so.
    unit : ``"share"`` for shares of 0 to 1, ``""`` for counts.
    used : whether the runs were conditioned on it; ``None`` where they were on no figure.
    """

    date: dt.date
    low: float | None
    high: float | None
    label: str
    source: str
    unit: str = ""
    used: bool | None = None

    @property
    def text(self) -> str:
        """The figure in words."""
        low, high = (
            -math.inf if self.low is None else self.low,
            math.inf if self.high is None else self.high,
        )
        return words.span(low, high, self.unit)

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
