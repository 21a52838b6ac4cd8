"""Charts with categories: beds by month and assurance, waits by number of caseworkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.questions.plan.asylum import AS_IS
from breakrank.questions.plan.shelter import shelter
from breakrank.questions.plan.spread import spread
from breakrank.results.quantiles import FEW
from breakrank.show import vegalite as vl
from breakrank.show.look import Look, titled
from breakrank.show.overlays import tooltips
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL
from breakrank.show.time_axes import GUTTER
from breakrank.show.words import number
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

BAND = 34
"""Height of a row, px."""


def by_month(plan: PlanData, look: Look) -> Drawn:
    """Return beds that suffice in each month, a dot for each assurance, over the month's places."""
    stretches = shelter(plan.base, plan.period, plan.assurance)[1:]
    levels = [f"{100 * share:g}%" for share in plan.assurance]
    top = max([*(s.beds[-1] for s in stretches), *(s.places_most for s in stretches), 1.0])
    order = [s.window.label for s in stretches]
    sheet, theme = Sheet(), look.theme
    width = look.wide - 70
    x = vl.field(
        "value:Q", scale=vl.Scale(domain=[0, top * 1.04], nice=False), axis=_axis(theme.hairline, "persons")
    )
    y = vl.field("month:N", sort=order, scale=vl.Scale(paddingInner=0), axis=_names(theme.ink))
    places = [{"month": s.window.label, "value": s.offered_least, "end": s.offered_most} for s in stretches]
    dots = [
        {"month": s.window.label, "value": beds, "level": level, "said": f"{number(beds, 'people')} beds"}
        for s in stretches
        for level, beds in zip(levels, s.beds, strict=True)
    ]
    spans = [{"month": s.window.label, "value": s.beds[0], "end": s.beds[-1]} for s in stretches]
    base = sheet.on(dots)
    layers = [
        sheet.on(places)
        .mark("rule", color=theme.given, strokeWidth=9, opacity=0.18)
        .encode(x=x, x2="end:Q", y=y),
        sheet.on(places).mark("tick", color=theme.given, thickness=2, size=14).encode(x="end:Q", y=y),
        sheet.on(spans)
        .mark("rule", color=theme.baseline, strokeWidth=2, opacity=0.5)
        .encode(x=x, x2="end:Q", y=y),
    ]
    for k, level in enumerate(levels):
        full = k == len(levels) - 1
        fill = theme.baseline if full else theme.paper
        mark = base.only(f"datum.level == '{level}'").mark(
            "point", color=theme.baseline, fill=fill, size=42 + 14 * k, strokeWidth=1.8, opacity=1
        )
        tips = {} if look.still else {"tooltip": tooltips(month="Month", level="Assurance", said="Suffices")}
        layers.append(mark.encode(x=x, y=y, **tips))
    first = sheet.on([d for d in dots if d["month"] == _busiest(stretches)])
    named = first.mark("text", dy=-11, fontSize=SMALL - 1, color=theme.muted)
    layers.append(named.encode(x=x, y=y, text="level:N"))
    said = f"dots: {listed(levels)} assurance, the last filled; grey: places offered in the month"
    title = titled("Beds that suffice, month by month", said, look, look.wide)
    return sheet.drawn(layers, width=width, height=BAND * len(order), title=title)


def _busiest(stretches: Any) -> str:  # noqa: ANN401
    return str(max(stretches, key=lambda s: s.beds[-1] - s.beds[0]).window.label)


def by_staff(plan: PlanData, look: Look) -> Drawn:
    """Return days from request to decision for each number of caseworkers: median over runs and its ends."""
    rows: list[dict[str, Any]] = []
    never: list[str] = []
    for one in plan.staffings[0]:
        name = one.label if one.staff == AS_IS else f"{one.label} caseworkers"
        told = spread(one.wait)
        if np.isinf(one.wait).any():
            never.append(name)
            continue
        if not told.runs:
            continue
        low, high = told.ends
        rows.append(
            {"staff": name, "low": low, "value": told.median, "end": high, "said": f"{told.median:,.0f} days"}
        )
    order = [r["staff"] for r in rows]
    sheet, theme = Sheet(), look.theme
    top = max([float(r["end"]) for r in rows], default=1.0)
    x = vl.field(
        "value:Q", scale=vl.Scale(domain=[0, top * 1.08], nice=False), axis=_axis(theme.hairline, "days")
    )
    y = vl.field("staff:N", sort=order, axis=_names(theme.ink))
    base = sheet.on(rows)
    colour = theme.counterfactual
    tips = {} if look.still else {"tooltip": tooltips(staff="Staff", said="Median")}
    layers = [
        base.mark("rule", color=colour, strokeWidth=2, opacity=0.5).encode(x="low:Q", x2="end:Q", y=y),
        base.mark("point", color=colour, fill=theme.paper, size=52, strokeWidth=1.8, opacity=1).encode(
            x=x, y=y, **tips
        ),
        base.mark("text", dy=-11, fontSize=SMALL - 1, color=theme.muted).encode(x=x, y=y, text="said:N"),
    ]
    ends = "90% of runs" if plan.runs >= FEW else "all runs"
    said = [f"of those who ask in the period; dot: median over runs; line: {ends}"]
    if never:
        said.append(f"never decided for all: {listed(never)}")
    title = titled("Mean time from request to decision, by number of caseworkers", said, look, look.wide)
    return sheet.drawn(layers, width=look.wide - 100, height=BAND * max(1, len(order)), title=title)


def _axis(hairline: str, title: str) -> vl.Axis:
    return vl.Axis(
        title=title,
        titleAnchor="end",
        grid=True,
        gridColor=hairline,
        domain=False,
        tickCount=6,
        format=",.0f",
    )


def _names(ink: str) -> vl.Axis:
    return vl.Axis(title=None, grid=False, domain=False, labelColor=ink, labelLimit=160, minExtent=GUTTER)
