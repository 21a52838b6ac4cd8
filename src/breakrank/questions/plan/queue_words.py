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
    said = [_waits(plan), _enough(plan)]
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
        f"The least staff that keeps up is {many} from {since} on: in 95% of runs no more files then wait "
        "for a caseworker on the last day than before."
    )


def least_staff(plan: PlanData) -> str:
    """Return the least staff that keeps up and what it leaves open, in a sentence; or nothing."""
    found = plan.keeping_up
    if found is None or not plan.staffings or found.staff > found.most:
        return ""
    many = f"{number(found.staff, 'people')} caseworker{'s' * (found.staff != 1)}"
    return f" {many} would keep up; with ever so many, {ranged(found.left, plan.runs)} files stay open."
