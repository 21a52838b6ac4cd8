"""Leaving the service at home, in the open: resigning, refusing an order, being dismissed.

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
    EV_REFUSED_ORDER,
    EV_RESIGNED,
    LEAVE_PASS,
    ORDERED,
    POSTING,
    RESIGN,
    RESIGNED,
)
from breakrank.engine.moments import Moment, Moments, Soldiers
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Now
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.grievance import Burden
from breakrank.spec import Field
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
    """Who may go in the open, and what it costs.

    ``resigns``, ``refuses`` bool (unit, rank), and ``refusing`` whether anyone can refuse; ``branch`` and
    ``people`` (unit,) its branch and how many it began with. ``habit`` log-odds against resigning;
    ``breadwinner`` utility of each whom pay feeds; ``open_risk`` what resigning risks, relative to fleeing.
    ``offer`` months of pay (day, branch); ``exposure`` (day,).
    """

    resigns: NDArray[np.bool_] = array("unit", "rank")
    refuses: NDArray[np.bool_] = array("unit", "rank")
    refusing: bool
    branch: NDArray[np.uint8]
    people: NDArray[np.int64]
    habit: float = number("decision.baseline_resign")
    breadwinner: float = number("decision.breadwinner")
    open_risk: float = number("decision.open_risk")
    offer: NDArray[np.float64] = array("day", "branch")
    exposure: NDArray[np.float64] = array("day")


def service_of(world: World) -> Service:
    """Return who may go in the open, by what a case says of its branches."""
    units = world.force.units.branch
    refuses = ranks_of_units(world, [b.refuses for b in world.case.force.branches])
    return Service(
        resigns=ranks_of_units(world, [b.resigns for b in world.case.force.branches]),
        refuses=refuses,
        refusing=bool(refuses.any()),
        branch=units.astype(np.uint8),
        people=np.maximum(np.bincount(world.force.unit, minlength=len(units)), 1).astype(np.int64),
        offer=world.daily(OFFER.name),
        exposure=world.daily(EXPOSURE.name),
    )


def ranks_of_units(world: World, ranks: Iterable[Collection[str]]) -> NDArray[np.bool_]:
    """Return which ranks of which units are among the `ranks` of their branch, bool (unit, rank)."""
    by_branch = np.array([[rank in named for rank in world.rank_ids] for named in ranks], np.bool_)
    return by_branch[world.force.units.branch]


def goes_openly(world: World) -> bool:
    """Return whether anyone can leave the service in the open."""
    return any(b.resigns or b.refuses for b in world.case.force.branches)


@lean
def may_resign(at: Moment, s: Service) -> bool:
    """Who may resign does so at a moment of their own; who may refuse does so when ordered to repress."""
    if at.occasion == ORDERED:
        return s.refuses[at.unit, at.rank]
    return s.resigns[at.unit, at.rank] and LEAVE_PASS <= at.occasion <= POSTING


@lean
def baseline_resign(s: Service) -> float:
    """The log-odds of resigning without cause, fear or ties."""
    return -s.habit


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
    if s.refusing:
        for unit in range(b.given.shape[0]):
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
