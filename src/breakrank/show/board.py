"""A board of charts: one by name or an overview, for a notebook or an image."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Literal

from breakrank.errors import UsageError, nearest
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.number_axes import palette
from breakrank.show.sheet import Drawn, beside
from breakrank.show.style import config

Row = tuple[list[Drawn | None], int]
"""Charts side by side, and in how many columns. Missing ones are left out."""


def board(
    what: str,
    charts: Collection[str],
    overview: Collection[str],
    name: str | None,
    theme: Literal["light", "dark"],
    rows: Callable[[str, Look], list[Row]],
    **settings: Any,  # noqa: ANN401 (as Vega-Lite has them)
) -> vl.Chart:
    """Return the charts of one name, or of the overview, from top to bottom.

    Parameters
    ----------
    what : what is drawn, for messages, e.g. ``plan``.
    charts, overview : the names there are, and those of the overview.
    rows : gives the rows of a chart by its name, in a look.
    settings : of the whole board, beside the theme's.

    Raises
    ------
    UsageError
        for a name or theme that there is not, or nothing to draw.
    """
    if name is not None and name not in charts:
        raise UsageError(f"no chart {name!r}{nearest(name, charts)} (known: {', '.join(charts)})")
    look = Look(palette(theme))
    drawn = [
        ([chart for chart in row if chart is not None], columns)
        for each in (overview if name is None else (name,))
        for row, columns in rows(each, look)
    ]
    drawn = [(row, columns) for row, columns in drawn if row]
    if not drawn:
        raise UsageError(f"there is nothing to draw for {name or 'an overview'!r} in this {what}")
    return beside(drawn).having(config=config(look.theme) | settings)
