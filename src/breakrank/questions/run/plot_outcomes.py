"""The life of plots over all runs: founded, for what, how they ended; and how plots of each size ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.questions.run.voice import ENDS, across, boxes, down, fill, opaque, tip
from breakrank.results.variables import AIMS, LEAKED, PLOT_ENDS, PLOT_SIZES
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.tables import Band, band
from breakrank.show.words import interval, number, percent

if TYPE_CHECKING:
    from breakrank.results import Result

TALL = 170
"""Height of all ribbons together, px."""
APART = 30
"""Least room that a node and its label take, px."""
TOP = 18
POINTS = 12
BARS = 130
"""Height of the bars, px."""


@dataclass(frozen=True, eq=False, slots=True)
class Founded:
    """Plots by aim, end and size: averages over runs, shape (aim, end, size), so that they add up."""

    runs: int
    mean: npt.NDArray[np.float64]
    founded: Band
    by_end: tuple[Band, ...]

    @property
    def total(self) -> float:
        """Average founded in a run."""
        return float(self.mean.sum())


def founded(result: Result) -> Founded:
    """Return the plots of a result."""
    array = (
        result.data["plot_ends"].transpose("run", "aim", "plot_end", "plot_size").values.astype(np.float64)
    )
    return Founded(
        result.runs,
        array.mean(axis=0),
        band(array.sum(axis=(1, 2, 3))),
        tuple(band(array[:, :, e].sum(axis=(1, 2))) for e in range(array.shape[2])),
    )


def sentence(one: Founded) -> str:
    """Return in two sentences how many plots there are and how they end."""
    if one.total <= 0:
        return f"No plot is founded in {'any of the runs' if one.runs > 1 else 'the one run'}."
    how = f"On average over {one.runs:,} runs, " if one.runs > 1 else "In the one run, "
    spread = f" ({interval(one.founded.q05, one.founded.q95, 'people')} in most runs)" if one.runs > 1 else ""
    ends = one.mean.sum(axis=(0, 2)) / one.total
    leaked = sum(float(ends[list(PLOT_ENDS).index(e)]) for e in LEAKED)
    to_rise = float(one.mean[list(AIMS).index("rise")].sum()) / one.total
    launched = float(ends[list(PLOT_ENDS).index("launched")])
    alone = float(one.mean[:, :, 0].sum()) / one.total
    return (
        f"{how}{_many(one.total)} plots are founded in a run{spread}, {percent(to_rise)} of them to rise. "
        f"{percent(leaked)} are found out, {percent(launched)} are launched; "
        f"{percent(alone)} never have a member beside the founder."
    )


def table(one: Founded) -> GridTable:
    """Return plots by end as texts: average, spread, by aim and the large ones."""
    aims = [f"To {label[0].lower()}{label[1:]}" for label in AIMS.values()]
    spread = ("Most runs",) if one.runs > 1 else ()
    rows = []
    for e, label in enumerate(PLOT_ENDS.values()):
        b = one.by_end[e]
        ends = (interval(b.q05, b.q95, "people"),) if one.runs > 1 else ()
        by_aim = (_many(float(one.mean[a, e].sum())) for a in range(len(aims)))
        by_size = (_many(float(one.mean[:, e, s].sum())) for s in range(len(PLOT_SIZES)))
        rows.append((label, _many(float(one.mean[:, e].sum())), *ends, *by_aim, *by_size))
    return GridTable(("How it ended", "Plots in a run", *spread, *aims, *PLOT_SIZES.values()), tuple(rows), 1)


def flow(one: Founded, theme: Theme, width: Width) -> Drawn:
    """Return the flow: founded, by aim, by end; widths are averages, so that they add up."""
    wide = "width" if width == "container" else str(width)
    sheet = Sheet()
    at = (f"({wide} * 0)", f"({wide} * 0.36)", f"({wide} - ({wide} < 480 ? 132 : 172))")
    aims, ends = one.mean.sum(axis=(1, 2)), one.mean.sum(axis=(0, 2))
    scale = TALL / max(one.total, 1e-9)
    columns = [_stacked([one.total], scale), _stacked(list(aims), scale), _stacked(list(ends), scale)]
    deepest = max(c[-1][1] for c in columns)
    columns = [[(a + (deepest - c[-1][1]) / 2, b + (deepest - c[-1][1]) / 2) for a, b in c] for c in columns]
    rows: list[dict[str, Any]] = []
    used = [columns[0][0][0]]
    into = [a for a, _ in columns[2]]
    for k, aim in enumerate(AIMS):
        size = float(aims[k])
        said = f"{AIMS[aim]}: {_many(size)} in a run"
        rows += _ribbon(f"a{k}", 0, used[0], columns[1][k][0], size * scale, theme.voice, 0.22, said)
        used[0] += size * scale
        out = columns[1][k][0]
        for e, end in enumerate(PLOT_ENDS):
            part = float(one.mean[k, e].sum())
            role, opacity = ENDS[end]
            said = f"{AIMS[aim]}, {PLOT_ENDS[end][0].lower()}{PLOT_ENDS[end][1:]}: {_many(part)} in a run"
            colour = getattr(theme, role)
            rows += _ribbon(f"b{k}{e}", 1, out, into[e], part * scale, colour, 0.6 * opacity, said)
            out += part * scale
            into[e] += part * scale
    bands = (
        sheet.on(rows)
        .calculate(
            x=f"(datum.leg == 0 ? {at[0]} + 6 : {at[1]} + 6) + datum.along * "
            f"(datum.leg == 0 ? {at[1]} - {at[0]} - 6 : {at[2]} - {at[1]} - 6)"
        )
        .mark("area", interpolate="monotone", stroke=None)
        .encode(
            x=across("x"),
            y=down("top"),
            y2="end:Q",
            detail="ribbon:N",
            color=fill(),
            opacity=opaque(),
            tooltip=tip(),
        )
    )
    layers = [bands]
    texts = (
        [("Founded", theme.voice, 1.0, one.total)],
        [(f"To {a}", theme.voice, 1.0, float(aims[k])) for k, a in enumerate(AIMS)],
        [
            (PLOT_ENDS[e], getattr(theme, ENDS[e][0]), ENDS[e][1], float(ends[k]))
            for k, e in enumerate(PLOT_ENDS)
        ],
    )
    for column, x, nodes in zip(texts, at, columns, strict=True):
        layers += _nodes(sheet, column, nodes, x, theme, beside=x == at[2])
    return sheet.drawn(layers, width=width, height=round(deepest + 8))


def _stacked(sizes: list[float], scale: float) -> list[tuple[float, float]]:
    """Place nodes below each other, each with room for its label above it."""
    out: list[tuple[float, float]] = []
    top = float(TOP)
    for size in sizes:
        height = max(size * scale, 1.5)
        out.append((top, top + height))
        top = max(top + height + 16, top + APART)
    return out


def _ribbon(
    name: str, leg: int, start: float, goal: float, thick: float, colour: str, opacity: float, said: str
) -> list[dict[str, Any]]:
    if thick <= 0:
        return []
    rows = []
    for k in range(POINTS + 1):
        t = k / POINTS
        y = start + (goal - start) * t * t * (3 - 2 * t)
        look = {"fill": colour, "opacity": opacity, "said": said}
        edges = {"top": round(y, 1), "end": round(y + max(thick, 0.5), 2)}
        rows.append({"ribbon": name, "leg": leg, "along": round(t, 3), **edges, **look})
    return rows


def _nodes(
    sheet: Sheet,
    texts: list[tuple[str, str, float, float]],
    nodes: list[tuple[float, float]],
    x: str,
    theme: Theme,
    beside: bool,
) -> list[vl.Chart]:
    rows = [
        {"top": a, "end": b, "y": (a + b) / 2 if beside else a - 8, "name": name, "many": _many(size)}
        | {"fill": colour, "opacity": opacity, "said": f"{name}: {_many(size)} in a run"}
        for (name, colour, opacity, size), (a, b) in zip(texts, nodes, strict=True)
    ]
    base = sheet.on(rows).calculate(
        x=x, x2=f"{x} + 6", words="datum.name + '\u2002' + datum.many", at=f"{x} + {12 if beside else 0}"
    )
    bars = boxes(base.mark("rect"))
    # a halo of paper, so that names above ribbons can be read
    face: dict[str, Any] = {"align": "left", "fontSize": SMALL, "fontWeight": 500, "baseline": "middle"}
    where: dict[str, Any] = {"x": across("at"), "y": down("y"), "text": "words:N", "tooltip": tip()}
    halo = base.mark("text", stroke=theme.paper, strokeWidth=3, strokeJoin="round", **face).encode(**where)
    return [bars, halo, base.mark("text", color=theme.ink, **face).encode(**where)]


def sizes(one: Founded, theme: Theme, width: Width) -> Drawn:
    """Return how plots of each size ended: shares as bars, and above them how many there are in a run."""
    sheet = Sheet()
    rows, tops = [], []
    step = f"({'width' if width == 'container' else width} / {len(PLOT_SIZES)})"
    for s, label in enumerate(PLOT_SIZES.values()):
        many = float(one.mean[:, :, s].sum())
        short = list(PLOT_SIZES)[s].replace("-", "\u2013")
        tops.append({"at": s, "many": _many(many) if many > 0 else "none", "size": short})
        start = 0.0
        for e, end in enumerate(PLOT_ENDS):
            part = float(one.mean[:, e, s].sum())
            if part > 0:
                role, opacity = ENDS[end]
                told = f"{percent(part / many)}, {_many(part)} in a run"
                said = f"{label}, {PLOT_ENDS[end].lower()}: {told}"
                edges = {"top": BARS * (1 - (start + part) / many), "end": BARS * (1 - start / many)}
                look = {"fill": getattr(theme, role), "opacity": opacity, "said": said}
                rows.append({"at": s, **edges, **look})
                start += part
    base = sheet.on(rows).calculate(
        x=f"datum.at * {step} + {step} * 0.14", x2=f"(datum.at + 1) * {step} - {step} * 0.14"
    )
    bars = boxes(base.mark("rect", stroke=theme.paper, strokeWidth=1))
    words = sheet.on(tops).calculate(x=f"(datum.at + 0.5) * {step}")
    face: dict[str, Any] = {"fontSize": SMALL, "align": "center"}
    above = words.mark("text", color=theme.ink, fontWeight=500, **face)
    below = words.mark("text", color=theme.muted, **face)
    title = vl.Title(
        text="How plots of each size end",
        subtitle="by the most members they ever had; above: plots in a run",
        offset=20,
    )
    layers = [
        bars,
        above.encode(x=across("x"), y=vl.value(-8), text="many:N"),
        below.encode(x=across("x"), y=vl.value(BARS + 12), text="size:N"),
    ]
    return sheet.drawn(layers, width=width, height=BARS + 18, title=title)


def _many(value: float) -> str:
    """Return an average number of plots, with a decimal where there are few."""
    return "0" if value <= 0 else "under 0.01" if value < 0.01 else number(round(value, 2))
