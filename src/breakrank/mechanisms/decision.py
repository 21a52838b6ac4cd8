"""The decision itself: which options exist, and what holds a soldier back apart from fear.

At a decision opportunity a soldier stays, deserts quietly, leaves the country alone or with their
family, resigns, or (when someone has confided in them) reports them: exit, loyalty, and the informer's way
(Hirschman 1970; Albrecht and Ohl 2016). How rare an act is among those who have no cause, no fear and no ties
is its base rate, and no motive; who feeds a family cannot leave it lightly.

Ranks of a branch whom the law lets go (``resigns`` in ``force.yaml``) can hand in their resignation at a
leave pass, on an errand, after a family shock or at a posting. For ranks that can refuse (``refuses``) an
order to repress is a decision opportunity of its own. It is exit with voice (Hirschman 1970), in sight of
all: neither hidden, as quiet desertion is, nor out of reach, as exit from the country is (Albrecht and Ohl
2016). So belief in comrades and in the challenger counts in full. What is feared is what the state does to
those who resign: ``decision.open_risk`` of what it does to those who flee, and to their relatives as far as
names are known (the field ``exposure``). To refuse an order is punished as flight is.

Pay ends at once. The field ``offer`` says for how many months those who resign believe that they can live on
what is offered to them, less what they have to pay back of a contract. Whoever resigned may leave the country
later, as a civilian. Whoever a report brings before the services, and is in no plot, can be dismissed instead
of imprisoned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    ADRIFT,
    CALLED_OVER,
    DEFEATED,
    DESERT,
    ERRAND,
    EV_DESERTED,
    EV_REFUSED_ORDER,
    EV_RESIGNED,
    FAMILY_SHOCK,
    HIDING,
    INVITED,
    LEAVE,
    LEAVE_PASS,
    LEAVE_WITH_FAMILY,
    ORDERED,
    POSTING,
    RESIGN,
    RESIGNED,
    SERVING,
    UNDER_FIRE,
    WAITED,
    WARNED,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments, Soldiers
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.grievance import Burden
from breakrank.outputs import daily
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

LIVING: Final = 6.0
"""Months of pay that make up for half of the pay that ends: about as long as it takes to find other work."""

OFFER = Field(
    "offer",
    "months of pay",
    -120,
    120,
    "money or work that those who resign believe they can count on, less what they have to pay back",
    ("branch",),
    0.0,
)
EXPOSURE = Field(
    "exposure", "fraction", 0, 1, "how far the names of those who resign become known to those who punish",
    (), 0.0,
)  # fmt: skip


class Service(Table):
    """What holds back apart from fear, utility units, and who may go in the open.

    ``abroad`` whether ways lead abroad at all; ``desert``, ``leave`` and ``resign`` log-odds against it;
    ``breadwinner`` of each whom they feed. ``resigns``, ``refuses`` (unit, rank); ``branch`` and ``people``
    (unit,) its branch and how many it began with. ``open_risk`` what resigning risks, relative to fleeing.
    ``offer`` months of pay (day, branch); ``exposure`` (day,).
    """

    abroad: bool
    desert: float = number("decision.baseline_desert")
    leave: float = number("decision.baseline_leave")
    resign: float = number("decision.baseline_resign")
    breadwinner: float = number("decision.breadwinner")
    head_start: float = number("decision.head_start")
    open_risk: float = number("decision.open_risk")
    resigns: NDArray[np.bool_] = array("unit", "rank")
    refuses: NDArray[np.bool_] = array("unit", "rank")
    branch: NDArray[np.uint8]
    people: NDArray[np.int64]
    offer: NDArray[np.float64] = array("day", "branch")
    exposure: NDArray[np.float64] = array("day")


def ranks_of_units(world: World, ranks: Iterable[Collection[str]]) -> NDArray[np.bool_]:
    """Return which ranks of which units are among the `ranks` of their branch, bool (unit, rank)."""
    by_branch = np.array([[rank in named for rank in world.rank_ids] for named in ranks], np.bool_)
    return by_branch[world.force.units.branch]


@lean
def may_resign(at: Moment, s: Service) -> bool:
    """Who may resign does so at a moment of their own; who may refuse does so when ordered to repress."""
    if at.occasion == ORDERED:
        return s.refuses[at.unit, at.rank]
    return s.resigns[at.unit, at.rank] and LEAVE_PASS <= at.occasion <= POSTING


@lean
def baseline_resign(s: Service) -> float:
    """The log-odds of resigning without cause, fear or ties."""
    return -s.resign


@lean
def share_replaced(months: float) -> float:
    """Return which part of the pay that ends is made up for: 0 for nothing, towards 1; below 0 for a debt."""
    return months / (LIVING + abs(months))


@lean
def livelihood(at: Moment, s: Service) -> float:
    """Less for themselves and each whom they feed, as far as no offer replaces their pay."""
    replaced = share_replaced(s.offer[at.day, s.branch[at.unit]])
    return -s.breadwinner * (1 + at.dependants) * (1.0 - replaced)


@lean
def ordered_today(s: Service, b: Burden) -> bool:
    """Units that may refuse are ordered to repress."""
    for unit in range(b.given.shape[0]):  # noqa: SIM110 (compiled)
        if b.given[unit] and s.refuses[unit].any():
            return True
    return False


@lean
def resign(
    now: Now, moments: Moments, s: Service, b: Burden, soldiers: Soldiers, records: RunRecords
) -> None:
    """Those who resign or refuse are out of the force; who refuses carries no order out."""
    if moments.count[RESIGN] == 0:
        return
    for j in range(moments.who.shape[0]):
        if moments.choice[j] != RESIGN:
            continue
        i = moments.who[j]
        if moments.occasion[j] == ORDERED:
            unit = soldiers.unit[i]
            b.orders[unit] = max(b.orders[unit] - 1.0 / s.people[unit], 0.0)
            move(records, now.day, i, RESIGNED, EV_REFUSED_ORDER, -1, -1, 0.0)
        else:
            move(records, now.day, i, RESIGNED, EV_RESIGNED, -1, -1, 0.0)


@lean
def _may_desert(at: Moment) -> bool:
    """Who is off their post may stay away."""
    why = at.occasion
    return why in (LEAVE_PASS, ERRAND, FAMILY_SHOCK, WARNED, DEFEATED, UNDER_FIRE, ADRIFT, CALLED_OVER)


@lean
def _may_leave(at: Moment, s: Service) -> bool:
    """Who is off their post, posted at the border or asked along may leave, if ways lead abroad."""
    return s.abroad and LEAVE_PASS <= at.occasion < ORDERED


@lean
def _may_take_family(at: Moment, s: Service) -> bool:
    """Who has dependants may take them where they have time for it."""
    has_time = at.occasion in (LEAVE_PASS, FAMILY_SHOCK, INVITED, WARNED, WAITED)
    return s.abroad and at.dependants > 0 and has_time


@lean
def _baseline_desert(s: Service) -> float:
    """The log-odds of deserting without cause, fear or ties."""
    return -s.desert


@lean
def baseline_leave(s: Service) -> float:
    """The log-odds of leaving without cause, fear or ties."""
    return -s.leave


@lean
def _breadwinner(at: Moment, s: Service) -> float:
    """Less for each dependant whom they feed."""
    return -s.breadwinner * at.dependants


@lean
def _head_start(at: Moment, s: Service) -> float:
    """On an errand nobody misses them at first."""
    return s.head_start if at.occasion == ERRAND else 0.0


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
        branches, units = world.case.force.branches, world.force.units.branch
        self.service = Service(
            abroad=world.on("routes"),
            resigns=ranks_of_units(world, [b.resigns for b in branches]),
            refuses=ranks_of_units(world, [b.refuses for b in branches]),
            branch=units.astype(np.uint8),
            people=np.maximum(np.bincount(world.force.unit, minlength=len(units)), 1).astype(np.int64),
            offer=world.daily(OFFER.name),
            exposure=world.daily(EXPOSURE.name),
        )
        self.given = (self.service,)

    def _order(self, run: Run) -> None:
        """Let everyone in a unit that is ordered to repress and may refuse decide whether they do."""
        ordered = run.view(Burden).given[:, None] & self.service.refuses
        serving = run.records.fate == SERVING
        may = ordered[self.world.force.unit, self.world.force.rank] & serving
        run.call(np.flatnonzero(may).astype(np.int32), ORDERED)
