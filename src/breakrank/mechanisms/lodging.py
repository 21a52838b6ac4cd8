"""The sites of a case and the inner loops of lodging: what there is, who has to go, and who finds a place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.case.country import same_country
from breakrank.case.place_codes import places
from breakrank.draws import APART, NOBODY, decision, uniform, uniforms
from breakrank.engine.codes import (
    EV_LODGED,
    EV_NO_PLACE,
    EV_PUT_OUT,
    EV_RELOCATED,
    EV_TOOK_OFFER,
)
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.guest_table import (
    ELSEWHERE,
    IN_SITE,
    NOT_PLACED,
    PRIVATE_HOME,
    STREET,
    Guests,
    has_claim,
    in_care,
)
from breakrank.mechanisms.journeys import Journeys
from breakrank.table import Table, array
from breakrank.units import DAYS_A_WEEK

_NOBODY = int(NOBODY)
_LODGE = int(decision("reception.lodge"))
EVICTION = 0.15
"""Share of an unpaid site put out each day: the hotels of Venezuela 2019 emptied within twelve days."""
ANYONE, REGISTERED_ONLY, PERMIT_ONLY = 0, 1, 2
ADMITS = {"anyone": ANYONE, "registered": REGISTERED_ONLY, "permit": PERMIT_ONLY}


class Sites(Table):
    """What the sites offer, one row each; who is inside an embassy came there by themselves.

    ``open`` bool (day, site); ``places`` int64, persons; ``admits`` uint8; ``limit`` int64 days (0 none);
    ``hours`` float64 hours out a day; ``work`` bool; ``rations`` float64 meals a person and day; ``cost``
    float64 a person and day; ``share`` float64 (site, payer); ``code`` int64, the log's code of the place;
    ``reached`` bool (site, route), whether who came by that way is in the country of the site; ``crossing``
    int64 (site,), that of an embassy, -1 for others.
    """

    open: NDArray[np.bool_] = array("day", "site")
    places: NDArray[np.int64]
    admits: NDArray[np.uint8]
    limit: NDArray[np.int64]
    hours: NDArray[np.float64]
    work: NDArray[np.bool_]
    rations: NDArray[np.float64]
    cost: NDArray[np.float64]
    share: NDArray[np.float64] = array("site", "payer")
    code: NDArray[np.int64]
    reached: NDArray[np.bool_] = array("site", "route")
    crossing: NDArray[np.int64]


class Town(Table):
    """How the town and its purse stand, and what today has brought.

    ``persons`` int64 (site,) residents; ``spent``, ``due``, ``paid`` float64 (payer,): paid so far, today's
    costs and what of them is paid; ``unpaid`` int64 (site,) days in a row with an open bill; ``owed`` float64
    (site,) share of today's bill left open; ``tension`` float64 (1,); ``inside`` int64 (crossing,) people
    inside embassies; ``meals`` float64 (1,); ``registered`` and ``incidents`` int64 (1,), today's;
    ``neglected`` and ``risen`` float64 (1,), people put out today or left on the street on coming, and people
    in the largest uprising that failed; ``care`` float64 (1,), people in the host's care yesterday.
    """

    persons: NDArray[np.int64]
    spent: NDArray[np.float64]
    due: NDArray[np.float64]
    paid: NDArray[np.float64]
    unpaid: NDArray[np.int64]
    owed: NDArray[np.float64]
    tension: NDArray[np.float64]
    inside: NDArray[np.int64]
    meals: NDArray[np.float64]
    registered: NDArray[np.int64]
    incidents: NDArray[np.int64]
    neglected: NDArray[np.float64]
    care: NDArray[np.float64]
    risen: NDArray[np.float64]


def find_sites(world: World) -> Sites:
    """Return the offers of the case's sites, in the order of the file."""
    case = world.case
    sites, payers = list(case.sites), [p.id for p in case.payers]
    share = np.zeros((len(sites), len(payers)))
    ways = world.route_ids
    embassy = [ways.index(s.crossing) if s.kind == "embassy" and s.crossing else -1 for s in sites]
    known = places(case)[len(world.state_ids) :]  # the records count the crossings first
    for s, site in enumerate(sites):
        for payer, part in site.payers.items():
            share[s, payers.index(payer)] = part
    return Sites(
        open=open_by_day(world),
        places=np.array(
            [round(int(s.capacity * world["reception.places"]) * world.scale) for s in sites], np.int64
        ),
        admits=np.array([ADMITS[s.admits] for s in sites], np.uint8),
        limit=np.array([s.stay_limit or 0 for s in sites], np.int64),
        hours=np.array([s.rules.hours_out for s in sites], np.float64),
        work=np.array([s.rules.work for s in sites], np.bool_),
        rations=np.array([s.rations_per_day for s in sites], np.float64),
        cost=np.array([s.cost_per_person_day.value for s in sites], np.float64),
        share=share,
        code=np.array([known.index(s.id) for s in sites], np.int64),
        reached=reached_by(world),
        crossing=np.array(embassy, np.int64),
    )


def reached_by(world: World) -> NDArray[np.bool_]:
    """Return whether who came by a way is in the country of a site, bool (site, route)."""
    case = world.case
    found = [[same_country(site.country, way.country) for way in case.crossings] for site in case.sites]
    return np.array(found, np.bool_).reshape(len(case.sites), len(case.crossings))


def open_by_day(world: World) -> NDArray[np.bool_]:
    """Return which site is open on which day, bool (days, site)."""
    calendar = world.case.calendar
    out = np.zeros((world.days, len(world.case.sites)), np.bool_)
    for s, site in enumerate(world.case.sites):
        first = max(0, (site.opens - calendar.start).days)
        last = world.days if site.closes is None else (site.closes - calendar.start).days + 1
        out[first : max(first, last), s] = True
    return out


def funds_by_day(world: World, factor: float) -> NDArray[np.float64]:
    """Return the funds of each payer up to each day, float64 (days, payer).

    A payer without a limit has infinitely much; all others `factor` times what the case says.
    """
    case = world.case
    payers = list(case.payers)
    out = np.full((world.days, len(payers)), np.inf)
    for p, payer in enumerate(payers):
        if payer.funds is None:
            continue
        out[:, p] = 0.0
        for grant in payer.funds:
            first = max(0, (grant.date - case.calendar.start).days)
            out[first:, p] += factor * grant.amount * world.scale
    return out


def quiet_town(sites: int, payers: int, crossings: int) -> Town:
    """Return a town that nobody has come to."""
    length = dict.fromkeys(("persons", "unpaid", "owed"), sites)
    length |= dict.fromkeys(("spent", "due", "paid"), payers) | {"inside": crossings}
    return Town.of_zeros(length)


@lean
def may_stay(g: Guests, k: int, admits: int) -> bool:
    """Return whether household k may stay where these are admitted; who signs up to fight gets no help."""
    if admits == ANYONE:
        return True
    if g.enlisted[k]:
        return False
    return bool(g.permit[k]) if admits == PERMIT_ONLY else has_claim(g, k)


@lean
def leave_site(g: Guests, k: int, town: Town) -> None:
    """Take household k out of its site, if it is in one; it is nowhere until somebody says where."""
    if g.stay[k] == IN_SITE:
        town.persons[g.site[k]] -= 1 + g.relatives[k]
    g.site[k] = -1
    g.stay[k] = NOT_PLACED


@lean
def clear_out(
    now: Now,
    records: RunRecords,
    g: Guests,
    sites: Sites,
    town: Town,
    offer: float,
    dispersal: float,
) -> None:
    """Let those go who have to or want to; that people are put out is an incident of the day.

    A site empties when it closes, when a household's time is up or it is no longer admitted, and by and by
    (:data:`EVICTION` a day) as long as its bills are open. Others go for an `offer` (daily chance), or are
    moved elsewhere by the authorities (`dispersal`, daily chance).
    """
    put_out, day = 0, now.day
    for a in range(g.used[1]):
        k = g.here[a]
        if g.stay[k] != IN_SITE:
            continue
        s = int(g.site[k])
        i = g.who[k]
        evicted = accepts = moved = 1.0
        if town.unpaid[s] > 0 or offer > 0.0 or dispersal > 0.0:
            evicted, accepts, moved, _ = uniforms(now.key, _LODGE, g.identity[k], _NOBODY, day)
        over = sites.limit[s] > 0 and day - g.since[k] >= sites.limit[s]
        broke = town.unpaid[s] > 0 and evicted < EVICTION * town.owed[s]
        g.served[k] |= over
        dropped = not sites.open[day, s] or over or broke
        if dropped or not may_stay(g, k, sites.admits[s]):
            leave_site(g, k, town)
            record(records, day, i, EV_PUT_OUT, sites.code[s], -1, 1.0 + g.relatives[k])
            put_out = 1
            if dropped:  # not who lost his claim to it
                town.neglected[0] += 1.0 + g.relatives[k]
        elif accepts < offer:
            leave_site(g, k, town)
            g.stay[k], g.left[k], g.since[k] = PRIVATE_HOME, True, day
            record(records, day, i, EV_TOOK_OFFER, sites.code[s], -1, 1.0 + g.relatives[k])
        elif moved < dispersal and sites.admits[s] != PERMIT_ONLY:
            leave_site(g, k, town)
            g.stay[k], g.since[k] = ELSEWHERE, day
            record(records, day, i, EV_RELOCATED, sites.code[s], -1, 1.0 + g.relatives[k])
    town.incidents[0] += put_out


@lean
def pick_site(day: int, g: Guests, k: int, way: int, sites: Sites, town: Town) -> int:
    """Return the first open site without an open bill that admits household k and has room; -1 for none.

    It lies in the country to which the household's way led. From a site that takes in anyone people move to
    one for those admitted only, not to another of its kind. Help for a limited time is given once.
    """
    size = 1 + int(g.relatives[k])
    for s in range(sites.places.shape[0]):
        if not sites.open[day, s] or sites.crossing[s] >= 0 or town.unpaid[s] > 0:
            continue
        if size > sites.places[s] - town.persons[s] or (way >= 0 and not sites.reached[s, way]):
            continue
        if (g.site[k] >= 0 and sites.admits[s] == ANYONE) or (g.served[k] and sites.limit[s] > 0):
            continue
        if may_stay(g, k, sites.admits[s]):
            return s
    return -1


@lean
def find_places(
    now: Now,
    records: RunRecords,
    g: Guests,
    journeys: Journeys,
    sites: Sites,
    town: Town,
    private: float,
) -> None:
    """Lodge whoever has no place, or one that takes in anyone: first come, first served.

    Who finds no site is taken in privately with a chance (drawn anew each week), or is on the street.
    """
    day = now.day
    for a in range(g.used[1]):
        k = g.here[a]
        stay, site = g.stay[k], g.site[k]
        if not in_care(stay) or (site >= 0 and sites.admits[site] != ANYONE):
            continue
        size = 1 + int(g.relatives[k])
        to = -1 if g.left[k] else pick_site(day, g, k, journeys.route[g.who[k]], sites, town)
        if to >= 0:
            leave_site(g, k, town)
            g.stay[k], g.site[k], g.since[k] = IN_SITE, to, day
            town.persons[to] += size
            record(records, day, g.who[k], EV_LODGED, sites.code[to], -1, float(size))
        elif stay in (NOT_PLACED, STREET):
            if uniform(now.key, _LODGE, g.identity[k], _NOBODY, APART + day // DAYS_A_WEEK) < private:
                g.stay[k], g.since[k] = PRIVATE_HOME, day
            elif stay == NOT_PLACED:
                g.stay[k], g.since[k] = STREET, day
                record(records, day, g.who[k], EV_NO_PLACE, -1, -1, float(size))
                if g.came[k] == day:
                    town.neglected[0] += size
