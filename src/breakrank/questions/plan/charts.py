"""The charts of a plan by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.errors import UsageError, nearest
from breakrank.show.extras import require

if TYPE_CHECKING:
    import altair as alt

    from breakrank.questions.plan.result import Plan
    from breakrank.show.sheet import Drawn

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
    require("drawing a chart", "altair")
    from breakrank.questions.plan.drawings import CHARTS
    from breakrank.show import vegalite as vl
    from breakrank.show.canvas import Canvas
    from breakrank.show.sheet import beside
    from breakrank.show.style import DARK, LIGHT, config

    if name is not None and name not in CHARTS:
        raise UsageError(f"no chart {name!r}{nearest(name, CHARTS)} (known: {', '.join(CHARTS)})")
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it has to be 'light' or 'dark'")
    canvas = Canvas(LIGHT if theme == "light" else DARK)
    rows: list[tuple[list[Drawn], int]] = []
    for each in OVERVIEW if name is None else (name,):
        drawn = CHARTS[each].build(plan, canvas)
        if drawn:
            rows.append((drawn, CHARTS[each].columns))
    if not rows:
        raise UsageError(f"there is nothing to draw for {name or 'an overview'!r} in this plan")
    return vl.altair(beside(rows).having(config=config(canvas.theme)))
