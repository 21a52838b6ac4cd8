"""The charts of a calibration: what is informed, and the observed figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from breakrank.inference.regression import Array
from breakrank.show import vegalite as vl
from breakrank.show.look import Look, titled
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL
from breakrank.show.tables import rows_of

if TYPE_CHECKING:
    import pandas as pd


class Calibrated(Protocol):
    """What charts draw: the tables of a calibration, and the parameters that figures inform, most first."""

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Tables by name; see :meth:`breakrank.inference.result.Calibration.table`."""

    @property
    def informed(self) -> tuple[str, ...]:
        """Names of informed parameters."""


def percent_axis() -> vl.Axis:
    """Return an axis of shares in per cent."""
    return vl.Axis(format="%", tickCount=5)


ROW = 21
"""Height of a row, px."""
LABELS = 178
"""Room for labels to the left of a plot, px."""
LISTED = 24
"""Informed parameters that have a row of their own."""
CHARACTER, GAP = 6.2, 8.0
"""Width of a character of a label, and between a mark and its label, px."""
CLIP = 3.0
"""Targets further out than this, in half widths of the prior's interval, stand at the edge."""


def contraction(found: Calibrated, look: Look) -> Drawn | None:
    """Return every parameter by mechanism: how much of its prior variance went, the informed ones named."""
    table = found.tables["parameters"]
    top = table.groupby("mechanism")["contraction"].max().sort_values(ascending=False)
    most = min(1.1, max(0.3, 1.25 * float(table["contraction"].max())))
    a_pixel = most / (look.wide - LABELS)
    data: list[dict[str, Any]] = []
    names: dict[str, list[dict[str, Any]]] = {"left": [], "right": []}
    for mechanism in top.index:
        here = table[table["mechanism"] == mechanism].sort_values("contraction", ascending=False)
        marks = here["contraction"].clip(lower=0.0).to_numpy()
        taken: list[tuple[float, float]] = []
        for row in rows_of(here):
            x = max(0.0, float(row.contraction))
            one: dict[str, Any] = {
                "row": _plain(str(mechanism)),
                "x": x,
                "name": str(row.id),
                "informed": bool(row.informed),
            }
            data.append(one)
            if row.informed:
                name = _plain(str(row.id).partition(".")[2]).removesuffix(" value")
                side = _side(x, len(name), marks, taken, a_pixel)
                if side:
                    names[side].append({**one, "name": name})
    theme, sheet = look.theme, Sheet()
    order = [_plain(m) for m in top.index]
    y = _rows(order)
    x_axis = vl.field(
        "x:Q",
        title="share of the prior variance that the figures take away",
        scale=vl.Scale(domain=[0, most]),
        axis=percent_axis(),
    )
    dots = sheet.on([d for d in data if not d["informed"]])
    known = sheet.on([d for d in data if d["informed"]])
    layers = [
        dots.mark("point", size=22, color=theme.muted, opacity=0.55, strokeWidth=1).encode(
            x=x_axis, y=y, **_hover(look, "name", "x")
        ),
        known.mark("circle", size=48, color=theme.baseline, opacity=1).encode(
            x=x_axis, y=y, **_hover(look, "name", "x")
        ),
        sheet.on(names["right"])
        .mark("text", align="left", dx=7, color=theme.ink, fontSize=SMALL)
        .encode(x="x:Q", y=y, text="name:N"),
        sheet.on(names["left"])
        .mark("text", align="right", dx=-7, color=theme.ink, fontSize=SMALL)
        .encode(x="x:Q", y=y, text="name:N"),
    ]
    count = int(table["informed"].sum())
    lines = [
        f"each mark is one of {len(table)} free parameters; filled: the {count} that the figures inform",
        "0%: the figures say nothing of it alone",
    ]
    title = titled("What the figures inform, by mechanism", lines, look, look.wide)
    return sheet.drawn(layers, look.wide - LABELS, ROW * len(order), title)


def posterior(found: Calibrated, look: Look) -> Drawn | None:
    """Return prior and posterior intervals of the informed parameters, in units of the prior's spread."""
    table = found.tables["parameters"].loc[list(found.informed)[:LISTED]]
    if table.empty:
        return None
    data: list[dict[str, Any]] = [
        {
            "row": str(r.id),
            "prior_low": -1.645,
            "prior_high": 1.645,
            "low": float(r.z_q05),
            "middle": float(r.z_median),
            "high": float(r.z_q95),
        }
        for r in rows_of(table)
    ]
    theme, sheet = look.theme, Sheet()
    base = sheet.on(data)
    y = _rows([d["row"] for d in data])
    x = vl.field(
        "prior_low:Q", title="standard deviations of the prior", scale=vl.Scale(domain=[-3, 3], clamp=True)
    )
    layers = [
        base.mark("bar", height=11, color=theme.loyal).encode(x=x, x2="prior_high:Q", y=y),
        base.mark("bar", height=5, color=theme.baseline).encode(x="low:Q", x2="high:Q", y=y),
        base.mark("tick", thickness=2, height=13, color=theme.ink).encode(x="middle:Q", y=y),
    ]
    lines = ["pale: 90% of the prior; dark: 90% of the posterior, with its median"]
    if len(found.informed) > LISTED:
        lines[0] += f"; the {LISTED} most informed of {len(found.informed)}"
    title = titled("Informed parameters: prior and posterior", lines, look, look.wide)
    return sheet.drawn(layers, look.wide - LABELS - 40, ROW * len(data), title)


def targets(found: Calibrated, look: Look) -> Drawn | None:
    """Return the figures beside prior and posterior, the prior's 90% as wide for every target."""
    table = found.tables["targets"]
    data: list[dict[str, Any]] = []
    marks: list[dict[str, Any]] = []
    open_ends: list[dict[str, Any]] = []
    for r in rows_of(table):
        low, high = float(r.at_figure_low), float(r.at_figure_high)
        if math.isnan(low) or math.isnan(high) or not math.isfinite(r.at_posterior_q05):
            continue
        one: dict[str, Any] = {"row": _short(str(r.label)), "inside": "inside" if r.inside else "outside"}
        ends = {"low": _clip(r.at_posterior_q05), "high": _clip(r.at_posterior_q95)}
        data.append(one | ends | {"middle": _clip(r.at_posterior_median), "a": -1.0, "b": 1.0})
        if math.isinf(low) or math.isinf(high):
            at = low if math.isinf(high) else high
            open_ends.append(one | {"x": _clip(at), "mark": "▸" if math.isinf(high) else "◂"})
        else:
            marks.append(one | {"x": _clip(low), "x2": _clip(high), "at": _clip((low + high) / 2)})
    if not data:
        return None
    theme, sheet = look.theme, Sheet()
    order = [d["row"] for d in data]
    y = _rows(order)
    least = [*(d["low"] for d in data), *(m["x"] for m in marks), -1.2]
    most = [*(d["high"] for d in data), *(m["x2"] for m in marks), 1.2]
    domain = [min(least) - 0.1, max(most) + 0.1]
    axis = vl.Axis(values=[-1, 0, 1], labelExpr=_ENDS)
    x = vl.field("a:Q", title=None, scale=vl.Scale(domain=domain), axis=axis)
    for one in open_ends:
        one["x"] = min(max(one["x"], domain[0] + 0.03), domain[1] - 0.03)
    base = sheet.on(data)
    layers = [
        base.mark("bar", height=12, color=theme.loyal).encode(x=x, x2="b:Q", y=y),
        base.mark("bar", height=6, color=theme.baseline).encode(x="low:Q", x2="high:Q", y=y),
        sheet.on(marks).mark("bar", height=3, color=theme.counterfactual).encode(x="x:Q", x2="x2:Q", y=y),
        sheet.on(marks)
        .mark("point", shape="diamond", size=58, filled=True, color=theme.counterfactual, opacity=1)
        .encode(x="at:Q", y=y),
        sheet.on(open_ends)
        .mark("text", fontSize=17, color=theme.counterfactual)
        .encode(x="x:Q", y=y, text="mark:N"),
    ]
    inside = int(table["inside"].astype(bool).sum())
    lines = [
        f"pale: 90% of runs under the prior; dark: under the posterior; {inside} of {len(table)} inside",
        "diamond: the observed figure; triangles: at least, at most",
    ]
    if len(data) < len(table):
        left = len(table) - len(data)
        lines[1] += f"; {left} that never {'varies is' if left == 1 else 'vary are'} left out"
    title = titled("The observed figures beside the model", lines, look, look.wide)
    return sheet.drawn(layers, look.wide - LABELS - 130, ROW * len(order), title)


CHARTS: Mapping[str, Callable[[Calibrated, Look], Drawn | None]] = MappingProxyType(
    {
        "contraction": contraction,
        "posterior": posterior,
        "targets": targets,
    }
)
"""The charts by name."""
OVERVIEW = ("contraction", "targets")
"""Charts of the overview, from top to bottom."""

_ENDS = "datum.value == -1 ? 'prior 5%' : datum.value == 1 ? 'prior 95%' : ''"


def _side(
    x: float, characters: int, marks: Array, taken: list[tuple[float, float]], a_pixel: float
) -> Literal["left", "right", ""]:
    """Return on which side of a mark its label has room, and take it there; nowhere if on neither.

    Parameters
    ----------
    marks : positions of all marks of the row. taken : where it has labels. a_pixel : in units of positions.
    """
    gap, width = GAP * a_pixel, (GAP + CHARACTER * characters) * a_pixel
    sides: dict[Literal["left", "right"], tuple[float, float]] = {
        "right": (x + gap / 2, x + width),
        "left": (x - width, x - gap / 2),
    }
    for side, (low, high) in sides.items():
        crowded = ((marks > low - gap / 2) & (marks < high + gap / 2)).any()
        if low >= 0 and not crowded and all(high < a or low > b for a, b in taken):
            taken.append((low, high))
            return side
    return ""


def _rows(order: list[str]) -> vl.Channel:
    axis = vl.Axis(grid=False, labelLimit=LABELS + 150, domain=False, labelFontSize=SMALL)
    return vl.field("row:N", sort=order, title=None, axis=axis)


def _hover(look: Look, *names: str) -> dict[str, Any]:
    return {} if look.still else {"tooltip": [f"{n}:{'Q' if n == 'x' else 'N'}" for n in names]}


def _plain(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")


def _short(label: str) -> str:
    return label if len(label) <= 52 else label[:50].rsplit(" ", 1)[0] + " …"


def _clip(x: float) -> float:
    return float(np.clip(x, -CLIP, CLIP))
