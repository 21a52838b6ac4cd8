"""Names on the chart of a comparison: its two lines at their ends, and the events that do most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.show import vegalite as vl
from breakrank.show.style import SMALL

if TYPE_CHECKING:
    from breakrank.results import Result
    from breakrank.show.tables import SpreadSeries
    from breakrank.show.time_axes import Plane

NAMED = 3
"""Events that are named at most."""
APART = 0.08
"""How far they lie apart at least, as a share of the width."""
ROW = 14
"""Height of a row of names, px."""


def line_names(base: SpreadSeries, other: SpreadSeries, plane: Plane) -> list[vl.Chart]:
    """Return the names of both lines at their ends, the higher one above its line."""
    up = other.end >= base.end
    theme = plane.theme
    found = []
    for text, one, colour, above in (
        ("changed", other, theme.counterfactual_text, up),
        ("baseline", base, theme.baseline, not up),
    ):
        row = {"date": str(one.frame["date"].iloc[-1])[:10], "value": one.end, "text": text}
        look = {"align": "right", "dx": -4, "dy": -8 if above else 12, "fontSize": SMALL, "fontWeight": 600}
        mark = plane.sheet.on([row]).mark("text", color=colour, **look)
        found.append(mark.encode(x=plane.x(), y=plane.y("value"), text="text:N"))
    return found


def event_names(result: Result, plane: Plane) -> list[vl.Chart]:
    """Return the events with most effects by name, each in a row of its own, so that none covers another."""
    calendar = result.case.calendar
    days = max(1, (calendar.end - calendar.start).days)
    chosen: list[tuple[float, str, str]] = []
    for event in sorted(result.case.events, key=lambda e: (-len(e.effects), e.date)):
        at = (event.date - calendar.start).days / days
        if event.effects and 0 <= at <= 1 and all(abs(at - other) >= APART for other, *_ in chosen):
            chosen.append((at, event.date.isoformat(), event.title))
    found = []
    for row, (at, date, title) in enumerate(sorted(chosen[:NAMED])):
        base, right = plane.sheet.on([{"date": date, "text": title}]), at <= 0.5
        rule = base.mark("rule", color=plane.theme.axis, strokeWidth=0.8)
        found.append(rule.encode(x=plane.x(), y=vl.value(4 + ROW * row), y2=vl.value(plane.height)))
        text = base.mark(
            "text",
            align="left" if right else "right",
            baseline="top",
            dx=4 if right else -4,
            color=plane.theme.muted,
            fontSize=SMALL,
            limit=vl.expr(f"{max(at, 1 - at):.3f} * width - 8"),
        )
        found.append(text.encode(x=plane.x(), y=vl.value(5 + ROW * row), text="text:N"))
    return found
