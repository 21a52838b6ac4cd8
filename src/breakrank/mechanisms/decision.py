"""The decision itself: which options exist, and what holds a soldier back apart from fear.

At a decision opportunity a soldier stays, deserts quietly, leaves the country alone or with their
family, resigns (where a branch lets them, see ``resignation``), or (when someone has confided in them)
reports them: exit, loyalty, and the informer's way (Hirschman 1970; Albrecht and Ohl 2016). How rare an act
is among those who have no cause, no fear and no ties is its base rate, and no motive; who feeds a family
cannot leave it lightly.
"""

from __future__ import annotations

import numpy as np

from breakrank.engine.codes import (
    ADRIFT,
    CALLED_OVER,
    DEFEATED,
    DESERT,
    ERRAND,
    EV_DESERTED,
    EV_REFUSED_ORDER,
    FAMILY_SHOCK,
    HIDING,
    INVITED,
    LEAVE,
    LEAVE_PASS,
    LEAVE_WITH_FAMILY,
    ORDERED,
    RESIGN,
    SERVING,
    UNDER_FIRE,
    WAITED,
    WARNED,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.grievance import Burden
from breakrank.mechanisms.resignation import (
    EXPOSURE,
    OFFER,
    baseline_resign,
    livelihood,
    may_resign,
    ordered_today,
    resign,
    service_of,
)
from breakrank.outputs import daily
from breakrank.spec import parameters_of
from breakrank.table import Table, number


class Habits(Table):
    """What holds back apart from fear, utility units; ``abroad`` whether ways lead abroad at all."""

    abroad: bool
    desert: float = number("decision.baseline_desert")
    leave: float = number("decision.baseline_leave")
    breadwinner: float = number("decision.breadwinner")
    head_start: float = number("decision.head_start")


@lean
def _may_desert(at: Moment) -> bool:
    """Who is off their post may stay away."""
    why = at.occasion
    return why in (LEAVE_PASS, ERRAND, FAMILY_SHOCK, WARNED, DEFEATED, UNDER_FIRE, ADRIFT, CALLED_OVER)


@lean
def _may_leave(at: Moment, h: Habits) -> bool:
    """Who is off their post, posted at the border or asked along may leave, if ways lead abroad."""
    return h.abroad and LEAVE_PASS <= at.occasion < ORDERED


@lean
def _may_take_family(at: Moment, h: Habits) -> bool:
    """Who has dependants may take them where they have time for it."""
    has_time = at.occasion in (LEAVE_PASS, FAMILY_SHOCK, INVITED, WARNED, WAITED)
    return h.abroad and at.dependants > 0 and has_time


@lean
def _baseline_desert(h: Habits) -> float:
    """The log-odds of deserting without cause, fear or ties."""
    return -h.desert


@lean
def baseline_leave(h: Habits) -> float:
    """The log-odds of leaving without cause, fear or ties."""
    return -h.leave


@lean
def _breadwinner(at: Moment, h: Habits) -> float:
    """Less for each dependant whom they feed."""
    return -h.breadwinner * at.dependants


@lean
def _head_start(at: Moment, h: Habits) -> float:
    """On an errand nobody misses them at first."""
    return h.head_start if at.occasion == ERRAND else 0.0


@lean
def _desert(now: Now, moments: Moments, records: RunRecords) -> None:
    """Those who desert quietly leave their post and hide."""
    if moments.count[DESERT] == 0:
        return
    for j in range(moments.who.shape[0]):
        if moments.choice[j] == DESERT:
            move(records, now.day, moments.who[j], HIDING, EV_DESERTED, -1, -1, 0.0)


class Decision(Mechanism):
    """The options and their base rates. Off: nobody ever considers going."""

    name = "decision"
    subsystem = 6
    parameters = parameters_of(name, "soldiers consider deserting or leaving at decision opportunities")
    fields = (OFFER, EXPOSURE)
    outputs = (daily("refused_order", "Refused an order in the open", EV_REFUSED_ORDER),)
    terms = (
        Term("decision.baseline_desert", "how rare deserting is", {DESERT: 1}, _baseline_desert, base=True),
        Term(
            "decision.baseline_leave",
            "how rare leaving the country is",
            {LEAVE: 1, LEAVE_WITH_FAMILY: 1},
            baseline_leave,
            base=True,
        ),
        Term(
            "decision.breadwinner", "dependants to feed", {DESERT: "decision.quiet", LEAVE: 1}, _breadwinner
        ),
        Term("decision.head_start", "an errand gives a head start", {DESERT: 1, LEAVE: 1}, _head_start),
        Term("decision.baseline_resign", "how rare resigning is", {RESIGN: 1}, baseline_resign, base=True),
        Term("decision.livelihood", "pay that ends", {RESIGN: 1}, livelihood),
    )
    steps = (Step("dawn", ordered_today, then="_order"), Step("act", _desert), Step("act", resign))
    opens = (
        (DESERT, _may_desert),
        (LEAVE, _may_leave),
        (LEAVE_WITH_FAMILY, _may_take_family),
        (RESIGN, may_resign),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.service = service_of(world)
        self.given = (self.service, Habits(abroad=world.on("routes")))

    def _order(self, run: Run) -> None:
        """Let everyone in a unit that is ordered to repress and may refuse decide whether they do."""
        ordered = run.view(Burden).given[:, None] & self.service.refuses
        serving = run.records.fate == SERVING
        may = ordered[self.world.force.unit, self.world.force.rank] & serving
        run.call(np.flatnonzero(may).astype(np.int32), ORDERED)
