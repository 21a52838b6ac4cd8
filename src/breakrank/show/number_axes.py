"""A plane with two axes of numbers, for the charts of the classic models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from breakrank.errors import UsageError
from breakrank.show import vegalite as vl
from breakrank.show.style import DARK, LIGHT, TEXT, Theme, config

Name = Literal["light", "dark"]
SQUARE = 260
"""Side of a chart whose axes share one scale, px."""
DASH = [5, 3]


def palette(theme: str) -> Theme:
    """Return the colours of a theme by name.

    Raises
    ------
    UsageError
        for an unknown name.
    """
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it must be 'light' or 'dark'")
    return LIGHT if theme == "light" else DARK


def finished(look: Theme, *charts: vl.Chart) -> vl.Chart:
    """Return charts side by side in the look of the project."""
    # room for the axis title below, which has no tick marks to keep it off the edge
    look_of_all = config(look) | {"padding": {"left": 4, "top": 4, "right": 8, "bottom": 10}}
    apart = {"scale": {"color": "independent"}}
    return vl.Chart(hconcat=list(charts), resolve=apart, config=look_of_all)


@dataclass(frozen=True)
class NumberPlane:
    """A plane with two labelled axes, and the marks drawn on it."""

    look: Theme
    across: str
    up: str
    x: tuple[float, float]
    y: tuple[float, float]
    width: int = SQUARE
    nice: bool = False

    def marks(self, rows: Sequence[Mapping[str, Any]]) -> vl.Chart:
        """Return a chart of rows with `x` and `y` on these axes, without a mark as yet."""
        across = vl.Axis(title=self.across, tickCount=5, titlePadding=8)
        up = vl.Axis(
            title=self.up,
            titleAngle=0,
            titleAlign="left",
            titleAnchor="start",
            titleX=-40,
            titleY=-8,
            titleBaseline="bottom",
            minExtent=40,
            maxExtent=40,
            tickCount=5,
        )
        return vl.rows_of(rows).encode(
            x=vl.field("x:Q", scale=vl.Scale(domain=list(self.x), nice=False, zero=False), axis=across),
            y=vl.field("y:Q", scale=vl.Scale(domain=list(self.y), nice=self.nice, zero=False), axis=up),
        )

    def line(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        width: float = 1.8,
        dash: Sequence[int] | None = None,
    ) -> vl.Chart:
        """Return a line through the points in their order."""
        rows = [{"x": x, "y": y, "at": i} for i, (x, y) in enumerate(points)]
        drawn = self.marks(rows).mark(
            "line", color=colour, strokeWidth=width, strokeDash=list(dash or [1, 0])
        )
        return drawn.encode(order="at:Q")

    def dots(
        self, points: Sequence[tuple[float, float]], colour: str, *, filled: Sequence[bool] | bool = True
    ) -> vl.Chart:
        """Return dots, hollow where not `filled`; the pointer tells their numbers."""
        each = [filled] * len(points) if isinstance(filled, bool) else filled
        rows = [
            {"x": x, "y": y, "fill": colour if full else self.look.paper}
            for (x, y), full in zip(points, each, strict=True)
        ]
        drawn = self.marks(rows).mark(
            "point", size=64, stroke=colour, strokeWidth=1.8, opacity=1, filled=True
        )
        tips = [vl.field(f"{k}:Q", title=t, format=".4~f") for k, t in (("x", self.across), ("y", self.up))]
        return drawn.encode(fill=vl.field("fill:N", scale=None), tooltip=tips)

    def note(self, x: float, y: float, text: str, colour: str, *, above: bool = False) -> vl.Chart:
        """Return a word to the right of (x, y), and below it or above."""
        side: dict[str, Any] = {"baseline": "bottom", "dy": -6} if above else {"baseline": "top", "dy": 5}
        drawn = self.marks([{"x": x, "y": y, "text": text}])
        drawn = drawn.mark("text", color=colour, align="left", dx=8, fontSize=TEXT - 1, **side)
        return drawn.encode(text="text:N")

    def layered(self, title: str, below: str, *layers: vl.Chart) -> vl.Chart:
        """Return the marks as one chart with its heading; the first layer brings the axes."""
        heading = vl.Title(text=title, subtitle=below)
        return vl.layered(layers, width=self.width, height=SQUARE, title=heading)
