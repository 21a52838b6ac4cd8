"""The tables of a plan, by name: built once, and read by the terminal, files, charts and Python alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from breakrank.questions.plan import asylum, columns, money, persons, shelter, sites
from breakrank.questions.plan.needs import needs
from breakrank.questions.plan.queue_words import limits
from breakrank.questions.plan.reading_notes import notes, too_few
from breakrank.questions.plan.spread import Row
from breakrank.results.json_files import json_ready

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.data import PlanData


Builder = Callable[["PlanData"], "pd.DataFrame"]


@dataclass(frozen=True, slots=True)
class Tabled:
    """One table: its title, what its rows are, and how it is built."""

    title: str
    about: str
    build: Builder


def _each(made: Callable[[PlanData, PlanCourse], list[Row] | pd.DataFrame]) -> Builder:
    """Return the builder of a table of all worlds: with scenarios, a first column says which."""

    def build(plan: PlanData) -> pd.DataFrame:
        import pandas as pd

        parts = []
        for world in plan.worlds:
            frame = pd.DataFrame(made(plan, world))
            if len(plan.worlds) > 1 and len(frame):
                frame.insert(0, "scenario", world.id)
            parts.append(frame)
        return pd.concat([p for p in parts if len(p)] or parts[:1], ignore_index=True)

    return build


def _rows(made: Callable[[PlanData], list[Row]]) -> Builder:
    """Return the builder of a table of the whole plan."""

    def build(plan: PlanData) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(made(plan))

    return build


def _summary(plan: PlanData, world: PlanCourse) -> list[Row]:
    found = persons.figures(world, plan.period)
    return [
        {"figure": f.id, "label": f.label, "unit": f.unit, "bound": "at least" if f.least else ""}
        | f.spread.row
        for f in found
    ]


def _needs(plan: PlanData, world: PlanCourse) -> list[Row]:
    whole = shelter.shelter(world, plan.period, plan.assurance)[0]
    return needs(whole.beds, plan.assurance, world.meals)


def _asylum(plan: PlanData, world: PlanCourse) -> list[Row]:
    told = "requests" in world.persons and plan.rules is not None
    return asylum.by_month(world, plan.period) if told else []


def _staff(plan: PlanData, world: PlanCourse) -> list[Row]:
    return asylum.staff_rows(plan.staffings[plan.worlds.index(world)]) if plan.staffings else []


def _columns(plan: PlanData) -> list[Row]:
    frames = {name: one.build(plan) for name, one in TABLES.items() if name not in ("columns", "notes")}
    return columns.rows({name: frame for name, frame in frames.items() if len(frame)})


def _scenarios(plan: PlanData) -> list[Row]:
    return [
        {
            "scenario": world.id,
            "title": world.title,
            "figure": d.id,
            "label": d.label,
            "unit": d.unit,
            "case_mean": d.before,
            "scenario_mean": d.after,
            "difference_mean": d.mean,
            "low95": d.low,
            "high95": d.high,
            "share_more": d.more,
            "share_less": d.less,
            "pairs": d.runs,
        }
        for world in plan.worlds[1:]
        for d in plan.differences[world.id]
    ]


def _notes(plan: PlanData) -> list[Row]:
    return [{"note": name, "text": text} for name, text in notes(plan)]


TABLES: Mapping[str, Tabled] = MappingProxyType(
    {
        "summary": Tabled("Summary", "a row for each figure of the whole period", _each(_summary)),
        "shelter": Tabled(
            "Beds by assurance",
            "a row for each stretch of days and assurance: beds that suffice on all of its days in so "
            "many runs",
            _each(lambda plan, world: shelter.shelter_rows(world, plan.period, plan.assurance)),
        ),
        "sites": Tabled(
            "Sites by week",
            "a row for each town, site and week: places, and the most persons inside on a day of it",
            _each(lambda plan, world: sites.site_rows(world, plan.period)),
        ),
        "days": Tabled(
            "Day by day",
            "a row for each quantity and day",
            _each(lambda plan, world: persons.by_day(world, plan.period)),
        ),
        "needs": Tabled(
            "Needs by standard", "what the people of the highest need require, by assurance", _each(_needs)
        ),
        "asylum": Tabled(
            "Asylum by month",
            "requests, decisions, open files and waits as the runs have them",
            _each(_asylum),
        ),
        "staff": Tabled(
            "Asylum by staff", "what so many caseworkers would make of the same requests", _each(_staff)
        ),
        "care": Tabled(
            "Full cost",
            "a row for each assurance: what it costs to lodge all who need shelter, what is paid for, and "
            "the gap",
            _each(lambda plan, world: money.care_rows(world, plan.period, plan.assurance)),
        ),
        "costs": Tabled(
            "Cost of sites by month",
            "a row for each month and payer: only until money ends",
            _each(lambda plan, world: money.by_month(world, plan.period)),
        ),
        "funds": Tabled(
            "Funds",
            "a row for each payer: funds, bills, and when the money runs out",
            _each(lambda plan, world: money.funding_rows(world, plan.period, plan.assurance)),
        ),
        "scenarios": Tabled(
            "Scenarios",
            "each scenario beside the case, as paired differences between runs",
            _rows(_scenarios),
        ),
        "columns": Tabled("Columns", "what each column of each table says, and its unit", _rows(_columns)),
        "notes": Tabled("Notes", "what the numbers are, and how they were made", _rows(_notes)),
    }
)
"""The tables of a plan, in order."""


def told(plan: PlanData) -> dict[str, pd.DataFrame]:
    """Return all tables that have something to tell, by name."""
    made = {name: one.build(plan) for name, one in TABLES.items()}
    return {name: frame for name, frame in made.items() if len(frame)}


DIGITS = 10
"""Digits of the numbers in files: far more than runs can tell apart, and none of the noise of sums."""


def as_json(plan: PlanData) -> dict[str, Any]:
    """Return the plan's numbers as one object: what it is for, then its tables as lists of rows."""
    tables = told(plan)
    for name in ("days", "sites"):  # a row for each day or week: that is what the CSV files are for
        tables.pop(name, None)
    tables.pop("columns")
    return {
        "case": plan.case.id,
        "digest": plan.case.digest,
        "version": plan.versions.get("breakrank", ""),
        "ensemble": plan.versions.get("ensemble"),
        "place": plan.where.label,
        "share": {"places": plan.base.share[0], "of": plan.base.share[1]},
        "from": str(plan.period.start),
        "to": str(plan.period.end),
        "seed": plan.seed,
        "runs": plan.runs,
        "seconds": round(plan.seconds, 3),
        "assurance": list(plan.assurance),
        "warning": too_few(plan.assurance, plan.runs),
        "scenarios": {
            w.id: {"title": w.title, "changes": list(w.changes), "digest": w.case.digest}
            for w in plan.worlds[1:]
        },
        "caseworkers": limits(plan),
        "command": plan.command,
        "tables": {
            name: json_ready([{k: _rounded(v) for k, v in row.items()} for row in frame.to_dict("records")])
            for name, frame in tables.items()
        },
    }


def _rounded(value: object) -> object:
    """Return a cell without the noise of sums."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
