"""What came of the model of civil violence: unrest step by step, and two worlds with the same luck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.classics.unrest import ACTIVE, COP, QUIET
from breakrank.classics.words import tree
from breakrank.show import vegalite as vl
from breakrank.show.number_axes import DASH, SQUARE, NumberPlane, finished, palette
from breakrank.show.style import SMALL, Theme

if TYPE_CHECKING:
    import altair as alt

LONG = 500
"""Width of a chart by step, px."""
OUTBURST = 50
"""More active citizens than this make an outburst."""


class Outburst(NamedTuple):
    """A spell with more than :data:`OUTBURST` active: its first and last step, and its peak."""

    first: int
    last: int
    peak: int


@dataclass(frozen=True, eq=False, repr=False)
class Unrest:
    """What happened on the torus.

    Attributes
    ----------
    legitimacy : float64 (step,), 0 to 1.
    active, jailed : int32 (step,), citizens at the end of each step; the others are quiet.
    height : uint8 (size, size), the torus when most were active: 0 free, 1 quiet, 2 active, 3 cop.
    citizens, cops : their numbers.
    seed : of the draws.
    """

    legitimacy: NDArray[np.float64]
    active: NDArray[np.int32]
    jailed: NDArray[np.int32]
    height: NDArray[np.uint8]
    citizens: int
    cops: int
    seed: int

    @property
    def outbursts(self) -> tuple[Outburst, ...]:
        """All spells of unrest, in order."""
        loud = np.concatenate([[False], self.active > OUTBURST, [False]])
        edges = np.flatnonzero(np.diff(loud)).tolist()
        spells = zip(edges[::2], edges[1::2], strict=True)
        return tuple(Outburst(a, b - 1, int(self.active[a:b].max())) for a, b in spells)

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> alt.TopLevelMixin:
        """Return two charts: active citizens step by step, and the torus when most were active."""
        look, size = palette(theme), len(self.height)
        many = len(self.outbursts)
        field = _active(look, len(self.active), int(self.active.max()))
        left = field.layered(
            f"{many} outburst{'s' * (many != 1)} in {len(self.active):,} steps",
            f"of {self.citizens:,} citizens, most at once {self.active.max():,}",
            field.line(list(enumerate(self.active.tolist())), look.baseline, 1.4),
        )
        kinds = {ACTIVE: "active", QUIET: "quiet", COP: "cops"}
        rows = [
            {"x": x, "y": y, "kind": kinds[what]}
            for y, line in enumerate(self.height.tolist())
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

    def __repr__(self) -> str:
        ends = f"{self.legitimacy[0]:g}", f"{self.legitimacy[-1]:g}"
        rows = {
            "people": f"{self.citizens:,} citizens, {self.cops} cops, seed {self.seed}",
            "steps": len(self.active),
            "legitimacy": ends[0] if np.ptp(self.legitimacy) == 0 else " to ".join(ends),
            "active": f"median {np.median(self.active):g}, most {self.active.max()}",
            "outbursts": len(self.outbursts),
        }
        return tree("Unrest (Epstein 2002, model I)", rows)


@dataclass(frozen=True, repr=False)
class Contrast:
    """The same loss of legitimacy at once and spread out, with the same luck."""

    sudden: Unrest
    gradual: Unrest

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> alt.TopLevelMixin:
        """Return a chart of active citizens and legitimacy in both, the gradual one dashed."""
        look = palette(theme)
        sudden, gradual = self.sudden, self.gradual
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

    def __repr__(self) -> str:
        rows = {
            name: f"most active {run.active.max()}, outbursts {len(run.outbursts)}"
            for name, run in (("sudden", self.sudden), ("gradual", self.gradual))
        }
        return tree("Contrast (Epstein 2002, model I)", rows)


def _active(look: Theme, steps: int, most: int) -> NumberPlane:
    return NumberPlane(look, "step", "active citizens", (0, steps), (0, max(10, most)), width=LONG, nice=True)
