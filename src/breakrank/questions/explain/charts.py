"""The charts of an explanation by name, for a notebook or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from breakrank.errors import UsageError, nearest
from breakrank.show.extras import require

if TYPE_CHECKING:
    import altair as alt

    from breakrank.questions.explain.outcomes import Asked
    from breakrank.questions.explain.result import Explanation


def chart(
    found: Explanation,
    name: str | None = None,
    *,
    outcome: str | None = None,
    theme: Literal["light", "dark"] = "light",
) -> alt.TopLevelMixin:
    """Return a chart of an explanation as Altair draws it in a notebook; see :meth:`Explanation.plot`."""
    require("drawing a chart", "altair")
    from breakrank.questions.explain.drawings import CHARTS
    from breakrank.questions.explain.look import Look
    from breakrank.show import vegalite as vl
    from breakrank.show.sheet import beside
    from breakrank.show.style import DARK, LIGHT, config

    if name is not None and name not in CHARTS:
        raise UsageError(f"no chart {name!r}{nearest(name, CHARTS)} (known: {', '.join(CHARTS)})")
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it has to be 'light' or 'dark'")
    asked, look = asked_for(found, outcome), Look(LIGHT if theme == "light" else DARK)
    drawn = [CHARTS[each](found, asked, look) for each in (CHARTS if name is None else (name,))]
    rows = [([one], 1) for one in drawn if one is not None]
    if not rows:
        raise UsageError(f"there is nothing to draw for {name or 'an overview'!r} in this explanation")
    settings = config(look.theme) | {"padding": {"left": 4, "top": 4, "right": 10, "bottom": 6}}
    return vl.altair(beside(rows).having(config=settings))


def asked_for(found: Explanation, outcome: str | None) -> Asked:
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
