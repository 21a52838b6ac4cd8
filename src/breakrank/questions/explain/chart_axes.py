"""What the charts of an explanation stand on: axes, lines at round numbers, numbers beside, headings."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from breakrank.questions.explain.axis import LinearAxis, Squeezed
from breakrank.questions.explain.phrases import signed
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Sheet
from breakrank.show.style import SMALL, TEXT
from breakrank.show.words import percent

STEP = 19
"""Height of a row, px."""
WIDE, NARROW = 740, 340
"""Widths of whole charts with their labels, px."""


def plot(look: Look) -> int:
    """Return the width of a plot, px: what names on the left and numbers on the right leave."""
    return look.wide - look.names - (76 if look.wide >= WIDE else 52)


def sign(look: Look, value: float, told: bool = True) -> str:
    """Return the hue of more or less."""
    return look.theme.muted if not told else look.theme.counterfactual if value > 0 else look.theme.baseline


def x_of(axis: LinearAxis | Squeezed) -> vl.Channel:
    """Return the encoding of places along an axis; the lines of `ground` stand for its ticks."""
    return vl.field("x:Q", scale=vl.Scale(domain=axis.domain(), nice=False, zero=False), axis=None)


def y_of(values: Sequence[str], look: Look) -> vl.Channel:
    """Return the encoding of rows by name, in the order of `values`."""
    return vl.field(
        "name:N",
        sort=list(values),
        scale=vl.Scale(domain=list(values)),
        axis=vl.Axis(
            title=None,
            grid=False,
            labelLimit=look.names - 8,
            minExtent=look.names,
            maxExtent=look.names,
            labelColor=look.theme.ink,
            labelFontSize=SMALL,
        ),
    )


def at(chart: vl.Chart, values: Sequence[str], look: Look) -> vl.Chart:
    """Return marks in the rows of their names."""
    placed: vl.Chart = chart.encode(y=y_of(values, look))
    return placed


def hue(field: str) -> vl.Channel:
    """Return the encoding of a colour that a field names itself."""
    return vl.field(f"{field}:N", scale=None, legend=None)


def ground(
    sheet: Sheet,
    rows: Sequence[Mapping[str, Any]],
    axis: LinearAxis | Squeezed,
    name: str,
    look: Look,
) -> list[Any]:
    """Return the ground: lines at round numbers, their labels below, the zero line, and the axis title."""
    wide = 60 if look.wide >= WIDE else 44
    span = axis.domain()[1] - axis.domain()[0]
    kept: list[float] = []
    for t in sorted(axis.ticks(), key=abs):  # labels that would run into one nearer to 0 are left out
        if all(abs(axis.to(t) - axis.to(k)) / span * plot(look) >= wide * 0.8 for k in kept):
            kept.append(t)
    share = name.startswith("share")
    ticks = [
        {
            "x": axis.to(t),
            "label": percent(t) if share else signed(t, "") if t else "0",
            "colour": look.theme.axis if t == 0 else look.theme.hairline,
        }
        for t in kept
    ]
    ground = sheet.on(ticks).mark("rule", strokeWidth=1).encode(x=x_of(axis), color=hue("colour"))
    below = sheet.on(ticks).mark("text", baseline="top", dy=6, fontSize=SMALL, color=look.theme.muted)
    height = vl.value((STEP + 3 if share else STEP) * len(rows))
    labels = below.encode(x=x_of(axis), y=height, text="label:N")
    called_ = (
        sheet.on([{"text": name}])
        .mark("text", align="left", baseline="top", dy=21, fontSize=SMALL, color=look.theme.muted)
        .encode(x=vl.value(0), y=height, text="text:N")
    )
    return [ground, labels, called_]


def numbers(sheet: Sheet, rows: Sequence[Mapping[str, Any]], values: Sequence[str], look: Look) -> vl.Chart:
    """Return the numbers on the right, one beside every row."""
    drawn = sheet.on([{"name": r["name"], "text": r["text"]} for r in rows])
    text = drawn.mark("text", align="left", dx=8, fontSize=SMALL, color=look.theme.ink)
    placed: vl.Chart = at(text, values, look).encode(x=vl.value(plot(look)), text="text:N")
    return placed


def title_of(text: str, below: str, look: Look) -> vl.Title:
    """Return the heading of a chart, broken where it would run out of it."""
    most = int(look.wide / (TEXT * 0.5))
    return vl.Title(text=_broken(text, most), subtitle=_broken(below, int(look.wide / (SMALL * 0.52))))


def _broken(text: str, most: int) -> list[str]:
    return textwrap.wrap(text, most)
