"""Maps of a war: who holds what, and where soldiers left their posts, at four dates."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.case.borders import Shape, middle, shapes
from breakrank.show import vegalite as vl
from breakrank.show.figure import Figure, Panel
from breakrank.show.grid import GridTable
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.words import average, day, number, percent

if TYPE_CHECKING:
    from breakrank.results import Result

NEEDS = ("units_fighting", "field_held", "exits_state")
"""The variables without which there is no map."""
DATES = 4
"""Dates that are drawn: the ends of as many equal parts of the calendar."""
HEIGHT = 250
"""Height of a map, px."""
KEY = 108
"""Height of their key, px."""
LARGEST = 900
"""Area of the largest circle, square px."""
HELD = (0.0, 0.25, 0.5, 1.0)
"""Shares that the key shows."""
FULLEST = 0.8
"""Opacity of a state that the opposition holds wholly."""


@dataclass(frozen=True, eq=False, slots=True)
class GroundMaps:
    """What the maps show.

    Attributes
    ----------
    states : ids. names : of them. shapes : by id.
    dates : the last day of each part of the calendar; `first` is the first day of all.
    held : float64 (date, state), share that the opposition holds on the date.
    left : float64 (date, state), soldiers who left their posts in the part, mean of the runs.
    """

    states: tuple[str, ...]
    names: tuple[str, ...]
    shapes: dict[str, Shape]
    first: dt.date
    dates: tuple[dt.date, ...]
    held: npt.NDArray[np.float64]
    left: npt.NDArray[np.float64]


def ground_maps(result: Result) -> GroundMaps:
    """Return the maps of a result; `shapes` is empty where no borders ship for its states."""
    data, force = result.data, result.case.force
    states = tuple(s.id for s in force.states)
    held = data["field_held"].transpose("day", "state").values.astype(np.float64)
    gone = data["exits_state"].mean("run").transpose("day", "state").values.astype(np.float64)
    days = [d.astype("datetime64[D]").astype(dt.date) for d in data["day"].values]
    ends = np.unique(np.linspace(0, len(days), DATES + 1).round().astype(int))
    parts = [gone[a:b].sum(axis=0) for a, b in pairwise(ends)]
    return GroundMaps(
        states,
        tuple(s.label for s in force.states),
        shapes(states),
        days[0],
        tuple(days[end - 1] for end in ends[1:]),
        held[ends[1:] - 1],
        np.array(parts),
    )


def sentence(one: GroundMaps) -> str:
    """Return where most left their posts in the first and in the last part of the calendar."""
    told = []
    for k, start in (
        (0, one.first),
        (len(one.dates) - 1, one.dates[-2] if len(one.dates) > 1 else one.first),
    ):
        whole = one.left[k].sum()
        if not whole:
            told.append(f"From {day(start)} to {day(one.dates[k])} nobody leaves his post.")
            continue
        s = int(one.left[k].argmax())
        told.append(
            f"From {day(start)} to {day(one.dates[k])} most leave their posts in {one.names[s]}: "
            f"{average(float(one.left[k, s]))} of {average(float(whole))}; the opposition holds "
            f"{percent(round(float(one.held[k, s]), 2))} of it at the end."
        )
    return " ".join(dict.fromkeys(told))


def table(one: GroundMaps) -> GridTable:
    """Return the share held on each date and those who left up to it, by state."""
    heads = [f"{word}, {day(date)}" for date in one.dates for word in ("Held", "Left since")]
    rows = tuple(
        (
            name,
            *(
                text
                for k in range(len(one.dates))
                for text in (percent(round(float(one.held[k, s]), 3)), average(float(one.left[k, s])))
            ),
        )
        for s, name in enumerate(one.names)
    )
    return GridTable(("State", *heads), rows, 1)


def chart(one: GroundMaps, k: int, theme: Theme, width: Width) -> Drawn:
    """Return the map of one date: states fuller the more of them is held, and a circle for who left."""
    sheet, since = Sheet(), one.first if k == 0 else one.dates[k - 1]
    areas, circles = [], []
    for s, name in enumerate(one.states):
        held, left = round(float(one.held[k, s]), 3), round(float(one.left[k, s]), 1)
        said = f"{one.names[s]}: {percent(held)} held, {average(left)} left since {day(since)}"
        areas.append({"type": "Feature", "geometry": one.shapes[name], "held": held, "said": said})
        if left > 0:
            x, y = middle(one.shapes[name])
            circles.append({"lon": round(x, 3), "lat": round(y, 3), "left": left, "said": said})
    shade = vl.field("held:Q", scale=vl.Scale(domain=[0, 1], range=[0, FULLEST]), legend=None)
    size = vl.field("left:Q", scale=vl.Scale(domain=[0, _top(one)], range=[0, LARGEST]), legend=None)
    land = sheet.on(areas).mark("geoshape", fill=theme.given, stroke=theme.axis, strokeWidth=0.8)
    dots = sheet.on(circles).mark("circle", fill=theme.out, stroke=theme.ink, strokeWidth=0.8, opacity=0.9)
    xs, ys = zip(*(middle(shape) for shape in one.shapes.values()), strict=True)
    turned = [-round(sum(xs) / len(xs), 1), -round(sum(ys) / len(ys), 1)]
    where: dict[str, Any] = {"longitude": "lon:Q", "latitude": "lat:Q"}
    tip = [vl.field("said:N", title=" ")]
    layers = [
        land.encode(fillOpacity=shade, tooltip=tip),
        dots.encode(**where, size=size, tooltip=tip),
    ]
    flat = {"type": "azimuthalEqualArea", "rotate": turned}
    title = vl.Title(text=day(one.dates[k]), subtitle=f"circles: who left since {day(since)}")
    return sheet.drawn([layer.having(projection=flat) for layer in layers], width, HEIGHT, title)


def key(one: GroundMaps, theme: Theme, width: Width) -> Drawn:
    """Return the key of the maps: how full a state is, and how large a circle."""
    sheet, top = Sheet(), _top(one)
    squares = [
        {"x": 9 + 78 * k, "text": percent(share), "opacity": FULLEST * share} for k, share in enumerate(HELD)
    ]
    circles, x = [], 4.0
    for part in (0.1, 0.5, 1.0):
        radius = (LARGEST * part / np.pi) ** 0.5
        circles.append({"x": x + radius, "area": LARGEST * part, "text": number(part * top)})
        x += 2 * radius + 78
    for row in circles:
        row["beside"] = row["x"] + (row["area"] / np.pi) ** 0.5 + 5
    words = {"align": "left", "fontSize": SMALL, "color": theme.ink}
    square = {"size": 150, "opacity": 1, "fill": theme.given, "stroke": theme.axis, "strokeWidth": 0.8}
    circle = {"fill": theme.out, "stroke": theme.ink, "strokeWidth": 0.8, "opacity": 0.9}
    heads = [
        {"y": 8, "text": "Share of a state that the opposition holds"},
        {"y": 56, "text": "Soldiers who left their posts since the date before"},
    ]
    area = vl.field("area:Q", scale=None)
    filled = vl.field("opacity:Q", scale=None)
    layers = [
        sheet.on(heads).mark("text", **words).encode(x=vl.value(0), y=_px("y"), text="text:N"),
        sheet.on(squares).mark("square", **square).encode(x=_px("x"), y=vl.value(29), fillOpacity=filled),
        sheet.on(squares).mark("text", dx=12, **words).encode(x=_px("x"), y=vl.value(29), text="text:N"),
        sheet.on(circles).mark("circle", **circle).encode(x=_px("x"), y=vl.value(86), size=area),
        sheet.on(circles).mark("text", **words).encode(x=_px("beside"), y=vl.value(86), text="text:N"),
    ]
    return sheet.drawn(layers, width, KEY)


def _px(name: str) -> vl.Channel:
    """Return the encoding of a field that holds px from the left or the top."""
    return vl.field(f"{name}:Q", scale=None, axis=None)


def _top(one: GroundMaps) -> float:
    """Return the count for which the largest circle stands."""
    return _round_up(float(one.left.max()) or 1.0)


def _round_up(value: float) -> float:
    """Return the next of 1, 2 or 5 times a power of ten.

    >>> _round_up(340.0), _round_up(2.0), _round_up(0.3)
    (500.0, 2.0, 0.5)
    """
    size = 10.0 ** np.floor(np.log10(value))
    return float(next(round(k * size, 9) for k in (1, 2, 5, 10) if k * size >= value * (1 - 1e-9)))


def on_the_map(result: Result, look: Look) -> Figure:
    """Return the figure of maps; empty where the case has no war, or no borders ship for its states."""
    title = "Where, on the map: who holds what, and where soldiers left their posts"
    one = ground_maps(result) if all(name in result.data for name in NEEDS) else None
    if one is None or not one.shapes:
        said = "The case has no war." if one is None else "No borders ship for states with these codes."
        return Figure("map", "Map", title, "", said, (), GridTable(("State",), ()), "half")
    said, width = sentence(one), look.width("half")
    panels = [Panel(f"map-{k}", chart(one, k, look.theme, width), said) for k in range(len(one.dates))]
    panels.append(Panel("map-key", key(one, look.theme, width), "Key of the maps."))
    runs = f"mean of {number(result.runs)} runs" if result.runs > 1 else "the one run"
    note = f"held as the case gives it; who left: {runs}"
    return Figure("map", "Map", title, note, said, tuple(panels), table(one), "half", (1, 7, 12))
