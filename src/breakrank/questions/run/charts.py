"""Charts of a result by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.questions.run.event_key import key
from breakrank.questions.run.voice_figures import VOICE
from breakrank.show.board import board
from breakrank.show.marks import dated

if TYPE_CHECKING:
    import altair as alt

    from breakrank.results import Result
    from breakrank.show.board import Row
    from breakrank.show.look import Look

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
    from breakrank.questions.run.figures import FIGURES

    def rows(each: str, look: Look) -> list[Row]:
        figure = FIGURES[each](result, look)
        out: list[Row] = [([p.drawn for p in figure.panels], {"wide": 1, "half": 2, "small": 3}[figure.size])]
        if figure.size == "wide" and each not in ("fates", *VOICE):
            out.append(([*key(dated(result), look.theme)], 1))
        return out

    return board("result", FIGURES, OVERVIEW, name, theme, rows)
