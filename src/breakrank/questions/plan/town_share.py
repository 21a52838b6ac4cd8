"""What a town, or single sites, have to do with those whom no site of the host takes in.

Who is in a site is known by town; who is in a private home or without a roof, for the host as a whole only.
So where sites are full, the persons inside are less than the need. A plan for a place therefore adds a share
of all who are in no site, in proportion to the places of its sites. The shares of all towns add up to the
host. Where hosts are several countries, those in no site are first told apart by country: who is in care in
each is taken to be in proportion to who has crossed into it, and those inside its sites are not in need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.case.country import same_country
from breakrank.questions.plan.offer import array, for_all, open_days, places_of, simulated_places
from breakrank.questions.plan.scope import hosts

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.case.force_spec import Listing
    from breakrank.questions.plan.scope import Where

Values = npt.NDArray[np.float64]
Days = npt.NDArray[np.bool_]

HOUSEHOLD = 3
"""Persons of a household, a soldier and two: it finds no room where fewer places are free."""
TAKEN = 0.95
"""Share of places taken in the evening from which a site counts as full: some leave it during the day."""
TRIFLE = 1e-9
"""Fewer persons than this are none."""
CENT = 0.005
"""Sums below this are rounding."""


def shares(case: Case, where: Where) -> tuple[float, float]:
    """Return the places of a place's sites that are for all, and those of its whole country's.

    They do not depend on dates: a town whose hotel closes keeps its people. An embassy, and rooms for holders
    of permits, have no share.
    """
    every = [k for k, site in enumerate(case.sites) if for_all(site) and _near(case, where, site.country)]
    mine = every if where.host else [k for k in where.sites if k in every]
    return sum(places_of(case, k) for k in mine), sum(places_of(case, k) for k in every)


def _near(case: Case, where: Where, country: str) -> bool:
    """Return whether a place has sites in a country; the whole host has everywhere."""
    return where.host or any(same_country(country, case.sites[k].country) for k in where.sites)


def share_of(values: Values, mine: float, whole: float) -> Values:
    """Return a share of persons, so many of so many places, each begun one counted in full.

    >>> share_of(np.array([0.0, 10.0]), 1, 4).tolist()
    [0.0, 3.0]
    """
    if not mine:
        return np.zeros_like(values)
    return np.asarray(np.ceil(np.round(values * mine / whole, 9)), dtype=np.float64)


def in_no_site(data: xr.Dataset, case: Case, where: Where, stays: Values) -> Values:
    """Return the persons in no site of the countries of a place, float64 (run, day).

    Parameters
    ----------
    stays : the persons in the hosts' care by where they stay (run, day, one of ``IN_CARE``).
    """
    outside, countries = stays[:, :, 1] + stays[:, :, 2], hosts(case)
    if where.host or len(countries) < 2:
        return outside
    crossed = np.cumsum(array(data, "exits_route", ("run", "day", "route")), axis=1)
    inside = array(data, "site_soldiers", ("run", "day", "site"))
    inside = inside + array(data, "site_relatives", ("run", "day", "site"))

    def among(parts: Values, listed: Listing[Any], country: str) -> Values:
        return np.asarray(
            parts[:, :, [same_country(one.country or "", country) for one in listed]].sum(axis=2)
        )

    came = np.array([among(crossed, case.crossings, country) for country in countries])
    care = stays.sum(axis=2) * came / np.maximum(came.sum(axis=0), 1.0)
    missing = np.maximum(care - [among(inside, case.sites, country) for country in countries], 0.0)
    here = [_near(case, where, country) for country in countries]
    return np.asarray(outside * missing[here].sum(axis=0) / np.maximum(missing.sum(axis=0), TRIFLE))


def vacant(case: Case, site: int, inside: Values, broke: Days) -> Days:
    """Return on which days a site takes people in, bool (run, day): open, paid for, and with free places.

    Nobody is turned away from an embassy.

    Parameters
    ----------
    inside : float64 (run, day), simulated persons in the site.
    broke : bool (run, day), whether one of those who pay for it has no money left.
    """
    one, places = case.sites[site], simulated_places(case, site)
    if one.kind == "embassy":
        return np.ones(inside.shape, dtype=np.bool_)
    room = max(min(HOUSEHOLD, max(places, 1)), (1 - TAKEN) * places)
    free = places - inside >= room
    paid = ~broke if one.cost_per_person_day.value > 0 else np.ones_like(broke)
    return np.asarray(free & paid & open_days(case, site, inside.shape[1]), dtype=np.bool_)


def broke(billed: Values, unpaid: Values, funds: Values) -> Days:
    """Return on which days a payer cannot pay, bool (run, day, payer): a bill is open, or nothing is left.

    Parameters
    ----------
    billed, unpaid : float64 (run, day, payer), bills of all his sites, and what of them stays unpaid.
    funds : float64 (day, payer), all that he has been given so far.
    """
    spent = np.cumsum(billed - unpaid, axis=1)
    return np.asarray((unpaid > CENT) | (spent >= funds - CENT), dtype=np.bool_)
