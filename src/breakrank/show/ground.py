"""A plane with two axes of numbers, for the charts of the classic models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from breakrank.errors import UsageError
from breakrank.show.lazy import require
from breakrank.show.style import DARK, LIGHT, TEXT, Theme, config

if TYPE_CHECKING:
    import altair as alt

Name = Literal["light", "dark"]
SQUARE = 260
"""Side of a chart whose axes share one scale, px."""
DASH = [5, 3]


def palette(theme: str) -> Theme:
    """Return the colours of a theme by name.

    Raises
    ------
    UsageError
        for an unknown name, or where the optional extra ``report`` is not installed.
    """
    require("drawing a chart", "altair")
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it has to be 'light' or 'dark'")
    return LIGHT if theme == "light" else DARK


def finished(look: Theme, *charts: alt.LayerChart) -> alt.TopLevelMixin:
    """Return charts side by side in the look of the project."""
    import altair as alt

    whole: Any = alt.hconcat(*charts).resolve_scale(color="independent")
    # room for the axis title below, which has no tick marks to keep it off the edge
    look_of_all = config(look) | {"padding": {"left": 4, "top": 4, "right": 8, "bottom": 10}}
    styled: alt.HConcatChart = whole.configure(**look_of_all)
    return styled


@dataclass(frozen=True)
class Field:
    """A plane with two labelled axes, and the marks drawn on it."""

    look: Theme
    across: str
    up: str
    x: tuple[float, float]
    y: tuple[float, float]
    width: int = SQUARE
    nice: bool = False

    def marks(self, rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
        """Return a chart of rows with `x` and `y` on these axes, without a mark as yet."""
        import altair as alt

        across = alt.Axis(title=self.across, tickCount=5, titlePadding=8)
        up = alt.Axis(
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
        data: Any = alt.InlineData(values=[dict(row) for row in rows])
        return alt.Chart(data).encode(
            x=alt.X("x:Q", scale=alt.Scale(domain=list(self.x), nice=False, zero=False), axis=across),
            y=alt.Y("y:Q", scale=alt.Scale(domain=list(self.y), nice=self.nice, zero=False), axis=up),
        )

    def line(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        width: float = 1.8,
        dash: Sequence[int] | None = None,
    ) -> alt.Chart:
        """Return a line through the points in their order."""
        rows = [{"x": x, "y": y, "at": i} for i, (x, y) in enumerate(points)]
        drawn = self.marks(rows).mark_line(color=colour, strokeWidth=width, strokeDash=list(dash or [1, 0]))
        lined: alt.Chart = drawn.encode(order="at:Q")
        return lined

    def dots(
        self, points: Sequence[tuple[float, float]], colour: str, *, filled: Sequence[bool] | bool = True
    ) -> alt.Chart:
        """Return dots, hollow where not `filled`; the pointer tells their numbers."""
        import altair as alt

        each = [filled] * len(points) if isinstance(filled, bool) else filled
        rows = [
            {"x": x, "y": y, "fill": colour if full else self.look.paper}
            for (x, y), full in zip(points, each, strict=True)
        ]
        drawn = self.marks(rows).mark_point(size=64, stroke=colour, strokeWidth=1.8, opacity=1, filled=True)
        tips = [
            alt.Tooltip(f"{k}:Q", title=t, format=".4~f") for k, t in (("x", self.across), ("y", self.up))
        ]
        dotted: alt.Chart = drawn.encode(fill=alt.Fill("fill:N", scale=None), tooltip=tips)
        return dotted

    def note(self, x: float, y: float, text: str, colour: str, *, above: bool = False) -> alt.Chart:
        """Return a word to the right of (x, y), and below it or above."""
        import altair as alt

        side: dict[str, Any] = {"baseline": "bottom", "dy": -6} if above else {"baseline": "top", "dy": 5}
        drawn = self.marks([{"x": x, "y": y, "text": text}])
        drawn = drawn.mark_text(color=colour, align="left", dx=8, fontSize=TEXT - 1, **side)
        placed: alt.Chart = drawn.encode(text=alt.Text("text:N"))
        return placed

    def layered(self, title: str, below: str, *layers: alt.Chart) -> alt.LayerChart:
        """Return the marks as one chart with its heading; the first layer brings the axes."""
        import altair as alt

        heading = alt.TitleParams(text=title, subtitle=below)
        whole: Any = alt.layer(*layers)
        layered: alt.LayerChart = whole.properties(width=self.width, height=SQUARE, title=heading)
        return layered
