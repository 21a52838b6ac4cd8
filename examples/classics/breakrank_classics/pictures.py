"""How the classic models draw themselves: charts side by side, each a plane with its heading."""

from __future__ import annotations

from breakrank.errors import UsageError
from breakrank.show import vegalite as vl
from breakrank.show.axes import SQUARE, NumberPlane
from breakrank.show.style import DARK, LIGHT, Theme, config

DASH = [5, 3]
"""Dashes of a second line."""


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


class Field(NumberPlane):
    """A plane that becomes a chart with its heading."""

    def layered(self, title: str, below: str, *layers: vl.Chart) -> vl.Chart:
        """Return the marks as one chart with its heading; the first layer brings the axes."""
        heading = vl.Title(text=title, subtitle=below)
        return vl.layered(layers, width=self.width, height=SQUARE, title=heading)
