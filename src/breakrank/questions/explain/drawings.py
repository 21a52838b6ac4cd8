"""The chart of an explanation: what taking out each mechanism changes.

More is orange and less is blue; what cannot be told from zero is grey and hollow. A number
stands beside every mark, so that the chart needs no colour vision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.outputs import YES_OR_NO
from breakrank.questions.explain.chart_axes import RowChart, sign, squeeze, title_of
from breakrank.questions.explain.phrases import called, signed
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn

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


Builder = Callable[["ExplanationData", "ExplainedOutcome", Look], Drawn | None]
CHARTS: Mapping[str, Builder] = MappingProxyType({"removals": removals})
"""The charts by name."""
