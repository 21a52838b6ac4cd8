"""Fans of a plan with what stands beside them: places, funds, other worlds; named where they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from breakrank.questions.plan.course import PlanCourse
from breakrank.questions.plan.quantities import quantity
from breakrank.questions.plan.scope import Period
from breakrank.show import vegalite as vl
from breakrank.show.fan import HOVERED, bands, pointer
from breakrank.show.look import Look
from breakrank.show.marks import spaced
from breakrank.show.sheet import Drawn
from breakrank.show.style import SMALL
from breakrank.show.tables import POINTS, Kind, SpreadSeries, series
from breakrank.show.time_axes import Plane

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """A line beside a fan.

    Attributes
    ----------
    name : written at its right end; empty for none.
    values : one for each day of the period.
    colour : of line and name. dash : of the line; empty for none.
    steps : whether it moves in steps, as what is set does.
    """

    name: str
    values: Values
    colour: str
    dash: tuple[int, ...] = ()
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """A level across the plot, with its name at the right."""

    name: str
    value: float
    colour: str


def of_quantity(world: PlanCourse, name: str, period: Period) -> SpreadSeries:
    """Return one quantity of a world as the series of a fan."""
    about = quantity(name, world.host)
    kind: Kind = "daily" if about.kind == "daily" else "stock"
    return over(world, world.within(name, period), period, name, about.label, kind, about.unit)


def over(
    world: PlanCourse,
    values: Values,
    period: Period,
    id: str,  # noqa: A002
    label: str,
    kind: Kind,
    unit: str,
) -> SpreadSeries:
    """Return values (run, day of the period) as the series of a fan."""
    dates = world.dates[period.first : period.last + 1].astype("datetime64[ns]")
    return series(values, dates, id, label, kind, unit)


def fan_with(
    one: SpreadSeries,
    period: Period,
    look: Look,
    *,
    title: vl.Title,
    size: tuple[int, int],
    beside: Sequence[Line | Level] = (),
    name: str = "",
    inside: bool = False,
) -> Drawn:
    """Return a fan with lines and levels beside it, names at their right ends where no two overlap.

    Parameters
    ----------
    size : width and height of the plot, px; a page decides the width.
    name : of the fan itself, written at its right end.
    inside : write names above the ends of their lines, within the plot, where there are few; on a page all
        are.
    """
    (width, height), colour = size, look.theme.baseline
    inside = inside or look.page
    lines = [each for each in beside if isinstance(each, Line)]
    levels = [each for each in beside if isinstance(each, Level)]
    finite = [v for line in lines for v in line.values[np.isfinite(line.values)]]
    top = max([one.top, *finite, *(level.value for level in levels)], default=0.0)
    plane = Plane(period.start, period.end, float(top), one.unit, look.theme, height)
    layers = [*_levels(levels, plane), *bands(one, plane, colour, most=POINTS)]
    layers += [_line(line, one, plane) for line in lines]
    if not look.still:
        layers += pointer(one, plane, colour, POINTS if width > 400 else HOVERED)
    ends = [(level.name, level.value, level.colour) for level in levels]
    ends += [
        (line.name, float(line.values[-1]), line.colour) for line in lines if np.isfinite(line.values[-1])
    ]
    ends += [(name, one.last.median, colour)]
    layers += _names([end for end in ends if end[0]], plane, "width" if look.page else width, inside)
    return plane.sheet.drawn(layers, width="container" if look.page else width, height=height, title=title)


def _line(line: Line, one: SpreadSeries, plane: Plane) -> vl.Chart:
    dates = one.frame["date"].dt.strftime("%Y-%m-%d").tolist()
    values = line.values[[(d.date() - plane.start).days for d in one.frame["date"]]]
    rows = [
        {"date": d, "value": round(float(v), 1) if np.isfinite(v) else None}
        for d, v in zip(dates, values, strict=True)
    ]
    shape: dict[str, Any] = {"interpolate": "step-after" if line.steps else "linear"}
    if line.dash:
        shape["strokeDash"] = list(line.dash)
    mark = plane.sheet.on(rows).mark("line", color=line.colour, strokeWidth=1.6, clip=True, **shape)
    return mark.encode(x=plane.x(), y=plane.y("value"))


def _levels(levels: Sequence[Level], plane: Plane) -> list[vl.Chart]:
    """Return levels as dotted hairlines over the whole plot."""
    return [
        plane.sheet.on([{"value": round(level.value, 1)}])
        .mark("rule", color=level.colour, strokeWidth=1, strokeDash=[1, 3])
        .encode(y=plane.y("value"))
        for level in levels
    ]


def _names(
    ends: Sequence[tuple[str, float, str]], plane: Plane, width: int | str, inside: bool
) -> list[vl.Chart]:
    """Return names to the right of the plot, or above the ends, moved apart as little as needed."""
    order = sorted(ends, key=lambda end: -end[1])
    rows = spaced([plane.row(end[1]) for end in order], SMALL + 3, 4, plane.height - 4)
    where: dict[str, Any] = {"x": vl.value(width if inside or isinstance(width, str) else width + 6)}
    look: dict[str, Any] = {"align": "right", "dy": -8} if inside else {"align": "left"}
    layers = []
    for (text, _, colour), row in zip(order, rows, strict=True):
        base = plane.sheet.on([{"row": round(row, 1), "text": text}]).encode(
            y=vl.field("row:Q", scale=None, axis=None), text="text:N", **where
        )
        face: dict[str, Any] = {"baseline": "middle", "fontSize": SMALL, **look}
        if inside:  # set off against what lies behind
            layers.append(
                base.mark("text", stroke=plane.theme.paper, strokeWidth=3, strokeJoin="round", **face)
            )
        layers.append(base.mark("text", color=colour, **face))
    return layers
