"""A map of states: each filled by a share, and in each a circle for a count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import records
from breakrank.case.borders import middle, shapes
from breakrank.show import vegalite as vl
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.words import average, percent

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer, Figure
    from breakrank.show.look import Look, Size

LARGEST = 700
"""Area of the largest circle, square px."""
FULLEST = 0.8
"""Opacity of a state whose share is 1."""


def states(
    answer: Answer, figure: Figure, rows: pd.DataFrame, name: str, look: Look, size: Size
) -> tuple[str, Drawn]:
    """Draw the states of some rows; circles have one scale for all rows of the table."""
    theme, (share, count) = look.theme, figure.y
    borders = shapes(tuple(rows[figure.x]))
    most = round_up(float(answer[figure.table].rows[count].max()) or 1.0)
    sheet, areas, circles = Sheet(), [], []
    for row in records(rows):
        held, many = round(float(row[share]), 3), round(float(row[count]), 1)
        said = f"{row['label']}: {percent(held)}, {average(many)}"
        areas.append({"type": "Feature", "geometry": borders[row[figure.x]], "held": held, "said": said})
        if many > 0:
            x, y = middle(borders[row[figure.x]])
            circles.append({"lon": round(x, 3), "lat": round(y, 3), "left": many, "said": said})
    shade = vl.field("held:Q", scale=vl.Scale(domain=[0, 1], range=[0, FULLEST]), legend=None)
    area = vl.field("left:Q", scale=vl.Scale(domain=[0, most], range=[0, LARGEST]), legend=None)
    land = sheet.on(areas).mark("geoshape", fill=theme.given, stroke=theme.axis, strokeWidth=0.8)
    dots = sheet.on(circles).mark("circle", fill=theme.out, stroke=theme.ink, strokeWidth=0.8, opacity=0.9)
    where: dict[str, Any] = {"longitude": "lon:Q", "latitude": "lat:Q"}
    tip = [vl.field("said:N", title=" ")]
    layers = [land.encode(fillOpacity=shade, tooltip=tip), dots.encode(**where, size=area, tooltip=tip)]
    xs, ys = zip(*(middle(shape) for shape in borders.values()), strict=True)
    turned = [-round(sum(xs) / len(xs), 1), -round(sum(ys) / len(ys), 1)]
    flat = {"type": "azimuthalEqualArea", "rotate": turned}
    width = look.width(size)
    height = 250 if width == "container" else round(0.9 * int(width))
    title = vl.Title(text=name, subtitle=f"largest circle: {most:,.0f}")
    return "", sheet.drawn([one.having(projection=flat) for one in layers], width, height, title)


def round_up(value: float) -> float:
    """Return the next of 1, 2 or 5 times a power of ten.

    >>> round_up(340.0), round_up(2.0), round_up(0.3)
    (500.0, 2.0, 0.5)
    """
    size = 10.0 ** np.floor(np.log10(value))
    return float(next(round(k * size, 9) for k in (1, 2, 5, 10) if k * size >= value * (1 - 1e-9)))
