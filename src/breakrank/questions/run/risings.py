"""When risings happen and how they end, month by month over all runs, with what happened in the world."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.questions.run.voice import OUTCOMES, fill, tip
from breakrank.results.outcomes import record
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.time_axes import GUTTER, Plane, milliseconds
from breakrank.show.words import answer, day, number, percent, span

if TYPE_CHECKING:
    from breakrank.results import Result

HEIGHT = 170
_VARIABLE = {"collapsed": "collapsed", "stalemate": "stalemates", "won": "won"}
LONG = 36
"""Months from which years are drawn instead."""


@dataclass(frozen=True, eq=False, slots=True)
class Months:
    """Risings by period.

    Attributes
    ----------
    runs : how many. starts, ends : first and last day of each period.
    share : share of runs with a rising in the period, by its best outcome; shape (period, outcome).
    each : risings in all, by run. holds : share of runs in which the regime holds to the end, nan if unknown.
    counted : what the record says: (period, text, source) of each target on risings that lies in one period.
    """

    runs: int
    starts: tuple[dt.date, ...]
    ends: tuple[dt.date, ...]
    share: npt.NDArray[np.float64]
    each: npt.NDArray[np.float64]
    holds: float
    counted: tuple[tuple[int, str, str], ...]


def months(result: Result) -> Months:
    """Return the risings of a result by month, or by year in long calendars."""
    data = result.data
    dates = [d.astype("datetime64[D]").astype(dt.date) for d in data["day"].values]
    by_year = len(dates) > LONG * 31
    keys = [(d.year, 0 if by_year else d.month) for d in dates]
    order = list(dict.fromkeys(keys))
    period = np.array([order.index(k) for k in keys])
    share = np.zeros((len(order), len(OUTCOMES)))
    daily = [data[v].transpose("run", "day").values for v in _VARIABLE.values()]
    for p in range(len(order)):
        seen = np.stack([d[:, period == p].any(axis=1) for d in daily], axis=1)
        best = np.where(seen.any(axis=1), seen.shape[1] - 1 - np.argmax(seen[:, ::-1], axis=1), -1)
        share[p] = [(best == o).mean() for o in range(len(OUTCOMES))]
    starts = tuple(dates[int(np.flatnonzero(period == p)[0])] for p in range(len(order)))
    ends = tuple(dates[int(np.flatnonzero(period == p)[-1])] for p in range(len(order)))
    holds = float(data["regime_holds"].isel(day=-1).mean()) if "regime_holds" in data else float("nan")
    each = data["risings"].sum("day").values.astype(np.float64)
    return Months(result.runs, starts, ends, share, each, holds, _counted(result, starts, ends))


def _counted(
    result: Result, starts: tuple[dt.date, ...], ends: tuple[dt.date, ...]
) -> tuple[tuple[int, str, str], ...]:
    found = []
    for target in result.case.targets:
        first = target.start or starts[0]
        if target.measure != "risings" or target.date > ends[-1]:
            continue
        inside = [
            p for p, (a, b) in enumerate(zip(starts, ends, strict=True)) if a <= first and target.date <= b
        ]
        if inside:
            said = record(target, result.case)
            found.append((inside[0], span(said.low, said.high, "risings"), said.source))
    return tuple(found)


def sentence(one: Months) -> str:
    """Return how often there is a rising, how many succeed, and whether the regime holds."""
    if not one.each.any():
        text = f"There is no rising in {'any run' if one.runs > 1 else 'the one run'}."
    elif one.runs == 1:
        text = f"The one run has {number(float(one.each[0]))} rising{'s' * (int(one.each[0]) != 1)}."
    else:
        some = float((one.each > 0).mean())
        most = int(one.share.sum(axis=1).argmax())
        text = (
            f"{percent(some)} of {one.runs:,} runs have a rising, {percent(float((one.each > 1).mean()))}"
            " have more than one;"
            f" most often in {_name(one, most)}, in {percent(float(one.share[most].sum()))} of runs."
        )
    if one.holds == one.holds:
        held = answer(one.holds, one.runs)
        text += f" The regime is still in place at the end: {'in ' * (one.runs > 1)}{held}."
    return text


def _name(one: Months, p: int) -> str:
    start, end = one.starts[p], one.ends[p]
    if start.month != end.month:
        return str(start.year)
    return day(start).split(" ", 1)[1]


def table(one: Months) -> GridTable:
    """Return the months as texts, without the year where there is but one."""
    year = f" {one.starts[0].year}" if one.starts[0].year == one.ends[-1].year else ""
    told = {p: text for p, text, _ in one.counted}
    rows = tuple(
        (
            _name(one, p).removesuffix(year),
            percent(float(one.share[p].sum())),
            *(percent(float(v)) for v in one.share[p]),
            told.get(p, ""),
        )
        for p in range(len(one.starts))
    )
    names = tuple(name for _, name in OUTCOMES.values())
    return GridTable(("Month", "Runs with a rising", *names, "Record"), rows, 1)


def chart(one: Months, theme: Theme, width: Width) -> Drawn:
    """Return stacked bars: share of runs with a rising in each month by its outcome; the record in ink."""
    top = max(0.05, float(one.share.sum(axis=1).max()) * 1.1)
    plane = Plane(one.starts[0], one.ends[-1], top, "share", theme, HEIGHT, raised=18)
    rows: list[dict[str, Any]] = []
    for p, (start, end) in enumerate(zip(one.starts, one.ends, strict=True)):
        begin = 0.0
        room = (milliseconds(end) - milliseconds(start) + 86_400_000) * 0.09
        edges = {"since": milliseconds(start) + room, "to": milliseconds(end) + 86_400_000 - room}
        for o, (role, label) in enumerate(OUTCOMES.values()):
            part = float(one.share[p, o])
            if part > 0:
                said = f"{_name(one, p)}, {label.lower()}: {percent(part)} of runs"
                look = {"low": begin, "high": begin + part, "fill": getattr(theme, role), "said": said}
                rows.append(edges | look)
                begin += part
    ends = [{"date": d.isoformat(), "low": 0.0} for d in (one.starts[0], one.ends[-1])]
    frame = (
        plane.sheet.on(ends).mark("point", opacity=0).encode(x=plane.x(spans=True), y=plane.y("low", True))
    )
    layers = [frame]
    if rows:
        bars = plane.sheet.on(rows).mark("rect", stroke=theme.paper, strokeWidth=1, clip=True)
        layers.append(
            bars.encode(
                x=plane.x("since"),
                x2="to:T",
                y=plane.y("low"),
                y2="high:Q",
                color=fill(),
                tooltip=tip(),
            )
        )
    if one.counted:
        layers += _record(one, plane, theme)
    title = vl.Title(
        text="Runs with a rising",
        subtitle="by the best outcome in the month" if one.runs > 1 else "in the one run",
        limit=vl.expr(f"width + {GUTTER}") if width == "container" else width + GUTTER,
    )
    return plane.sheet.drawn(layers, width=width, height=HEIGHT, title=title)


def _record(one: Months, plane: Plane, theme: Theme) -> list[vl.Chart]:
    """Return a mark above each month of which the record speaks."""
    rows = []
    for p, text, source in one.counted:
        middle = (milliseconds(one.starts[p]) + milliseconds(one.ends[p]) + 86_400_000) / 2
        said = f"Record, {_name(one, p)}: {text} ({source})"
        rows.append({"middle": middle, "text": f"record: {text}", "said": said})
    base = plane.sheet.on(rows)
    dot = base.mark(
        "point", shape="circle", color=theme.record, fill=theme.paper, size=52, strokeWidth=1.8, opacity=1
    )
    face: dict[str, Any] = {
        "fontSize": SMALL,
        "fontWeight": 500,
        "color": theme.record,
        "align": "left",
        "dx": 8,
    }
    where: dict[str, Any] = {"x": plane.x("middle"), "y": vl.value(-9), "tooltip": tip()}
    return [dot.encode(**where), base.mark("text", **face).encode(text="text:N", **where)]
