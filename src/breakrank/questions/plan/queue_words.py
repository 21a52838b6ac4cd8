"""What limits decisions on asylum, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.plan.asylum import AS_IS
from breakrank.questions.plan.place_words import ranged
from breakrank.questions.plan.spread import spread
from breakrank.show.words import day, number, percent

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData


def limits(plan: PlanData) -> str:
    """Return what decisions wait for, and the least staff that keeps up, in a few sentences; or nothing."""
    found = plan.keeping_up
    if found is None or not plan.staffings:
        return ""
    said = [_waits(plan), too_short(plan) or _enough(plan)]
    left, before = ranged(found.left, plan.runs), ranged(found.before, plan.runs)
    if found.grows >= 0.5:
        said.append(
            f"No number of caseworkers keeps the open files from growing: with ever so many, {left} are open "
            f"on the last day, and {before} before the period, since every request rests first."
        )
    else:
        said.append(f"With ever so many, {left} files are open on the last day: those at rest.")
    closed = next(s.closed for s in plan.staffings[0] if s.staff == AS_IS)
    if np.isfinite(closed).any():
        share = percent(float(np.nanmedian(closed)))
        said.append(
            f"Of who asks in the period, {share} get no decision: they leave, or take a permit, before it."
        )
    return " ".join(text for text in said if text)


def _waits(plan: PlanData) -> str:
    one = next(s for s in plan.staffings[0] if s.staff == AS_IS)
    if not np.isfinite(one.rest).any():
        return ""
    rest, held = (ranged(spread(v), plan.runs) for v in (one.rest, one.held))
    wait = ranged(spread(one.wait), plan.runs) if np.isfinite(one.wait).all() else ""
    whole = f" {wait} days" if wait else ""
    return (
        f"A file that is decided waits{whole}: {rest} until anyone may take it up (asylum.first_days), "
        f"{held} for a caseworker, and the work itself."
    )


def _enough(plan: PlanData) -> str:
    assert plan.keeping_up is not None
    staff = plan.keeping_up.staff
    if staff > plan.keeping_up.most:
        return f"Not even {number(plan.keeping_up.most, 'people')} caseworkers keep up."
    since = day(plan.period.start, year=False)
    many = f"{number(staff, 'people')} caseworker{'s' * (staff != 1)}"
    return (
        f"For this period, the least staff that keeps up is {many} from {since} on: in 95% of runs no more "
        "files then wait for a caseworker on the last day than before. Another period gives another number."
    )


def too_short(plan: PlanData) -> str:
    """Return why no least staff is told of a period in which no new file may be taken up; or nothing."""
    if plan.rules is None or plan.period.days > plan.rules.first_days:
        return ""
    return (
        f"The least staff that keeps up is not told for {plan.period.days} days: nobody may take up a file "
        f"for {plan.rules.first_days:g} days (asylum.first_days), so who asks in this period waits for no "
        "caseworker yet."
    )


def least_staff(plan: PlanData) -> str:
    """Return the least staff that keeps up, and what files any staff leaves open; or nothing.

    The files are those of the queue played again, with the case's own staff and with ever so many.
    """
    found = plan.keeping_up
    if found is None or not plan.staffings or found.staff > found.most:
        return ""
    as_is = next(s for s in plan.staffings[0] if s.staff == AS_IS)
    mine = ranged(spread(as_is.open[:, -1]), plan.runs)
    again = (
        f" In the queue played again, {mine} stay open with the case's staff, "
        f"{ranged(found.left, plan.runs)} with ever so many."
    )
    if too_short(plan):
        return again
    many = f"{number(found.staff, 'people')} caseworker{'s' * (found.staff != 1)}"
    return f" For this period {many} would keep up.{again}"
