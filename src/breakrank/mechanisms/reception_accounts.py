"""The day reckoned up: who is where, what it cost and who paid, and how the town takes it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.run import hold
from breakrank.kernel import lean
from breakrank.mechanisms.guest_table import IN_SITE, SETTLED, Guests, enrolled, in_care, let_go
from breakrank.mechanisms.lodging import Sites, Town
from breakrank.table import Table, array
from breakrank.units import THOUSAND

_ROUNDING = 1e-9  # bills are sums of shares


class ReceptionAccount(Table):
    """What is written down of every day, and what it is reckoned from.

    Written: ``arrived`` int32 (soldiers relatives children, day); ``cost`` and ``unpaid`` float32 (day,
    payer); ``meals`` int32 (day,); ``morale`` and ``tension`` gauges. Of today alone: ``waiting`` int32
    (2,) those waiting to be registered and families in care; ``stays`` int32 (soldiers relatives, stay);
    ``at_site`` int32 (soldiers relatives children, site); ``enrolled`` int32 (soldiers relatives), who is in
    the programme. Read: ``funds`` float64 (day, payer), given so far; ``covered`` int64 (day, site), 0 where
    people at a site cost nobody anything; ``crossing`` int64 (site,), that of an embassy, -1 for others.
    """

    arrived: NDArray[np.int32] = array("person", "day")
    cost: NDArray[np.float32] = array("day", "payer")
    unpaid: NDArray[np.float32] = array("day", "payer")
    meals: NDArray[np.int32]
    morale: NDArray[np.float32]
    tension: NDArray[np.float32]
    waiting: NDArray[np.int32]
    stays: NDArray[np.int32] = array("person", "stay")
    at_site: NDArray[np.int32] = array("person", "site")
    enrolled: NDArray[np.int32]
    funds: NDArray[np.float64] = array("day", "payer")
    covered: NDArray[np.int64] = array("day", "site")
    crossing: NDArray[np.int64]


class Temper(Table):
    """What makes the town tense: numbers (per 1,000 idle persons), incidents, and how fast (per day)."""

    numbers: float
    idle_days: float
    incident: float
    ease: float


@lean
def bill(sites: Sites, town: Town, funds: NDArray[np.float64], house: NDArray[np.int64]) -> None:
    """Reckon up a day: what each payer owes for the people `house` (site,), what his funds (so far) cover."""
    sites_n, payers = sites.share.shape
    town.due[:] = 0.0
    town.meals[0] = 0.0
    for s in range(sites_n):
        town.meals[0] += house[s] * sites.rations[s]
        for p in range(payers):
            town.due[p] += house[s] * sites.cost[s] * sites.share[s, p]
    for p in range(payers):
        town.paid[p] = min(town.due[p], max(funds[p] - town.spent[p], 0.0))
        town.spent[p] += town.paid[p]
    for s in range(sites_n):
        owed = 0.0
        for p in range(payers):
            if town.due[p] > 0:
                owed += sites.share[s, p] * (1.0 - town.paid[p] / town.due[p])
            elif town.spent[p] >= funds[p]:
                owed += sites.share[s, p]  # nobody there, and no money to take anyone in
        town.owed[s] = owed if sites.cost[s] > 0 else 0.0
        town.unpaid[s] = town.unpaid[s] + 1 if town.owed[s] > _ROUNDING else 0


@lean
def count_stays(
    g: Guests,
    soldiers: NDArray[np.int32],
    relatives: NDArray[np.int32],
    at_site: NDArray[np.int32],
    programme: NDArray[np.int32],
    idle_days: float,
) -> tuple[int, int, int, float, float]:
    """Let those go who are gone, and count who is where: by stay, at sites (3, site), in the programme (2,).

    The rows of ``at_site`` are soldiers, relatives and children. Returns those waiting to be registered,
    households in care, of these those with relatives along, and the sums of their morale and of their
    idleness (0 to 1, full after `idle_days`).
    """
    let_go(g)
    for stay in range(soldiers.shape[0]):
        soldiers[stay] = g.gone[0, stay]
        relatives[stay] = g.gone[1, stay]
    at_site[:] = 0
    programme[:] = 0
    waiting = 0
    care = families = 0
    morale = 0.0
    idle = 0.0
    for a in range(g.used[1]):
        k = g.here[a]
        stay = g.stay[k]
        soldiers[stay] += 1
        relatives[stay] += g.relatives[k]
        if stay <= SETTLED and g.registered[k] < 0:
            waiting += 1
        if enrolled(g, k):
            programme[0] += 1
            programme[1] += g.relatives[k]
        if in_care(stay):
            care += 1
            families += g.relatives[k] > 0
            morale += g.morale[k]
            idle += min(g.idle[k] / idle_days, 1.0)
        if stay == IN_SITE:
            at_site[0, g.site[k]] += 1
            at_site[1, g.site[k]] += g.relatives[k]
            at_site[2, g.site[k]] += g.children[k]
    return waiting, care, families, morale, idle


@lean
def close_day(
    day: int,
    g: Guests,
    sites: Sites,
    town: Town,
    account: ReceptionAccount,
    temper: Temper,
    arrived: NDArray[np.int32],
    house: NDArray[np.int64],
) -> None:
    """Count everybody, pay the bills, write the day down, and let the town take it.

    `arrived` int32 (soldiers relatives children) came today; `house` int64 (site,) is room to reckon in.
    """
    stays, at_site = account.stays, account.at_site
    waiting, care, families, morale, idle = count_stays(
        g, stays[0], stays[1], at_site, account.enrolled, temper.idle_days
    )
    for s in range(house.shape[0]):
        if account.crossing[s] >= 0:
            at_site[0, s] = town.inside[account.crossing[s]]
        house[s] = (np.int64(at_site[0, s]) + at_site[1, s]) * account.covered[day, s]
    bill(sites, town, account.funds[day], house)
    persons = 0
    for stay in range(SETTLED):
        persons += stays[0, stay] + stays[1, stay]
    town.care[0] = persons
    causes = temper.numbers * persons / THOUSAND * (idle / care if care else 0.0)
    town.tension[0] += (causes - town.tension[0]) * temper.ease
    town.tension[0] += temper.incident * town.incidents[0]
    for k in range(arrived.shape[0]):
        account.arrived[k, day] += arrived[k]
    for p in range(town.due.shape[0]):
        account.cost[day, p] = town.due[p]
        account.unpaid[day, p] = town.due[p] - town.paid[p]
    account.waiting[0], account.waiting[1] = waiting, families
    account.meals[day] = round(town.meals[0])
    hold(account.morale, day, morale / care if care else np.nan)
    hold(account.tension, day, town.tension[0])
