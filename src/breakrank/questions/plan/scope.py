"""What a plan is made for: a host as a whole or some of its sites, from a day to a day."""

from __future__ import annotations

import datetime as dt
import shlex
import unicodedata
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from breakrank.case.country import same_country
from breakrank.case.dates import DateLike
from breakrank.errors import UsageError, nearest
from breakrank.show.words import day, when
from breakrank.units import DAYS_A_WEEK

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_base import Calendar
    from breakrank.case.models_routes import Site

MOST_STAFF = 10_000
"""Caseworkers that can be tried, at most."""


def check_reception(case: Case, name: str) -> None:
    """Check that those who come are counted; UsageError where their reception is switched off."""
    if "reception.on" in case.parameters and case.value("reception.on") < 0.5:
        whose = f"in the scenario {name}" if name != "case" else f"in {case.id}"
        if not case.sites:
            raise UsageError(
                f"{case.id} has no sites, and reception is switched off {whose}, so there is nothing to plan "
                "for\n  Add sites and payers to a copy of its folder with `breakrank case add reception "
                "FOLDER`, and set reception.on to 1 there."
            )
        raise UsageError(
            f"reception is switched off {whose}, so nobody is counted and there is nothing to plan for\n"
            "  Set reception.on to 1. For a host that lodges nobody, set reception.places to 0 instead."
        )


def share_of(level: float) -> float:
    """Return a service level, which is given in per cent of runs, as a share."""
    return round(level / 100, 12)


def check_staff(staff: str | Sequence[int]) -> tuple[int, ...]:
    """Return numbers of caseworkers, ascending; they may be typed with commas between.

    Raises
    ------
    UsageError
        for one that is none.
    """
    if isinstance(staff, str):
        parts = [part.strip() for part in staff.split(",")] if staff.strip() else []
        if not all(part.isascii() and part.lstrip("-").isdigit() for part in parts):
            raise UsageError(
                f"--staff {staff}: numbers of caseworkers are expected, whole, with commas between\n  Write "
                "it like --staff 5,10,20."
            )
        staff = [int(part) for part in parts]
    number: Any
    for number in staff:
        counts = isinstance(number, Real) and not isinstance(number, bool)
        whole = counts and 0 <= number <= MOST_STAFF and int(number) == number
        if not whole:
            raise UsageError(
                f"staff is a whole number of caseworkers from 0 to {MOST_STAFF:,}, not {number}\n  Write "
                "it like --staff 5,10,20,40."
            )
    return tuple(sorted({int(number) for number in staff}))


HOST = "host"
"""All who crossed to the host, wherever they stay."""


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a plan.

    Attributes
    ----------
    label : its name for readers.
    sites : positions of its sites in the case; of a host all but its embassies.
    host : whether it is the host as a whole, with those who found no place in a site.
    base : the case whose places weigh sites, also in scenarios: a town's share of those in no site, and what
        an average place costs. By default each has its own.
    """

    label: str
    sites: tuple[int, ...]
    host: bool
    base: Case | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """First and last day of a plan, inclusive, also as days counted from the start of the calendar."""

    start: dt.date
    end: dt.date
    first: int
    last: int

    @property
    def days(self) -> int:
        """Number of days."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of the period, such as a month: its name, and its days from the start of the calendar."""

    label: str
    first: int
    last: int


def find_where(case: Case, at: str | Sequence[str] = HOST) -> Where:
    """Return a place by name: ``"host"``, or countries, towns, ids and kinds of sites such as ``"hotel"``.

    Countries and towns are found with or without accents and capitals.

    Raises
    ------
    UsageError
        for a name that is none of these (it tells the nearest), or ``"host"`` beside others or where sites
        stand in several countries, whose beds do not add up.
    """
    names = list(dict.fromkeys([at] if isinstance(at, str) else at)) or [HOST]
    countries = hosts(case)
    if names == [HOST]:
        if len(countries) > 1:
            raise UsageError(
                f"sites of {case.id} stand in several countries ({', '.join(countries)}), and a bed in one "
                f"is none in another\n  Plan for one of them, e.g. --place {shlex.quote(countries[0])}."
            )
        own = tuple(k for k, s in enumerate(case.sites) if s.kind != "embassy")
        return Where(host_label(case), own, True)
    if HOST in names:
        raise UsageError(
            "a place is the host as a whole or some of its sites, and both are asked for: "
            f"{', '.join(names)}\n  Name {HOST} alone, or leave it out."
        )
    found: dict[int, str] = {}
    named: list[str] = []
    for name in names:
        here = {k: s.label for k, s in enumerate(case.sites) if name in (s.id, s.kind)}
        if town := next((t for t in towns(case) if _plain(t) == _plain(name)), ""):
            named.append(town)
            here = {k: s.label for k, s in enumerate(case.sites) if s.town == town}
        elif country := next((c for c in countries if _plain(c) == _plain(name)), ""):
            named.append(country)
            here = {k: s.label for k, s in enumerate(case.sites) if _in(s, country)}
        if not here:
            kinds = list(dict.fromkeys(s.kind for s in case.sites))
            known = [HOST, *countries, *towns(case), *(s.id for s in case.sites), *kinds]
            raise UsageError(
                f"{case.id} has no place {name!r}{nearest(name, known, _plain)}\n  Name the {HOST}, "
                f"a country ({', '.join(countries) or 'there is none'}), "
                f"a town ({', '.join(towns(case)) or 'none is known'}), "
                f"a site ({', '.join(s.id for s in case.sites) or 'there is none'}), "
                f"or a kind of site ({', '.join(kinds) or 'there is none'})."
            )
        found |= here
    order = sorted(found)
    if len(named) == len(names):
        return Where("; ".join(named), tuple(order), False)
    return Where("; ".join(found[k] for k in order), tuple(order), False)


def hosts(case: Case) -> tuple[str, ...]:
    """Return the countries in which sites of a case stand, embassies left out, in the order of the file."""
    found: list[str] = []
    for site in case.sites:
        if site.kind != "embassy" and not any(same_country(site.country, one) for one in found):
            found.append(site.country)
    return tuple(found)


def _in(site: Site, country: str) -> bool:
    return site.kind != "embassy" and same_country(site.country, country)


def towns(case: Case, sites: Sequence[int] | None = None) -> tuple[str, ...]:
    """Return the towns in which sites of a case stand, all or those at some positions, as far as it knows."""
    some = case.sites if sites is None else [case.sites[k] for k in sites]
    return tuple(dict.fromkeys(s.town for s in some if s.town))


def _plain(name: str) -> str:
    """Return a name as it is compared: without accents, capitals, and hyphens for spaces."""
    letters = unicodedata.normalize("NFD", name.replace("-", " ").casefold())
    return "".join(c for c in letters if not unicodedata.combining(c))


def host_label(case: Case) -> str:
    """Return the name of the host: the countries to which crossings with a host's scheme lead."""
    countries = list(dict.fromkeys(c.country for c in case.crossings if c.host and c.country))
    return ", ".join(countries) or "the host"


def find_period(calendar: Calendar, since: DateLike | None, until: DateLike | None) -> Period:
    """Return the days from one date to another, by default all of the calendar.

    Raises
    ------
    UsageError
        for a date outside the calendar, or an end before the start.
    """
    start = calendar.start if since is None else calendar.within(since, "the first day of the period")
    end = calendar.end if until is None else calendar.within(until, "the last day of the period")
    if end < start:
        raise UsageError(
            f"the period ends ({end}) before it starts ({start})\n  Give --to a day from {start} on, or "
            "--from an earlier one."
        )
    return Period(start, end, (start - calendar.start).days, (end - calendar.start).days)


def weeks(period: Period) -> tuple[Window, ...]:
    """Return the weeks of a period, counted from its first day; the last may be cut.

    >>> [w.label for w in weeks(Period(dt.date(2019, 2, 23), dt.date(2019, 3, 5), 53, 63))]
    ['23 Feb to 1 Mar 2019', '2 Mar to 5 Mar 2019']
    """
    found = []
    for first in range(period.first, period.last + 1, DAYS_A_WEEK):
        last = min(first + DAYS_A_WEEK - 1, period.last)
        begin, end = (period.start + dt.timedelta(days=k - period.first) for k in (first, last))
        name = f"{day(begin, year=False)} to {day(end)}"
        found.append(Window(name, first, last))
    return tuple(found)


def months(period: Period) -> tuple[Window, ...]:
    """Return the calendar months of a period; the first and the last may be cut.

    >>> [w.label for w in months(Period(dt.date(2019, 2, 23), dt.date(2019, 4, 10), 53, 99))]
    ['Feb 2019 (from 23)', 'Mar 2019', 'Apr 2019 (to 10)']
    """
    found, begin = [], period.start
    while begin <= period.end:
        last = begin.replace(day=monthrange(begin.year, begin.month)[1])
        end = min(last, period.end)
        cut = [f"from {begin.day}"] if begin.day > 1 else []
        cut += [f"to {end.day}"] if end < last else []
        name, first = when(f"{begin:%Y-%m}"), period.first + (begin - period.start).days
        label = f"{name} ({' '.join(cut)})" if cut else name
        found.append(Window(label, first, first + (end - begin).days))
        begin = end + dt.timedelta(days=1)
    return tuple(found)
