"""The chart of variance: which mechanisms and how much luck it goes back to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from breakrank.questions.explain.axis import LinearAxis
from breakrank.questions.explain.chart_axes import STEP, at, ground, hue, numbers, plot, title_of, x_of
from breakrank.questions.explain.groups import OTHERS
from breakrank.questions.explain.phrases import called
from breakrank.questions.explain.sobol import LUCK, TOGETHER
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.words import percent

if TYPE_CHECKING:
    from breakrank.questions.explain.data import ExplanationData
    from breakrank.questions.explain.outcomes import ExplainedOutcome


def shares(found: ExplanationData, asked: ExplainedOutcome, look: Look) -> Drawn | None:
    """Return the shares of variance of an outcome: first-order and total, with their intervals."""
    given = () if found.variance is None else found.variance.shares.get(asked.measure, ())
    known = {s.group: s for s in given if math.isfinite(s.total)}
    if not known:
        return None
    own = sorted((g for g in known if g not in (LUCK, TOGETHER, OTHERS)), key=lambda g: -known[g].total)
    order = [LUCK, *own, *([OTHERS] if OTHERS in known else [])]
    plain = LinearAxis(0.0, 1.0)
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
    sheet = Sheet()
    values = [r["name"] for r in rows]
    lines = ground(sheet, rows, plain, "share of variance", look)
    lines += [
        at(sheet.on(rows), values, look)
        .mark("rule", yOffset=-3, strokeWidth=1.2)
        .encode(x=x_of(plain), x2="high:Q", color=hue("colour"))
        .calculate(x="datum.low"),
        at(sheet.on(rows), values, look)
        .mark("point", size=46, strokeWidth=1.6, opacity=1, filled=True, fill=look.theme.paper, yOffset=-3)
        .encode(x=x_of(plain), stroke=vl.field("colour:N", scale=None)),
        at(sheet.on(rows), values, look)
        .mark("rule", yOffset=4, strokeWidth=1.2)
        .encode(x=x_of(plain), x2="first_high:Q", color=hue("colour"))
        .calculate(x="datum.first_low"),
        at(sheet.on(rows), values, look)
        .mark("point", size=34, opacity=1, filled=True, yOffset=4)
        .encode(x=x_of(plain), color=hue("colour"))
        .calculate(x="datum.first"),
        numbers(sheet, rows, values, look),
    ]
    what = "its logarithm's variance" if asked.counted else "its variance"
    title = title_of(
        f"{asked.label} {asked.when}: what {what} goes back to",
        "full: alone (first order), hollow and number: with all it interacts with (total); 95% intervals",
        look,
    )
    return sheet.drawn(lines, plot(look), (STEP + 3) * len(rows), title)
