"""The tables of a plan, by name: built once, and read by the terminal, files, charts and Python alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from breakrank.questions.plan import asylum, money, persons, shelter
from breakrank.questions.plan.reading_notes import notes, too_few
from breakrank.questions.plan.shelter import needs, site_rows
from breakrank.questions.plan.spread import Row
from breakrank.questions.plan.texts import limits
from breakrank.results.json_files import json_ready

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.data import PlanData


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes
    ----------
    head : as a reader sees it.
    unit : of its numbers; ``"as the column unit"`` where each row has its own, empty for words.
    about : what it says.
    """

    head: str
    unit: str
    about: str


ROW = "as the column unit"
"""The unit of numbers whose rows differ in it."""
SHARE = "share, 0 to 1"
"""The unit of shares of runs."""


def _money(head: str, about: str) -> Column:
    return Column(head, ROW, about)


COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        "scenario": Column("Scenario", "", "case, or the name of a scenario run with the same random draws"),
        "title": Column("Scenario in words", "", "what is different in it"),
        "figure": Column("Figure (name)", "", "name of the figure for programs"),
        "quantity": Column("Quantity (name)", "", "name of the quantity for programs"),
        "need": Column("Need (name)", "", "name of what is needed for programs"),
        "payer": Column("Payer (name)", "", "id of the payer in payers.yaml; total for all"),
        "label": Column("What", "", "what the row is about, in words"),
        "unit": Column("Unit", "", "unit of the numbers of the row"),
        "date": Column("Day", "day", "the day"),
        "from": Column("From", "day", "first day of the stretch"),
        "to": Column("To", "day", "last day of the stretch, included"),
        "month": Column("Month", "", "calendar month; the first and the last may be cut"),
        "stretch": Column("Stretch", "", "the whole period, or a calendar month of it"),
        "runs": Column("Runs", "runs", "runs that have a number here"),
        "q05": Column("5% of runs below", ROW, "quantile over runs: 5% of them lie below"),
        "q25": Column("25% of runs below", ROW, "quantile over runs: 25% of them lie below"),
        "median": Column("Median of runs", ROW, "half of the runs lie below"),
        "q75": Column("75% of runs below", ROW, "quantile over runs: 75% of them lie below"),
        "q95": Column("95% of runs below", ROW, "quantile over runs: 95% of them lie below"),
        "assurance": Column("Assurance", SHARE, "share of the runs in which it suffices"),
        "beds": Column(
            "Beds that suffice", "beds", "suffice on every day of the stretch in that share of runs"
        ),
        "offered_least": Column(
            "Places offered, fewest", "places", "fewest in open sites on a day of the stretch"
        ),
        "offered_most": Column(
            "Places offered, most", "places", "most in open sites on a day of the stretch"
        ),
        "rented_most": Column(
            "Rented rooms in use, most",
            "places",
            "rooms for holders of permits, as many as have a tenant, on a day of the stretch; median of runs",
        ),
        "town": Column("Town", "", "town in which the site stands, as the case has it"),
        "site": Column("Site (name)", "", "id of the site in sites.yaml; all for the sum of a town"),
        "admits": Column("Admits", "", "whom the site takes in: anyone, the registered, holders of a permit"),
        "places": Column("Places", "places", "most places on a day of the week; 0 while the site is closed"),
        "full_share": Column(
            "Runs in which it takes nobody in",
            SHARE,
            "share of runs in which it is full, or unpaid, on a day of the week on which some are in no site "
            "of the host: the demand is then at least who is inside",
        ),
        "bound": Column("Bound", "", "at least: who found the sites full is not in the number"),
        "rule": Column("Standard", "", "the standard in words"),
        "source": Column("Whose standard", "", "who set it, and where it stands"),
        "staff": Column(
            "Caseworkers", "caseworkers", "from the first day of the period on; empty: as in the case"
        ),
        "staffing": Column("Caseworkers (in words)", "", "the number, or: as in the case"),
        "full_cost": _money(
            "Full cost of assistance",
            "enough to lodge all who need shelter on every day, in that share of runs",
        ),
        "paid_for": _money("Paid for until money ends", "enough for what payers paid, in that share of runs"),
        "gap": _money("Gap", "full cost of assistance less what is paid for"),
        "unpaid": _money("Left unpaid", "enough for the bills that stayed open, of all payers together"),
        "funds": _money(
            "Funds", "all that the payer is given by the end of the period; empty: no limit is known"
        ),
        "basis": Column(
            "Funds assumed or on record",
            "",
            "assumed: the case says that nobody reported the sum, so the days on which it runs out, and "
            "what stays unpaid, are no forecast either",
        ),
        "runs_out_share": Column(
            "Runs in which it runs out", SHARE, "share of runs in which a bill stays open"
        ),
        "case_mean": Column("Case, mean of runs", ROW, "mean over runs, not the median of the other tables"),
        "scenario_mean": Column("Scenario, mean of runs", ROW, "mean over runs"),
        "difference_mean": Column(
            "Difference, mean of pairs", ROW, "scenario less case, over pairs with the same random draws"
        ),
        "low95": Column(
            "Mean difference, lower end", ROW, "lower end of the 95% interval of the mean difference"
        ),
        "high95": Column(
            "Mean difference, upper end", ROW, "upper end of the 95% interval of the mean difference"
        ),
        "difference_median": Column("Difference, median of pairs", ROW, "half of the pairs differ by less"),
        "share_more": Column("Pairs with more", SHARE, "pairs in which the scenario has more than the case"),
        "share_less": Column("Pairs with less", SHARE, "pairs in which the scenario has less than the case"),
        "pairs": Column(
            "Pairs", "pairs of runs", "runs of both with the same number and so the same random draws"
        ),
        "note": Column("Note", "", "what the note is about"),
        "text": Column("Text", "", "the note"),
        "table": Column("Table", "", "name of the table, and of its CSV file"),
        "column": Column("Column", "", "name of the column in the CSV file and in Python"),
        "head": Column("Head", "", "head of the column in the workbook"),
        "about": Column("What it says", "", "what the column says"),
    }
)
"""Columns by name; those of an assurance, and quantiles, are made by :func:`described`."""

_OVER_RUNS: Mapping[str, Column] = MappingProxyType(
    {
        "without": Column(
            "Places missing", "persons", "who need shelter beyond places and rooms on the worst day"
        ),
        "peak": Column("Day of the highest need", "day", "the day on which most need shelter"),
        "inside": Column("Inside at most", "persons", "most inside on a day of the week"),
        "cost": _money("Cost of the sites", "what the place costs the payer in the period"),
        "billed": _money(
            "Billed so far",
            "bills of all their sites from the first day of the case to the end of the period",
        ),
        "unpaid": _money("Left unpaid", "his bills of the period that stay open"),
        "runs_out": Column(
            "Runs out", "day", "first day with an open bill, over all runs; empty: later, or never"
        ),
    }
)
"""Numbers whose quantiles over runs are columns of their own, named like ``cost_q05``."""
_QUANTILES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "q05": ("5%", "5% of the runs are at or below it"),
        "median": ("median", "median of runs"),
        "q95": ("95%", "95% of the runs are at or below it"),
    }
)
_QUANTILE = re.compile(rf"({'|'.join(_OVER_RUNS)})_({'|'.join(_QUANTILES)})")
_AT = re.compile(r"at_([\d.]+)")
_GAP = re.compile(r"gap_([\d.]+)")


def described(name: str) -> Column:
    """Return what a column is.

    Raises
    ------
    KeyError
        for one that no table of a plan has.

    >>> described("gap_80").head, described("at_95").head, described("q05").unit
    ('More funds that suffice at 80%', 'At 95% assurance', 'as the column unit')
    """
    if found := _AT.fullmatch(name):
        return Column(
            f"At {found[1]}% assurance",
            ROW,
            f"needed on the day of the highest need by as many persons as suffice in {found[1]}% of the runs",
        )
    if found := _GAP.fullmatch(name):
        return Column(
            f"More funds that suffice at {found[1]}%",
            ROW,
            f"so much more would pay the bills left open in {found[1]}% of the runs; a lower bound, since "
            "who is put out for want of money costs nothing any more (see the table care)",
        )
    if found := _QUANTILE.fullmatch(name):
        one, (share, what) = _OVER_RUNS[found[1]], _QUANTILES[found[2]]
        return Column(f"{one.head}, {share}", one.unit, f"{one.about}; {what}")
    return COLUMNS[name]


def rows(frames: Mapping[str, pd.DataFrame]) -> list[Row]:
    """Return what each column of some tables is, a row for each table and column."""
    told = ((name, str(column)) for name, frame in frames.items() for column in frame.columns)
    return [{"table": name, "column": column} | asdict(described(column)) for name, column in told]


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
    return needs(whole.beds, plan.assurance, world.meals) if len(plan.case.sites) else []


def _asylum(plan: PlanData, world: PlanCourse) -> list[Row]:
    told = "requests" in world.persons and plan.rules is not None
    return asylum.by_month(world, plan.period) if told else []


def _staff(plan: PlanData, world: PlanCourse) -> list[Row]:
    return asylum.staff_rows(plan.staffings[plan.worlds.index(world)]) if plan.staffings else []


def _columns(plan: PlanData) -> list[Row]:
    frames = {name: one.build(plan) for name, one in TABLES.items() if name not in ("columns", "notes")}
    return rows({name: frame for name, frame in frames.items() if len(frame)})


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
            _each(lambda plan, world: site_rows(world, plan.period)),
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
