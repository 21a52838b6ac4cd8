"""What a host has to provide, as the page shows it: the plan of answers that are there, in sections."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.page.figures import panel_of
from breakrank.page.question import composed, exact
from breakrank.questions.plan.asylum import AS_IS
from breakrank.questions.plan.course import STAYS, course
from breakrank.questions.plan.document import render, tiles
from breakrank.questions.plan.document import render_pdf as set_on_paper
from breakrank.questions.plan.drawings import beds, files_by_staff, money, persons, scenarios
from breakrank.questions.plan.plan import ASSURANCE, STAFF, plan_of
from breakrank.questions.plan.reading_notes import (
    AT_SITES,
    NEED,
    assured,
    beds_and_places,
    covers,
    full_care,
    funds_assumed,
    meals,
    runs_for,
    stands_still,
    too_few,
)
from breakrank.questions.plan.reading_notes import money as about_money
from breakrank.questions.plan.scope import (
    HOST,
    check_assurance,
    check_reception,
    find_period,
    find_where,
    host_label,
    hosts,
    towns,
    weeks,
)
from breakrank.questions.plan.shelter import shelter
from breakrank.questions.plan.text_tables import (
    care_grid,
    cost_grid,
    needs_grid,
    payers_grid,
    people_grid,
    scenario_grid,
    shelter_grid,
    sites_grid,
    sources_of_needs,
    staff_grid,
    worlds_grid,
)
from breakrank.questions.plan.texts import caution, finding, headline, leading, limits, lower
from breakrank.questions.plan.workbook import write
from breakrank.runs.counterfactuals import changes
from breakrank.show.html import Tile
from breakrank.show.look import Look
from breakrank.show.provenance import drawn_in_part
from breakrank.show.style import PAGE
from breakrank.show.words import day, number
from breakrank.wording import call

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.question import PageQuestion
    from breakrank.page.requests import WantedReception
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.result import Plan
    from breakrank.results import Result
    from breakrank.show.grid import GridTable
    from breakrank.show.sheet import Drawn


def head(plan: Plan, lead: Plan) -> dict[str, Any]:
    """Return the finding, what the unchanged side has, the rest of the finding, and the key figures.

    Parameters
    ----------
    plan, lead : of both sides, and that which leads; the same where nothing is changed.
    """
    first, key, beside = headline(lead), [*_beds_enough(lead), *tiles(lead)], ""
    rest = finding(lead)[len(first) :]
    if lead is not plan:
        first = _after("With the change, ", first)
        beside = "".join(text for text, _ in _after("Without it, ", headline(plan))).strip()
        before = {one.label: one.value for one in (*_beds_enough(plan), *tiles(plan))}
        key = [_beside(one, before.get(one.label, "")) for one in key]
    return {
        "finding": [list(part) for part in first],
        "beside": beside,
        "more": "".join(text for text, _ in rest),
        "tiles": [{"label": one.label, "value": one.value, "note": one.note} for one in key],
    }


def _after(words: str, parts: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return parts of a sentence after some words, with which the sentence now begins.

    >>> _after("With it, ", [("Enough: ", False), ("12 beds", True)])
    [('With it, ', False), ('enough: ', False), ('12 beds', True)]
    """
    (text, stressed), *others = parts
    return [(words, False), (lower(text), stressed), *others]


def _beside(one: Tile, before: str) -> Tile:
    if not before:
        return one
    return replace(one, note=f"{one.note}; {before} without" if one.note else f"{before} without the change")


def _beds_enough(plan: Plan) -> list[Tile]:
    """Return the beds that suffice at each assurance, and when the need is highest."""
    if plan.runs < 2 or not plan.base.within("need", plan.period).any():
        return []
    whole = shelter(plan.base, plan.period, plan.assurance)[0]
    said = "Beds that suffice" if plan.where.host else "Beds needed here by rule"
    found = [
        Tile(f"{said} in {100 * share:g}% of runs", number(bed, "people"), "")
        for share, bed in zip(plan.assurance, whole.beds, strict=True)
    ]
    found[-1] = replace(found[-1], note=f"highest need about {day(whole.peak, year=False)}")
    return found


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
MANY_WEEKS = 60
"""Weeks that the page lists; of more those of the highest need."""
FILES = {
    "plan.pdf": "application/pdf",
    "plan.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "plan.html": "text/html; charset=utf-8",
    "plan.json": "application/json",
}
"""Files of a plan, with their types."""


def planned(
    asked: WantedReception, result: Result, other: Result | None, stated: Case | None, source: str
) -> Plan:
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
    staff = STAFF if asked.staff is None else (asked.staff,)
    made = plan_of(worlds, where, period, check_assurance(ASSURANCE), staff, asked.question.seed)
    return replace(
        made,
        command=call_of(asked.model_copy(update={"place": place}), case, source),
        versions=dict(result.versions),
        failed=result.failed,
    )


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
    plan = planned(asked, result, other, stated, source)
    lead = leading(plan)
    case = plan.case
    lodging = [k for k, site in enumerate(case.sites) if site.kind != "embassy"]
    several = hosts(case)
    places = [("host", HOST, f"{host_label(case)}, all towns")]
    if len(several) > 1:  # the first is what the page shows of the host until another is chosen
        places = [("host", HOST if one == several[0] else one, f"{one}, all towns") for one in several]
    places += [("town", town, town) for town in towns(case, lodging)]
    places += [("site", case.sites[k].id, case.sites[k].label) for k in lodging]
    cautions = [drawn_in_part(case.stands_for), caution(plan), too_few(plan.assurance, plan.runs)]
    cautions += [funds_assumed(lead)]
    cautions += [stands_still(lead)] if lead.base.fallen else []
    return {
        "runs": plan.runs,
        "enough": max(map(runs_for, plan.assurance)),
        "covers": plainly(covers(plan)),
        **head(plan, lead),
        "cautions": [plainly(text) for text in cautions if text],
        "places": [{"kind": kind, "id": name, "label": label} for kind, name, label in places],
        "start": str(plan.period.start),
        "end": str(plan.period.end),
        "staff": _staff(lead),
        "sections": [
            one
            for one in (*_changes(plan), *_sections(lead, (LOOK if lead is plan else CHANGED).of(case)))
            if one["grids"] or one["panels"]
        ],
        "command": plan.command,
    }


def plainly(text: str) -> str:
    """Return a text without what it says of the command line in brackets.

    >>> plainly("take 60 runs or more (--runs 60); 95% is their worst")
    'take 60 runs or more; 95% is their worst'
    """
    return re.sub(r" \([^()]*--[^()]*\)", "", text)


def _staff(plan: Plan) -> dict[str, int] | None:
    """Return how many caseworkers the case has, at least and at most, and how many keep up; or ``None``."""
    if not plan.staffings or plan.rules is None:
        return None
    mine = plan.rules.staff[plan.period.first : plan.period.last + 1]
    found = plan.keeping_up
    enough = 0 if found is None or found.staff > found.most else found.staff
    return {"least": int(mine.min()), "most": int(mine.max()), "enough": enough}


def _sections(plan: Plan, look: Look) -> list[dict[str, Any]]:
    host = plan.where.host
    weekly = shelter_grid(plan, weeks, MANY_WEEKS)
    found = [
        _section(
            "beds",
            "Beds" if host else "Beds needed here",
            f"{assured(plan.assurance)} {beds_and_places(plan)}",
            beds(plan, look),
            [weekly],
        ),
        _section(
            "people", "Who is where", NEED if host else AT_SITES, persons(plan, look),
            [sites_grid(plan), people_grid(plan, half=False)],
        ),
        _section("needs", "Meals, water and space", meals(plan), [], [needs_grid(plan)], sources_of_needs()),
    ]  # fmt: skip
    if plan.staffings and host:
        drawn = [files_by_staff(plan, look, (look.wide, look.tall))] if _asked_for(plan) else []
        said = (
            "The same requests, first come, first served, by another number of caseworkers from the first "
            "day of the period on. Waits are those of files that are decided, however late. "
            f"{limits(plan)}"
        )
        found.append(_section("asylum", "Asylum files and caseworkers", said, drawn, [staff_grid(plan)]))
    if plan.base.payers:
        said = f"{about_money(plan)} {full_care(plan)}"
        grids = [care_grid(plan), payers_grid(plan), cost_grid(plan)]
        found.append(_section("money", "Money, by payer", said, money(plan, look), grids))
    return found


def _changes(plan: Plan) -> list[dict[str, Any]]:
    """Return both sides beside each other, as a section; none where nothing is changed."""
    if len(plan.worlds) < 2:
        return []
    other = plan.worlds[1]
    said = f"{other.title}: {'; '.join(other.changes)}. A what-if with the same luck, run by run."
    grids = [worlds_grid(plan), scenario_grid(plan)]
    return [
        _section("changed", "With the change and without", said, scenarios(plan, LOOK.of(plan.case)), grids)
    ]


def _asked_for(plan: Plan) -> bool:
    files = any(one.staff != AS_IS for one in plan.staffings[0])
    return files and bool(plan.base.within("requests", plan.period).any())


def _section(
    name: str,
    title: str,
    note: str,
    charts: Sequence[Drawn],
    grids: Sequence[GridTable],
    sources: Sequence[str] = (),
) -> dict[str, Any]:
    return {
        "id": name,
        "title": title,
        "note": note,
        "panels": [panel_of(one, f"{name}-{k}", _alt(one)) for k, one in enumerate(charts)],
        "grids": [asdict(one) for one in grids if one.rows],
        "sources": list(sources),
    }


def _alt(drawn: Drawn) -> str:
    """Return what a chart shows, in a sentence: its title and the lines under it."""
    title = drawn.chart.get("title", {})
    said = title.get("subtitle", "")
    lines = said if isinstance(said, str) else "; ".join(said)
    return f"{title.get('text', '')}: {lines}."


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
    plan = planned(asked, result, other, stated, source)
    if what == "plan.pdf":
        return set_on_paper(plan)
    if what == "plan.xlsx":
        book = BytesIO()
        write(plan, book)
        return book.getvalue()
    if what == "plan.html":
        return render(plan).encode()
    return (json.dumps(plan.as_json(), indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
