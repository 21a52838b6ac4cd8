"""The plots of one run as lanes: from founding to end, how large they grew, who would not, who was caught."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from breakrank.engine.codes import RISE
from breakrank.questions.run.voice import ENDS, across, boxes, down, tip
from breakrank.results.conspiracies import Plot
from breakrank.results.variables import PLOT_ENDS
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.time_axes import Plane
from breakrank.show.words import day

if TYPE_CHECKING:
    from breakrank.case import Case

MOST = 25
"""Most lanes drawn."""
LANE = 27
"""Height of a lane with its name, px."""
NEAR = 0.55
"""Share of the time axis from which a lane's name ends where the lane ends, so that it stays inside."""

SLOTS = 90
"""Marks of one kind that a lane has room for."""

MARKS: dict[str, tuple[str, str]] = {
    "declined": ("circle", "would not join"),
    "pledged": ("triangle-up", "gave a pledge"),
    "tapped": ("cross", "was overheard"),
    "named": ("diamond", "was named under interrogation"),
    "warned": ("triangle-right", "was warned"),
    "arrested": ("square", "was arrested"),
}
"""Shape and meaning of each mark on a lane."""
KEY = (("declined", "would not join"), ("pledged", "pledge"), ("tapped", "overheard"))
KEY_TOO = (("named", "named"), ("warned", "warned"), ("arrested", "arrested"))


def shown(plots: Sequence[Plot]) -> list[Plot]:
    """Return the plots to draw: the largest, in order of founding."""
    largest = sorted(plots, key=lambda p: (-p.size, -len(p.marks), p.founded))[:MOST]
    return sorted(largest, key=lambda p: (p.founded, p.founder))


def sentence(plots: Sequence[Plot], run: int) -> str:
    """Return what the lanes show, and how many are not shown."""
    if not plots:
        return "None of the runs whose log was kept has a plot."
    rest = len(plots) - len(shown(plots))
    ends = [(label.lower(), sum(p.end == e for p in plots)) for e, label in PLOT_ENDS.items()]
    told = ", ".join(f"{n} {label}" for label, n in ends if n)
    largest = max(p.size for p in plots)
    left_out = f" The {len(plots) - rest} largest are drawn; {rest} more are not." if rest else ""
    return (
        f"Run {run} has {len(plots)} plot{'s' * (len(plots) != 1)}: {told}. "
        f"The largest had {largest} member{'s' * (largest != 1)}.{left_out}"
    )


def table(plots: Sequence[Plot], case: Case, name: Callable[[int], str]) -> GridTable:
    """Return the plots as texts."""
    rows = []
    for p in shown(plots):
        ended = day(case.calendar.date(p.ended)) if p.ended >= 0 else ""
        counts = (str(sum(what == m for _, what, _ in p.marks)) for m in ("declined", "pledged", "arrested"))
        aim = "to rise" if p.aim == RISE else "to cross"
        founded = day(case.calendar.date(p.founded))
        rows.append((name(p.founder), aim, founded, ended, PLOT_ENDS[p.end], str(p.size), *counts))
    columns = ("Founder", "Aim", "Founded", "Ended", "How", "Members", "Would not", "Pledges", "Arrests")
    return GridTable(columns, tuple(rows), 5)


def lanes(plots: Sequence[Plot], case: Case, name: Callable[[int], str], theme: Theme, width: Width) -> Drawn:
    """Return one lane for each plot: its width is its size, its colour and last word say how it ended."""
    drawn = shown(plots)
    height = LANE * len(drawn)
    last = case.calendar.days - 1
    plane = Plane(case.calendar.start, case.calendar.end, 1, "", theme, height)
    base, ends, marks, words = [], [], [], []
    years = case.calendar.start.year != case.calendar.end.year
    for k, p in enumerate(drawn):
        y = LANE * k + LANE - 7
        end = p.ended if p.ended >= 0 else last
        thick = 1.5 + 1.4 * math.sqrt(min(p.size, 64))
        role, opacity = ENDS[p.end]
        aim = "to rise" if p.aim == RISE else "to cross"
        label = f"{p.size} {aim}: {name(p.founder)}"
        when = day(case.calendar.date(p.founded), year=years)
        until = f"to {day(case.calendar.date(p.ended), year=years)}" if p.ended >= 0 else "to the end"
        said = f"{label}, {when} {until}: {PLOT_ENDS[p.end].lower()}"
        colour = getattr(theme, role)
        dates = {"date": _iso(case, p.founded), "to": _iso(case, max(end, p.founded))}
        base.append(
            {
                **dates,
                "top": y - thick / 2,
                "end": y + thick / 2,
                "fill": colour,
                "opacity": opacity,
                "said": said,
            }
        )
        ends.append({"date": dates["to"], "y": y, "how": p.end, "fill": colour, "said": said})
        late = p.founded / max(1, last) > NEAR
        side = "right" if late else "left"
        words.append({"date": dates["to" if late else "date"], "y": y - 13, "side": side, "text": label})
        marks += [m | {"y": y, "fill": theme.ink} for m in _marked(p, case, name)]
    layers = [_axis(plane), *_bars(plane, base), *_ends(plane, ends, theme), *_marks(plane, marks, theme)]
    layers += _words(plane, words, theme, "width" if width == "container" else str(width))
    return plane.sheet.drawn(layers, width=width, height=height)


def _marked(p: Plot, case: Case, name: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return the marks of a plot; what happened more than once within a few days shares a mark."""
    bins: dict[tuple[int, str], list[tuple[int, int]]] = {}
    wide = max(1, case.calendar.days // SLOTS)
    for at, what, who in p.marks:
        bins.setdefault((at // wide, what), []).append((at, who))
    rows, years = [], case.calendar.start.year != case.calendar.end.year
    for (_, what), seen in bins.items():
        at, who = seen[0]
        whom = name(who) if len(seen) == 1 else f"{len(seen)} soldiers"
        does = MARKS[what][1] if len(seen) == 1 else MARKS[what][1].replace("was ", "were ")
        when = day(case.calendar.date(at), year=years)
        rows.append({"date": _iso(case, at), "what": what, "said": f"{when}: {whom} {does}"})
    return rows


def key(theme: Theme, width: Width) -> Drawn:
    """Return the key to the marks, in two lines that fit a narrow page."""
    sheet = Sheet()
    rows = [
        {"x": x, "y": y, "text": text, "what": what, "fill": theme.ink}
        for line, y in ((KEY, 8), (KEY_TOO, 26))
        for (what, text), x in zip(line, (5, 115, 195), strict=True)
    ]
    layers = []
    for what, (shape, _) in MARKS.items():
        mine = [r for r in rows if r["what"] == what]
        layers.append(
            _mark(sheet.on(mine), shape, theme).encode(x=across("x"), y=down("y"), **_coloured(what))
        )
    face: dict[str, Any] = {"align": "left", "dx": 9, "fontSize": SMALL, "color": theme.muted}
    words = sheet.on(rows).mark("text", baseline="middle", **face)
    layers.append(words.encode(x=across("x"), y=down("y"), text="text:N"))
    return sheet.drawn(layers, width=width, height=34)


def _axis(plane: Plane) -> vl.Chart:
    ends = [{"date": plane.start.isoformat()}, {"date": plane.end.isoformat()}]
    axis: vl.Chart = plane.sheet.on(ends).mark("point", opacity=0).encode(x=plane.x(spans=True))
    return axis


def _bars(plane: Plane, rows: list[dict[str, Any]]) -> list[vl.Chart]:
    mark = plane.sheet.on(rows).mark("rect", cornerRadius=1)
    return [boxes(mark, x=plane.x(), x2="to:T")]


def _ends(plane: Plane, rows: list[dict[str, Any]], theme: Theme) -> list[vl.Chart]:
    """Return the marks at the ends: a word on the lane's own line, so that colour is not alone."""
    told = [r | {"text": PLOT_ENDS[r["how"]].split(" ")[0].lower()} for r in rows if r["how"] != "alive"]
    first, last = plane.time
    inside = plane.sheet.on(told).only(f"time(datum.date) < {first} + {last - first} * 0.86")
    mark = inside.mark("text", align="left", dx=8, fontSize=SMALL - 1, baseline="middle", color=theme.muted)
    return [mark.encode(x=plane.x(), y=down("y"), text="text:N", tooltip=tip())]


def _marks(plane: Plane, rows: list[dict[str, Any]], theme: Theme) -> list[vl.Chart]:
    layers = []
    for what, (shape, _) in MARKS.items():
        mine = [r for r in rows if r["what"] == what]
        if mine:
            mark = _mark(plane.sheet.on(mine), shape, theme)
            layers.append(mark.encode(x=plane.x(), y=down("y"), tooltip=tip(), **_coloured(what)))
    return layers


def _mark(base: vl.Chart, shape: str, theme: Theme) -> vl.Chart:
    """Return a small mark; on the lane's own colour a rim of paper keeps it apart."""
    if shape == "circle":
        hollow: vl.Chart = base.mark(
            "point", shape="circle", size=24, strokeWidth=1.3, fill=theme.paper, opacity=1
        )
        return hollow
    solid: vl.Chart = base.mark("point", shape=shape, size=64, strokeWidth=1.4, stroke=theme.paper, opacity=1)
    return solid


def _coloured(what: str) -> dict[str, Any]:
    if what == "declined":
        return {"stroke": vl.field("fill:N", scale=None)}
    return {"fill": vl.field("fill:N", scale=None)}


def _words(plane: Plane, rows: list[dict[str, Any]], theme: Theme, wide: str) -> list[vl.Chart]:
    layers = []
    for side in ("left", "right"):
        mine = [r for r in rows if r["side"] == side]
        if mine:
            mark = plane.sheet.on(mine).mark(
                "text",
                align="left" if side == "left" else "right",
                fontSize=SMALL - 1,
                color=theme.muted,
                limit=vl.expr(f"{wide} * {1 - NEAR}"),
            )
            layers.append(mark.encode(x=plane.x(), y=down("y"), text="text:N"))
    return layers


def _iso(case: Case, at: int) -> str:
    return case.calendar.date(at).isoformat()
