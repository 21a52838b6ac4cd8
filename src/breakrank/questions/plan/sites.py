"""Who is in which site, by town and week: what a town sees of a host's reception."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from breakrank.questions.plan.course import PlanCourse, Values
from breakrank.questions.plan.offer import open_days, places_of
from breakrank.questions.plan.persons import date_of
from breakrank.questions.plan.scope import Window
from breakrank.questions.plan.spread import Row, Spread, spread

if TYPE_CHECKING:
    from breakrank.case.models_sites import Site
    from breakrank.questions.plan.scope import Period

UNKNOWN = "town not known"
ALL = "all"
"""Instead of the id of a site: all sites of a town."""


@dataclass(frozen=True, eq=False, slots=True)
class Lodging:
    """A site, or all sites of a town, day by day.

    Attributes
    ----------
    town, id, label : of the site; the id is :data:`ALL` for a town.
    admits : whom it takes in; empty for a town.
    places : float64 (day,), places on each day, 0 while closed.
    inside : float64 (run, day), persons inside.
    full : bool (run, day), whether it takes nobody in while some are in no site of the host: it is full or
        closed, or its bills are unpaid. Then who is inside is less than who would be.
    """

    town: str
    id: str
    label: str
    admits: str
    places: Values
    inside: Values
    full: npt.NDArray[np.bool_]

    def most(self, window: Window) -> Spread:
        """Return the most persons inside on a day of a stretch, over runs."""
        return spread(self.inside[:, window.first : window.last + 1].max(axis=1))

    def turns_away(self, window: Window) -> float:
        """Return the share of runs in which it takes nobody in on a day of a stretch, though it is open."""
        days = slice(window.first, window.last + 1)
        return float((self.full & (self.places > 0))[:, days].any(axis=1).mean())

    def beds(self, window: Window) -> float:
        """Return the most places on a day of a stretch."""
        return float(self.places[window.first : window.last + 1].max())


def lodgings(world: PlanCourse) -> tuple[Lodging, ...]:
    """Return the sites of a plan's place by town, each town with several of them followed by their sum."""
    case, days = world.case, len(world.dates)
    unmet = world.persons["unmet"] > 0
    found: list[Lodging] = []
    for town in dict.fromkeys(_town(case.sites[k]) for k in world.sites):
        mine = []
        for column, k in enumerate(world.sites):
            site = case.sites[k]
            if _town(site) == town:
                places = places_of(case, k) * open_days(case, k, days).astype(np.float64)
                inside = world.inside[:, :, column]
                full = ~world.vacant[:, :, column] & unmet
                mine.append(Lodging(town, site.id, site.label, site.admits, places, inside, full))
        found += mine
        if len(mine) > 1:
            whole = sum((one.places for one in mine), np.zeros(days))
            inside = sum((one.inside for one in mine), np.zeros_like(mine[0].inside))
            general = [one for one in mine if one.admits not in ("", "permit")] or mine
            none = np.logical_and.reduce([one.full for one in general])
            found.append(Lodging(town, ALL, f"All in {town}", "", whole, inside, none))
    return tuple(found)


def _town(site: Site) -> str:
    return site.town or UNKNOWN


def weeks(period: Period) -> tuple[Window, ...]:
    """Return the weeks of a period from Monday to Sunday, named by their first day; the ends may be cut.

    >>> from breakrank.questions.plan.scope import Period
    >>> [w.label for w in weeks(Period(dt.date(2019, 2, 23), dt.date(2019, 3, 5), 53, 63))]
    ['2019-02-23', '2019-02-25', '2019-03-04']
    """
    found, first = [], period.first
    while first <= period.last:
        date = period.start + dt.timedelta(days=first - period.first)
        last = min(first + 6 - date.weekday(), period.last)
        found.append(Window(str(date), first, last))
        first = last + 1
    return tuple(found)


def site_rows(world: PlanCourse, period: Period) -> list[Row]:
    """Return places and persons inside by town, site and week: a row for each site, or town, and week."""
    return [
        {
            "town": one.town,
            "site": one.id,
            "label": one.label,
            "admits": one.admits,
            "from": date_of(world, window.first),
            "to": date_of(world, window.last),
            "places": one.beds(window),
            "inside_q05": inside.q05,
            "inside_median": inside.median,
            "inside_q95": inside.q95,
            "full_share": one.turns_away(window),
        }
        for one in lodgings(world)
        for window in weeks(period)
        for inside in [one.most(window)]
    ]
