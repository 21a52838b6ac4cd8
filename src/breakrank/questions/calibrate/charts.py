"""The charts of a calibration by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.questions.calibrate.drawings import CHARTS
from breakrank.show.board import board
from breakrank.show.canvas import Canvas

if TYPE_CHECKING:
    import altair as alt

    from breakrank.questions.calibrate.result import Calibration
    from breakrank.show.board import Row
    from breakrank.show.style import Theme

OVERVIEW = ("contraction", "targets", "ranks")
"""Charts of the overview, from top to bottom."""


def chart(
    found: Calibration, name: str | None = None, *, theme: Literal["light", "dark"] = "light"
) -> alt.TopLevelMixin:
    """Return a chart of a calibration as Altair draws it in a notebook; see :meth:`Calibration.plot`.

    Raises
    ------
    UsageError
        for a name or theme that there is not, nothing to draw, or where the extra ``report`` is missing.
    """

    def rows(each: str, theme: Theme) -> list[Row]:
        return [([CHARTS[each](found, Canvas(theme))], 1)]

    return board("calibration", CHARTS, OVERVIEW, name, theme, rows)
