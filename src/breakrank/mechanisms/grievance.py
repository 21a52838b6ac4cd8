"""Grievance: hardship, family shocks and moral injury.

Hardship is what pay lacks of three standards, by rank and day: what a family needs, what the same pay
bought over the last year, and what others of the same class, men or officers, are paid. These are the
absolute want and the relative deprivation of Gurr (1970, "Why men rebel"). Soldiers compare themselves
with their like, and hardly with the other class (Stouffer and others 1949, "The American soldier"). A
standard S of which pay is p is lacked by S / (S + p), so that each raise soothes less than the last and
none is without effect.

A family shock is a dated loss in the family for want of medicine or food; it strikes at random, more often
when goods are scarce and dependants many, is itself a decision opportunity, and fades. Moral injury grows in
units that carry out orders to repress people like themselves, and fades slowly (Litz et al. 2009; Dragu and
Lupu 2018 on the agents of repression).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, WORDS, decision, uniforms
from breakrank.engine.calendar import Occasions, Process
from breakrank.engine.codes import AGAINST, EV_SHOCK, FAMILY_SHOCK, SERVING
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Soldiers
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import fading
from breakrank.mechanisms.regime import Watch
from breakrank.outputs import daily
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number
from breakrank.units import DAYS_A_YEAR

_NOBODY = int(NOBODY)
_ORDERED = int(decision("grievance.ordered"))
_SHOCK = int(decision("grievance.shock"))
NEVER = -10_000


SHOCK_MEMORY: Final = 90.0
"""Days in which a family shock fades to 37%: a witness left some two months after their child's death."""
INJURY_MEMORY: Final = 180.0
"""Days in which moral injury fades to 37%. Theory only: Litz et al. 2009, by whom it lasts; size assumed."""
INJURY_HALF: Final = 20.0
"""Remembered orders at which moral injury is half of its full weight: one a week for half a year."""
PAY_MEMORY: Final = DAYS_A_YEAR
"""Days over which a soldier remembers what their pay bought: they compare with last year."""
SPARED: Final = 5
"""Tier from which no family lacks medicine or food: generals and ministers have their own hospitals."""
_NO_PAY = 1e-9

_AGAINST = dict.fromkeys(AGAINST, 1.0)


class Grievances(Table):
    """What makes a soldier's grievance today: see :func:`grievance_of`.

    ``shock`` (day,) is the weight of a family shock after so many days. Of the basket, by rank, ``usual`` is
    the part that pay bought over the last year, ``custom`` that which it would buy in its old relation to the
    pay of others.
    ``apart`` is by how much it differs here from the country's; without rows where nothing does.
    """

    rank: NDArray[np.uint8] = array("soldier", strided=True)
    unit: NDArray[np.int32] = array("soldier", strided=True)
    hardship: NDArray[np.float64]
    injury: NDArray[np.float64]
    shock_day: NDArray[np.int16] = array("soldier", strided=True)
    shock: NDArray[np.float64]
    usual: NDArray[np.float64]
    custom: NDArray[np.float64]
    apart: NDArray[np.float64] = array("unit", "rank")


@lean
def shock_of(g: Grievances, day: int, i: int) -> float:
    """Return the weight that soldier i's last family shock still has today (utility units)."""
    if g.shock_day[i] > day or g.shock_day[i] < 0:
        return 0.0
    return g.shock[day - g.shock_day[i]]


@lean
def grievance_of(g: Grievances, day: int, i: int) -> float:
    """Return soldier i's grievance today: hardship + family shock + moral injury (utility units)."""
    level = g.hardship[g.rank[i]] + g.injury[g.unit[i]] + shock_of(g, day, i)
    if g.apart.shape[0] > 0:
        level += g.apart[g.unit[i], g.rank[i]]
    return level


@lean
def lacks(bought: float, usual: float, custom: float) -> float:
    """Return the hardship of pay that buys parts of the basket: 1 for none, below 0 for far more than all.

    The basket counts for one half of what can be lacked, last year and others for a quarter each. Who is paid
    as ever and as others are, is in no relative want.
    """
    pay, usual = bought + _NO_PAY, usual + _NO_PAY
    relative = (usual / (usual + pay) + custom / (custom + pay)) / 2
    return 1.0 / (1.0 + pay) + relative - 1 / 2


class Burden(Table):
    """What bears on soldiers, and how much; see the parameters above.

    ``bought`` (day, rank) part of the basket that pay buys by the case; ``ordered`` (day, branch) chance that
    a unit is given an order, ``given`` (unit,) whether it is today; ``orders`` (unit,) that it carried out,
    as far as they are remembered, of which ``keep`` is left a day later. ``like`` (rank, other) share of each
    rank in its class, ``relation`` (rank,) of its pay to the (geometric) mean of its class on the first day.
    ``struck`` says whose family is struck on which day.
    """

    hardship: float = number("grievance.hardship_weight")
    bought: NDArray[np.float64] = array("day", "rank")
    ordered: NDArray[np.float64] = array("day", "branch")
    branch: NDArray[np.uint8]
    given: NDArray[np.bool_]
    orders: NDArray[np.float64]
    keep: float
    weight: float = number("grievance.injury_weight")
    like: NDArray[np.float64] = array("rank", "other")
    relation: NDArray[np.float64]
    struck: Occasions


@lean
def _bear(now: Now, b: Burden, g: Grievances, watch: Watch, records: RunRecords) -> None:
    """Pay meets prices; units carry out orders; families are struck."""
    day = now.day
    for rank in range(g.hardship.shape[0]):
        mean = 0.0
        for other in range(g.hardship.shape[0]):
            mean += b.like[rank, other] * np.log(b.bought[day, other] * watch.raised[other] + _NO_PAY)
        bought = b.bought[day, rank] * watch.raised[rank]
        g.usual[rank] += (bought - g.usual[rank]) / PAY_MEMORY
        g.custom[rank] = b.relation[rank] * np.exp(mean)
        g.hardship[rank] = b.hardship * lacks(bought, g.usual[rank], g.custom[rank])
    units = b.orders.shape[0]
    for block in range(-(-units // WORDS)):
        draws = uniforms(now.key, _ORDERED, block, _NOBODY, day)
        for k in range(WORDS):
            u = WORDS * block + k
            if u < units:
                b.orders[u] *= b.keep
                b.given[u] = draws[k] < b.ordered[day, b.branch[u]]
                if b.given[u]:
                    b.orders[u] += 1.0
                g.injury[u] = b.weight * b.orders[u] / (INJURY_HALF + b.orders[u])
    for k in range(b.struck.start[day], b.struck.start[day + 1]):
        i = b.struck.who[k]
        if records.fate[i] == SERVING:
            g.shock_day[i] = day
            record(records, day, i, EV_SHOCK, -1, -1, 0.0)


@lean
def _hardship(at: Moment, g: Grievances) -> float:
    """What pay lacks of need, of last year and of others."""
    return g.hardship[at.rank]


@lean
def _shock(at: Moment, g: Grievances) -> float:
    """What the last loss in the family still weighs."""
    return shock_of(g, at.day, at.who)


@lean
def _injury(at: Moment, g: Grievances) -> float:
    """What orders to repress have done to their unit."""
    return g.injury[at.unit]


def orders_by_branch(world: World, protests: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chance a day that a unit carries out an order to repress, float64 (day, branch)."""
    repression = np.array([b.repression for b in world.case.force.branches])
    duty = float(repression[world.force.units.branch].sum())
    if duty <= 0:
        return np.zeros((len(protests), len(repression)))
    orders = world["grievance.orders_per_protest"] * protests * world.scale
    return np.asarray(1 - np.exp(-np.outer(orders, repression) / duty))


def grievance_stated(world: World) -> NDArray[np.float64]:
    """Return grievance on the first day by the case's own fields, float64 (branch, rank), before any shock.

    It is what it would be with grievances switched on: the line between opposed and loyal rests on it.
    """
    bought = world.case.stated("pay")[0] / world.case.stated("basket")[0]
    hardship = world["grievance.hardship_weight"] / (1 + bought)
    remembered = 1 / (1 - float(np.exp(-1 / INJURY_MEMORY)))
    orders = orders_by_branch(world, world.case.stated("protests")[:1])[0] * remembered
    injury = world["grievance.injury_weight"] * orders / (INJURY_HALF + orders)
    return np.asarray(hardship[None, :] + injury[:, None])


def differs_here(world: World) -> bool:
    """Return whether a case tells states and branches apart."""
    return "leave" in world.case.catalogue.fields and world.on("local")


def cell_of_units(world: World) -> NDArray[np.int32]:
    """Return the cell of each unit, int32 (unit,)."""
    units = world.force.units
    return (units.state.astype(np.int32) * len(world.branch_ids) + units.branch).astype(np.int32)


def by_cell(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an array by day, state and branch as one by day and cell."""
    days, states, branches = values.shape[:3]
    return np.ascontiguousarray(values.reshape(days, states * branches, *values.shape[3:]))


def bought_here(world: World, stated: bool = False) -> NDArray[np.float64] | None:
    """Return the part of the basket that pay buys, float64 (day, cell, rank); None if it is alike."""
    pay = world.case.local("pay", stated)
    if pay is None:
        return None
    basket = world.case.stated("basket") if stated else world.daily("basket")
    return by_cell(pay) / basket[:, None, None]


class Grievance(Mechanism):
    """Hardship by rank and date, family shocks, moral injury of units ordered to repress."""

    name = "grievance"
    subsystem = 2
    outputs = (daily("shocks", "Family shocks", EV_SHOCK),)
    parameters = parameters_of(name, "soldiers feel hardship, family shocks and moral injury")
    fields = (
        Field("pay", "US dollars a month", 0, 1e6, "pay by rank", ("rank",), local=("state", "branch")),
        Field("basket", "US dollars a month", 0.01, 1e6, "what a family needs in a month"),
        Field("scarcity", "fraction", 0, 1, "scarcity of medicine and goods"),
        Field("protests", "per day", 0, 1e6, "protests in the country"),
    )
    terms = (
        Term(
            "grievance.hardship",
            "pay does not buy what is needed, was usual and others get",
            _AGAINST,
            _hardship,
        ),
        Term("grievance.shock", "a loss in the family", _AGAINST, _shock),
        Term("grievance.injury", "orders to repress", _AGAINST, _injury),
    )

    steps = (Step("dawn", _bear),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.bought = world.daily("pay") / world.daily("basket")[:, None]
        self.unit_branch = world.force.units.branch
        self.ordered = orders_by_branch(world, world.daily("protests"))
        self.keep = float(np.exp(-1 / INJURY_MEMORY))
        # Units enter the run with what the first day's rate would have left in memory.
        self.start = (self.ordered[0] / (1 - self.keep))[self.unit_branch]
        officer = world.tier >= OFFICER
        strength = np.bincount(world.force.rank, minlength=len(officer)) + _NO_PAY
        like = np.where(officer[:, None] == officer[None, :], strength[None, :], 0.0)
        self.like = like / like.sum(axis=1, keepdims=True)
        first = np.log(self.bought[0] + _NO_PAY)
        self.relation = np.exp(first - self.like @ first)
        rate = world["grievance.shock_rate"] / DAYS_A_YEAR * np.cumsum(world.daily("scarcity"))[None, :]
        dependants = world.force.dependants
        struck = (dependants > 0) & (world.tier[world.force.rank] < SPARED)
        families = np.where(struck, 0, -1).astype(np.int32)
        self.shocks = Process(FAMILY_SHOCK, _SHOCK, families, dependants.astype(np.float32), rate)

    def begin(self, run: Run) -> None:
        """Draw the year's family shocks and the units' memory of earlier orders."""
        force = self.world.force
        shock_day = run.hot("grievance.shock_day", np.int16, NEVER)
        self.orders = self.start.copy()
        soldiers = run.view(Soldiers)
        ranks = len(self.world.rank_ids)
        self.view = Grievances(
            rank=soldiers.rank,
            unit=soldiers.unit,
            hardship=np.zeros(ranks),
            injury=np.zeros(len(self.orders)),
            shock_day=shock_day,
            shock=self.world["grievance.shock_weight"] * fading(SHOCK_MEMORY, self.world.days),
            usual=self.bought[0].copy(),
            custom=self.bought[0].copy(),
            apart=np.zeros((0, ranks)),
        )
        run.share(self.view)
        days, who = np.empty(0, np.int16), np.empty(0, np.int32)
        if self.on:
            days, who = self.shocks.draw(run.key, force.identity)
            run.processes.append((days, who, FAMILY_SHOCK))
        order = np.argsort(days, kind="stable")
        start = np.searchsorted(days[order], np.arange(self.world.days + 1))
        struck = Occasions(start=start, who=who[order], occasion=np.full(len(who), FAMILY_SHOCK, np.uint8))
        run.share(
            Burden(
                bought=self.bought,
                ordered=self.ordered,
                branch=self.unit_branch,
                given=np.zeros(len(self.orders), np.bool_),
                orders=self.orders,
                keep=self.keep,
                like=self.like,
                relation=self.relation,
                struck=struck,
            )
        )
