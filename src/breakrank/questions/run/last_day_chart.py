"""What became of everyone on the last day, drawn as a strip in proportion: the averages of the runs."""

from __future__ import annotations

from typing import Any

from breakrank.questions.run.last_day import Becoming
from breakrank.show import vegalite as vl
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import LIGHT, SMALL, TEXT, WIDE_WIDTH, Theme
from breakrank.show.words import average, people, percent

STRIP = 26
"""Height of the strip, px."""


def fates(one: Becoming, *, theme: Theme = LIGHT, width: Width = WIDE_WIDTH, titled: bool = True) -> Drawn:
    """Return the chart of what became of everyone; without its name where a page already gives it."""
    sheet = Sheet()
    layers = strip(one, theme, "width" if width == "container" else str(width), sheet)
    said = f"{people(one.serving)} of {people(one.strength)} still serve on {one.date}"
    said += f" ({percent(one.serving / one.strength)})"
    title = vl.Title(
        text="What became of everyone" if titled else said,
        **({"subtitle": said} if titled else {}),
        fontSize=TEXT - 1,
        limit=vl.expr("width") if width == "container" else width,
        subtitleColor=theme.baseline,
        subtitleFontWeight=500,
    )
    return sheet.drawn(layers, width=width, height=STRIP, title=title)


def strip(one: Becoming, theme: Theme, wide: str, sheet: Sheet) -> list[vl.Chart]:
    """Return the strip: loyal, privately opposed, gone, in proportion; `wide` is a Vega expression."""
    parts = [("Serving", one.serving, theme.loyal, theme.ink)]
    if one.opposed is not None:
        parts = [
            ("Loyal", one.serving * (1 - one.opposed), theme.loyal, theme.ink),
            ("Privately opposed", one.serving * one.opposed, theme.opposed, theme.paper),
        ]
    parts.append(("", one.gone, theme.hidden, theme.ink))
    rows: list[dict[str, Any]] = []
    start = 0.0
    for name, size, fill, ink in parts:
        share = size / one.strength
        said = f"{name or 'No longer serving'}: {average(size)} ({percent(share)})"
        amount = people(size) if name else ""
        look = {"fill": fill, "ink": ink, "said": said, "long": f"{name} {amount}", "short": amount}
        rows.append({"from": start, "to": start + share, **look})
        start += share
    base = sheet.on([r for r in rows if r["to"] > r["from"]]).calculate(
        a=f"datum.from * {wide}",
        b=f"max(datum.to * {wide}, datum.from * {wide} + 1.5)",
        shown=f"(datum.to - datum.from) * {wide} > 6.6 * length(datum.long) + 12 ? datum.long"
        f" : (datum.to - datum.from) * {wide} > 7 * length(datum.short) + 14 ? datum.short : ''",
    )
    tip = [vl.field("said:N", title=" ")]
    x, x2 = vl.field("a:Q", scale=None, axis=None), vl.field("b:Q")
    bars = base.mark("rect", opacity=1).encode(
        x=x, x2=x2, y=vl.value(0), y2=vl.value(STRIP), color=vl.field("fill:N", scale=None), tooltip=tip
    )
    words = base.mark("text", align="left", dx=8, fontSize=SMALL + 1, fontWeight=500).encode(
        x=x,
        y=vl.value(STRIP / 2),
        text="shown:N",
        color=vl.field("ink:N", scale=None),
        tooltip=tip,
    )
    return [bars, words]
