"""Layers over a fan: dated events as hairlines with numbers that never overlap, and figures of the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from breakrank.show import vegalite as vl
from breakrank.show.marks import Dated, RecordMark, event_rows, place_expression, spaced
from breakrank.show.sheet import Width
from breakrank.show.style import SMALL
from breakrank.show.time_axes import Plane

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
    if len(events) > FEW:
        ticks = plane.sheet.on([{"date": e.date.isoformat()} for e in events])
        mark = ticks.mark("rule", color=plane.theme.axis, strokeWidth=1)
        return [mark.encode(x=plane.x(), y=vl.value(0), y2=vl.value(6))]
    mark = plane.sheet.on([{"date": e.date.isoformat()} for e in events]).mark(
        "rule", color=plane.theme.axis, strokeWidth=1, strokeDash=DASH
    )
    return [mark.encode(x=plane.x())]


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


def record_layers(records: Sequence[RecordMark], plane: Plane, named: bool) -> list[vl.Chart]:
    """Return figures of the record in ink: a dot for a number, a bar for a range, an arrow for a bound.

    What was assimilated is filled, and has a plus.
    """
    if not records:
        return []
    ink, paper = plane.theme.record, plane.theme.paper
    tips = tooltips(label="Record", figure="Figure", at="Date", source="Source")
    base = plane.sheet.on(record_rows(records, plane)).calculate(at="utcFormat(datum.date, '%-d %b %Y')")
    also: dict[str, Any] = {"href": "link:N"} if any(c.link for c in records) else {}
    bars = base.only("datum.low < datum.high").encode(
        x=plane.x(), y=plane.y("low"), y2="high:Q", tooltip=tips, **also
    )
    point = base.encode(x=plane.x(), y=plane.y("middle"), tooltip=tips, **also)
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
    if named:
        row = vl.field("row:Q", scale=None, axis=None)
        text = base.encode(x=plane.x(), y=row, text="text:N", tooltip=tips, **also)
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
                "figure": ", ".join(filter(None, (c.text, c.how_used))),
                "used": bool(c.used),
                "source": c.source,
                "link": c.link,
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
