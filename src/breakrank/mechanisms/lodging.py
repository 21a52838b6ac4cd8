"""The guests of the host and its sites: who came, what there is for them, who has to go, who finds a place.

A guest is a soldier who crossed to the host and did not slip away, or was sent across by the services. Their
household are they and the relatives who came along. Rows are never taken out, so that at every dusk everyone
who ever came is in exactly one place (see :data:`STAYS`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from breakrank.case.country import same_country
from breakrank.case.place_codes import places
from breakrank.draws import APART, NOBODY, WORDS, decision, uniform, uniforms, words_among
from breakrank.engine.codes import EV_LODGED, EV_NO_PLACE, EV_PUT_OUT, EV_RELOCATED, EV_TOOK_OFFER
from breakrank.engine.records import RunRecords, longer, record
from breakrank.engine.run import Now
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.journeys import Journeys
from breakrank.table import Table, array
from breakrank.units import DAYS_A_WEEK

# Where a household is at dusk, exclusive.
NOT_PLACED: Final = -1
IN_SITE: Final = 0
PRIVATE_HOME: Final = 1
STREET: Final = 2
SETTLED: Final = 3
WITH_KIN: Final = 4
ELSEWHERE: Final = 5
EXPELLED: Final = 6
BACK: Final = 7
STAYS: Final = ("site", "private", "street", "settled", "kin", "elsewhere", "expelled", "back")

MORALE: Final = 0.8
"""Morale on coming: in Venezuela 2019 there was a welcome, and the government was to fall within weeks."""

IDLE_DAYS: Final = 60
"""Days without anything to do after which idleness is full.

Reports of May 2019 on Venezuela's exiles speak of men worn down after some two months of waiting."""

NO_DECISION: Final = 0
GRANTED: Final = 1
REFUSED: Final = 2


class Guests(Table):
    """One row a household, in the order of coming.

    ``who`` position of the soldier, ``identity``; ``relatives``, ``children`` persons along, the children
    counted among the relatives; ``came``, ``registered`` days (-1: not yet). Lodging: ``stay`` (see
    :data:`STAYS`, ``NOT_PLACED`` until the evening), ``site`` (-1 none), ``since`` day of coming there,
    ``left`` (has left the sites for good), ``served`` (their time at a site with a limit is up).
    Asylum: ``spy`` (sent by the services), ``double`` (national of the host as well), ``filed``, ``decided``,
    ``permit``.
    Life: ``morale`` 0 to 1, ``idle`` days without anything to do, ``enlisted``, ``quality`` 0 to 1 (how they
    are treated).
    ``here``: the rows of those who are with the host still, in the order of coming; ``words`` (4, ...) room
    for a draw of each.
    Per soldier: ``row`` (their row plus 1, 0 for none).
    ``used`` (2,): rows in use, and how many of ``here``; ``gone`` (2, stay): soldiers and relatives who are
    not in ``here`` any more, by what became of them.
    """

    who: NDArray[np.int32] = array("guest")
    identity: NDArray[np.uint32] = array("guest")
    relatives: NDArray[np.uint8] = array("guest")
    children: NDArray[np.uint8] = array("guest")
    came: NDArray[np.int16] = array("guest")
    registered: NDArray[np.int16] = array("guest")
    stay: NDArray[np.int8] = array("guest")
    site: NDArray[np.int16] = array("guest")
    since: NDArray[np.int16] = array("guest")
    left: NDArray[np.bool_] = array("guest")
    served: NDArray[np.bool_] = array("guest")
    spy: NDArray[np.bool_] = array("guest")
    double: NDArray[np.bool_] = array("guest")
    filed: NDArray[np.bool_] = array("guest")
    decided: NDArray[np.uint8] = array("guest")
    permit: NDArray[np.bool_] = array("guest")
    morale: NDArray[np.float64] = array("guest")
    idle: NDArray[np.int16] = array("guest")
    enlisted: NDArray[np.bool_] = array("guest")
    quality: NDArray[np.float64] = array("guest")
    here: NDArray[np.int32]
    words: NDArray[np.uint32] = array("word", "guest")
    row: NDArray[np.int32]
    used: NDArray[np.int64]
    gone: NDArray[np.int32] = array("person", "stay")


class Exiles(Table):
    """What the challenger and the host see of the exiles: ``enlisted`` int64 (1,), those signed up."""

    enlisted: NDArray[np.int64]


OF_GUEST = Guests.names()[: Guests.names().index("here")]


def no_guests(row: NDArray[np.int32], room: int = 512) -> Guests:
    """Return a table without guests; `row` int32 (soldier,) of zeros becomes the column of that name."""
    columns = {name: np.zeros(room, kind) for name, kind, _ in Guests.declared() if name in OF_GUEST}
    return Guests(
        **columns,
        here=np.zeros(room, np.int32),
        words=np.zeros((WORDS, room), np.uint32),
        row=row,
        used=np.zeros(2, np.int64),
        gone=np.zeros((2, len(STAYS)), np.int32),
    )


def with_room(guests: Guests, more: int) -> Guests:
    """Return the table with room for `more` rows (the same table if there is)."""
    room = len(guests.here)
    if guests.used[0] + more > room:
        for name in (*OF_GUEST, "here"):
            setattr(guests, name, longer(getattr(guests, name), 2 * room + more))
        guests.words = np.zeros((WORDS, len(guests.here)), np.uint32)
    return guests


@lean
def add_guest(g: Guests, i: int, identity: int, day: int, relatives: int, children: int, spy: bool) -> int:
    """Write a new row for soldier i and return it; who comes again takes their old row up."""
    k = int(g.row[i]) - 1
    if k < 0:
        k = int(g.used[0])
        g.used[0] = k + 1
        g.row[i] = k + 1
    else:
        g.gone[0, g.stay[k]] -= 1
        g.gone[1, g.stay[k]] -= g.relatives[k]
    g.here[g.used[1]] = k
    g.used[1] += 1
    g.who[k], g.identity[k] = i, identity
    g.relatives[k], g.children[k] = relatives, children
    g.came[k], g.registered[k] = day, -1
    g.stay[k], g.site[k], g.since[k], g.left[k] = NOT_PLACED, -1, day, False
    g.served[k] = False
    g.spy[k], g.double[k], g.filed[k], g.decided[k] = spy, False, False, NO_DECISION
    g.permit[k] = False
    g.morale[k], g.idle[k], g.enlisted[k], g.quality[k] = MORALE, 0, False, MORALE
    return k


@lean
def in_town(stay: int) -> bool:
    """Return whether someone is with the host still: at a site, in a home, on the street, or settled."""
    return stay <= SETTLED


@lean
def in_care(stay: int) -> bool:
    """Return whether someone is at a site, in a private home or on the street (or not yet anywhere)."""
    return stay <= STREET


@lean
def has_claim(g: Guests, k: int) -> bool:
    """Return whether household k may be helped: its soldier is registered, and asylum was not refused them.

    A permit to stay makes good a refusal.
    """
    return g.registered[k] >= 0 and (g.decided[k] != REFUSED or g.permit[k])


@lean
def enrolled(g: Guests, k: int) -> bool:
    """Return whether household k is in the host's programme: a status, with a bed or without.

    Registering enrols; who moves on, settles down, is refused, has had their time of help or signs up to
    fight is out of it. Whoever only leaves a site stays on the roll.
    """
    out = g.spy[k] or g.enlisted[k] or g.served[k]
    return in_care(g.stay[k]) and has_claim(g, k) and not out


@lean
def let_go(g: Guests) -> None:
    """Take those who are with the host no more off the list of who is here."""
    kept = 0
    for a in range(g.used[1]):
        k = g.here[a]
        stay = g.stay[k]
        if in_town(stay):
            g.here[kept] = k
            kept += 1
        else:
            g.gone[0, stay] += 1
            g.gone[1, stay] += g.relatives[k]
    g.used[1] = kept


@lean
def draws_here(key: np.uint64, name: int, g: Guests, when: int) -> None:
    """Write one draw, four words, for each of those who are here."""
    words_among(key, name, g.identity, g.here, g.used[1], when, g.words)


_NOBODY = int(NOBODY)
_LODGE = int(decision("reception.lodge"))
EVICTION = 0.15
"""Share of an unpaid site put out each day: the hotels of Venezuela 2019 emptied within twelve days."""
ANYONE, REGISTERED_ONLY, PERMIT_ONLY = 0, 1, 2
ADMITS = {"anyone": ANYONE, "registered": REGISTERED_ONLY, "permit": PERMIT_ONLY}


class Sites(Table):
    """What the sites offer, one row each; who is inside an embassy came there by themselves.

    ``open`` (day, site); ``places``, persons; ``admits``; ``limit`` days (0 none); ``hours`` hours out a day;
    ``work``; ``rations`` meals a person and day; ``cost`` a person and day; ``share`` (site, payer);
    ``code``, the log's code of the place; ``reached`` (site, route), whether who came by that way is in the
    country of the site; ``crossing`` (site,), that of an embassy, -1 for others.
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

    ``persons`` (site,) residents; ``spent``, ``due``, ``paid`` (payer,): paid so far, today's costs and what
    of them is paid; ``unpaid`` (site,) days in a row with an open bill; ``owed`` (site,) share of today's
    bill left open; ``tension`` (1,); ``inside`` (crossing,) people inside embassies; ``meals`` (1,);
    ``registered`` and ``incidents`` (1,), today's; ``neglected`` and ``risen`` (1,), people put out today or
    left on the street on coming, and people in the largest uprising that failed; ``care`` (1,), people in the
    host's care yesterday.
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
    reached = [[same_country(site.country, way.country) for way in case.crossings] for site in sites]
    embassy = [ways.index(s.crossing) if s.kind == "embassy" and s.crossing else -1 for s in sites]
    known = places(case)[len(world.state_ids) :]  # the records count the crossings first
    is_open = np.zeros((world.days, len(sites)), np.bool_)
    for s, site in enumerate(sites):
        for payer, part in site.payers.items():
            share[s, payers.index(payer)] = part
        first = max(0, (site.opens - case.calendar.start).days)
        last = world.days if site.closes is None else (site.closes - case.calendar.start).days + 1
        is_open[first : max(first, last), s] = True
    return Sites(
        open=is_open,
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
        reached=np.array(reached, np.bool_).reshape(len(sites), len(ways)),
        crossing=np.array(embassy, np.int64),
    )


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
    now: Now, records: RunRecords, g: Guests, sites: Sites, town: Town, offer: float, dispersal: float
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
    now: Now, records: RunRecords, g: Guests, journeys: Journeys, sites: Sites, town: Town, private: float
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
