"""The charts of mechanisms taken out: each alone with its intervals, and pairs as a triangle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.outputs import YES_OR_NO
from breakrank.questions.explain.axis import squeeze
from breakrank.questions.explain.chart_axes import (
    STEP,
    WIDE,
    at,
    ground,
    hue,
    numbers,
    plot,
    sign,
    title_of,
    x_of,
)
from breakrank.questions.explain.phrases import called, signed
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL

if TYPE_CHECKING:
    from breakrank.questions.explain.data import ExplanationData
    from breakrank.questions.explain.outcomes import ExplainedOutcome


def removals(found: ExplanationData, asked: ExplainedOutcome, look: Look) -> Drawn | None:
    """Return what taking out each mechanism does to an outcome: difference with its 90 and 95% intervals."""
    effects = [e for e in found.removal.effects(asked.measure) if e.runs]
    if not any(e.mean for e in effects):
        return None
    points = asked.unit in ("share", YES_OR_NO)
    scale = 100.0 if points else 1.0
    unit = "points" if points else asked.unit
    ends = np.array([[e.mean, e.low, e.high] for e in effects]) * scale
    axis = squeeze(ends, [e.told for e in effects])
    rows: list[dict[str, Any]] = []
    for e in effects:
        low, high = (e.mean if math.isnan(x) else x for x in (e.low, e.high))
        low90, high90 = (e.mean if math.isnan(x) else x for x in (e.low90, e.high90))
        colour = sign(look, e.mean, e.told)
        rows.append(
            {
                "name": called(e.without[0]),
                "x": axis.to(e.mean * scale),
                "low": axis.to(low * scale),
                "high": axis.to(high * scale),
                "low90": axis.to(low90 * scale),
                "high90": axis.to(high90 * scale),
                "colour": colour,
                "fill": colour if e.told else look.theme.paper,
                "text": signed(e.mean, asked.unit).partition(" ")[0],
            }
        )
    sheet = Sheet()
    values = [r["name"] for r in rows]
    lines = ground(sheet, rows, axis, f"difference, {unit}", look)
    lines += [
        at(sheet.on(rows), values, look)
        .mark("rule", strokeWidth=1.2)
        .encode(x=x_of(axis), x2="high:Q", color=hue("colour"))
        .calculate(x="datum.low"),
        at(sheet.on(rows), values, look)
        .mark("rule", strokeWidth=3.2)
        .encode(x=x_of(axis), x2="high90:Q", color=hue("colour"))
        .calculate(x="datum.low90"),
        at(sheet.on(rows), values, look)
        .mark("point", size=52, strokeWidth=1.6, opacity=1, filled=True)
        .encode(x=x_of(axis), fill=vl.field("fill:N", scale=None), stroke=vl.field("colour:N", scale=None)),
        numbers(sheet, rows, values, look),
    ]
    said = "dot: mean, bars: 90% and 95%; hollow: not told from zero"
    said += "; axis compressed" if axis.bent else ""
    title = title_of(f"{asked.label} {asked.when}: what taking out a mechanism changes", said, look)
    return sheet.drawn(lines, plot(look), STEP * len(rows), title)


def pairs(found: ExplanationData, asked: ExplainedOutcome, look: Look) -> Drawn | None:
    """Return the interactions of pairs of mechanisms, as a triangle."""
    effects = [e for e in found.removal.interactions(asked.measure) if e.runs]
    if not effects:
        return None
    names = list(dict.fromkeys(m for e in effects for m in e.without))
    across, up = [called(n) for n in names[:-1]], [called(n) for n in names[1:]]
    largest = max((abs(e.mean) for e in effects if e.told), default=0.0) or 1.0
    rows: list[dict[str, Any]] = []
    for e in effects:
        strength = abs(e.mean) / largest if e.told else 0.0
        text = signed(e.mean, asked.unit).partition(" ")[0] if e.told else "not told"
        rows.append(
            {
                "across": called(e.without[0]),
                "up": called(e.without[1]),
                "colour": sign(look, e.mean, e.told),
                "strength": 0.15 + 0.55 * strength if e.told else 0.07,
                "text": text,
                "ink": look.theme.ink if e.told else look.theme.muted,
            }
        )
    sheet = Sheet()
    small = look.wide < WIDE
    x = vl.field(
        "across:N",
        sort=across,
        scale=vl.Scale(domain=across),
        axis=vl.Axis(
            title=None, labelAngle=-35 if small else 0, domain=False, labelLimit=110, orient="bottom"
        ),
    )
    y = vl.field(
        "up:N",
        sort=up,
        scale=vl.Scale(domain=up),
        axis=vl.Axis(
            title=None, grid=False, labelLimit=look.names - 8, minExtent=look.names, maxExtent=look.names
        ),
    )
    cell = sheet.on(rows).mark("rect", stroke=look.theme.paper, strokeWidth=2)
    opacity = vl.field("strength:Q", scale=vl.Scale(domain=[0, 1], range=[0, 1]), legend=None)
    marks = [
        cell.encode(x=x, y=y, color=hue("colour"), opacity=opacity),
        sheet.on(rows)
        .mark("text", fontSize=SMALL if not small else SMALL - 2)
        .encode(x=x, y=y, text="text:N", color=hue("ink")),
    ]
    unit = "points" if asked.unit in ("share", YES_OR_NO) else asked.unit
    title = title_of(
        f"{asked.label} {asked.when}: pairs of mechanisms",
        f"effect of taking out both, less the two effects alone ({unit})",
        look,
    )
    return sheet.drawn(marks, look.wide - look.names - 10, 34 * len(up), title)
