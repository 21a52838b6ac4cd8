"""The charts of an explanation by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.errors import UsageError, nearest
from breakrank.questions.explain.drawings import CHARTS
from breakrank.questions.explain.look import Look
from breakrank.show.board import board

if TYPE_CHECKING:
    import altair as alt

    from breakrank.questions.explain.outcomes import ExplainedOutcome
    from breakrank.questions.explain.result import Explanation
    from breakrank.show.board import Row
    from breakrank.show.style import Theme


def chart(
    found: Explanation,
    name: str | None = None,
    *,
    outcome: str | None = None,
    theme: Literal["light", "dark"] = "light",
) -> alt.TopLevelMixin:
    """Return a chart of an explanation as Altair draws it in a notebook; see :meth:`Explanation.plot`."""
    asked = asked_for(found, outcome)

    def rows(each: str, theme: Theme) -> list[Row]:
        return [([CHARTS[each](found, asked, Look(theme))], 1)]

    padding = {"left": 4, "top": 4, "right": 10, "bottom": 6}
    return board("explanation", CHARTS, CHARTS, name, theme, rows, padding=padding)


def asked_for(found: Explanation, outcome: str | None) -> ExplainedOutcome:
    """Return one of the outcomes, by default the first; UsageError for one that was not asked."""
    if outcome is None:
        return found.asked[0]
    for one in found.asked:
        if one.measure == outcome:
            return one
    known = [a.measure for a in found.asked]
    raise UsageError(
        f"{outcome!r} was not explained{nearest(outcome, known)} (explained: {', '.join(known)})"
    )
