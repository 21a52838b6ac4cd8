"""How many beds suffice, at which service level.

A service level of 80% means: in 80% of the runs so many beds are enough on every day of the stretch. It is a
quantile over runs of the highest need on any day. It holds their luck and, under draws of parameters, what is
not known of these; what the model leaves out or assumes wrongly is not in it.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from breakrank.questions.plan.course import PlanCourse, Values, open_days, places_of
from breakrank.questions.plan.persons import Row, Spread, at, date_of, spread, sufficient
from breakrank.questions.plan.scope import Window, months
from breakrank.results.uncertainty import MEDIAN_AND_ENDS

if TYPE_CHECKING:
    from breakrank.case.models_routes import Site
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


@dataclass(frozen=True, slots=True)
class Standard:
    """One standard.

    Attributes
    ----------
    id, label : what is needed.
    each : how much for one person.
    unit : of what is needed by all.
    whole : whether it comes in whole pieces.
    rule : the standard in words. source : whose it is, and where it stands.
    """

    id: str
    label: str
    each: float
    unit: str
    whole: bool
    rule: str
    source: str

    def needed(self, persons: float) -> float:
        """Return the needs of a number of persons.

        >>> STANDARDS[2].label, STANDARDS[2].needed(41), STANDARDS[0].needed(100)
        ('Toilets', 3.0, 350.0)
        """
        amount = self.each * persons
        return float(math.ceil(round(amount, 9))) if self.whole else amount


STANDARDS = (
    Standard(
        "floor",
        "Covered floor space",
        3.5,
        "m²",
        False,
        "3.5 m² a person, without cooking, bathing and sanitation; 4.5 to 5.5 m² in cold climates or towns "
        "where these are inside",
        "Sphere Handbook 2018, shelter and settlement standard 3 (living space)",
    ),
    Standard(
        "water",
        "Water",
        15.0,
        "litres a day",
        False,
        "15 litres a person and day, for drinking and domestic hygiene",
        "Sphere Handbook 2018, water supply standard 2.1 (access and quantity); UNHCR Emergency Handbook, "
        "emergency water standard",
    ),
    Standard(
        "toilets",
        "Toilets",
        1 / 20,
        "toilets",
        True,
        "1 for 20 people (1 for 50 in the first phase), three for women to one for men",
        "Sphere Handbook 2018, excreta management standard 3.2 (access to and use of toilets)",
    ),
    Standard(
        "taps",
        "Water taps",
        1 / 250,
        "taps",
        True,
        "1 for 250 people",
        "Sphere Handbook 2018, water supply standard 2.1 (access and quantity)",
    ),
    Standard(
        "energy",
        "Food energy",
        2_100.0,
        "kcal a day",
        False,
        "2,100 kcal a person and day, as a figure to plan with",
        "Sphere Handbook 2018, food assistance standard 6.1 (general nutrition requirements)",
    ),
)
"""The standards a plan is set against."""

DECISION_DAYS = 30
"""Days from the interview within which a decision should be issued, by UNHCR's measure for itself."""

DECISION_SOURCE = (
    "UNHCR, Procedural Standards for Refugee Status Determination under UNHCR's Mandate (2003), 4.5: a "
    "decision normally within one month of the interview, two where it is complex"
)
"""Whose measure that is. States set their own; here it is a yardstick only."""


def needs(beds: tuple[float, ...], levels: tuple[float, ...], meals: float = 3.0) -> list[Row]:
    """Return the needs on the day of the highest need, for the persons that suffice at each level.

    `meals` are those that a person needs a day by the case.

    Columns ``need``, ``label``, ``unit``, one for each level (such as ``at_80``), ``rule``, ``source``.
    """
    names = [at(share) for share in levels]
    about: Row = {"need": "persons", "label": "Persons to shelter", "unit": "persons"}
    rows = [about | dict(zip(names, beds, strict=True)) | {"rule": "", "source": "the runs of this plan"}]
    served = {n: float(math.ceil(round(meals * b, 9))) for n, b in zip(names, beds, strict=True)}
    rule = f"{meals:g} meals a person and day, the most that a site of the case serves"
    about = {"need": "meals", "label": "Meals a day", "unit": "meals a day"}
    rows.append(about | served | {"rule": rule, "source": "the case"})
    for one in STANDARDS:
        amounts = {n: one.needed(b) for n, b in zip(names, beds, strict=True)}
        about = {"need": one.id, "label": one.label, "unit": one.unit}
        rows.append(about | amounts | {"rule": one.rule, "source": one.source})
    return rows


WHOLE = "Whole period"


@dataclass(frozen=True, slots=True)
class Shelter:
    """What suffices over a stretch of days.

    Attributes
    ----------
    window : the stretch; its label is that of a month, or :data:`WHOLE`.
    beds : by service level, in its order: beds that suffice on every day of the stretch in so many runs.
    peak : day of the highest need: median over runs.
    earliest, latest : ends of the middle 90% of the runs' days of highest need.
    offered_least, offered_most : fewest and most places that open sites offer on a day of the stretch.
    rented_most : most rented rooms in use on a day of the stretch, median over runs.
    without : persons without a place on the worst day of the stretch, run by run.
    """

    window: Window
    beds: tuple[float, ...]
    peak: dt.date
    earliest: dt.date
    latest: dt.date
    offered_least: float
    offered_most: float
    rented_most: float
    without: Spread


def shelter(
    world: PlanCourse,
    period: Period,
    levels: tuple[float, ...],
    stretches: Callable[[Period], tuple[Window, ...]] = months,
) -> tuple[Shelter, ...]:
    """Return what suffices over the whole period, then stretch by stretch: month by month, or by week."""
    whole = Window(WHOLE, period.first, period.last)
    return tuple(_shelter(world, window, levels) for window in (whole, *stretches(period)))


def _shelter(world: PlanCourse, window: Window, levels: tuple[float, ...]) -> Shelter:
    days = slice(window.first, window.last + 1)
    need, offered = world.persons["need"][:, days], np.median(world.offered[:, days], axis=0)
    most, when = need.max(axis=1), window.first + need.argmax(axis=1)
    when = when[most > 0] if most.any() else when  # a run in which nobody needs shelter has no such day
    early, middle, late = (sufficient(when, share) for share in MEDIAN_AND_ENDS)
    return Shelter(
        window,
        tuple(sufficient(most, share) for share in levels),
        date_of(world, middle),
        date_of(world, early),
        date_of(world, late),
        float(offered.min()),
        float(offered.max()),
        float(np.median(world.rented[:, days].max(axis=1))),
        spread(world.persons["short"][:, days].max(axis=1)),
    )


@dataclass(frozen=True, slots=True)
class Fall:
    """The day on which open sites offer most fewer places than the day before, and who is then without one.

    Attributes
    ----------
    date : the day. before, after : places offered on the day before and on it, medians over runs.
    without : persons without a place on the day.
    """

    date: dt.date
    before: float
    after: float
    without: Spread


def fall(world: PlanCourse, period: Period) -> Fall | None:
    """Return the largest fall of the places offered in a period; ``None`` where they never fall."""
    offered = np.median(world.offered[:, period.first : period.last + 1], axis=0)
    lost = -np.diff(offered)
    if not lost.size or lost.max() <= 0:
        return None
    day = int(lost.argmax()) + 1
    without = spread(world.within("short", period)[:, day])
    return Fall(date_of(world, period.first + day), float(offered[day - 1]), float(offered[day]), without)


def shelter_rows(world: PlanCourse, period: Period, levels: tuple[float, ...]) -> list[Row]:
    """Return :func:`shelter` as rows of a table, one a stretch."""
    return [
        {
            "stretch": one.window.label,
            "from": date_of(world, one.window.first),
            "to": date_of(world, one.window.last),
            "offered_least": one.offered_least,
            "offered_most": one.offered_most,
            "rented_most": one.rented_most,
            "without_q05": one.without.q05,
            "without_median": one.without.median,
            "without_q95": one.without.q95,
            "peak_median": one.peak,
            "peak_q05": one.earliest,
            "peak_q95": one.latest,
        }
        | {at(share): beds for share, beds in zip(levels, one.beds, strict=True)}
        for one in shelter(world, period, levels)
    ]
