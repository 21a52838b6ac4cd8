"""The chart of what was on the scales of those who stayed though opposed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from breakrank.engine.codes import LEAVE
from breakrank.questions.explain.axis import LinearAxis
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
from breakrank.questions.explain.phrases import signed
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn, Sheet

if TYPE_CHECKING:
    from breakrank.questions.explain.data import ExplanationData
    from breakrank.questions.explain.outcomes import ExplainedOutcome

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
    sheet = Sheet()
    values = [r["name"] for r in rows]
    ends = [v for r in rows for v in (r["low"], r["high"], 0.0)]
    plain = LinearAxis(min(ends), max(ends))
    lines = ground(sheet, rows, plain, "log-odds against staying", look)
    lines += [
        at(sheet.on(rows), values, look)
        .mark("rule", strokeWidth=9, opacity=0.55)
        .encode(x=x_of(plain), x2="zero:Q", color=hue("colour")),
        at(sheet.on(rows), values, look)
        .mark("rule", strokeWidth=1.2)
        .encode(x=x_of(plain), x2="high:Q", color=vl.value(look.theme.ink))
        .calculate(x="datum.low"),
        numbers(sheet, rows, values, look),
    ]
    title = title_of(
        "What was on the scales of those who stayed though opposed",
        "leaving the country: means over their moments of decision, 95% intervals over runs",
        look,
    )
    return sheet.drawn(lines, plot(look), STEP * len(rows), title)
