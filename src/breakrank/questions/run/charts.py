"""Charts of a result by name, for a notebook or an image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from breakrank.show import vegalite as vl
from breakrank.show.board import board
from breakrank.show.marks import Dated, dated
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL, WIDE_WIDTH, Theme
from breakrank.show.words import day

if TYPE_CHECKING:
    from breakrank.results import Result
    from breakrank.show.board import Row
    from breakrank.show.look import Look

COLUMNS = 2
LINE = 16
"""Height of a line, px."""


def key(events: Sequence[Dated], theme: Theme) -> list[Drawn]:
    """Return the numbered list of events as a chart of texts, in columns read downwards."""
    if not events:
        return []
    lines = -(-len(events) // COLUMNS)
    room = WIDE_WIDTH // COLUMNS
    years = len({e.date.year for e in events}) > 1
    rows = [
        {
            "x": (i // lines) * room,
            "y": (i % lines) * LINE + 8,
            "text": f"{e.number}\u2002{day(e.date, year=years)}\u2002{e.title}",
        }
        for i, e in enumerate(events)
    ]
    where: dict[str, Any] = {
        "x": vl.field("x:Q", scale=None, axis=None),
        "y": vl.field("y:Q", scale=None, axis=None),
        "text": "text:N",
    }
    sheet = Sheet()
    mark = sheet.on(rows).mark("text", align="left", fontSize=SMALL, color=theme.muted, limit=room - 12)
    return [sheet.drawn([mark.encode(**where)], width=WIDE_WIDTH, height=lines * LINE)]


OVERVIEW = ("left", "kinds", "fates")
"""Figures of the overview, from top to bottom."""


def chart(result: Result, name: str | None = None, *, theme: Literal["light", "dark"] = "light") -> vl.Chart:
    """Return a chart of a result, which a notebook shows.

    Its sizes are fixed, so that it can be saved as it is: ``chart(result, "fates").save("fates.svg")`` draws
    without a browser and without a network.

    Parameters
    ----------
    name : name of a figure: ``left``, ``kinds``, ``ranks``, ``branches``, ``ways``, ``record``, ``map``,
        ``fates`` or ``belief``; left out, an overview.

    Raises
    ------
    UsageError
        for a name that is none of these, or where the optional extra ``report`` is not installed.
    """
    from breakrank.questions.run.figures import FIGURES

    def rows(each: str, look: Look) -> list[Row]:
        figure = FIGURES[each](result.whole, look.of(result.case))
        out: list[Row] = [([p.drawn for p in figure.panels], {"wide": 1, "half": 2, "small": 3}[figure.size])]
        if figure.size == "wide" and each != "fates":
            out.append(([*key(dated(result), look.theme)], 1))
        return out

    return board("result", FIGURES, OVERVIEW, name, theme, rows)
