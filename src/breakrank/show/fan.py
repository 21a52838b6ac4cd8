"""Fan charts: the median over runs with its 50% and 90% bands, day by day.

A fan carries its own heading (what, how many at the end, between what), so that no legend is needed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.results.quantiles import FEW
from breakrank.show import vegalite as vl
from breakrank.show.marks import tooltips
from breakrank.show.sheet import Width
from breakrank.show.style import TEXT
from breakrank.show.tables import POINTS, thinned
from breakrank.show.time_axes import GUTTER, Plane
from breakrank.show.words import between, day, interval, number, unit_of, within

if TYPE_CHECKING:
    from breakrank.show.tables import SpreadSeries

HOVERED = 60
"""Dates of a small multiple that answer to the pointer; all dates answer on wide charts."""
FEWER = 200
"""Most points of a small multiple, about one for each px of its width."""
STEPPED = 50
"""Below this many soldiers a line moves in steps, as whole people do."""


def heading(
    one: SpreadSeries, colour: str, width: Width, lines: Sequence[str] = (), *, chance: bool = False
) -> vl.Title:
    """Return a chart's title: the name, and below it the last median with the ends of its band.

    With `chance`, it says that the band holds chance only.
    """
    unit, last = unit_of(one), one.last
    if one.kind == "daily":
        at = int(one.frame["median"].to_numpy().argmax())
        top = float(one.frame["median"].iloc[at])
        below = (
            f"most {number(top, unit)}, on {day(one.frame['date'].iloc[at])}"
            if top > 0
            else "none on most days"
        )
    else:
        below = between(last.median, last.q05, last.q95, unit)
        ends = interval(last.q05, last.q95, unit)
        if one.runs > 1 and ends != below:
            below += f" ({ends}{'; chance only' * chance})"
    return vl.Title(
        text=one.label,
        subtitle=list(lines) or below,
        fontSize=TEXT - 1,
        limit=vl.expr(f"width + {GUTTER}") if width == "container" else width + GUTTER,
        subtitleColor=colour,
        subtitleFontWeight=500,
    )


def bands(
    one: SpreadSeries,
    plane: Plane,
    colour: str,
    dash: Sequence[int] = (),
    spans: bool = True,
    most: int = POINTS,
) -> list[vl.Chart]:
    """Return the layers of the spread and the median; one day is drawn upright, one run has no bands."""
    base = plane.sheet.on(rows(one, most))
    stepped = one.kind in ("cumulative", "stock") and plane.top < STEPPED
    shape: dict[str, Any] = {"interpolate": "step-after" if stepped else "linear"}
    if dash:
        shape["strokeDash"] = list(dash)
    layers = []
    single = len(one.frame) == 1
    spread = [("q05", "q95", 0.17, 3), ("q25", "q75", 0.3, 9)]
    for low, high, opacity, stroke in spread[: 0 if one.runs < 2 else 1 if one.runs < FEW else 2]:
        if single:
            mark = base.mark("rule", color=colour, opacity=opacity + 0.2, strokeWidth=stroke)
        else:
            edge = {"fillOpacity": 0, "stroke": colour, "strokeWidth": 0.8, "strokeDash": [2, 2]}
            fill: dict[str, Any] = edge if plane.theme.outlined else {"opacity": opacity}
            mark = base.mark("area", color=colour, interpolate=shape["interpolate"], line=False, **fill)
        layers.append(mark.encode(x=plane.x(), y=plane.y(low), y2=f"{high}:Q"))
    if single:
        line = base.mark("point", color=colour, fill=plane.theme.paper, size=50, strokeWidth=2, opacity=1)
    else:
        line = base.mark("line", color=colour, strokeWidth=1.8, clip=True, **shape)
    return [*layers, line.encode(x=plane.x(spans=spans), y=plane.y(one.middle, spans))]


def rows(one: SpreadSeries, most: int = POINTS) -> list[dict[str, Any]]:
    """Return a series as the rows of a chart, at most about `most`, rounded to what can be seen.

    Counts by day are never thinned, since every row is a count of its own, and no marked day is left out.
    """
    places = 4 if one.kind == "share" else 1
    columns = (one.middle,) if one.runs < 2 else ("q05", "q25", one.middle, "q75", "q95")
    days = one.frame["date"].to_numpy()
    kept = thinned(days, 1 if one.kind == "daily" else _every(one, most), one.marked)
    dates = np.datetime_as_string(days[kept], unit="D").tolist()
    values = ([_short(v) for v in one.frame[c].to_numpy()[kept].round(places).tolist()] for c in columns)
    names = ("date", *columns)
    return [dict(zip(names, row, strict=True)) for row in zip(dates, *values, strict=True)]


def _every(one: SpreadSeries, most: int) -> int:
    """Return one in how many rows is drawn, marked days apart."""
    return max(1, -(-(len(one.frame) - len(one.marked)) // most))


def _short(value: float) -> float | int | None:
    if value.is_integer():
        return int(value)
    return value if math.isfinite(value) else None  # a share of nobody


def pointer(
    one: SpreadSeries, plane: Plane, colour: str, most: int, beside: SpreadSeries | None = None
) -> list[vl.Chart]:
    """Return the layers that answer to the pointer: a hairline, a dot, and the numbers of that day.

    With `beside`, the line of a second series on the same days is told as well.
    """
    picked = rows(one)
    if beside is not None:
        picked = [a | {"beside": b[beside.middle]} for a, b in zip(picked, rows(beside), strict=True)]
    dates = np.array([row["date"] for row in picked], "datetime64[D]")
    picked = [picked[i] for i in thinned(dates, _every(one, most), one.marked)]
    pattern = plane.pattern.replace(".0%", ".1%")
    said = {"day": "utcFormat(datum.date, '%-d %b %Y')", "middle": f"format(datum.{one.middle}, '{pattern}')"}
    tips = tooltips(day="Date", middle=one.middle.capitalize() if one.runs > 1 else "Value")
    if one.runs > 1:
        for name, low, high in (("half", "q25", "q75"), ("most", "q05", "q95")):
            said[name] = f"format(datum.{low}, '{pattern}') + ' to ' + format(datum.{high}, '{pattern}')"
        tips += tooltips(half="50% of runs") if one.runs >= FEW else []
        tips += tooltips(most=within(one.runs).capitalize())
    if beside is not None:
        said["other"] = f"format(datum.beside, '{pattern}')"
        tips = [*tooltips(day="Date"), *[vl.field("middle:N", title=one.label)]]
        tips.append(vl.field("other:N", title=beside.label))
    name = re.sub(r"\W", "_", f"at_{one.kind}_{one.id}")
    near = {"type": "point", "on": "pointerover", "clear": "pointerout", "fields": ["date"]}
    half = plane.step_ms(len(picked)) // 2
    data = plane.sheet.on(picked)
    field = (
        data.mark("rect", opacity=0, color=colour)
        .calculate(
            before=f"max(time(datum.date) - {half}, {plane.time[0]})",
            after=f"min(time(datum.date) + {half}, {plane.time[1]})",
            **said,
        )
        .encode(x=plane.x("before"), x2="after:T", tooltip=tips)
        .having(params=[{"name": name, "select": near}])
    )
    shown = data.only({"param": name, "empty": False})
    rule = shown.mark("rule", color=plane.theme.muted, strokeWidth=1).encode(x=plane.x())
    dot = shown.mark("point", color=colour, fill=plane.theme.paper, size=44, strokeWidth=2, opacity=1)
    return [rule, dot.encode(x=plane.x(), y=plane.y(one.middle)), field]
