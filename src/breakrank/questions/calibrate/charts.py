"""The charts of a calibration by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.errors import UsageError, nearest
from breakrank.show.extras import require

if TYPE_CHECKING:
    import altair as alt

    from breakrank.questions.calibrate.result import Calibration

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
    require("drawing a chart", "altair")
    from breakrank.questions.calibrate.drawings import CHARTS
    from breakrank.show import vegalite as vl
    from breakrank.show.canvas import Canvas
    from breakrank.show.sheet import beside
    from breakrank.show.style import DARK, LIGHT, config

    if name is not None and name not in CHARTS:
        raise UsageError(f"no chart {name!r}{nearest(name, CHARTS)} (known: {', '.join(CHARTS)})")
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it has to be 'light' or 'dark'")
    canvas = Canvas(LIGHT if theme == "light" else DARK)
    drawn = [CHARTS[each](found, canvas) for each in (OVERVIEW if name is None else (name,))]
    there = [([one], 1) for one in drawn if one is not None]
    if not there:
        raise UsageError(f"there is nothing to draw for {name or 'an overview'!r} in this calibration")
    return vl.altair(beside(there).having(config=config(canvas.theme)))
