"""Charts of the model of civil violence: active citizens by step, the torus, two worlds with one luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.classics.unrest import ACTIVE, COP, QUIET
from breakrank.show import vegalite as vl
from breakrank.show.number_axes import DASH, SQUARE, Name, NumberPlane, finished, palette
from breakrank.show.style import SMALL, Theme

if TYPE_CHECKING:
    import altair as alt

    from breakrank.classics.epstein import Contrast, Unrest

LONG = 500
"""Width of a chart by step, px."""


def unrest_chart(run: Unrest, *, theme: Name = "light") -> alt.TopLevelMixin:
    """Return active citizens step by step, and the torus when most were active."""
    look, size = palette(theme), len(run.height)
    many = len(run.outbursts)
    field = _active(look, len(run.active), int(run.active.max()))
    left = field.layered(
        f"{many} outburst{'s' * (many != 1)} in {len(run.active):,} steps",
        f"of {run.citizens:,} citizens, most at once {run.active.max():,}",
        field.line(list(enumerate(run.active.tolist())), look.baseline, 1.4),
    )
    kinds = {ACTIVE: "active", QUIET: "quiet", COP: "cops"}
    rows = [
        {"x": x, "y": y, "kind": kinds[what]}
        for y, line in enumerate(run.height.tolist())
        for x, what in enumerate(line)
        if what in kinds
    ]
    colours = vl.Scale(domain=list(kinds.values()), range=[look.hidden, look.loyal, look.record])
    key = vl.Legend(
        title=None, orient="bottom", symbolType="square", labelColor=look.muted, labelFontSize=SMALL
    )
    place: dict[str, Any] = {
        "scale": vl.Scale(domain=[-0.5, size - 0.5], nice=False, zero=False),
        "axis": None,
    }
    torus = (
        vl.rows_of(rows)
        .mark("square", size=max(1.0, SQUARE / size - 1) ** 2, opacity=1)
        .encode(
            x=vl.field("x:Q", **place),
            y=vl.field("y:Q", **place),
            color=vl.field("kind:N", scale=colours, legend=key),
        )
    )
    # the offset brings its heading level with the chart on the left, whose axis has a title
    heading = vl.Title(text="The torus at its most active", subtitle="each square a person", offset=25)
    right = vl.layered([torus], width=SQUARE, height=SQUARE, title=heading)
    return finished(look, left, right)


def contrast_chart(both: Contrast, *, theme: Name = "light") -> alt.TopLevelMixin:
    """Return active citizens and legitimacy after a loss at once and, dashed, spread out."""
    look = palette(theme)
    sudden, gradual = both.sudden, both.gradual
    steps = len(sudden.active)
    field = _active(look, steps, int(max(sudden.active.max(), gradual.active.max())))
    left = field.layered(
        f"At once: {sudden.active.max():,} active; spread out: {gradual.active.max():,}",
        f"of {sudden.citizens:,} citizens, the same luck",
        field.line(list(enumerate(sudden.active.tolist())), look.baseline),
        field.line(list(enumerate(gradual.active.tolist())), look.counterfactual, dash=DASH),
        *(
            field.note(int(run.active.argmax()), int(run.active.max()), word, colour, above=above)
            for run, word, colour, above in (
                (sudden, "at once", look.baseline, False),
                (gradual, "spread out", look.counterfactual_text, True),
            )
        ),
    )
    field = NumberPlane(look, "step", "legitimacy", (0, steps), (0, 1))
    right = field.layered(
        "The same loss of legitimacy",
        "dashed: spread out",
        field.line(list(enumerate(sudden.legitimacy.tolist())), look.baseline),
        field.line(list(enumerate(gradual.legitimacy.tolist())), look.counterfactual, dash=DASH),
    )
    return finished(look, left, right)


def _active(look: Theme, steps: int, most: int) -> NumberPlane:
    return NumberPlane(look, "step", "active citizens", (0, steps), (0, max(10, most)), width=LONG, nice=True)
