"""Fear: the risk a soldier sees in leaving.

Perceived risk is the risk of being caught times the punishment of one's rank, and the risk of
reprisals times the relatives one would leave behind. What happened to trusted comrades and their
relatives raises it, and wears off (deterrence and its decay: Apel 2013; on fear in armies
McLauchlin 2014; on collective punishment of relatives Lankov 2013 and Talmadge 2015).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import DESERT, JOIN, LEAVE, LEAVE_WITH_FAMILY, PLAN_CROSSING, PLAN_RISING
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import Word, punished_of
from breakrank.mechanisms.regime import Watch
from breakrank.spec import Parameter, switch

RISK = Parameter(
    "fear.risk_weight",
    "utility",
    0,
    20,
    1.5,
    "weight of the risk of being watched and caught at usual surveillance, for the lowest rank",
    "McLauchlin 2014",
)
SLOPE = Parameter(
    "fear.punishment_slope", "per tier", 0, 5, 0.25, "by how much each tier of rank raises the punishment"
)
PUNISHED = Parameter(
    "fear.punished_weight",
    "utility per comrade",
    0,
    10,
    0.5,
    "weight of a comrade lately punished",
    "Apel 2013",
)
REPRISAL = Parameter(
    "fear.reprisal_weight",
    "utility per relative",
    0,
    10,
    0.25,
    "weight of reprisals, for each relative left behind at usual surveillance",
    "Talmadge 2015",
)
PARENTS = Parameter(
    "fear.relatives_beside",
    "relatives",
    0,
    20,
    2,
    "close relatives who stay behind even when the family comes along",
    scope="national",
)

_PLOT = {JOIN: 1, PLAN_CROSSING: 1, PLAN_RISING: 1}
_RISKY = {DESERT: 0.5, LEAVE: 1, LEAVE_WITH_FAMILY: 1, **_PLOT}


def punishment_by_rank(world: World) -> NDArray[np.float64]:
    """Return how hard each rank is punished, relative to the lowest tier; float64 (rank,)."""
    return np.asarray(1 + world[SLOPE.name] * world.tier)


@lean
def _weigh(
    w: Word,
    day: int,
    who: NDArray[np.int32],
    rank: NDArray[np.uint8],
    dependants: NDArray[np.uint8],
    risk_by_rank: NDArray[np.float64],
    punished_weight: float,
    reprisal: float,
    parents: float,
    risk: NDArray[np.float64],
    punished: NDArray[np.float64],
    alone: NDArray[np.float64],
    family: NDArray[np.float64],
) -> None:
    for j in range(who.shape[0]):
        risk[j] = -risk_by_rank[rank[j]]
        punished[j] = -punished_weight * punished_of(w, day, who[j])
        alone[j] = -reprisal * (parents + dependants[j])
        family[j] = -reprisal * parents


class Fear(Mechanism):
    """Capture, punishment of comrades, reprisals. Off: nobody is afraid (the dangers themselves remain)."""

    name = "fear"
    subsystem = 3
    parameters = (
        switch("fear", "soldiers weigh the risk of capture and of reprisals"),
        RISK,
        SLOPE,
        PUNISHED,
        REPRISAL,
        PARENTS,
    )
    terms = (
        Term("fear.risk", "watched and caught", _RISKY),
        Term("fear.punished", "comrades punished", _RISKY),
        Term("fear.reprisal_alone", "reprisals on those left behind", {DESERT: 0.25, LEAVE: 1, **_PLOT}),
        Term("fear.reprisal_family", "reprisals on other relatives", {LEAVE_WITH_FAMILY: 1}),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.risk = world[RISK.name] * punishment_by_rank(world)

    def weigh(self, run: Run, moments: Moments) -> None:
        """The risk of capture, comrades punished, and reprisals on relatives."""
        row, terms = run.term_row, moments.terms
        watch = float(run.view(Watch).today[0])
        _weigh(
            run.view(Word),
            run.day,
            moments.who,
            moments.rank,
            moments.dependants,
            self.risk * watch,
            self.world[PUNISHED.name],
            self.world[REPRISAL.name] * watch,
            self.world[PARENTS.name],
            terms[row["fear.risk"]],
            terms[row["fear.punished"]],
            terms[row["fear.reprisal_alone"]],
            terms[row["fear.reprisal_family"]],
        )
