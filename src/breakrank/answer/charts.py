"""The charts of an answer: each figure drawn from its table, in the look of the project."""

from __future__ import annotations

import datetime as dt
import math
import re
import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, records
from breakrank.answer.cells import texts
from breakrank.answer.strips import strips
from breakrank.case.borders import middle, shapes
from breakrank.results.outcomes import assimilation
from breakrank.results.uncertainty import FEW, FIXED
from breakrank.show import vegalite as vl
from breakrank.show.axes import (
    GUTTER,
    SQUARE,
    Dated,
    Look,
    NumberPlane,
    Plane,
    RecordMark,
    numbered_rules,
    record_layers,
    round_up,
    rules,
    spaced,
    tooltips,
)
from breakrank.show.style import LIGHT, SMALL, config
from breakrank.show.tables import COLUMNS, POINTS, SpreadSeries, thinned
from breakrank.show.vegalite import Drawn, Sheet
from breakrank.show.words import average, day, percent, within

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.show.axes import Size


LARGEST = 700
"""Area of the largest circle, square px."""
FULLEST = 0.8
"""Opacity of a state whose share is 1."""


def states(
    answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size
) -> tuple[str, Drawn]:
    """Draw the states of some rows; circles have one scale for all rows of the table."""
    theme, (share, count) = look.theme, figure.y
    borders = shapes(tuple(rows[figure.x]))
    most = round_up(float(answer[figure.table].rows[count].max()) or 1.0)
    sheet, areas, circles = Sheet(), [], []
    for row in records(rows):
        held, many = round(float(row[share]), 3), round(float(row[count]), 1)
        said = f"{row['label']}: {percent(held)}, {average(many)}"
        areas.append({"type": "Feature", "geometry": borders[row[figure.x]], "held": held, "said": said})
        if many > 0:
            x, y = middle(borders[row[figure.x]])
            circles.append({"lon": round(x, 3), "lat": round(y, 3), "left": many, "said": said})
    shade = vl.field("held:Q", scale=vl.Scale(domain=[0, 1], range=[0, FULLEST]), legend=None)
    area = vl.field("left:Q", scale=vl.Scale(domain=[0, most], range=[0, LARGEST]), legend=None)
    land = sheet.on(areas).mark("geoshape", fill=theme.given, stroke=theme.axis, strokeWidth=0.8)
    dots = sheet.on(circles).mark("circle", fill=theme.out, stroke=theme.ink, strokeWidth=0.8, opacity=0.9)
    where: dict[str, Any] = {"longitude": "lon:Q", "latitude": "lat:Q"}
    tip = [vl.field("said:N", title=" ")]
    layers = [land.encode(fillOpacity=shade, tooltip=tip), dots.encode(**where, size=area, tooltip=tip)]
    xs, ys = zip(*(middle(shape) for shape in borders.values()), strict=True)
    turned = [-round(sum(xs) / len(xs), 1), -round(sum(ys) / len(ys), 1)]
    flat = {"type": "azimuthalEqualArea", "rotate": turned}
    width = look.width(size)
    height = 250 if width == "container" else round(0.9 * int(width))
    title = vl.Title(text=name, subtitle=f"largest circle: {most:,.0f}")
    return "", sheet.drawn([one.having(projection=flat) for one in layers], width, height, title)


DASHED = (6, 3)
"""Dashes of whatever is not the first line."""
ROW = 20
"""Height of a row of dots, px."""
LINE_HEIGHT = 200
"""Height of a plot of lines, px."""
LETTER = 6.8
"""Width of a letter of a label, px, rather more than less."""
LINE = 72
"""Letters in a line of a heading: fonts of other machines may be a tenth wider than the one measured."""
EDGE = 0.06
"""Share of the span of a map that is kept free at each edge."""
HOVERED = 60
"""Dates of a small multiple that answer to the pointer; all dates answer on wide charts."""
FEWER = 200
"""Most points of a small multiple, about one for each px of its width."""
STEPPED = 50
"""Below this many soldiers a line moves in steps, as whole people do."""
TOGETHER = 12
"""Strips of one picture."""
SMALL_PLOT = 140
"""Height of one of several plots of a figure, px."""


@dataclass(frozen=True, eq=False, slots=True)
class Panel:
    """One chart of a figure, with the sentence that says what it shows."""

    id: str
    drawn: Drawn
    sentence: str


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
        return -round_up(-self.bottom) if self.bottom < 0 else 0.0

    @cached_property
    def ceiling(self) -> float:
        """The upper end of the axis; 0 where every difference is negative."""
        if self.top <= 0:
            return 0.0 if self.bottom < 0 else 1.0
        return round_up(self.top)

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
        axis["labelExpr"] = "datum.value ? datum.label : '0'"
        if not self.share and max(self.ceiling, -self.floor) >= 10_000:
            axis["format"] = "+~s"  # +40k: more digits and a sign do not fit beside a small chart
        return vl.field(f"{name}:Q", scale=scale, axis=axis)


def chart(answer: Answer, name: str = "") -> vl.Chart:
    """Return the chart of a figure by name, by default of all, one below the other.

    Raises
    ------
    UsageError
        for a figure that there is not, or an answer without any.
    """
    from breakrank.errors import UsageError, nearest

    names = [one.name for one in answer.figures]
    if (name and name not in names) or not names:
        raise UsageError(f"no figure {name!r}{nearest(name, names)} (there are {', '.join(names) or 'none'})")
    blocks: list[vl.Chart] = []
    rows: dict[str, Any] = {}
    for figure, plots in drawn_figures(answer, Look()):
        if name in ("", figure.name):
            charts = [panel.drawn.chart for panel in plots]
            title, note = (textwrap.wrap(said, LINE) for said in (figure.title, figure.note))
            heading = vl.Title(text=title, subtitle=note, offset=16)
            blocks.append(vl.Chart(concat=charts, columns=3 if figure.by else 1, title=heading))
            rows |= {key: found for panel in plots for key, found in panel.drawn.rows.items()}
    apart = dict.fromkeys(("x", "y", "color", "fill"), "independent")
    return vl.Chart(vconcat=blocks, datasets=rows, resolve={"scale": apart}, config=config(LIGHT))


def panels(answer: Answer, figure: Figure, look: Look) -> tuple[Panel, ...]:
    """Return the plots of a figure, one for each value of its `by`; none where there is nothing to draw."""
    rows = answer[figure.table].rows
    for name, value in figure.where:
        rows = rows[rows[name] == value]
    if not len(rows):
        return ()
    groups: Any = rows.groupby(figure.by, sort=False) if figure.by else [(figure.title, rows)]
    if figure.kind == "strips":  # in several pictures, so that a page of paper can end between them
        groups = [(figure.title, rows[k : k + TOGETHER]) for k in range(0, len(rows), TOGETHER)]
    draw = {
        "fan": _fan,
        "lines": _lines,
        "dots": _dots,
        "bars": _bars,
        "curve": _curve,
        "map": _map,
        "strips": strips,
        "states": states,
    }[figure.kind]
    several = bool(figure.by)
    found = []
    for k, (group, some) in enumerate(groups):
        flat = figure.kind == "fan" and not some[[*figure.y]].to_numpy(float).any()
        if flat and not _observed(answer, figure, some):
            continue  # its line is zero throughout, and nothing stands beside it
        heading = str(group) if several else ""
        says, drawn = draw(answer, figure, some, heading, look, "small" if several else "wide")
        found.append(Panel(f"{figure.name}-{k}", drawn, f"{group}: {says}" if says else str(group)))
    return tuple(found)


def _about(answer: Answer, figure: Figure, name: str) -> Column:
    return answer[figure.table].column(name)


def _unit(column: Column, rows: pd.DataFrame) -> str:
    """Return the unit of a column in some rows that share it."""
    return str(rows[column.unit_in].iloc[0]) if column.unit_in else column.unit


def _said(answer: Answer, figure: Figure, row: Any) -> str:  # noqa: ANN401 (a row as a mapping)
    """Return a row's number with its interval."""
    column = _about(answer, figure, figure.y[0])
    value, *ends = texts(column, row)
    return f"{value} ({column.interval} {ends[0]})" if ends and ends[0] else value


def _events(answer: Answer, figure: Figure, first: dt.date, last: dt.date) -> list[Dated]:
    """Return the events on the days of a plot, by their numbers among all events."""
    if not figure.marks:
        return []
    rows = answer[figure.marks].rows
    every = [
        Dated(k, "", dt.date.fromisoformat(date), title)
        for k, (date, title) in enumerate(zip(rows["date"], rows["title"], strict=True), 1)
    ]
    return [one for one in every if first <= one.date <= last]


def _observed(answer: Answer, figure: Figure, rows: pd.DataFrame) -> list[RecordMark]:
    """Return the observed figures that stand on the fan of these rows."""
    if not figure.observed:
        return []
    every = answer[figure.observed].rows
    return [
        RecordMark(
            date=dt.date.fromisoformat(row["date"]),
            low=row["observed_low"],
            high=row["observed_high"],
            label=row["label"],
            source=row["source"],
            unit="share" if row["unit"] == "share" else "",
            used={assimilation(one): one for one in (True, False)}.get(row["assimilated"]),
        )
        for row in records(every[every["series"] == rows["id"].iloc[0]])
    ]


def _series(figure: Figure, rows: pd.DataFrame, name: str, y: str, unit: str, runs: int) -> SpreadSeries:
    """Return a column over dates as charts of the project draw it, with its spread over a number of runs."""
    import pandas as pd

    low, high, *inner = (
        f"{y}_{c}" if f"{y}_{c}" in rows else c or y for c in (figure.low, figure.high, *figure.inner)
    )
    inner = inner or [low, high]
    dates = pd.to_datetime(rows["date"])
    data = dict(zip(("q05", "q25", "median", "q75", "q95"), (low, inner[0], y, inner[1], high), strict=True))
    frame = pd.DataFrame({"date": dates.to_numpy(), **{to: rows[of].to_numpy() for to, of in data.items()}})
    kind: Any = "share" if unit == "share" else "stock"
    runs = runs if figure.low else 1
    return SpreadSeries(name, name, unit, kind, runs, frame)


Panel_ = tuple[str, Drawn]


def _fan(answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size) -> Panel_:
    column, theme = _about(answer, figure, figure.y[0]), look.theme
    unit = _unit(column, rows)
    one = _series(figure, rows, name, figure.y[0], unit, answer.provenance.runs)
    seen = _observed(answer, figure, rows)
    ends = one.frame[["q05", "q95", "median"]].to_numpy()
    first, last = (one.frame["date"].iloc[k].date() for k in (0, -1))
    height = SMALL_PLOT if size == "small" else LINE_HEIGHT
    plane_of: Any = Signed if column.signed else Plane
    more = {"bottom": min(0.0, float(np.nanmin(ends)))} if column.signed else {}
    marked = (end for mark in seen for end in (mark.low, mark.high) if math.isfinite(end))
    top = max(0.0, float(np.nanmax(ends)), *marked)
    wide, events = size != "small", _events(answer, figure, first, last)
    numbered = wide and bool(events) and not answer[figure.marks].detail
    more |= {"raised": 22} if numbered else {}
    plane = plane_of(first, last, top, unit, theme, height, **more)
    colour = theme.difference if column.signed else theme.baseline
    layers = numbered_rules(events, plane, look.width(size)) if numbered else rules(events, plane)
    layers += bands(one, plane, colour, most=POINTS if wide else FEWER)
    if column.signed:
        zero = plane.sheet.on([{"at": 0}]).mark("rule", color=theme.ink, strokeWidth=1)
        layers.append(zero.encode(y="at:Q"))
    layers += [] if look.still else pointer(one, plane, colour, POINTS if wide else HOVERED, column.label)
    layers += record_layers(seen, plane)
    said = _said(answer, figure, records(rows.iloc[-1:])[0])
    lines = [said, *(f"{day(mark.date)}: observed {mark.marked}" for mark in seen)]
    heading = _heading(name, lines, look, size, colour)
    return "; ".join(lines), plane.sheet.drawn(layers, width=look.width(size), height=height, title=heading)


def _lines(answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size) -> Panel_:
    theme = look.theme
    columns = [_about(answer, figure, y) for y in figure.y]
    unit = _unit(columns[0], rows)
    every = [_series(figure, rows, c.label, c.name, unit, answer.provenance.runs) for c in columns]
    first, last = (every[0].frame["date"].iloc[k].date() for k in (0, -1))
    height = SMALL_PLOT if size == "small" else LINE_HEIGHT
    plane = Plane(first, last, max(one.top for one in every), unit, theme, height)
    layers = rules(_events(answer, figure, first, last), plane)
    colours = [
        getattr(theme, c.hue or ("counterfactual" if k else "baseline")) for k, c in enumerate(columns)
    ]
    for k, one in enumerate(every):
        layers += bands(one, plane, colours[k], dash=DASHED if k else (), spans=k == 0)
    layers += _names(every, colours, plane, str(last))
    if not look.still:
        layers += pointer(every[0], plane, theme.baseline, POINTS, every[0].label, every[-1])
    end = records(rows.iloc[-1:])[0]
    said = "; ".join(f"{c.label} {texts(c, end)[0]}" for c in columns) + f", on {day(last)}"
    heading = _heading(name, [said], look, size)
    return said, plane.sheet.drawn(layers, width=look.width(size), height=height, title=heading)


BESIDE = 5
"""A name of a line stands beside the last one of so many parts of it."""


def _names(every: Sequence[SpreadSeries], colours: Sequence[str], plane: Plane, last: str) -> list[vl.Chart]:
    """Return the names of lines at their right ends: above the upper ones, below the lowest of several.

    Where there is no room below that one, its name stands above it too, if there is room between the two.
    """
    layers = []
    face: dict[str, Any] = {"align": "right", "dx": -4, "fontSize": SMALL, "fontWeight": 600}
    halo = {"stroke": plane.theme.paper, "strokeWidth": 3, "strokeJoin": "round"}
    order = sorted(range(len(every)), key=lambda k: plane.row(every[k].end))
    lasts = [every[k].frame["median"].to_numpy()[-max(1, len(every[k].frame) // BESIDE) :] for k in order]
    wanted = [plane.row(part.max()) - SMALL for part in lasts]
    if len(order) > 1:
        below = plane.row(lasts[-1].min()) + SMALL
        gap = plane.row(lasts[-1].max()) - plane.row(lasts[-2].min())
        if below < plane.height - SMALL or gap < 3 * SMALL:
            wanted[-1] = below
    rows = spaced(wanted, SMALL + 3, -SMALL / 2, plane.height - SMALL / 2)
    for k, row in zip(order, rows, strict=True):
        text = plane.sheet.on([{"date": last, "row": round(row, 1), "text": every[k].label}])
        text = text.encode(x=plane.x(), y=vl.field("row:Q", scale=None, axis=None), text="text:N")
        layers += [text.mark("text", **halo, **face), text.mark("text", color=colours[k], **face)]
    return layers


def _dots(answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size) -> Panel_:
    """Draw a row for each label: a dot, and its interval as a line."""
    column, label, theme = _about(answer, figure, figure.y[0]), figure.x, look.theme
    unit = _unit(column, rows)
    colour = theme.difference if column.signed else theme.baseline
    sheet = Sheet()
    found = [
        {
            "label": str(row[label]),
            "value": float(row[column.name]),
            "low": float(row[figure.low]),
            "high": float(row[figure.high]),
            "said": _said(answer, figure, row),
        }
        for row in records(rows)
        if math.isfinite(row[column.name])
    ]
    base = sheet.on([{k: v for k, v in row.items() if v == v} for row in found])
    axis = _labels([str(row["label"]) for row in found], look)
    height = ROW * max(1, len(found))
    share = unit in ("share", "1 or 0")
    across = vl.Axis(
        title=unit if not share else "share", grid=True, tickCount=5, format=".0%" if share else ",~r"
    )
    scale = vl.Scale(zero=True, nice=True)
    x = vl.field("value:Q", scale=scale, axis=across)
    y = vl.field("label:N", sort=[row["label"] for row in found], axis=axis)
    tips = [
        vl.field("label:N", title=_about(answer, figure, label).label),
        vl.field("said:N", title=column.label),
    ]
    layers = [sheet.on([{"at": 0}]).mark("rule", color=theme.ink, strokeWidth=1).encode(x="at:Q")]
    ends = base.mark("rule", color=colour, strokeWidth=2, opacity=0.5)
    layers.append(ends.encode(x=vl.field("low:Q", scale=scale, axis=across), x2="high:Q", y=y))
    layers.append(
        base.mark("point", color=colour, filled=True, size=46, opacity=1).encode(x=x, y=y, tooltip=tips)
    )
    said = "; ".join(f"{row['label']} {row['said']}" for row in found[:4])
    heading = _heading(name, [], look, size)
    width = look.width(size)
    return said, sheet.drawn(layers, width=width, height=height, title=heading)


def _labels(labels: Sequence[str], look: Look) -> vl.Axis:
    """Return the axis of labels, with room for the longest of them."""
    room = min(look.names, LETTER * max(map(len, labels), default=1))
    return vl.Axis(title=None, labelLimit=look.names, minExtent=room, domain=False, grid=False)


def _bars(answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size) -> Panel_:
    """Draw a bar for each label, its parts one after the other, the first in full colour."""
    theme, sheet = look.theme, Sheet()
    parts = [_about(answer, figure, y) for y in figure.y]
    usual = ("baseline", "counterfactual", "difference", "voice", "axis")
    hues = [getattr(theme, one.hue or role) for one, role in zip(parts, usual, strict=False)]
    found = [
        {"label": str(row[figure.x]), "part": one.label, "value": float(row[one.name]), "order": k}
        for row in records(rows)
        for k, one in enumerate(parts)
    ]
    scale = vl.Scale(domain=[one.label for one in parts], range=hues)
    legend = vl.Legend(title=None, orient="top", labelColor=theme.muted)
    labels = list(dict.fromkeys(str(row["label"]) for row in found))
    axis = _labels(labels, look)
    bar = sheet.on(found).mark("bar", height=ROW - 6)
    bars = bar.encode(
        x=vl.field("value:Q", stack="zero", axis=vl.Axis(title=None, grid=True, tickMinStep=1)),
        y=vl.field("label:N", sort=labels, axis=axis),
        color=vl.field("part:N", scale=scale, legend=legend),
        order=vl.field("order:Q"),
        tooltip=[vl.field("label:N"), vl.field("part:N"), vl.field("value:Q")],
    )
    heading = _heading(name, [], look, size)
    said = f"{len(labels)} rows"
    return said, sheet.drawn([bars], width=look.width(size), height=ROW * len(labels), title=heading)


def _curve(answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size) -> Panel_:
    """Draw a number over another as a line with its bands; marks are values of x that are named."""
    across, column, theme = _about(answer, figure, figure.x), _about(answer, figure, figure.y[0]), look.theme
    rows = rows[np.isfinite(rows[column.name])].sort_values(figure.x)
    x = rows[figure.x].to_numpy(float)
    low, high = (rows[c or column.name].to_numpy(float) for c in (figure.low, figure.high))
    share = column.kind == "share"
    top = 1.0 if share else float(high.max()) or 1.0
    y = (0.0, 1.0) if share else (min(0.0, float(low.min())), top)
    plane = NumberPlane(
        theme, _axis(across), "share of runs" if share else column.unit, (x[0], x[-1]), y, 380
    )
    sheet = Sheet()
    colour = theme.voice if share else theme.baseline
    layers = []
    bands_of = [(figure.low, figure.high, 0.14), (*figure.inner, 0.22)] if figure.low else []
    for lower, upper, strength in bands_of:
        pairs = zip(x, rows[lower], rows[upper], strict=True)
        area = plane.marks([{"x": float(a), "y": float(b), "y2": float(c)} for a, b, c in pairs])
        layers.append(area.mark("area", color=colour, opacity=strength).encode(y2="y2:Q"))
    points = [(float(a), float(b)) for a, b in zip(x, rows[column.name], strict=True)]
    layers += [plane.line(points, colour), plane.dots(points, colour)]
    if figure.marks:
        for row in answer[figure.marks].records():
            layers.append(plane.line([(row["at"], y[0]), (row["at"], y[1])], theme.ink, 1.0, DASHED))
            layers.append(plane.note(row["at"], y[1], f"{row['level']:.0%}", theme.muted))
    heading = _heading(name, [], look, size)
    return "", sheet.drawn(layers, width=plane.width, height=SQUARE, title=heading)


def _map(answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size) -> Panel_:
    """Draw points over two numbers, coloured by a third; marks are pieces of lines."""
    theme = LIGHT if look.theme.name == "page" else look.theme  # colours of a scale have to be numbers
    across, up = _about(answer, figure, figure.x), _about(answer, figure, figure.y[0])
    colour = _about(answer, figure, figure.y[-1])
    rows = rows[np.isfinite(rows[colour.name])]
    share = colour.kind == "share"
    ends = [(float(rows[c.name].min()), float(rows[c.name].max())) for c in (across, up, colour)]
    spans = [(low - EDGE * (high - low), high + EDGE * (high - low)) for low, high in ends[:2]]
    plane = NumberPlane(theme, _axis(across), _axis(up), spans[0], spans[1])
    domain = [0.0, 1.0] if share else [ends[2][0], max(ends[2][1], ends[2][0] + 1e-9)]
    hues = [theme.paper, theme.voice if share else theme.baseline]
    scale = vl.Scale(domain=domain, range=hues, interpolate="lab")
    pattern = ".0%" if share else "~s"
    legend = vl.Legend(title="share of runs" if share else colour.unit, format=pattern, gradientLength=120)
    dots = [
        {"x": float(row[across.name]), "y": float(row[up.name]), "z": float(row[colour.name])}
        for row in records(rows)
    ]
    tips = [vl.field(f"{k}:Q", title=c.label, format=".4~g") for k, c in zip("xy", (across, up), strict=True)]
    tips.append(vl.field("z:Q", title=colour.label, format=pattern))
    points = plane.marks(dots).mark(
        "point", size=240, filled=True, stroke=theme.axis, strokeWidth=0.8, opacity=1
    )
    layers = [points.encode(fill=vl.field("z:Q", scale=scale, legend=legend), tooltip=tips)]
    if figure.marks:
        lines = answer[figure.marks].rows
        for level in dict.fromkeys(lines["level"].astype(float)):
            some = lines[lines["level"] == level]
            pieces = [{k: float(row[k]) for k in ("x", "y", "x2", "y2")} for row in records(some)]
            # of a chance: dotted below one half, solid at it, dashed above
            dash = [1, 0] if level == 0.5 else [1, 3] if level < 0.5 else list(DASHED)
            rule = plane.marks(pieces).mark("rule", color=theme.ink, strokeWidth=1.4, strokeDash=dash)
            layers.append(rule.encode(x2="x2:Q", y2="y2:Q"))
    heading = _heading(name, [], look, size)
    return "", Sheet().drawn(layers, width=SQUARE, height=SQUARE, title=heading)


def _axis(column: Column) -> str:
    return column.label if column.unit in ("", "switch") else f"{column.label} ({column.unit})"


def _heading(name: str, lines: Sequence[str], look: Look, size: Size, colour: str = "") -> vl.Title | None:
    """Return the heading of a plot: its name where a figure has several, and what it says."""
    width = look.width(size)
    said = [line for line in (name, *lines) if line]
    room = look.wide if width == "container" else int(width)
    if not said:
        return None
    face: dict[str, Any] = {"subtitleColor": colour or look.theme.muted, "subtitleFontWeight": 500}
    return vl.Title(text=said[0], subtitle=said[1:], limit=room + GUTTER, **face)


def drawn_figures(
    answer: Answer, look: Look, names: Collection[str] | None = None
) -> Iterator[tuple[Figure, tuple[Panel, ...]]]:
    """Yield every figure that has anything to draw, with its plots; bands of chance alone are outlined.

    Parameters
    ----------
    names : of the figures that are drawn; by default all.
    """
    outlined = answer.provenance.ensemble == FIXED
    look = replace(look, theme=replace(look.theme, outlined=outlined))
    for figure in answer.figures:
        if (names is None or figure.name in names) and (found := panels(answer, figure, look)):
            yield figure, found


# Fans


def bands(
    one: SpreadSeries,
    plane: Plane,
    colour: str,
    dash: Sequence[int] = (),
    spans: bool = True,
    most: int = POINTS,
) -> list[vl.Chart]:
    """Return the layers of the spread and the median; one day is drawn upright, one run has no bands."""
    base = plane.sheet.on(fan_rows(one, most))
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
    return [*layers, line.encode(x=plane.x(spans=spans), y=plane.y("median", spans))]


def fan_rows(one: SpreadSeries, most: int = POINTS) -> list[dict[str, Any]]:
    """Return a series as the rows of a chart, at most about `most`, rounded to what can be seen."""
    places = 4 if one.kind == "share" else 1
    columns = ("median",) if one.runs < 2 else COLUMNS
    days = one.frame["date"].to_numpy()
    kept = thinned(days, _every(one, most))
    dates = np.datetime_as_string(days[kept], unit="D").tolist()
    values = ([_short(v) for v in one.frame[c].to_numpy()[kept].round(places).tolist()] for c in columns)
    names = ("date", *columns)
    return [dict(zip(names, row, strict=True)) for row in zip(dates, *values, strict=True)]


def _every(one: SpreadSeries, most: int) -> int:
    """Return one in how many rows is drawn."""
    return max(1, -(-len(one.frame) // most))


def _short(value: float) -> float | int | None:
    if value.is_integer():
        return int(value)
    return value if math.isfinite(value) else None  # a share of nobody


def pointer(
    one: SpreadSeries, plane: Plane, colour: str, most: int, label: str, beside: SpreadSeries | None = None
) -> list[vl.Chart]:
    """Return the layers that answer to the pointer: a hairline, a dot, and the numbers of that day.

    Parameters
    ----------
    label : what the line is. beside : a second series on the same days whose line is told as well.
    """
    picked = fan_rows(one)
    if beside is not None:
        picked = [a | {"beside": b["median"]} for a, b in zip(picked, fan_rows(beside), strict=True)]
    dates = np.array([row["date"] for row in picked], "datetime64[D]")
    picked = [picked[i] for i in thinned(dates, _every(one, most))]
    pattern = plane.pattern.replace(".0%", ".1%")
    said = {"day": "utcFormat(datum.date, '%-d %b %Y')", "middle": f"format(datum.median, '{pattern}')"}
    tips = tooltips(day="Date", middle=label if one.runs > 1 else "Value")
    if one.runs > 1:
        for name, low, high in (("half", "q25", "q75"), ("most", "q05", "q95")):
            said[name] = f"format(datum.{low}, '{pattern}') + ' to ' + format(datum.{high}, '{pattern}')"
        tips += tooltips(half="50% of runs") if one.runs >= FEW else []
        tips += tooltips(most=within(one.runs).capitalize())
    if beside is not None:
        said["other"] = f"format(datum.beside, '{pattern}')"
        tips = tooltips(day="Date", middle=label)
        tips.append(vl.field("other:N", title=beside.label))
    name = re.sub(r"\W", "_", f"at_{one.kind}_{one.id}")
    near = {"type": "point", "on": "pointerover", "clear": "pointerout", "fields": ["date"]}
    half = (plane.time[1] - plane.time[0]) // max(1, len(picked) - 1) // 2
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
    return [rule, dot.encode(x=plane.x(), y=plane.y("median")), field]
