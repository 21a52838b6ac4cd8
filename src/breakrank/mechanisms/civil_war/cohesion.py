"""The unit: what its soldiers think together holds each of them, or carries them away.

Beside what a soldier thinks themselves, it counts who the others are. In the companies of the Spanish
militia desertion was eight times as high among conscripts only as among volunteers only, and the
company told more than a man's own status (McLauchlin 2015, "Desertion and collective action in civil
wars"). Whether it helps an army that a unit is of one mind depends on which: homogeneous companies
held together on one side of a war (Costa and Kahn 2003, "Cowards and heroes") and went home together
on the other (Bearman 1991, "Desertion as localism"). So, with s the share of a unit that is privately
opposed on the first day, S that of the force, and h how much of one mind the unit is,

    norm       = norm_weight * (s - S)
    solidarity = solidarity_weight * h * (2 s - 1),   h = 1 - (spread within the unit / in the force), 0 to 1

the spread being the variance of how far soldiers are on the opposed side. The norm shifts nothing on
average; solidarity has the sign of the unit's majority. Where dispositions are drawn soldier by soldier,
units of a hundred hardly differ and neither term says much: `sorting` is the share of the variance
that lies between units, because their men were recruited from like places or of their own free will.

All is settled on the first day and holds for the run. A term costs one look-up for each decider.
A case that names ``composition`` too names it after this: what a group adds comes on top of what units share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, normal
from breakrank.engine.codes import DESERT, LEAVE, LEAVE_WITH_FAMILY
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moment
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.preference import Preference, margins
from breakrank.spec import parameters_of
from breakrank.table import Table

_NOBODY = int(NOBODY)
_KIND = int(decision("cohesion.kind"))
_NO_SPREAD = 1e-12


_GOING = {DESERT: 1.0, LEAVE: 1.0, LEAVE_WITH_FAMILY: 1.0}


def of_one_mind(
    unit: NDArray[np.int32], units: int, margin: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return of each unit the share opposed, 0 to 1, and how much of one mind it is, 0 to 1.

    Parameters
    ----------
    unit : of each soldier, int32 (soldier,); `units` how many there are.
    margin : how far each is on the opposed side, utility units, float64 (soldier,).

    Variances are unbiased, so that small units do not look alike by chance. Of a unit of fewer than two
    nothing can be said (0); in a force without any spread every unit is of one mind (1).
    """
    size = np.bincount(unit, minlength=units).astype(np.float64)
    some = np.maximum(size, 1.0)
    share = np.bincount(unit, margin > 0, units) / some
    mean = np.bincount(unit, margin, units) / some
    within = np.bincount(unit, (margin - mean[unit]) ** 2, units) / np.maximum(size - 1.0, 1.0)
    whole = float(margin.var(ddof=1)) if len(margin) > 1 else 0.0
    likeness = np.clip(1.0 - within / whole, 0.0, 1.0) if whole > _NO_SPREAD else np.ones(units)
    return share, np.where(size < 2.0, 0.0, likeness)


class Units(Table):
    """What its unit makes a soldier think: ``norm`` and ``solidarity``, (unit,), utility units."""

    norm: NDArray[np.float64]
    solidarity: NDArray[np.float64]


@lean
def _norm(at: Moment, u: Units) -> float:
    """The share of their unit that is opposed, relative to the force's."""
    return u.norm[at.unit]


@lean
def _solidarity(at: Moment, u: Units) -> float:
    """How much of one mind their unit is, on which side."""
    return u.solidarity[at.unit]


class Cohesion(Mechanism):
    """The norm of a unit, and solidarity in one of one mind. Off: nobody minds what their unit thinks."""

    name = "cohesion"
    subsystem = 6
    citation = "McLauchlin, T. (2015), Desertion and collective action in civil wars"
    parameters = parameters_of(name, "what a unit thinks holds its soldiers or carries them away")
    terms = (
        Term("cohesion.norm", "what the unit thinks", _GOING, _norm),
        Term("cohesion.solidarity", "a unit of one mind", _GOING, _solidarity),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.units = len(world.force.units)
        self.usual = -world["preference.rank_loyalty"] * world.tier[world.force.rank]
        self.acts = self.on and world["cohesion.norm_weight"] + world["cohesion.solidarity_weight"] > 0
        self.sorting = world["cohesion.sorting"] if self.on and world.on("preference") else 0.0

    def begin(self, run: Run) -> None:
        """Give the soldiers of a unit something in common (after the preferences have been drawn)."""
        self.thought = Units(norm=np.zeros(self.units), solidarity=np.zeros(self.units))
        run.share(self.thought)
        if self.sorting > 0.0:
            disposition = run.hot("preference.disposition", np.float32)
            kind = np.array([normal(run.key, _KIND, u, _NOBODY, 0) for u in range(self.units)])
            own = np.sqrt(1.0 - self.sorting) * (disposition - self.usual)
            disposition[:] = self.usual + own + np.sqrt(self.sorting) * kind[self.world.force.unit]
            Preference(self.world).order(disposition, run.hot("preference.zeal", np.float32))

    def dawn(self, run: Run) -> None:
        """On the first day, see what each unit thinks."""
        if run.day:
            return
        margin = margins(run)
        share, likeness = of_one_mind(self.world.force.unit, self.units, margin)
        self.thought.norm[:] = self.world["cohesion.norm_weight"] * (share - np.mean(margin > 0))
        self.thought.solidarity[:] = self.world["cohesion.solidarity_weight"] * likeness * (2.0 * share - 1.0)
