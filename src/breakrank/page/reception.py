"""What a host has to provide, as the page shows it: the plan of answers that are there, in sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.cells import pages
from breakrank.answer.charts import panels
from breakrank.answer.files import RENDERERS
from breakrank.page.figures import panel_of
from breakrank.page.question import composed, exact
from breakrank.questions.paired import provenance
from breakrank.questions.plan.answer import answer_of
from breakrank.questions.plan.course import STAYS, course
from breakrank.questions.plan.notes import covers, findings, runs_for, scenarios
from breakrank.questions.plan.plan import plan_of
from breakrank.questions.plan.question import LEVEL, STAFF
from breakrank.questions.plan.scope import (
    HOST,
    check_level,
    check_reception,
    check_staff,
    find_period,
    find_where,
    host_label,
    hosts,
    towns,
)
from breakrank.runs.counterfactuals import changes
from breakrank.show.look import Look
from breakrank.show.provenance import drawn_in_part
from breakrank.show.style import PAGE
from breakrank.wording import call

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.question import PageQuestion
    from breakrank.page.requests import WantedReception
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.data import PlanData
    from breakrank.results import Result


def call_of(asked: WantedReception, case: Case, source: str) -> str:
    """Return the call of the command line that makes the same plan.

    What no option can say is in the scenario file that the page gives to take away; the call names it.
    """
    question, beside = asked.question, asked.beside
    parts = ["breakrank", "plan", source, "--runs", str(question.runs), "--seed", str(question.seed)]
    if question.parameters == "values":
        parts += ["--ensemble", "point"]
    for name in case.mechanisms:
        parts += ["--mechanisms", name]
    for name, value in question.set.items():
        parts += ["--set", f"{name}={exact(value)}"]
    if beside is not None:
        values = {*beside.set} - {*question.set}
        more = (
            any((values, beside.events, beside.without_events, beside.places, beside.funds))
            or len(beside.counterfactuals) > 1
        )
        file = f"{question.case}-scenario.yaml"
        for name in (file,) if more else beside.counterfactuals:
            parts += ["--with", name]
        parts += ["--arrivals", exact(beside.arrivals)] if beside.arrivals != 1 else []
    parts += ["--place", asked.place] if asked.place != HOST else []
    parts += ["--from", asked.since] if asked.since else []
    last = asked.until or question.until
    parts += ["--to", last] if last else []
    parts += ["--staff", str(asked.staff)] if asked.staff is not None else []
    return call(parts)


LOOK = Look(PAGE, tall=240, low=110, page=True)
CHANGED = replace(LOOK, theme=replace(PAGE, baseline=PAGE.counterfactual_text))
"""How the changed side is drawn where it leads: in its own hue, as in every chart."""
SECTIONS = {
    "changed": ("With the change and without", ("changes",), ("worlds", "scenarios")),
    "beds": ("Beds", ("beds",), ("weeks", "beds")),
    "people": ("Who is where", ("people",), ("inside", "period")),
    "needs": ("Meals, water and space", (), ("needs",)),
    "asylum": ("Asylum files and caseworkers", ("staff",), ("staff",)),
    "money": ("Money, by payer", ("money",), ("costs_at", "funds", "costs")),
}
"""Title, figures and tables of each section, by id."""
FILES = {
    "plan.pdf": "application/pdf",
    "plan.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "plan.html": "text/html; charset=utf-8",
    "plan.json": "application/json",
}
"""Files of a plan, with their types."""


def planned(
    asked: WantedReception, result: Result, other: Result | None, stated: Case | None, source: str
) -> tuple[PlanData, Answer]:
    """Return the plan of the runs of a question, and beside it of a changed one with the same luck.

    `stated` is the case whose host takes in those who come in the changed one; `source` is by what name the
    command line loads the case.

    Raises
    ------
    UsageError
        for a place or a period that there is not, or runs that record nothing of reception.
    """
    case = result.case
    place = place_of(case, asked.place)
    where, period = find_where(case, place), find_period(case.calendar, asked.since, asked.until)
    check_reception(case, "case")
    worlds = []
    if other is not None and asked.beside is not None:
        check_reception(other.case, "changed")
        result, other = _of_both(result, other), _of_both(other, result)
        worlds.append(_changed(asked.beside, case, other, stated or other.case, place))
    worlds.insert(0, course(result, where))
    staff = check_staff(STAFF if asked.staff is None else (asked.staff,))
    made = plan_of(worlds, where, period, check_level(LEVEL), staff, asked.question.seed)
    command = call_of(asked.model_copy(update={"place": place}), case, source)
    of = provenance(case, result.runs, asked.question.seed, failed=result.failed, command=command)
    return made, answer_of(made, of)


def place_of(case: Case, place: str) -> str:
    """Return the place that is planned for: of several hosts the first, where none of them is named."""
    several = hosts(case)
    return several[0] if place == HOST and len(several) > 1 else place


def _of_both(one: Result, other: Result) -> Result:
    """Return a result with the runs that another has finished as well, so that like stands beside like."""
    both = np.isin(one.data["run"].values, other.data["run"].values)
    return one if both.all() else replace(one, data=one.data.isel(run=np.flatnonzero(both)))


def _changed(question: PageQuestion, case: Case, result: Result, stated: Case, place: str) -> PlanCourse:
    asked, times = composed(question, case), question.arrivals
    said = () if asked is None else changes(asked, case)
    said += (STAYS,) if times != 1 else ()
    where = find_where(stated, place)
    return course(result, where, "changed", question.called(case), said, times=times, stated=stated)


def reception(
    asked: WantedReception, result: Result, other: Result | None, stated: Case | None, source: str
) -> dict[str, Any]:
    """Return the plan as the page shows it: its finding, its cautions, and its sections.

    Where something is changed, the changed side leads, and the unchanged one stands beside it.

    Raises
    ------
    UsageError
        as :func:`planned` does.
    """
    plan, answer = planned(asked, result, other, stated, source)
    lead, case = plan.lead, plan.case
    lodging = [k for k, site in enumerate(case.sites) if site.kind != "embassy"]
    several = hosts(case)
    places = [("host", HOST, f"{host_label(case)}, all towns")]
    if len(several) > 1:  # the first is what the page shows of the host until another is chosen
        places = [("host", HOST if one == several[0] else one, f"{one}, all towns") for one in several]
    places += [("town", town, town) for town in towns(case, lodging)]
    places += [("site", case.sites[k].id, case.sites[k].label) for k in lodging]
    cautions = [drawn_in_part(case.stands_for), answer.doubt]
    return {
        "runs": plan.runs,
        "enough": runs_for(plan.level),
        "covers": plainly(covers(plan)),
        "finding": [(answer.finding, True)],
        "beside": "",
        "more": plainly(" ".join((*scenarios(plan), *findings(lead)))),
        "tiles": [],
        "cautions": [plainly(text) for text in cautions if text],
        "places": [{"kind": kind, "id": name, "label": label} for kind, name, label in places],
        "start": str(plan.period.start),
        "end": str(plan.period.end),
        "staff": _staff(lead),
        "sections": list(_sections(answer, LOOK.of(case), (LOOK if lead is plan else CHANGED).of(case))),
        "command": answer.provenance.command,
    }


def plainly(text: str) -> str:
    """Return a text without what it says of the command line in brackets.

    >>> plainly("take 60 runs or more (--runs 60); 95% is their worst")
    'take 60 runs or more; 95% is their worst'
    """
    return re.sub(r" \([^()]*--[^()]*\)", "", text)


def _staff(plan: PlanData) -> dict[str, int] | None:
    """Return how many caseworkers the case has, at least and at most, and how many keep up; or ``None``."""
    if not plan.staffings or plan.rules is None:
        return None
    mine = plan.rules.staff[plan.period.first : plan.period.last + 1]
    found = plan.keeping_up
    enough = 0 if found is None or found.staff > found.most else found.staff
    return {"least": int(mine.min()), "most": int(mine.max()), "enough": enough}


def _sections(answer: Answer, both: Look, lead: Look) -> Iterator[dict[str, Any]]:
    """Yield what the answer has, in sections; both sides are drawn in one look, the leading in another."""
    figures = {figure.name: figure for figure in answer.figures}
    shown = {table.name: (parts, note) for table, parts, note in pages(answer)}
    for name, (title, drawn, told) in SECTIONS.items():
        some = [figures[one] for one in drawn if one in figures]
        look = both if name == "changed" else lead
        plots = [panel for one in some for panel in panels(answer, one, look)]
        tables = [shown[one] for one in told if one in shown]
        said = [f"{one.title}. {one.note}" for one in some] + [note for _, note in tables if note]
        section = {
            "id": name,
            "title": title,
            "note": plainly(" ".join(said)),
            "panels": [panel_of(one.drawn, f"{name}-{k}", one.sentence) for k, one in enumerate(plots)],
            "grids": [asdict(grid) for parts, _ in tables for _, grid in parts],
            "sources": [],
        }
        if plots or section["grids"]:
            yield section


def file_of(
    asked: WantedReception,
    what: str,
    result: Result,
    other: Result | None,
    stated: Case | None,
    source: str,
) -> bytes:
    """Return the plan as a file: PDF, workbook, HTML or JSON.

    Raises
    ------
    UsageError
        as :func:`planned` does, or where the library for the format is not installed.
    """
    _, answer = planned(asked, result, other, stated, source)
    return RENDERERS[f".{what.rpartition('.')[2]}"](answer)
