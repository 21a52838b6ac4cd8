"""The view Plan: what a host has to provide in a period, at one service level."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Table, brief
from breakrank.page.question import composed, exact
from breakrank.questions.paired import bases, provenance
from breakrank.questions.plan.answer import money_said
from breakrank.questions.plan.course import STAYS, course
from breakrank.questions.plan.money import care, fundings
from breakrank.questions.plan.queue_whatif import caseworkers, queue_rules
from breakrank.questions.plan.scope import (
    HOST,
    check_reception,
    find_period,
    find_where,
    host_label,
    hosts,
    towns,
)
from breakrank.questions.plan.shelter import needs, shelter, site_rows, weeks
from breakrank.questions.plan.spread import sufficient, sufficient_each
from breakrank.results.uncertainty import holds
from breakrank.runs.counterfactuals import changes
from breakrank.show.words import day, number, percent
from breakrank.wording import call

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.requests import WantedView
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.scope import Period, Where
    from breakrank.results import Result

NEEDED = {0.95: 60, 0.9: 30}
"""Runs below which a service level is close to the worst run."""
SOME = (5, 10, 20, 40)
"""Numbers of caseworkers that are tried unless another is asked for."""


def place_of(case: Case, place: str) -> str:
    """Return the place that is planned for: of several hosts the first, where none of them is named."""
    several = hosts(case)
    return several[0] if place == HOST and len(several) > 1 else place


def places(case: Case) -> list[dict[str, str]]:
    """Return what can be planned for: the host or hosts, their towns, and their sites."""
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
    level = asked.level / 100
    made = provenance(
        result.case,
        result.runs,
        result.seed,
        failed=result.failed,
        command=command(asked, place, source, result.case),
    )
    tables = [
        _weekly(world, period, level),
        _needs(world, period, level),
        _sites(world, period),
        _money(world, period, level),
    ]
    tables += [_payers(world, period, level), _staff(world, period, asked)]
    told = Answer(
        question="plan",
        title=f"{result.case.title}: plan for {where.label}" + ("" if title == "case" else f", {title}"),
        finding=finding(world, where, period, level),
        doubt=doubt(world, period, level),
        tables=(*(one for one in tables if len(one.rows)), _daily(world, period, level)),
        figures=(
            Figure(
                name="beds",
                title=f"Beds needed at {_level(level)}, and places offered",
                kind="lines",
                table="daily",
                x="date",
                y=("need", "offered"),
                note="persons, day by day; places offered: median of the runs",
            ),
        ),
        notes=tuple(f"With {title}: {'; '.join(said)}." for _ in said[:1]),
        evidence=bases(case, ["reception.places", "reception.funding"]),
        provenance=made,
    )
    return told, {
        "places": places(plain),
        "start": str(period.start),
        "end": str(period.end),
        "staff": _usual_staff(world, period),
        "runs": result.runs,
    }


def finding(world: PlanCourse, where: Where, period: Period, level: float) -> str:
    """Return how many beds suffice from when to when, the full cost of assistance, and what is paid of it."""
    whole = shelter(world, period, (level,))[0]
    if not world.within("need", period).any():
        return brief(f"Nobody needs a bed in {where.label} from {day(period.start)} to {day(period.end)}.")
    beds, weeks_of = whole.beds[0], _high(world, period, level)
    head = f"{number(beds, 'people')} beds at {_level(level)}, from {weeks_of}"
    if not world.payers:
        return brief(f"{head}.")
    cost = care(world, period, (level,))[0]
    paid = (
        "none of it is paid for" if cost.paid <= 0 else f"{_part(cost.paid / max(cost.full, 1))} is paid for"
    )
    return brief(f"{head}; full care costs {money_said(cost.full)} {world.case.currency}, {paid}.")


def _high(world: PlanCourse, period: Period, level: float) -> str:
    """Return from when to when at least half of the highest need stands, e.g. ``4 Mar to 28 May``."""
    need = sufficient_each(world.within("need", period), level)
    days = np.flatnonzero(need >= need.max() / 2)
    ends = [period.start + dt.timedelta(days=int(days[k])) for k in (0, -1)]
    return " to ".join(day(one, year=False) for one in ends)


def _part(share: float) -> str:
    """Return a share in words where a word is close to it.

    >>> _part(0.49), _part(0.97), _part(0.12)
    ('about half', '97%', '12%')
    """
    return "about half" if abs(share - 0.5) < 0.05 else percent(round(share, 2))


def _level(level: float) -> str:
    return f"{100 * level:g}%"


def doubt(world: PlanCourse, period: Period, level: float) -> str:
    """Return when the peak comes with its range, and what the spread leaves out."""
    whole, runs = shelter(world, period, (level,))[0], len(world.runs)
    peak = f"The peak comes about {day(whole.peak, year=False)}"
    peak += f" (90% of runs: {day(whole.earliest, year=False)} to {day(whole.latest, year=False)})"
    few = next((least for share, least in NEEDED.items() if level >= share and runs < least), 0)
    more = f"; {runs} runs are few for {_level(level)}: take {few}" if few else ""
    return f"{peak}. {runs} runs, which include {holds(world.case)}{more}."


def _weekly(world: PlanCourse, period: Period, level: float) -> Table:
    columns = (
        Column(name="week", label="week from", kind="date"),
        Column(name="need", label=f"beds needed at {_level(level)}", kind="count"),
        Column(name="median", label="in the median", kind="count"),
        Column(name="offered", label="places offered", kind="count"),
        Column(name="missing", label="missing", kind="count"),
        Column(name="arrivals", label=f"arrivals at {_level(level)}", kind="count"),
        Column(name="meals", label="meals a day", kind="count"),
    )
    rows = []
    for one in shelter(world, period, (0.5, level), weeks)[1:]:
        days = slice(one.window.first, one.window.last + 1)
        arrivals = world.persons["arrivals"][:, days].sum(axis=1) if "arrivals" in world.persons else None
        middle, need = one.beds
        rows.append(
            {
                "week": one.window.label,
                "need": need,
                "median": middle,
                "offered": one.offered_most,
                "missing": max(0.0, need - one.offered_most),
                "arrivals": math.nan if arrivals is None else sufficient(arrivals, level),
                "meals": math.ceil(world.meals * need),
            }
        )
    shown = [c for c in columns if c.name != "arrivals" or "arrivals" in world.persons]
    return Table.of("weekly", "Week by week", tuple(shown), rows, key="week")


def _daily(world: PlanCourse, period: Period, level: float) -> Table:
    days = slice(period.first, period.last + 1)
    need = sufficient_each(world.within("need", period), level)
    offered = np.median(world.offered[:, days], axis=0)
    columns = (
        Column(name="date", label="Day", kind="date"),
        Column(name="need", label=f"needed at {_level(level)}", unit="people", kind="value"),
        Column(name="offered", label="places offered", unit="people", kind="value"),
    )
    rows = [
        {
            "date": str(period.start + dt.timedelta(days=k)),
            "need": float(need[k]),
            "offered": float(offered[k]),
        }
        for k in range(period.days)
    ]
    return Table.of("daily", "Day by day", columns, rows, detail=True)


def _needs(world: PlanCourse, period: Period, level: float) -> Table:
    beds = shelter(world, period, (level,))[0].beds
    columns = (
        Column(name="label", label="on the day of the highest need", kind="text"),
        Column(name="amount", label="amount", kind="count"),
        Column(name="unit", label="unit", kind="text"),
        Column(name="rule", label="rule", kind="text"),
        Column(name="source", label="source", kind="text"),
    )
    rows = []
    for one in needs(beds, (level,), world.meals):
        (amount,) = (value for name, value in one.items() if name.startswith("at_"))
        rows.append({"amount": amount} | {k: one[k] for k in ("label", "unit", "rule", "source")})
    return Table.of("needs", "Beds, meals, water and space by standard", columns, rows)


def _sites(world: PlanCourse, period: Period) -> Table:
    columns = (
        Column(name="label", label="site", kind="text"),
        Column(name="town", label="town", kind="text"),
        Column(name="places", label="places at most", kind="count"),
        Column(name="inside_median", label="inside at most, median", kind="count"),
        Column(name="inside_q95", label="in 95% of runs", kind="count"),
        Column(name="full_share", label="turns people away", kind="share", meaning="share of runs, any week"),
    )
    most: dict[str, dict[str, Any]] = {}
    for row in site_rows(world, period):
        name = f"{row['town']} {row['site']}"
        kept = most.setdefault(name, {c.name: row[c.name] for c in columns})
        for column in columns[2:]:
            kept[column.name] = max(kept[column.name], row[column.name])
    return Table.of("sites", "Site by site", columns, most.values())


def _money(world: PlanCourse, period: Period, level: float) -> Table:
    money = world.case.currency
    columns = (
        Column(name="label", label=f"at {_level(level)}", kind="text"),
        Column(name="amount", label=money, kind="count"),
    )
    rows: list[dict[str, Any]] = []
    if world.payers:
        one = care(world, period, (level,))[0]
        named = {"Full care of all who need a bed": one.full, "Paid for": one.paid, "Gap": one.gap}
        rows = [{"label": label, "amount": amount} for label, amount in named.items()]
    return Table.of("money", "Money", columns, rows)


def _payers(world: PlanCourse, period: Period, level: float) -> Table:
    columns = (
        Column(name="label", label="payer", kind="text"),
        Column(name="given", label=f"has, {world.case.currency}", kind="count"),
        Column(name="share", label="money runs out", kind="share", meaning="share of runs"),
        Column(name="median", label="in the median on", kind="text"),
        Column(name="assumed", label="the sum is assumed", kind="flag"),
    )
    rows = [
        {
            "label": one.label,
            "given": one.given if math.isfinite(one.given) else math.nan,
            "share": one.share,
            "median": "" if one.median is None else day(one.median),
            "assumed": bool(one.assumed),
        }
        for one in (fundings(world, period, (level,)) if world.payers else ())
    ]
    return Table.of("payers", "Who pays, and until when", columns, rows)


def _usual_staff(world: PlanCourse, period: Period) -> dict[str, int] | None:
    rules = queue_rules(world.case)
    if rules is None:
        return None
    mine = rules.staff[period.first : period.last + 1]
    return {"least": int(mine.min()), "most": int(mine.max())}


def _staff(world: PlanCourse, period: Period, asked: WantedView) -> Table:
    """Return what numbers of caseworkers do to the asylum files; no row where nobody can decide."""
    numbers = SOME if asked.staff is None else tuple(sorted({*SOME, asked.staff}))
    decides = asked.place == HOST and queue_rules(world.case) is not None
    (tried,) = caseworkers((world,), period, numbers, asked.question.seed)[0] if decides else ((),)
    columns = (
        Column(name="staff", label="caseworkers", kind="text"),
        Column(name="open", label="files open on the last day, median", kind="count"),
        Column(name="most", label="in 95% of runs", kind="count"),
        Column(name="wait", label="days to a decision, median", kind="number", unit="days"),
    )
    rows = []
    for one in tried:
        left, waits = one.open[:, -1], one.wait[np.isfinite(one.wait)]
        row = {"staff": one.label, "open": float(np.median(left)), "most": sufficient(left, 0.95)}
        rows.append(row | {"wait": float(np.median(waits)) if waits.size else math.nan})
    return Table.of("staff", "Caseworkers and asylum files", columns, rows)


def command(asked: WantedView, place: str, source: str, case: Case) -> str:
    """Return the call of the command line that makes the same plan, as far as it can be said in one."""
    question = asked.question
    parts = ["breakrank", "plan", source, "--runs", str(question.runs), "--seed", str(question.seed)]
    parts += ["--ensemble", "point"] if question.parameters == "values" else []
    for name in case.mechanisms:
        parts += ["--mechanisms", name]
    for name, value in question.set.items():
        parts += ["--set", f"{name}={exact(value)}"]
    more = any((question.events, question.without_events, question.places, question.funds))
    for name in (f"{question.case}-scenario.yaml",) if more else question.counterfactuals:
        parts += ["--with", name]
    parts += ["--arrivals", exact(question.arrivals)] if question.arrivals != 1 else []
    parts += ["--place", place] if place != HOST else []
    parts += ["--from", asked.since] if asked.since else []
    last = asked.until or question.until
    parts += ["--to", last] if last else []
    parts += ["--staff", str(asked.staff)] if asked.staff is not None else []
    return call(parts)
