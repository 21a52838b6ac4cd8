"""The spread of each outcome as a strip beside what was observed, with who says so."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import records
from breakrank.answer.cells import texts
from breakrank.show import vegalite as vl
from breakrank.show.style import SMALL, TEXT
from breakrank.show.vegalite import Drawn, Sheet

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer, Figure
    from breakrank.show.axes import Look, Size
    from breakrank.show.style import Theme

ROW, TALL = 38, 80
"""Height of a row, px, and where its strip stands below its name."""
ROOM = 560
"""Width from which a strip stands beside its name, px."""
PART = (0.49, 0.75)
"""Where strips begin and end, as parts of the width, where they stand beside names."""
NAMES_END = 24
"""Room between names and strips, px, for arrows that reach out of the strips."""
EDGE = 8
"""Room at both ends of a strip for what reaches them, px."""
AT_MOST = "M0,-1.1L0,1.1L-0.2,1.1L-0.2,-1.1ZM-1.1,0L-0.35,-0.5L-0.35,0.5Z"
AT_LEAST = "M-0,-1.1L-0,1.1L0.2,1.1L0.2,-1.1ZM1.1,0L0.35,-0.5L0.35,0.5Z"
"""Bounds that are open to the left and to the right: a bar, and an arrow towards it."""
Row = dict[str, Any]


def strips(
    answer: Answer, figure: Figure, rows: pd.DataFrame, _: str, look: Look, size: Size
) -> tuple[str, Drawn]:
    """Draw for each outcome its median and bands, on a scale of its own, what was observed, and texts.

    The table has the columns ``observed``, ``observed_low``, ``observed_high``, ``compared`` and ``source``.
    """
    theme, width = look.theme, look.wide if look.width(size) == "container" else int(look.width(size))
    beside = width >= ROOM
    begins, ends = (PART[0] * width, PART[1] * width) if beside else (EDGE, width - EDGE)
    height, found = ROW if beside else TALL, []
    column = answer[figure.table].column(figure.y[0])
    for k, row in enumerate(records(rows)):
        y = k * height
        spread = texts(column, row)
        said = f"{spread[0]} ({spread[1]})" if spread[0] != spread[-1] != "" else spread[0]
        seen = f"observed {row['observed']}: {row['compared']}" if row["observed"] else row["compared"]
        found.append(
            {
                "name": row[figure.x],
                "source": row["source"],
                "said": said,
                "seen": seen,
                "at": y + 9,
                "below": y + (24 if beside else 61),
                "strip": y + (12 if beside else 27),
                "numbers": y + (9 if beside else 47),
                **_places(figure, row, begins, ends),
            }
        )
    sheet = Sheet()
    base = sheet.on(found)
    left, right = (0, ends + 16) if beside else (0, 0)
    layers = [
        *_strip(base, theme, begins, ends, inner=bool(figure.inner)),
        _words(base, "name", "at", left, theme.ink, begins - NAMES_END if beside else width, TEXT - 1),
        _words(base, "said", "numbers", right, theme.ink, width - right, TEXT - 1, bold=True),
    ]
    if beside:
        layers.append(_words(base, "seen", "below", right, theme.muted, width - right, SMALL))
        layers.append(_words(base, "source", "below", left, theme.muted, begins - NAMES_END, SMALL))
    else:
        layers.append(_words(base, "seen", "below", left, theme.muted, width, SMALL))
    told = "; ".join(f"{row['name']}: {row['said']}, {row['seen']}" for row in found)
    return told, sheet.drawn(layers, width=width, height=height * len(found))


def _places(figure: Figure, row: Row, begins: float, ends: float) -> Row:
    """Return where the parts of a strip stand, px; its scale spans the bands and what was observed."""
    low, high = figure.low, figure.high
    names = {"q05": low, "median": figure.y[0], "q95": high}
    names |= dict(zip(("q25", "q75"), figure.inner, strict=False))
    values = {to: float(row[of]) for to, of in names.items()}
    values |= {"low": float(row["observed_low"]), "high": float(row["observed_high"])}
    known = [value for value in values.values() if math.isfinite(value)]
    if not math.isfinite(values["q05"]) or not known:
        return {}
    first = min(known)
    span = (max(known) - first) or 1.0
    room = ends - begins - 2 * EDGE
    places = {
        name: round(begins + EDGE + room * (value - first) / span, 2)
        for name, value in values.items()
        if math.isfinite(value)
    }
    closed = "low" in places and "high" in places
    kind = ("number" if places["low"] == places["high"] else "range") if closed else ""
    kind = kind or ("at least" if "low" in places else "at most" if "high" in places else "")
    return places | {"kind": kind, "point": places.get("low", places.get("high"))}


def _strip(base: vl.Chart, theme: Theme, begins: float, ends: float, *, inner: bool) -> list[vl.Chart]:
    """Return the layers of strips: a rail, two bands, the median, and what was observed in ink."""
    drawn, y = base.only("isValid(datum.median)"), _px("strip")
    rail = drawn.mark("rule", color=theme.hairline, strokeWidth=1)
    layers = [rail.encode(x=vl.value(begins), x2=vl.value(ends), y=y)]
    look: dict[str, Any] = {"strokeWidth": 8, "color": theme.baseline}
    if theme.outlined:
        look |= {"strokeWidth": 3}
    for low, high, opacity in (("q05", "q95", 0.25), *([("q25", "q75", 0.45)] if inner else [])):
        band = drawn.mark("rule", opacity=opacity, **look)
        layers.append(band.encode(x=_px(low), x2=vl.field(f"{high}:Q"), y=y))
    middle = drawn.mark("tick", orient="vertical", color=theme.baseline, thickness=2.4, size=16, opacity=1)
    layers.append(middle.encode(x=_px("median"), y=y))
    ink: dict[str, Any] = {"color": theme.record, "opacity": 1, "strokeWidth": 1.8}
    spans = drawn.only("datum.kind == 'range'").mark("rule", color=theme.record, strokeWidth=2.4, yOffset=9)
    layers.append(spans.encode(x=_px("low"), x2=vl.field("high:Q"), y=y))
    for kind, shape, fill, size in (
        ("number", "circle", theme.paper, 60),
        ("at most", AT_MOST, theme.record, 90),
        ("at least", AT_LEAST, theme.record, 90),
    ):
        some = drawn.only(f"datum.kind == '{kind}'")
        layers.append(
            some.mark("point", shape=shape, fill=fill, size=size, **ink).encode(x=_px("point"), y=y)
        )
    return layers


def _words(
    base: vl.Chart, field: str, y: str, x: float, colour: str, room: float, size: int, *, bold: bool = False
) -> vl.Chart:
    look: dict[str, Any] = {"align": "left", "baseline": "middle", "limit": room, "fontSize": size}
    mark = base.mark("text", color=colour, fontWeight=600 if bold else 400, **look)
    return mark.encode(x=vl.value(x), y=_px(y), text=f"{field}:N")


def _px(name: str) -> vl.Channel:
    """Return the encoding of a field that holds px."""
    return vl.field(f"{name}:Q", scale=None, axis=None)
