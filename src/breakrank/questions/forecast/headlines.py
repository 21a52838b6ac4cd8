"""What is asked first of the days ahead: counts, chances of events and of round numbers, and beds by week."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.errors import UsageError
from breakrank.outputs import asked_part
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import check_reception, find_period, find_where, weeks
from breakrank.questions.plan.spread import sufficient
from breakrank.results.measure_table import find
from breakrank.results.measures import Values, measure, read_by
from breakrank.results.outcome_names import called, headline_measure
from breakrank.results.quantiles import MEDIAN_AND_ENDS
from breakrank.results.whole_force import in_steps

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.results import Result

AHEAD = (7, 30, 90)
"""Days ahead of which the headlines speak."""
COUNTED = {"Registered": "registered", "Persons in sites": "persons_in_sites"}
"""Counts of which the headlines speak, by label; the second is the beds that are taken."""
PASSED = "registered"
"""The count whose round numbers are asked for."""
STEPS = (1, 2, 5)
"""First digits of the round numbers."""
OPEN = (0.05, 0.95)
"""A round number is told if its chance by the last day is within these."""
WEEKS = 12
"""Weeks ahead for which beds are told."""
ASSURANCE = (0.5, 0.8, 0.95)
"""Shares of worlds in which they suffice."""


@dataclass(frozen=True)
class Headline:
    """What is asked first of a day ahead: median and 90% interval of a count, or the chance of an event."""

    label: str
    date: dt.date
    chance: float = np.nan
    low: float = np.nan
    middle: float = np.nan
    high: float = np.nan

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        told: dict[str, Any] = {"label": self.label, "date": str(self.date)}
        if np.isnan(self.chance):
            return told | {"interval90": [self.low, self.high], "median": self.middle}
        return told | {"chance": self.chance}


@dataclass(frozen=True)
class WeekOfBeds:
    """Beds that suffice on every day of a week, in each of :data:`ASSURANCE` of the worlds."""

    label: str
    start: dt.date
    end: dt.date
    beds: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        beds = {f"{share:.0%}": n for share, n in zip(ASSURANCE, self.beds, strict=True)}
        return {"from": str(self.start), "to": str(self.end), "beds": beds}


def counted(case: Case) -> dict[str, str]:
    """Return the counts of which the headlines of a case speak, by label; that which it chooses comes first.

    Runs count a part of the force by several dimensions only while its target is known, so it is left out.
    """
    own = headline_measure(case)
    if own is None or own in COUNTED.values() or len(asked_part(own)[1]) > 1:
        return COUNTED
    return {called(own): own, **COUNTED}


def reads(case: Case) -> frozenset[str]:
    """Return the variables of a result that headlines of a case are made of."""
    of_counts = (v for name in counted(case).values() for v in read_by(name))
    return frozenset({"risings", "regime_holds", *READ, *of_counts})


def headlines(data: xr.Dataset, day: dt.date, case: Case) -> tuple[Headline, ...]:
    """Return the headlines of runs of a case, as of a day."""
    end, following = case.calendar.end, day + dt.timedelta(days=1)
    dates = sorted({min(end, day + dt.timedelta(days=k)) for k in AHEAD} | {end})
    out = []
    for label, name in counted(case).items():
        counts = {date: measure(data, name, date) for date in dates}
        for date, count in counts.items():
            ends = np.quantile(count, MEDIAN_AND_ENDS)
            low, middle, high = in_steps(ends, case.stands_for, find(name).unit).tolist()
            out.append(Headline(label, date, low=low, middle=middle, high=high))
        if name == PASSED:
            for figure in round_numbers(counts[end]):
                passed = f"At least {figure:,} registered"
                out += [Headline(passed, date, float((n >= figure).mean())) for date, n in counts.items()]
    for date in dates:
        rose = measure(data, "risings", date, following) > 0
        out.append(Headline("A rising", date, float(rose.mean())))
    out.append(Headline("Regime in place", end, float(measure(data, "regime_holds", end).mean())))
    return tuple(out)


def round_numbers(counts: Values) -> tuple[int, ...]:
    """Return the round numbers of which it is open whether they are reached.

    >>> round_numbers(np.array([90.0, 400.0, 800.0, 1500.0]))
    (100, 200, 500, 1000)
    """
    most = int(counts.max())
    candidates = [step * 10**power for power in range(1, len(str(most)) + 1) for step in STEPS]
    return tuple(n for n in candidates if OPEN[0] <= (counts >= n).mean() <= OPEN[1])


def beds_by_week(found: Result, day: dt.date) -> tuple[WeekOfBeds, ...]:
    """Return the beds that the host needs in each of the weeks after a day.

    None where nobody is received, and where sites stand in several countries.
    """
    case = found.case
    try:
        check_reception(case, "case")
        host = course(found, find_where(case))
    except UsageError:
        return ()
    begin = day + dt.timedelta(days=1)
    end = min(case.calendar.end, day + dt.timedelta(weeks=WEEKS))
    out = []
    for week in weeks(find_period(case.calendar, begin, end)):
        most = host.persons["need"][:, week.first : week.last + 1].max(axis=1)
        start, last = (case.calendar.start + dt.timedelta(days=k) for k in (week.first, week.last))
        out.append(WeekOfBeds(week.label, start, last, tuple(sufficient(most, a) for a in ASSURANCE)))
    return tuple(out)
