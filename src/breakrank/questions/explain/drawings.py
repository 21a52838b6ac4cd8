"""The charts of an explanation: removals, pairs, shares of variance, and what is on the scales.

More is orange and less is blue in every chart; what cannot be told from zero is grey and hollow. A number
stands beside every mark, so that no chart needs colour vision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.engine.codes import LEAVE
from breakrank.outputs import YES_OR_NO
from breakrank.questions.explain.chart_axes import WIDE, EffectAxis, RowChart, hue, sign, squeeze, title_of
from breakrank.questions.explain.phrases import called, signed
from breakrank.questions.explain.sobol import LUCK, OTHERS, TOGETHER
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL
from breakrank.show.words import percent

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
    chart = RowChart(rows, axis, look)
    dots = chart.marks("point", size=52, strokeWidth=1.6, opacity=1, filled=True)
    marks = [
        chart.spans("low", "high", strokeWidth=1.2),
        chart.spans("low90", "high90", strokeWidth=3.2),
        dots.encode(fill=vl.field("fill:N", scale=None), stroke=vl.field("colour:N", scale=None)),
    ]
    said = "dot: mean, bars: 90% and 95%; hollow: not told from zero"
    said += "; axis compressed" if axis.unit else ""
    title = title_of(f"{asked.label} {asked.when}: what taking out a mechanism changes", said, look)
    return chart.drawn(f"difference, {unit}", marks, title)


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


FEW_TERMS = 0.02
"""Log-odds below which a term is not drawn."""


def scales(found: ExplanationData, asked: ExplainedOutcome, look: Look) -> Drawn | None:  # noqa: ARG001 (all charts are called alike)
    """Return the motives for and against leaving the country of those who stayed though opposed."""
    if found.scales is None:
        return None
    weights = [
        w
        for w in found.scales.weights
        if w.option == LEAVE and not w.base and abs(w.value.value) >= FEW_TERMS
    ]
    if not weights:
        return None
    if look.wide < WIDE:
        look = replace(look, names=look.names + 32)  # terms have longer names than mechanisms
    rows: list[dict[str, Any]] = []
    for w in sorted(weights, key=lambda w: w.value.value):
        low, high = (w.value.value if math.isnan(x) else x for x in (w.value.low, w.value.high))
        rows.append(
            {
                "name": w.about.partition(",")[0],
                "zero": 0.0,
                "x": w.value.value,
                "low": low,
                "high": high,
                "colour": sign(look, w.value.value),
                "text": signed(w.value.value, ""),
            }
        )
    ends = [v for r in rows for v in (r["low"], r["high"], 0.0)]
    chart = RowChart(rows, EffectAxis(min(ends), max(ends)), look)
    marks = [
        chart.spans("x", "zero", strokeWidth=9, opacity=0.55),
        chart.spans("low", "high", vl.value(look.theme.ink), strokeWidth=1.2),
    ]
    title = title_of(
        "What was on the scales of those who stayed though opposed",
        "leaving the country: means over their moments of decision, 95% intervals over runs",
        look,
    )
    return chart.drawn("log-odds against staying", marks, title)


def shares(found: ExplanationData, asked: ExplainedOutcome, look: Look) -> Drawn | None:
    """Return the shares of variance of an outcome: first-order and total, with their intervals."""
    given = () if found.variance is None else found.variance.shares.get(asked.measure, ())
    known = {s.group: s for s in given if math.isfinite(s.total)}
    if not known:
        return None
    own = sorted((g for g in known if g not in (LUCK, TOGETHER, OTHERS)), key=lambda g: -known[g].total)
    order = [LUCK, *own, *([OTHERS] if OTHERS in known else [])]
    rows: list[dict[str, Any]] = []
    for group in order:
        s = known[group]
        ends = [
            min(max(x, 0.0), 1.0)
            for x in (s.first, s.first_low, s.first_high, s.total, s.total_low, s.total_high)
        ]
        colour = look.theme.muted if group == LUCK else look.theme.difference
        names = ("first", "first_low", "first_high", "x", "low", "high")
        rows.append(
            dict(zip(names, ends, strict=True))
            | {"name": called(group), "colour": colour, "text": percent(ends[3])}
        )
    chart = RowChart(rows, EffectAxis(0.0, 1.0), look)
    hollow = chart.marks(
        "point", size=46, strokeWidth=1.6, opacity=1, filled=True, fill=look.theme.paper, yOffset=-3
    )
    full = chart.marks("point", "first", size=34, opacity=1, filled=True, yOffset=4)
    marks = [
        chart.spans("low", "high", yOffset=-3, strokeWidth=1.2),
        hollow.encode(stroke=vl.field("colour:N", scale=None)),
        chart.spans("first_low", "first_high", yOffset=4, strokeWidth=1.2),
        full.encode(color=hue("colour")),
    ]
    what = "its logarithm's variance" if asked.counted else "its variance"
    title = title_of(
        f"{asked.label} {asked.when}: what {what} goes back to",
        "full: alone (first order), hollow and number: with all it interacts with (total); 95% intervals",
        look,
    )
    return chart.drawn("share of variance", marks, title)


Builder = Callable[["ExplanationData", "ExplainedOutcome", Look], Drawn | None]
CHARTS: Mapping[str, Builder] = MappingProxyType(
    {"removals": removals, "pairs": pairs, "scales": scales, "shares": shares}
)
"""The charts by name."""
