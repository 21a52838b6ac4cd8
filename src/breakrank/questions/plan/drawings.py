"""What the charts of a plan draw, each defined once for notebook, image and document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.questions.plan.asylum import AS_IS
from breakrank.questions.plan.course import PlanCourse, quantity
from breakrank.questions.plan.money import fundings
from breakrank.questions.plan.persons import is_lower_bound
from breakrank.questions.plan.scope import Period
from breakrank.questions.plan.shelter import shelter
from breakrank.questions.plan.spread import spread
from breakrank.questions.plan.texts import funding_lines, peak_difference, scaled
from breakrank.show import vegalite as vl
from breakrank.show.board import board
from breakrank.show.fan import HOVERED, bands, heading, pointer
from breakrank.show.look import Look, titled
from breakrank.show.marks import spaced
from breakrank.show.number_axes import Name
from breakrank.show.sheet import Drawn
from breakrank.show.style import SMALL
from breakrank.show.tables import POINTS, Kind, SpreadSeries, series
from breakrank.show.time_axes import Plane
from breakrank.show.words import day, interval, number

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

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
    layers += _line_names([end for end in ends if end[0]], plane, "width" if look.page else width, inside)
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


def _line_names(
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


SET = (5, 3)
"""Dashes of what is set rather than comes out of the runs: places, funds."""
RENTED = (2, 2)
"""Dashes of places offered and rented rooms together."""
WHAT_IF = (4, 3)
"""Dashes of what might be instead."""


@dataclass(frozen=True, slots=True)
class PlanChart:
    """One chart by name: how it is drawn, and how many of its parts stand side by side."""

    build: Callable[[PlanData, Look], list[Drawn]]
    columns: int


def beds(plan: PlanData, look: Look, before: PlanCourse | None = None) -> list[Drawn]:
    """Return who needs shelter day by day against the places of open sites, and what suffices.

    Where the plan is that of a changed side, `before` is the unchanged one: its median stands beside.
    """
    world, period = plan.base, plan.period
    one = of_quantity(world, "need", period)
    whole = shelter(world, period, plan.assurance)[0]
    levels = [
        Level(f"{100 * share:g}%: {number(bed, 'people')}", bed, look.theme.muted)
        for share, bed in zip(plan.assurance, whole.beds, strict=True)
        if bed > 0 and plan.runs > 1
    ]
    days = slice(period.first, period.last + 1)
    offered, rented = (np.median(v[:, days], axis=0) for v in (world.offered, world.rented))
    places = []
    if offered.any():
        places.append(Line("offered", offered, look.theme.given, SET, steps=True))
    if rented.any():
        shown = np.where(rented > 0, offered + rented, np.nan)
        places.append(Line("with rented", shown, look.theme.given, RENTED, steps=True))
    said = [f"highest about {day(whole.peak)}" if one.top > 0 else "nobody in any run"]
    if levels:
        said.append("dotted: beds that suffice on every day, by assurance")
    if places:
        also = ", finely with rented rooms in use" if rented.any() else ""
        said.append(f"dashed: places offered{also}")
    if before is not None:
        middle = np.median(before.within("need", period), axis=0)
        places.append(Line("without", middle, look.theme.muted, WHAT_IF))
        said[0] += "; without: median without the change"
    lines = (
        ["; ".join(said)]
        if look.wide > 700 and before is None
        else said
        if look.wide < 400
        else [said[0], "; ".join(said[1:])]
    )
    label = quantity("need", plan.where.host).label
    if not plan.where.host:
        inside = np.median(world.within("in_sites", period), axis=0)
        places.append(Line("inside", inside, look.theme.baseline, RENTED))
    title = titled(label, lines, look, look.wide)
    return [fan_with(one, period, look, title=title, size=(look.wide, look.tall), beside=[*levels, *places])]


PERSONS = (
    "arrivals",
    "in_sites",
    "unmet",
    "private",
    "street",
    "programme",
    "families",
    "children",
    "meals",
    "awaiting_registration",
)
"""What is drawn of people beside the need for shelter, in order."""


def persons(plan: PlanData, look: Look, names: tuple[str, ...] = PERSONS) -> list[Drawn]:
    """Return small fans of arrivals, where people are, families, children and meals, if there are any."""
    found = []
    for name in names:
        if name == "unmet" and plan.where.host:
            continue  # private homes and the street stand for themselves
        if name in plan.base.persons and plan.base.within(name, plan.period).any():
            one = of_quantity(plan.base, name, plan.period)
            title = heading(one, look.theme.baseline, look.small, _most(plan, name))
            found.append(fan_with(one, plan.period, look, title=title, size=(look.small, look.low)))
    return found


def _most(plan: PlanData, name: str) -> list[str]:
    """Return the line under the name of a quantity: its total, or its most on a day, with the ends."""
    values = plan.base.within(name, plan.period)
    total = quantity(name, plan.where.host).kind == "daily"
    one = spread(values.sum(axis=1) if total else values.max(axis=1))
    middle, ends = number(one.median, "people"), interval(*one.ends, "people")
    least = "at least " if name == "in_sites" and is_lower_bound(plan.base, plan.period) else ""
    said = f"{middle} in all" if total else f"{least or 'most '}{middle}"
    return [said if plan.runs < 2 or ends == middle else f"{said} ({ends})"]


def asylum(plan: PlanData, look: Look) -> list[Drawn]:
    """Return the files open as the runs have them, and as other numbers of caseworkers would have them."""
    if "files_open" not in plan.base.persons or not plan.base.within("files_open", plan.period).any():
        return []
    one = of_quantity(plan.base, "files_open", plan.period)
    size = round(look.wide * 0.4), look.low + 40
    title = heading(one, look.theme.baseline, size[0], _most(plan, "files_open"))
    found = [fan_with(one, plan.period, look, title=title, size=size)]
    if plan.staffings:
        found.append(files_by_staff(plan, look, size))
    return found


def files_by_staff(plan: PlanData, look: Look, size: tuple[int, int]) -> Drawn:
    """Return the files open for each number of caseworkers: medians over runs, and the case's own fan."""
    tried = [(s.label, np.median(s.open, axis=0)) for s in plan.staffings[0] if s.staff != AS_IS]
    names = _joint([(label, float(values[-1])) for label, values in tried], max(v.max() for _, v in tried))
    lines = [
        Line(names.get(label, ""), values, look.theme.counterfactual, WHAT_IF) for label, values in tried
    ]
    as_is = next(s for s in plan.staffings[0] if s.staff == AS_IS)
    one = over(plan.base, as_is.open, plan.period, "files_staff", "Files open", "stock", "files")
    said = ["dashed: medians of runs"]
    title = titled("Asylum files, by staffing", said, look, size[0])
    return fan_with(one, plan.period, look, title=title, size=size, beside=lines, name="as in the case")


def _joint(ends: list[tuple[str, float]], top: float) -> dict[str, str]:
    """Return the names of lines by label; lines that end close together share the name of the first."""
    groups: list[list[tuple[str, float]]] = []
    for label, value in sorted(ends, key=lambda end: end[1]):
        if groups and value - groups[-1][0][1] <= 0.04 * top:
            groups[-1].append((label, value))
        else:
            groups.append([(label, value)])
    order = [label for label, _ in ends]
    named = {}
    for group in groups:
        labels = sorted((label for label, _ in group), key=order.index)
        joined = f"{labels[0]} to {labels[-1]}" if len(labels) > 2 else " and ".join(labels)
        named[labels[0]] = f"{joined} staff"
    return named


def money(plan: PlanData, look: Look) -> list[Drawn]:
    """Return for each payer the bills so far against his funds; of a place only what its sites cost him."""
    world, period, size = plan.base, plan.period, (look.small, look.low)
    host = plan.where.host
    days = slice(period.first, period.last + 1)
    found = []
    for k, one in enumerate(fundings(world, period, plan.assurance)):
        so_far = np.cumsum(world.billed[:, :, k], axis=1)[:, days]
        if not host:  # his funds are for all his sites, so no line of them stands beside
            so_far = np.cumsum(world.cost[:, days, k], axis=1)
        funds = world.funds[days, k]
        limit = host and one.limited
        top = max(float(so_far.max()), float(funds[-1]) if limit else 0.0)
        scale, unit = scaled(top, plan.case.currency)
        unit = f"{unit}, so far"
        series = over(world, so_far / scale, period, f"bill-{one.payer}", one.label, "stock", unit)
        named = "assumed funds" if one.assumed else "funds"
        line = Line(named, funds / scale, look.theme.given, SET, steps=True)
        told = funding_lines(one, plan) if host else ["cost of the sites here only"]
        title = titled(one.label, told, look, look.small, look.theme.baseline)
        found.append(
            fan_with(series, period, look, title=title, size=size, beside=[line][:limit], inside=True)
        )
    return found


def scenarios(plan: PlanData, look: Look) -> list[Drawn]:
    """Return for each scenario the need for shelter, its median beside the fan of the case."""
    one = of_quantity(plan.base, "need", plan.period)
    found = []
    for world in plan.worlds[1:]:
        middle = np.median(world.within("need", plan.period), axis=0)
        line = Line("", middle, look.theme.counterfactual, WHAT_IF)
        said = ["people who need shelter, median dashed", peak_difference(plan, world)]
        title = titled(world.title, said, look, look.small, look.theme.counterfactual_text)
        mine = replace(one, id=f"need-{world.id}")
        size = look.small, look.low
        found.append(fan_with(mine, plan.period, look, title=title, size=size, beside=[line]))
    return found


CHARTS: Mapping[str, PlanChart] = MappingProxyType(
    {
        "beds": PlanChart(beds, 1),
        "persons": PlanChart(persons, 3),
        "asylum": PlanChart(asylum, 2),
        "money": PlanChart(money, 3),
        "scenarios": PlanChart(scenarios, 3),
    }
)
"""Every chart by name."""
OVERVIEW = ("beds", "persons", "asylum", "money")
"""Charts of the overview, from top to bottom."""


def drawn(plan: PlanData, name: str | None = None, theme: Name = "light") -> vl.Chart:
    """Return a chart by name, or an overview."""
    return board(
        "plan",
        CHARTS,
        OVERVIEW,
        name,
        theme,
        lambda each, look: [([*CHARTS[each].build(plan, look.of(plan.case))], CHARTS[each].columns)],
    )
