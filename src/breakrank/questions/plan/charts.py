"""The charts of a plan by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.questions.plan.drawings import CHARTS
from breakrank.show.board import board
from breakrank.show.canvas import Canvas

if TYPE_CHECKING:
    import altair as alt

    from breakrank.questions.plan.result import Plan
    from breakrank.show.board import Row
    from breakrank.show.style import Theme

OVERVIEW = ("beds", "persons", "asylum", "money")
"""Charts of the overview, from top to bottom."""


def chart(
    plan: Plan, name: str | None = None, *, theme: Literal["light", "dark"] = "light"
) -> alt.TopLevelMixin:
    """Return a chart of a plan as Altair draws it in a notebook; see :meth:`Plan.plot`.

    Raises
    ------
    UsageError
        for a name or theme that there is not, nothing to draw, or where the extra ``report`` is missing.
    """

    def rows(each: str, theme: Theme) -> list[Row]:
        return [([*CHARTS[each].build(plan, Canvas(theme))], CHARTS[each].columns)]

    return board("plan", CHARTS, OVERVIEW, name, theme, rows)
