"""The view Plan: the answer of a plan on runs that are there, and what the bar of the view offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.page.question import call_options, composed, exact
from breakrank.questions.declared import LEVEL, STAFF
from breakrank.questions.paired import provenance
from breakrank.questions.plan.answer import answer_of
from breakrank.questions.plan.course import STAYS, course
from breakrank.questions.plan.plan import plan_of
from breakrank.questions.plan.scope import (
    HOST,
    check_reception,
    check_staff,
    find_period,
    find_where,
    host_label,
    hosts,
    share_of,
    towns,
)
from breakrank.runs.counterfactuals import changes
from breakrank.wording import call_again

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.question import WantedView
    from breakrank.questions.plan.plan import PlanData
    from breakrank.results.result import Result


def place_of(case: Case, place: str) -> str:
    """Return the place that is planned for: of several hosts the first, where none of them is named."""
    several = hosts(case)
    return several[0] if place == HOST and len(several) > 1 else place


def places(case: Case) -> list[dict[str, str]]:
    """Return the places of a plan: the host or hosts, their towns, and their sites."""
    lodging = [k for k, site in enumerate(case.sites) if site.kind != "embassy"]
    several = hosts(case)
    found = [("host", HOST, f"{host_label(case)}, all towns")]
    if len(several) > 1:  # the first is what the page shows of the host until another is chosen
        found = [("host", HOST if one == several[0] else one, f"{one}, all towns") for one in several]
    found += [("town", town, town) for town in towns(case, lodging)]
    found += [("site", case.sites[k].id, case.sites[k].label) for k in lodging]
    return [{"kind": kind, "id": name, "label": label} for kind, name, label in found]


def answer(
    asked: WantedView, result: Result, stated: Case | None, source: str, plain: Case
) -> tuple[Answer, dict[str, Any]]:
    """Return the plan of the runs of a question, and what the bar of the view offers.

    Parameters
    ----------
    stated : the case whose host takes in those who come, where each stands for several.
    source : by what name the command line loads the case. plain : the case without the changes.

    Raises
    ------
    UsageError
        for a place or a period that there is not, or runs that record nothing of reception.
    """
    case = stated or result.case
    check_reception(case, "case")
    place = place_of(case, asked.place)
    where, period = find_where(case, place), find_period(case.calendar, asked.since, asked.until)
    change, times = composed(asked.question, plain), asked.question.arrivals
    said = () if change is None else changes(change, plain)
    said += (STAYS,) if times != 1 else ()
    title = asked.question.called(plain)
    world = course(result, where, "case", title, said, times=times, stated=case)
    plan = plan_of([world], where, period, share_of(asked.level), check_staff(_staff(asked)), result.seed)
    made = provenance(
        result.case,
        result.runs,
        result.seed,
        failed=result.failed,
        command=command(asked, place, source, result.case),
    )
    offered = {"places": places(plain), "start": str(period.start), "end": str(period.end)}
    return answer_of(plan, made), offered | {"staff": _usual_staff(plan), "runs": result.runs}


def _staff(asked: WantedView) -> str:
    return STAFF if asked.staff is None else f"{STAFF},{asked.staff}"


def _usual_staff(plan: PlanData) -> dict[str, int] | None:
    """Return the fewest and the most caseworkers of the case in a period; ``None`` where nobody decides."""
    if plan.rules is None:
        return None
    mine = plan.rules.staff[plan.period.first : plan.period.last + 1]
    return {"least": int(mine.min()), "most": int(mine.max())}


def command(asked: WantedView, place: str, source: str, case: Case) -> str:
    """Return the call of the command line that makes the same plan, as far as it can be said in one."""
    question = asked.question
    more = any((question.events, question.without_events, question.places, question.funds))
    options = call_options(question, case.mechanisms) | {
        "until": None,
        "with": (f"{question.case}-scenario.yaml",) if more else question.counterfactuals,
        "arrivals": exact(question.arrivals) if question.arrivals != 1 else None,
        "place": place if place != HOST else None,
        "from": asked.since,
        "to": asked.until or question.until,
        "level": exact(asked.level) if asked.level != LEVEL else None,
        "staff": None if asked.staff is None else _staff(asked),
    }
    return call_again("plan", source, **options)
