"""The charts of the checks of a calibration: ranks of known truths, and coverage of intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.show import vegalite as vl
from breakrank.show.look import Look, titled
from breakrank.show.sheet import Drawn, Sheet

if TYPE_CHECKING:
    from breakrank.questions.calibrate.data import CalibrationData


def ranks(found: CalibrationData, look: Look) -> Drawn | None:
    """Return how far ranks of the truth are from uniform, for each parameter, with the band of chance."""
    table = found.tables["ranks"]
    worlds = len(table)
    informed = set(found.informed)
    data = []
    for name in table.columns:
        if name == "jointly":
            continue
        kind = "informed" if name in informed else "other"
        for at, off in _ecdf(table[name].to_numpy(dtype=float)):
            data.append({"of": str(name), "x": at, "y": off, "kind": kind})
    theme, sheet = look.theme, Sheet()
    half = 1.358 / math.sqrt(worlds)  # 95% of uniform samples stay within (Kolmogorov 1933)
    band = sheet.on([{"a": 0.0, "b": 1.0, "low": -half, "high": half}])
    x = vl.field(
        "x:Q",
        title="posterior probability below the truth",
        scale=vl.Scale(domain=[0, 1]),
        axis=percent_axis(),
    )
    y = vl.field("y:Q", title="too many worlds below")
    other = sheet.on([d for d in data if d["kind"] == "other"])
    own = sheet.on([d for d in data if d["kind"] == "informed"])
    layers = [
        band.mark("rect", color=theme.loyal, opacity=0.6).encode(
            x=vl.field("a:Q", title=None), x2="b:Q", y="low:Q", y2="high:Q"
        ),
        other.mark("line", strokeWidth=0.7, color=theme.muted, opacity=0.35).encode(x=x, y=y, detail="of:N"),
        own.mark("line", strokeWidth=1.4, color=theme.baseline, opacity=0.9).encode(x=x, y=y, detail="of:N"),
    ]
    lines = [
        f"{worlds} worlds whose truth is known; one line a parameter, blue: informed",
        "band: where 95% of such lines stay if the posterior is right",
    ]
    title = titled("Ranks of the truth", lines, look, look.wide // 2)
    return sheet.drawn(layers, look.wide // 2 - 70, look.tall, title)


def coverage(found: CalibrationData, look: Look) -> Drawn | None:
    """Return how often intervals held the truth against how often they say they do."""
    table = found.tables["ranks"]
    worlds = len(table)
    levels = np.linspace(0.05, 0.95, 19)
    informed = [name for name in found.informed if name in table.columns]
    parts = {"all parameters": [c for c in table.columns if c != "jointly"], "informed parameters": informed}
    data: list[dict[str, Any]] = []
    for label, names in parts.items():
        if names:
            u = table[names].to_numpy(dtype=float)
            data += [{"of": label, "x": float(q), "y": float((abs(u - 0.5) <= q / 2).mean())} for q in levels]
    joint = table["jointly"].to_numpy(dtype=float)
    data += [{"of": "jointly (TARP)", "x": float(q), "y": float((joint <= q).mean())} for q in levels]
    theme, sheet = look.theme, Sheet()
    room = [
        {"x": float(q), "a": float(q - r), "b": float(q + r)} for q in levels for r in [_binomial(q, worlds)]
    ]
    colours = {
        "all parameters": theme.muted,
        "informed parameters": theme.baseline,
        "jointly (TARP)": theme.voice,
    }
    dashes = {"all parameters": [1, 0], "informed parameters": [1, 0], "jointly (TARP)": [5, 3]}
    there = [label for label in colours if any(d["of"] == label for d in data)]
    x = vl.field("x:Q", title="what the interval says", scale=vl.Scale(domain=[0, 1]), axis=percent_axis())
    y = vl.field(
        "y:Q", title="how often it held the truth", scale=vl.Scale(domain=[0, 1]), axis=percent_axis()
    )
    legend = vl.Legend(title=None, orient="bottom", symbolType="stroke")
    layers = [
        sheet.on(room).mark("area", color=theme.loyal, opacity=0.6).encode(x="x:Q", y="a:Q", y2="b:Q"),
        sheet.on(data)
        .mark("line", strokeWidth=2)
        .encode(
            x=x,
            y=y,
            color=vl.field(
                "of:N", scale=vl.Scale(domain=there, range=[colours[n] for n in there]), legend=legend
            ),
            strokeDash=vl.field(
                "of:N", scale=vl.Scale(domain=there, range=[dashes[n] for n in there]), legend=None
            ),
        ),
    ]
    lines = [f"{worlds} worlds whose truth is known", "band: 95% of chance for one parameter"]
    title = titled("Coverage of intervals", lines, look, look.wide // 2)
    return sheet.drawn(layers, look.tall, look.tall, title)


def percent_axis() -> vl.Axis:
    """Return an axis of shares in per cent."""
    return vl.Axis(format="%", tickCount=5)


def _ecdf(u: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Return some 40 points of the empirical distribution function less the uniform one."""
    at = np.linspace(0.0, 1.0, 41)
    return [(float(q), float((u <= q).mean() - q)) for q in at]


def _binomial(level: float, worlds: int) -> float:
    return 1.96 * math.sqrt(level * (1.0 - level) / worlds)
