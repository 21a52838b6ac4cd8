"""The sites of a case as arrays: what they offer, who pays, and which embassies they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.case.country import same_country
from breakrank.case.place_codes import places
from breakrank.engine.world import World
from breakrank.mechanisms.lodging import ADMITS, Sites, sites_of
from breakrank.mechanisms.reception_parameters import PLACES


def find_sites(world: World) -> Sites:
    """Return what the sites of the case offer, in the order of the file."""
    case = world.case
    sites, payers = list(case.sites), [p.id for p in case.payers]
    here = open_by_day(world)
    for s, site in enumerate(sites):
        if site.kind == "embassy":
            here[:, s] = False  # who is inside came there by himself
    share = np.zeros((len(sites), len(payers)))
    known = places(case)[len(world.state_ids) :]  # the records count the crossings first
    for s, site in enumerate(sites):
        for payer, part in site.payers.items():
            share[s, payers.index(payer)] = part
    return sites_of(
        here,
        share,
        reached_by(world),
        places=[round(int(s.capacity * world[PLACES.name]) * world.scale) for s in sites],
        admits=[ADMITS[s.admits] for s in sites],
        limit=[s.stay_limit or 0 for s in sites],
        hours=[s.rules.hours_out for s in sites],
        work=[s.rules.work for s in sites],
        rations=[s.rations_per_day for s in sites],
        cost=[s.cost_per_person_day.value for s in sites],
        code=[known.index(s.id) for s in sites],
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


def embassies(world: World) -> tuple[list[tuple[int, list[int]]], NDArray[np.int64]]:
    """Return the sites that are embassies with their crossings, and which site costs anything when.

    The second is int64 (days, site): 0 for an embassy outside its dates, whose people then cost nobody
    anything, 1 otherwise.
    """
    pairs = [
        (s, [world.route_ids.index(site.crossing)])
        for s, site in enumerate(world.case.sites)
        if site.kind == "embassy" and site.crossing
    ]
    covered = np.ones((world.days, len(world.case.sites)), np.int64)
    here = open_by_day(world)
    for s, _ in pairs:
        covered[:, s] = here[:, s]
    return pairs, covered


def funds_by_day(world: World, factor: float) -> NDArray[np.float64]:
    """Return what each payer has been given up to each day, float64 (days, payer).

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
