"""Charts of a result by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.errors import UsageError, nearest
from breakrank.show.extras import require

if TYPE_CHECKING:
    import altair as alt

    from breakrank.results import Result
    from breakrank.show.sheet import Drawn

OVERVIEW = ("left", "kinds", "fates")
"""Figures of the overview, from top to bottom."""


def chart(
    result: Result, name: str | None = None, *, theme: Literal["light", "dark"] = "light"
) -> alt.TopLevelMixin:
    """Return a chart of a result as Altair draws it in a notebook.

    Its sizes are fixed, so that it can be saved as it is: ``chart(result, "fates").save("fates.svg")`` draws
    without a browser and without a network.

    Parameters
    ----------
    name : name of a figure: ``left``, ``kinds``, ``ranks``, ``branches`` or ``ways`` (each also with
        ``-daily``), ``record``, ``fates``, ``stocks``, ``belief``, ``plots``, ``plot-lives``, ``risings``,
        ``rising``, ``command``; left out, an overview.

    Raises
    ------
    UsageError
        for a name that is none of these, or where the optional extra ``report`` is not installed.
    """
    require("drawing a chart", "altair")
    from breakrank.questions.run.event_key import key
    from breakrank.questions.run.figures import FIGURES, Look
    from breakrank.questions.run.voice_figures import VOICE
    from breakrank.show import vegalite as vl
    from breakrank.show.marks import dated
    from breakrank.show.sheet import beside
    from breakrank.show.style import DARK, LIGHT, config

    if name is not None and name not in FIGURES:
        raise UsageError(f"no chart {name!r}{nearest(name, FIGURES)} (known: {', '.join(FIGURES)})")
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it has to be 'light' or 'dark'")
    look = Look(LIGHT if theme == "light" else DARK)
    rows: list[tuple[list[Drawn], int]] = []
    for each in OVERVIEW if name is None else (name,):
        figure = FIGURES[each](result, look)
        columns = {"wide": 1, "half": 2, "small": 3}[figure.size]
        if figure.panels:
            rows.append(([p.drawn for p in figure.panels], columns))
        if figure.size == "wide" and each not in ("fates", *VOICE):
            rows.append((key(dated(result), look.theme), 1))
    rows = [(charts, columns) for charts, columns in rows if charts]
    if not rows:
        raise UsageError(f"there is nothing to draw for {name!r} in this result")
    return vl.altair(beside(rows).having(config=config(look.theme)))
