"""Fear: what a soldier expects to befall them and their family if they try.

They expect whoever tries to be punished, with a chance that they learn: at first by how closely soldiers are
watched, then from what happens to those who try, among their comrades and in the country (deterrence is
perceived, and decays: Apel 2013; on fear in armies McLauchlin 2014). At stake are the punishment of their
rank and the relatives they would leave behind: that they are harmed they expect apart from that, and learn
from reprisals (collective punishment: Lankov 2013, Talmadge 2015).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    DESERT,
    JOIN,
    LEAVE,
    LEAVE_WITH_FAMILY,
    ORDERED,
    PLAN_CROSSING,
    PLAN_UPRISING,
    RESIGN,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import FAMILIES, GONE, HARMED, HURT, PUNISHED, Expectations, News, settle
from breakrank.mechanisms.decision import Service
from breakrank.mechanisms.regime import Watch
from breakrank.spec import parameters_of
from breakrank.table import Table, number

UNWATCHED = 0.25
"""Part of the usual odds of being punished that is expected where nobody is set to watch: superiors,
courts and comrades who inform stay. Theory only: Apel 2013; size assumed."""

_PLOT = {JOIN: 1, PLAN_CROSSING: 1, PLAN_UPRISING: 1}
_RISKY: dict[int, float | str] = {
    DESERT: "decision.quiet",
    LEAVE: 1,
    LEAVE_WITH_FAMILY: 1,
    RESIGN: "decision.open_risk",
    **_PLOT,
}
_RISKY_ALONE: dict[int, float | str] = {DESERT: "decision.quiet", LEAVE: 1, **_PLOT}


def punishment_by_rank(world: World) -> NDArray[np.float64]:
    """Return how hard each rank is punished, relative to the lowest tier; float64 (rank,)."""
    return np.asarray(1 + world["fear.punishment_slope"] * world.tier)


class Stakes(Table):
    """What is at stake: ``risk`` (rank,) of certain punishment, ``reprisal`` a relative, utility units.

    ``beside``: close relatives who stay behind even when the family comes along. ``prior`` share of those who
    try that is expected to be punished, worth so many comrades' ``evidence``.
    """

    risk: NDArray[np.float64]
    reprisal: float = number("fear.reprisal_weight")
    beside: float = number("fear.relatives_at_home")
    prior: float = number("fear.prior_mean")
    evidence: float = number("comrades.weight")


@lean
def _risk(at: Moment, s: Stakes, punished: float) -> float:
    """Punishment of their rank, as far as it is expected."""
    return -punished * s.risk[at.rank]


@lean
def _reprisal_alone(at: Moment, s: Stakes, harmed: float) -> float:
    """Reprisals on all relatives, as far as they are expected."""
    return -harmed * s.reprisal * (s.beside + at.dependants)


@lean
def _reprisal_family(s: Stakes, harmed: float) -> float:
    """Reprisals on those who do not come along, as far as they are expected."""
    return -harmed * s.reprisal * s.beside


@lean
def _reprisal_open(at: Moment, s: Stakes, v: Service, harmed: float) -> float:
    """Reprisals on all relatives, as far as they are expected and their name becomes known."""
    return -harmed * s.reprisal * (s.beside + at.dependants) * v.exposure[at.day]


@lean
def _order(at: Moment, s: Stakes, v: Service, punished: float) -> float:
    """To refuse an order is punished as flight is, whatever resigning risks."""
    return -punished * s.risk[at.rank] * (1.0 - v.open_risk) if at.occasion == ORDERED else 0.0


@lean
def _expect(s: Stakes, watch: Watch, news: News, m: Expectations) -> None:
    """What is publicly expected to befall those who try, and their families.

    The odds of it grow with surveillance from the part :data:`UNWATCHED` that comrades and superiors see to,
    so that it is the prior under the usual one, and never certain.
    """
    odds = (UNWATCHED + (1 - UNWATCHED) * watch.today[0]) * s.prior
    watched = odds / (1 - s.prior + odds)
    settle(m, PUNISHED, s.evidence, watched, news.told.counts[HURT], news.told.counts[GONE])
    settle(m, HARMED, s.evidence, watched, news.told.counts[FAMILIES], news.told.counts[GONE])


class Fear(Mechanism):
    """Punishment and reprisals, as far as expected. Off: nobody is afraid (the dangers themselves remain)."""

    name = "fear"
    subsystem = 3
    parameters = parameters_of(name, "soldiers weigh the risk of capture and of reprisals")
    terms = (
        Term("fear.risk", "watched and caught", _RISKY, _risk),
        Term("fear.reprisal_alone", "reprisals on those left behind", _RISKY_ALONE, _reprisal_alone),
        Term(
            "fear.reprisal_family", "reprisals on other relatives", {LEAVE_WITH_FAMILY: 1}, _reprisal_family
        ),
        Term("fear.order", "an order is refused", {RESIGN: 1}, _order),
        Term("fear.reprisal_open", "reprisals as far as names are known", {RESIGN: 1}, _reprisal_open),
    )

    steps = (Step("dawn", _expect),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        risk = world["fear.risk_weight"] * punishment_by_rank(world)
        self.given = (Stakes(risk=risk),)
