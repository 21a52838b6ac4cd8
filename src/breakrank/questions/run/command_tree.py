"""The command tree: force, branches, regions, each with the share gone, ever in a plot, and opposed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.engine.codes import (
    EV_ARRESTED,
    EV_CAPTURED,
    EV_DESERTED,
    EV_DISCHARGED,
    EV_FOUNDED,
    EV_JOINED,
    EV_LEFT,
    EV_RELEASED,
    EV_SHOT,
    EV_SURRENDERED,
)
from breakrank.questions.run.voice import across, boxes, down, fill, logs, tip
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.words import people, percent

if TYPE_CHECKING:
    from breakrank.force import Force
    from breakrank.results import Result
    from breakrank.results.conspiracies import Log

Shares = npt.NDArray[np.float64]

ROW = 20
"""Height of a row, px."""
NAMES = 0.38
"""Share of the width that the names take."""
SHOWN = (
    ("gone", "gone", "hidden"),
    ("plotted", "plotted", "voice"),
    ("opposed", "opposed", "opposed"),
)
"""Attribute, heading and role of each column."""
_AWAY = (EV_DESERTED, EV_LEFT, EV_ARRESTED, EV_CAPTURED, EV_SHOT, EV_SURRENDERED, EV_DISCHARGED)


@dataclass(frozen=True, eq=False, slots=True)
class Tree:
    """The tree.

    Attributes
    ----------
    branches, regions : their labels.
    strength : soldiers, shape (branch, region). gone, plotted, opposed : shares in each, nan if unknown.
    source : over what the shares are, in words.
    """

    branches: tuple[str, ...]
    regions: tuple[str, ...]
    strength: Shares
    gone: Shares
    plotted: Shares
    opposed: Shares
    source: str

    def share(self, name: str, branch: int | None = None) -> float:
        """Return a share over a branch, or over all."""
        row = slice(None) if branch is None else slice(branch, branch + 1)
        values, weights = getattr(self, name)[row], self.strength[row]
        known = (weights > 0) & np.isfinite(values)
        return float(np.average(values[known], weights=weights[known])) if known.any() else float("nan")


def tree(result: Result, force: Force | None) -> Tree | None:
    """Return the tree from the runs' own counts, or else from the first log; ``None`` without either."""
    case, data = result.case, result.data
    branches = tuple(b.label for b in case.force.branches)
    regions = tuple(r.label for r in case.force.regions)
    if {"strength_region", "gone_region", "plotted_region", "opposed_region"} <= set(data.data_vars):
        size, gone, plotted, opposed = (
            data[f"{name}_region"].transpose("run", "branch", "region").mean("run").values.astype(np.float64)
            for name in ("strength", "gone", "plotted", "opposed")
        )
        over = f"average of {result.runs:,} runs" if result.runs > 1 else "the one run"
        return Tree(branches, regions, size, _per(gone, size), _per(plotted, size), opposed, over)
    kept = logs(result)
    if force is None or not kept:
        return None
    run, log = next(iter(kept.items()))
    cell = force.branch.astype(np.int64) * len(regions) + force.formations.region[force.formation]
    shape, cells = (len(branches), len(regions)), len(branches) * len(regions)
    size = np.bincount(cell, minlength=cells).reshape(shape).astype(np.float64)
    gone, plotted = (
        np.bincount(cell[who], minlength=cells).reshape(shape).astype(np.float64)
        for who in (_away(force, log), _met(force, log, (EV_FOUNDED, EV_JOINED)))
    )
    unknown, whole = np.full(shape, np.nan), size * case.stands_for
    return Tree(branches, regions, whole, _per(gone, size), _per(plotted, size), unknown, f"run {run}")


def _per(many: Shares, size: Shares) -> Shares:
    share: Shares = np.divide(many, size, out=np.full(size.shape, np.nan), where=size > 0)
    return share


def _met(force: Force, log: Log, events: tuple[int, ...]) -> npt.NDArray[np.intp]:
    """Return the positions of those who met one of some events, each once."""
    return np.searchsorted(force.identity, np.unique(log["soldier"][np.isin(log["event"], events)]))


def _away(force: Force, log: Log) -> npt.NDArray[np.intp]:
    """Return the positions of those whose last word in the log is that they left or were caught."""
    told = np.flatnonzero(np.isin(log["event"], (*_AWAY, EV_RELEASED)))
    last = np.full(force.n, EV_RELEASED, np.int64)
    last[np.searchsorted(force.identity, log["soldier"][told])] = log["event"][told]
    return np.flatnonzero(last != EV_RELEASED)


def sentence(one: Tree) -> str:
    """Return which branch lost most, which plots most, and where."""
    text = f"Of the whole force, {percent(one.share('gone'))} no longer serve at the end"
    text += f" and {percent(one.share('plotted'))} were ever in a plot ({one.source})."
    for name, words in (("gone", "The largest share is gone in"), ("plotted", "Plots are thickest in")):
        values = np.where(one.strength > 0, np.nan_to_num(getattr(one, name)), -1)
        if values.max() > 0:
            b, r = np.unravel_index(int(values.argmax()), values.shape)
            text += f" {words} {one.branches[b]}, {one.regions[r]} ({percent(float(values[b, r]))})."
    return text


def table(one: Tree) -> GridTable:
    """Return the tree as texts."""
    rows = [("Whole force", "", people(float(one.strength.sum())), *_cells(one))]
    for b, branch in enumerate(one.branches):
        rows.append((branch, "", people(float(one.strength[b].sum())), *_cells(one, b)))
        rows += [
            (
                branch,
                region,
                people(float(one.strength[b, r])),
                *(_told(float(getattr(one, n)[b, r])) for n, *_ in SHOWN),
            )
            for r, region in enumerate(one.regions)
            if one.strength[b, r] > 0
        ]
    return GridTable(("Branch", "Region", "Strength", "Gone", "Ever in a plot", "Opposed"), tuple(rows), 2)


def _cells(one: Tree, branch: int | None = None) -> tuple[str, ...]:
    return tuple(_told(one.share(name, branch)) for name, *_ in SHOWN)


def _told(value: float) -> str:
    return percent(value) if value == value else "not known"


def panels(one: Tree, theme: Theme, width: Width) -> list[tuple[str, str, Drawn]]:
    """Return the whole force by branch, then every branch by region: id, sentence, chart."""
    tops = {name: max(float(np.nanmax(getattr(one, name), initial=0.0)), 1e-9) for name, *_ in SHOWN}
    whole = [(one.branches[b], {n: one.share(n, b) for n, *_ in SHOWN}) for b in range(len(one.branches))]
    total = {n: one.share(n) for n, *_ in SHOWN}
    found = [("force", *_panel("Whole force", float(one.strength.sum()), total, whole, tops, theme, width))]
    for b, branch in enumerate(one.branches):
        rows = [
            (region, {n: float(getattr(one, n)[b, r]) for n, *_ in SHOWN})
            for r, region in enumerate(one.regions)
            if one.strength[b, r] > 0
        ]
        mean = {n: one.share(n, b) for n, *_ in SHOWN}
        size = float(one.strength[b].sum())
        found.append((f"branch-{b}", *_panel(branch, size, mean, rows, tops, theme, width)))
    return found


def _panel(
    name: str,
    size: float,
    total: dict[str, float],
    rows: list[tuple[str, dict[str, float]]],
    tops: dict[str, float],
    theme: Theme,
    width: Width,
) -> tuple[str, Drawn]:
    sheet, wide = Sheet(), "width" if width == "container" else str(width)
    step = f"({wide} * {(1 - NAMES) / len(SHOWN)})"
    cells: list[dict[str, Any]] = []
    names: list[dict[str, Any]] = []
    for k, (label, values) in enumerate([("All", total), *rows]):
        y = ROW * (k + 1) + (4 if k else 0)
        names.append({"y": y + ROW / 2, "text": label, "weight": "all" if k == 0 else "part"})
        for c, (attribute, heading, role) in enumerate(SHOWN):
            value = values[attribute]
            known = value == value
            opacity = round(0.05 + 0.9 * min(1.0, value / tops[attribute]), 3) if known else 0.0
            look = {
                "fill": getattr(theme, role),
                "opacity": opacity,
                "ink": theme.paper if opacity > 0.8 else theme.ink,
            }
            said = f"{name}, {label}: {heading} {_told(value)}"
            text = percent(value) if known else "\u2013"
            cells.append(
                {"at": c, "top": y, "end": y + ROW, "y": y + ROW / 2, "text": text, "said": said, **look}
            )
    base = sheet.on(cells).calculate(
        x=f"{wide} * {NAMES} + datum.at * {step}", x2=f"{wide} * {NAMES} + (datum.at + 1) * {step}"
    )
    middle = base.calculate(x=f"{wide} * {NAMES} + (datum.at + 0.5) * {step}")
    rect = boxes(base.mark("rect", stroke=theme.paper, strokeWidth=1.5))
    numbers = middle.mark("text", fontSize=SMALL, baseline="middle").encode(
        x=across("x"), y=down("y"), text="text:N", color=fill("ink"), tooltip=tip()
    )
    heads = sheet.on([{"at": c, "text": heading} for c, (_, heading, _) in enumerate(SHOWN)])
    columns = heads.calculate(x=f"{wide} * {NAMES} + (datum.at + 0.5) * {step}").mark(
        "text", fontSize=SMALL - 1, color=theme.muted, baseline="middle"
    )
    room: Any = vl.expr(f"{wide} * {NAMES} - 6")
    labels = sheet.on(names).mark(
        "text", align="left", fontSize=SMALL, color=theme.ink, baseline="middle", limit=room
    )
    layers = [
        rect,
        numbers,
        columns.encode(x=across("x"), y=vl.value(ROW / 2), text="text:N"),
        labels.encode(x=vl.value(0), y=down("y"), text="text:N"),
    ]
    title = vl.Title(text=name, subtitle=f"{people(size)} soldiers")
    told = ", ".join(f"{_told(total[n])} {heading}" for n, heading, _ in SHOWN)
    drawn = sheet.drawn(layers, width=width, height=ROW * (len(rows) + 2) + 4, title=title)
    return f"{name}: {told}.", drawn
