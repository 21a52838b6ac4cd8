"""A board of charts: one by name or an overview, for a notebook or an image."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Literal

from breakrank.errors import UsageError, nearest
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn, beside
from breakrank.show.style import DARK, LIGHT, config

if TYPE_CHECKING:
    import altair as alt

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
) -> alt.TopLevelMixin:
    """Return the charts of one name, or of the overview, from top to bottom, as Altair draws them.

    Parameters
    ----------
    what : what is drawn, for messages, e.g. ``plan``.
    charts, overview : the names there are, and those of the overview.
    rows : gives the rows of a chart by its name, in a look.
    settings : of the whole board, beside the theme's.

    Raises
    ------
    UsageError
        for a name or theme that there is not, nothing to draw, or where the extra ``report`` is missing.
    """
    if name is not None and name not in charts:
        raise UsageError(f"no chart {name!r}{nearest(name, charts)} (known: {', '.join(charts)})")
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it must be 'light' or 'dark'")
    look = Look(LIGHT if theme == "light" else DARK)
    drawn = [
        ([chart for chart in row if chart is not None], columns)
        for each in (overview if name is None else (name,))
        for row, columns in rows(each, look)
    ]
    drawn = [(row, columns) for row, columns in drawn if row]
    if not drawn:
        raise UsageError(f"there is nothing to draw for {name or 'an overview'!r} in this {what}")
    return vl.altair(beside(drawn).having(config=config(look.theme) | settings))
