"""Pluralistic ignorance, drawn: how many are privately opposed, and how many their comrades believe are.

After Kuran (1989) and O'Gorman (1975): where the believed share stays below the true one, each waits for
the others. The gap between the two lines is the finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.show import vegalite as vl
from breakrank.show.fan import bands, pointer
from breakrank.show.marks import Dated
from breakrank.show.overlays import numbered_rules
from breakrank.show.sheet import Drawn, Width
from breakrank.show.style import LIGHT, SMALL, TEXT, WIDE_WIDTH, Theme
from breakrank.show.time_axes import GUTTER, Plane, Span
from breakrank.show.words import between, interval, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from breakrank.show.tables import SpreadSeries

HEIGHT = 230
DASH = (6, 4)


def belief(
    opposed: SpreadSeries,
    believed: SpreadSeries,
    calendar: Span,
    *,
    theme: Theme = LIGHT,
    width: Width = WIDE_WIDTH,
    height: int = HEIGHT,
    events: Sequence[Dated] = (),
) -> Drawn:
    """Return the chart of private opposition and of what comrades believe of it, both as shares of 0 to 1."""
    plane = Plane(calendar.start, calendar.end, 1.0, "share", theme, height, raised=22 if events else 0)
    layers = numbered_rules(events, plane, width) if events else []
    layers += bands(believed, plane, theme.believed, dash=DASH, spans=False)
    layers += bands(opposed, plane, theme.opposed)
    layers += names(opposed, believed, plane, width)
    layers += pointer(opposed, plane, theme.opposed, len(opposed.frame), beside=believed)
    title = _title(opposed, believed, theme, width)
    return plane.sheet.drawn(layers, width=width, height=height, title=title)


def names(opposed: SpreadSeries, believed: SpreadSeries, plane: Plane, width: Width) -> list[vl.Chart]:
    """Return the two lines' names, above the upper and below the lower, so that they cannot meet."""
    theme = plane.theme
    upper = opposed.last.median >= believed.last.median
    rows = []
    for one, name, colour, above in (
        (opposed, "Privately opposed", theme.opposed, upper),
        (believed, "Believed by their comrades", theme.believed, not upper),
    ):
        places = {}
        for field, part in (("wide", 0.33), ("narrow", 0.8)):
            # clear of the band over the stretch that the words cover, not only at its end
            tail = one.frame.iloc[-max(1, int(len(one.frame) * part)) :]
            row = (
                plane.row(float(tail["q95"].max())) - 9 if above else plane.row(float(tail["q05"].min())) + 11
            )
            places[field] = min(max(row, -2), plane.height - 8)
        text = f"{name} {between(one.last.median, one.last.q05, one.last.q95, 'share')}"
        if one.runs > 1:
            text += f" ({interval(one.last.q05, one.last.q95, 'share')})"
        rows.append({"text": text, "fill": colour, **places})
    wide = "width" if width == "container" else str(width)
    base = plane.sheet.on(rows).calculate(y=f"{wide} < 480 ? datum.narrow : datum.wide")
    where: dict[str, Any] = {
        "x": vl.value("width"),
        "y": vl.field("y:Q", scale=None, axis=None),
        "text": "text:N",
    }
    look: dict[str, Any] = {"align": "right", "fontSize": SMALL + 1, "fontWeight": 500}
    halo = base.mark("text", stroke=theme.paper, strokeWidth=3, strokeJoin="round", **look)
    return [
        halo.encode(**where),
        base.mark("text", **look).encode(**where, color=vl.field("fill:N", scale=None)),
    ]


def gap(opposed: SpreadSeries, believed: SpreadSeries) -> float:
    """Return the median share opposed less the median share believed, on the last day."""
    return opposed.last.median - believed.last.median


def sentence(opposed: SpreadSeries, believed: SpreadSeries) -> str:
    """Return in a sentence what the chart shows."""
    first = opposed.frame["median"].iloc[0] - believed.frame["median"].iloc[0]
    last = gap(opposed, believed)
    if first * last < 0 and abs(last - first) > 0.005:
        change = "turns round,"
    else:
        change = (
            "widens"
            if abs(last) > abs(first) + 0.005
            else "narrows"
            if abs(last) < abs(first) - 0.005
            else "stays"
        )
    ends = f"from {100 * first:.0f} to {_points(last)}" if change != "stays" else f"at {_points(last)}"
    return (
        f"{percent(opposed.last.median)} of those serving are privately opposed at the end, while soldiers "
        f"believe it of {percent(believed.last.median)} of their comrades; over the period the gap {change} "
        f"{ends}."
    )


def _points(share: float) -> str:
    return f"{100 * share:.0f} percentage points".replace("-", "\u2212")


def _title(opposed: SpreadSeries, believed: SpreadSeries, theme: Theme, width: Width) -> vl.Title:
    return vl.Title(
        text="Private opposition, and what comrades believe of it",
        subtitle=f"a gap of {_points(gap(opposed, believed))} at the end",
        fontSize=TEXT - 1,
        limit=vl.expr(f"width + {GUTTER}") if width == "container" else width + GUTTER,
        subtitleColor=theme.muted,
    )
