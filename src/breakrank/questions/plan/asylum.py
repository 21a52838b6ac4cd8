"""Asylum: files and waiting time as the runs have them, and as other numbers of caseworkers would."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from breakrank.questions.plan.course import PlanCourse, Values
from breakrank.questions.plan.persons import date_of
from breakrank.questions.plan.scope import months
from breakrank.questions.plan.spread import COLUMNS, Row, Spread, spread

if TYPE_CHECKING:
    from breakrank.questions.plan.scope import Period

AS_IS = -1
"""The staff that the case has, day by day, beside constant numbers."""


@dataclass(frozen=True, eq=False)
class Staffing:
    """What a number of caseworkers would make of the requests of each run.

    Attributes
    ----------
    staff : caseworkers from the first day of the period on; :data:`AS_IS` for those of the case.
    label : of the number, for readers.
    open : float64 (run, day of the period), files open at the end of each day.
    wait : float64 (run,), mean days from request to decision of those who ask within the period and get one,
        infinite where one never does; nan where there are none.
    long_wait : float64 (run,), days within which nine tenths of these are decided.
    decided, closed : float64 (run,), shares of those who ask within the period whose files are decided by its
        end, and whose files close without a decision.
    rest, held : float64 (run,), mean days of those decided until anyone may take their file up, and from then
        until a caseworker is free; nan where there are none.
    waiting : float64 (run,), files that wait for a caseworker at the end of the period.
    """

    staff: int
    label: str
    open: Values
    wait: Values
    long_wait: Values
    decided: Values
    closed: Values
    rest: Values
    held: Values
    waiting: Values


@dataclass(frozen=True, slots=True)
class KeepingUp:
    """How many caseworkers keep up with the requests, and what no number of them changes.

    Attributes
    ----------
    staff : the least number with which no more files wait for a caseworker on the last day than before the
        period, in 95% of runs; one more than `most` where none does.
    most : the most that was tried.
    before, left : files open before the period, and on its last day with ever so many caseworkers.
    grows : share of runs in which these are more, so that files grow whatever the staff.
    """

    staff: int
    most: int
    before: Spread
    left: Spread
    grows: float


@dataclass(frozen=True, slots=True)
class QueueRules:
    """What the queue needs to know of a case: mean work of a decision, days of rest, staff by day."""

    effort: float
    first_days: float
    staff: npt.NDArray[np.int64]


def by_month(world: PlanCourse, period: Period) -> list[Row]:
    """Return requests, decisions, files open and waits by month, as the runs have them, with quantiles."""
    rows: list[Row] = []
    for window in months(period):
        days = slice(window.first, window.last + 1)
        decided = world.persons["decisions"][:, days]
        values: dict[tuple[str, str, str], Values] = {
            ("requests", "Requests", "requests"): world.persons["requests"][:, days].sum(axis=1),
            ("decisions", "Decisions", "decisions"): decided.sum(axis=1),
        }
        if "files_open" in world.persons:
            last = world.persons["files_open"][:, window.last]
            values[("files_open", "Files open, last day", "files")] = last
        values[("wait", "Mean time from request to decision", "days")] = _mean(world.wait[:, days], decided)
        values[("age", "Mean age of open files, last day", "days")] = world.age[:, window.last]
        for (name, label, unit), per_run in values.items():
            one = spread(per_run)
            about = {
                "month": window.label,
                "from": date_of(world, window.first),
                "to": date_of(world, window.last),
                "quantity": name,
                "label": label,
                "unit": unit,
                "runs": one.runs,
            }
            rows.append(about | one.row)
    return rows


def _mean(level: Values, weight: Values) -> Values:
    """Return the mean over days of a level, weighted; nan where all weights are 0."""
    total = weight.sum(axis=1)
    added = (np.where(weight > 0, level, 0.0) * weight).sum(axis=1)
    mean = np.full(len(total), np.nan)
    np.divide(added, total, out=mean, where=total > 0)
    return mean


def staff_rows(staffings: tuple[Staffing, ...]) -> list[Row]:
    """Return the effect of numbers of caseworkers: a row for each, and notes."""
    rows: list[Row] = []
    for one in staffings:
        told: tuple[tuple[str, str, str, Values], ...] = (
            ("files_open", "Files open, last day", "files", one.open[:, -1]),
            ("files_peak", "Most files open", "files", one.open.max(axis=1)),
            ("waiting", "Files waiting for a caseworker, last day", "files", one.waiting),
            ("wait", "Mean time from request to decision, days", "days", one.wait),
            ("rest", "Of it until anyone may take the file up, days", "days", one.rest),
            ("held", "Of it until a caseworker is free, days", "days", one.held),
            ("long_wait", "Time within which nine tenths are decided, days", "days", one.long_wait),
            ("decided", "Decided by the last day of the period", "share", one.decided),
            ("closed", "Closed without a decision, sooner or later", "share", one.closed),
        )
        for name, label, unit, values in told:
            number = None if one.staff == AS_IS else one.staff
            about = {"staff": number, "staffing": one.label, "quantity": name, "label": label, "unit": unit}
            rows.append(about | _row(values))
    return rows


def _row(values: Values) -> dict[str, float]:
    """Return quantiles over runs; infinite if waiting never ends in that share."""
    answered = values[~np.isnan(values)]
    if answered.size and np.isinf(answered).any():
        return dict.fromkeys(COLUMNS, math.inf)
    return spread(values).row
