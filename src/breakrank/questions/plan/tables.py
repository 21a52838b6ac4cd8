"""The tables of a plan: what each column says, and its rows. Numbers are those of the runs, to the bit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Column, Table, records, text
from breakrank.questions.paired import effect_columns, numbers
from breakrank.questions.plan import asylum, sums
from breakrank.questions.plan.course import PlanCourse, meals
from breakrank.questions.plan.scope import Window, months
from breakrank.questions.plan.sums import (
    FULL_COST,
    PAID_FOR,
    Row,
    at,
    date_of,
    full_care_by_day,
    sufficient,
    sufficient_each,
)
from breakrank.results.uncertainty import FEW
from breakrank.show.tables import spread
from breakrank.show.words import within

if TYPE_CHECKING:
    from breakrank.questions.plan.plan import PlanData

INTERVAL = within(FEW)
"""What the ends of an interval hold; of fewer runs they hold all."""
DRAWN = ("arrivals", "in_sites", "unmet", "private", "street", "children")
"""Quantities of people that have a chart beside the need for shelter."""


WEEKS = (
    "Each number is of its week alone: beds and places missing on the worst day, places offered on the day "
    "with the fewest. So columns need not subtract exactly, nor weeks sum exactly to the period. The first "
    "and the last week may be cut short."
)
"""How the table by week is read."""
BEYOND = 3
"""Runs that should need more than what is said to suffice; with fewer it is little else than the worst."""


def runs_for(share: float) -> int:
    """Return the fewest runs on which a service level rests soundly; 0 where no number does.

    >>> runs_for(0.95), runs_for(0.8), runs_for(1.0)
    (60, 15, 0)
    """
    return math.ceil(round(BEYOND / (1 - share), 6)) if share < 1 else 0


def too_few(level: float, runs: int, *, all_there_are: bool = False) -> str:
    """Return that a service level rests on the worst runs alone, and how many it takes; or nothing.

    Parameters
    ----------
    all_there_are : whether every member of the ensemble was run, so that there can be no more runs.

    >>> too_few(0.95, 60)
    ''
    """
    need = runs_for(level)
    if runs < 2 or (need and runs >= need):
        return ""
    if not need:
        return "100% is always the worst run, however many."
    beyond = runs - math.ceil(level * runs - 1e-9)
    rests = "is their worst" if beyond < 1 else f"leaves {beyond} of them beyond it"
    remedy = f"take {need:,} runs or more"
    if all_there_are:
        lower = math.floor(100 * (1 - BEYOND / runs) + 1e-9)
        level_said = f"a level of {lower}% or less, or " if lower > 0 else ""
        remedy = f"the ensemble has no more members: take {level_said}{need:,} runs of the ensemble prior"
    return f"{runs:,} runs are too few for a service level of {100 * level:g}%, which {rests}; {remedy}."


def date(name: str, label: str, meaning: str = "", *, shown: bool = True) -> Column:
    """Return a column of days."""
    return Column(name, label, meaning=meaning, kind="date", shown=shown)


def amount(name: str, label: str, meaning: str = "", unit: str = "", **more: Any) -> Column:  # noqa: ANN401 (fields)
    """Return a column of numbers that readers see whole, by default in the unit of the column ``unit``."""
    of: dict[str, Any] = {"unit": unit} if unit else {"unit_in": "unit"}
    return Column(name, label, meaning=meaning, whole=True, **of, **more)


def share(name: str, label: str, meaning: str = "", *, shown: bool = True) -> Column:
    """Return a column of shares of 0 to 1."""
    return Column(name, label, meaning=meaning, kind="share", shown=shown)


def spread_over_runs(
    label: str, name: str = "", meaning: str = "", unit: str = "", *, quartiles: bool = False
) -> Iterator[Column]:
    """Yield the columns of a median and of quantiles over runs, whose names begin with `name`.

    Parameters
    ----------
    quartiles : whether there are 25% and 75% besides 5% and 95%.
    """
    start = f"{name}_" if name else ""
    ends: dict[str, Any] = {"low": f"{start}q05", "high": f"{start}q95", "interval": INTERVAL}
    yield amount(f"{start}median", label, meaning, unit, **ends)
    for q in ("05", "25", "75", "95") if quartiles else ("05", "95"):
        yield amount(f"{start}q{q}", f"{label}: {int(q)}% of runs below", "", unit, shown=False)


SCENARIO = text("scenario", "scenario", "case, or the name of a scenario run with the same random draws")
UNIT = text("unit", "unit", shown=False)
LABEL = text("label", "what")
STRETCH = (date("from", "from", shown=False), date("to", "to", shown=False))
QUANTITY = text("quantity", "quantity (name)", shown=False)
PAYER = text("payer", "payer (name)", "total for all", shown=False)
MEDIAN = amount("median", "median of runs")
QUANTILES = tuple(amount(f"q{q}", f"{int(q)}% of runs below", shown=False) for q in ("05", "25", "75", "95"))


def at_levels(plan: PlanData, unit: str = "") -> Iterator[Column]:
    """Yield a column for each service level, such as ``at_80``."""
    for one in plan.levels:
        yield amount(at(one), f"{100 * one:g}%", "suffices on every day in that share of the runs", unit)


def tables(plan: PlanData, lead: str) -> tuple[Table, ...]:
    """Return the tables that have anything to tell, in order, the sheet to work with first.

    Of several worlds, a column says which, and that of the id `lead`, which documents show, stands first.
    """
    currency, period, held = plan.case.currency, plan.period, within(plan.runs)
    several = len(plan.worlds) > 1

    def of(
        name: str,
        title: str,
        columns: Iterable[Column],
        rows: Callable[[PlanCourse], Iterable[Mapping[str, object]]],
        **more: Any,  # noqa: ANN401 (fields of a table)
    ) -> Table:
        columns = tuple(replace(one, interval=held) if one.interval else one for one in columns)
        days = [one.name for one in columns if one.kind == "date"]
        worlds = sorted(plan.worlds, key=lambda world: world.id != lead)
        found = [{"scenario": world.id, **row} for world in worlds for row in rows(world)]
        for row in found:
            row |= {name: "" if row[name] is None else str(row[name])[:10] for name in days}
        by = {"by": "scenario", "only": lead} if several else {}
        return Table.of(name, title, [*[SCENARIO] * several, *columns], found, **by, **more)

    levels = plan.levels
    every = (
        of("weeks", f"Week by week at {100 * plan.level:g}%", _weeks(plan), lambda w: weeks(plan, w),
                note=WEEKS),
        of(
            "beds",
            "Beds needed, by service level",
            _beds(plan),
            lambda w: sums.shelter_rows(w, period, levels),
            note=too_few(levels[-1], plan.runs, all_there_are=plan.all_there_are),
        ),
        of("costs_at", f"Cost, {currency}", _CARE, lambda w: map(asdict, sums.care(w, period, levels))),
        of("period", "Over the whole period", _PERIOD, lambda w: _figures(plan, w)),
        of("hosts", "Crossed to each host over the whole period", _HOSTS, lambda w: _by_host(plan, w),
                note="Sites, desk, caseworkers and all other numbers are of these hosts together."),
        of("needs", "Needed at the peak, by standard", _needs(plan), lambda w: _needed(plan, w),
                note=" ".join(f"{one.label}: {one.rule} ({one.source})." for one in sums.STANDARDS)),
        of("inside", "Most inside on a day, medians", _INSIDE, lambda w: _by_month(plan, w),
                across="month", cell="most"),
        of("staff", "Asylum, by caseworkers", _STAFF, lambda w: _by_staff(plan, w),
                across="label", cell="median"),
        of("funds", f"Funds, {currency}", _FUNDS, lambda w: sums.funding_rows(w, period)),
        of("costs", f"Cost of sites, {currency}", _COSTS,
                lambda w: sums.by_month(w, period), across="label", cell="median"),
        *_changes(plan),
        of("asylum", "Asylum by month", _ASYLUM, lambda w: _asylum(plan, w)),
        of("sites", "Sites by week", _SITES, lambda w: sums.site_rows(w, period), detail=True),
        of("need", "Need and places", _need(plan), lambda w: need(plan, w), detail=True),
        of("days", "Day by day", _DAYS, lambda w: _days(plan, w), detail=True),
        of("bills", "Bills and funds by day", _BILLS, lambda w: _bills(plan, w), detail=True),
    )  # fmt: skip
    return tuple(table for table in every if len(table.rows))


def _weeks(plan: PlanData) -> Iterator[Column]:
    currency, level = plan.case.currency, f"in {100 * plan.level:g}% of the runs"
    yield date("date", "week from", "first day, a Monday where the period does not cut the week")
    yield date("to", "to", "last day, included", shown=False)
    yield amount("beds", "beds", f"suffice on every day of the week {level}", "beds")
    yield amount(
        "offered", "places offered", "fewest on a day of the week, median of runs; paid for", "places"
    )
    yield amount("rented", "rented rooms", "most in use, median of runs", "places", shown=plan.rents)
    yield amount(
        "missing", "places missing", f"beyond places and rented rooms, at most so many {level}", "places"
    )
    if plan.where.sites:
        yield amount("meals", "meals a day", "for as many people", "meals a day")
        for one in sums.STANDARDS:
            yield amount(
                one.id, _unit_in(one.label.lower(), one.unit), one.rule, one.unit, shown=one.id == "water"
            )
    if plan.where.host:
        yield amount("arrivals", "arrivals", f"in the week, at most so many {level}", "persons")
        yield amount("requests", "asylum requests", f"at most so many {level}", "requests", shown=False)
    if plan.base.payers:
        yield amount("full_cost", f"full care, {currency}", f"enough for the week {level}", currency)
        yield amount(
            "paid_for", f"paid for, {currency}", f"enough for the week {level}", currency, shown=False
        )


def _unit_in(label: str, unit: str) -> str:
    return label if unit in label else f"{label}, {unit}"


def weeks(plan: PlanData, world: PlanCourse) -> Iterator[Row]:
    """Yield the needs of each week at the service level, a row a week."""
    cost, paid = full_care_by_day(world), world.paid.sum(axis=2)
    for one in sums.shelter(world, plan.period, (plan.level,), sums.weeks)[1:]:
        days = slice(one.window.first, one.window.last + 1)
        beds = one.beds[0]
        row: Row = {
            **sums.stretch(world, one.window),
            "date": date_of(world, one.window.first),
            "beds": beds,
            "offered": one.offered_least,
            "missing": sufficient(world.persons["short"][:, days].max(axis=1), plan.level),
            "rented": one.rented_most,
            "meals": np.ceil(round(meals(world.case) * beds, 9)),
            "full_cost": sums.whole(sufficient(cost[:, days].sum(axis=1), plan.level)),
            "paid_for": sums.whole(sufficient(paid[:, days].sum(axis=1), plan.level)),
        }
        row |= {standard.id: standard.needed(beds) for standard in sums.STANDARDS}
        for name in ("arrivals", "requests"):
            if name in world.persons:
                row[name] = sufficient(world.persons[name][:, days].sum(axis=1), plan.level)
        yield row


def _beds(plan: PlanData) -> list[Column]:
    rooms = "rooms for holders of permits in use, most on a day, median of runs"
    short = "who need shelter beyond places and rooms on the worst day"
    return [
        text("stretch", "stretch", "the whole period, or a calendar month of it"),
        *STRETCH,
        *at_levels(plan, "beds"),
        date("peak_median", "peak about", "day of the highest need, median of runs"),
        date("peak_q05", "peak, 5% of runs before", shown=False),
        date("peak_q95", "peak, 95% of runs before", shown=False),
        amount("offered_least", "places offered, fewest", unit="places", shown=False),
        amount("offered_most", "places offered", "most in open sites on a day", "places"),
        amount("rented_most", "rented", rooms, "places"),
        *spread_over_runs("places missing, median", "without", short, "persons"),
    ]


_CARE = (
    share("level", "service level"),
    UNIT,
    amount("full_cost", FULL_COST.lower(), "enough to lodge all who need shelter on every day"),
    amount("paid_for", PAID_FOR.lower(), "full cost less the gap"),
    amount("gap", "gap", "enough for what nobody paid"),
    amount("unpaid", "bills left open", "enough for the bills that stayed open, of all payers together"),
)
_PERIOD = (
    text("figure", "figure (name)", shown=False),
    LABEL,
    text("unit", "unit"),
    text("bound", "bound", "at least: who found the sites full is not in the number", shown=False),
    *spread_over_runs("median", quartiles=True),
)


def _figures(plan: PlanData, world: PlanCourse) -> Iterator[Row]:
    for one in sums.figures(world, plan.period):
        bound = {"bound": "at least" if one.least else ""}
        label = f"{one.label}, at least" if one.least else one.label
        yield {"figure": one.id, "label": label, "unit": one.unit} | bound | one.spread.row


_HOSTS = (text("country", "country"), *spread_over_runs("soldiers", "soldiers", unit="soldiers"))


def _by_host(plan: PlanData, world: PlanCourse) -> Iterator[Row]:
    """Yield how many soldiers crossed to each of several hosts; nothing where there is one."""
    days = slice(plan.period.first, plan.period.last + 1)
    for country, crossed in world.crossed.items():
        row = spread(crossed[:, days].sum(axis=1)).row
        yield {"country": country, **{f"soldiers_{q}": row[q] for q in ("median", "q05", "q95")}}


def _needs(plan: PlanData) -> list[Column]:
    return [
        text("need", "need (name)", shown=False),
        LABEL,
        text("unit", "unit"),
        *at_levels(plan),
        text("rule", "standard", "the standard in words", shown=False),
        text("source", "whose standard", "who set it, and where it stands", shown=False),
    ]


def _needed(plan: PlanData, world: PlanCourse) -> list[Row]:
    """Return the needs at the peak; nothing without sites."""
    whole = sums.shelter(world, plan.period, plan.levels)[0]
    if not (plan.where.sites and any(whole.beds)):
        return []
    return sums.needs(whole.beds, plan.levels, meals(world.case))


_LODGED = (
    text("town", "town", shown=False),
    text("site", "site (name)", "all for the sum of a town", shown=False),
    text("label", "site"),
    text("admits", "admits", "whom the site takes in", shown=False),
)
_TURNED_AWAY = "full, closed or unpaid while some are in no site: the demand is then at least who is inside"
_MOST_INSIDE = (
    *spread_over_runs("inside at most", "inside", "most on a day", "persons"),
    share("full_share", "runs in which it takes nobody in", _TURNED_AWAY, shown=False),
)
_INSIDE = (
    *_LODGED,
    text("month", "month"),
    amount("places", "places, at most", "on a day of the period", "places"),
    amount("most", "inside at most", "most on a day, median of runs", "persons"),
)


def _by_month(plan: PlanData, world: PlanCourse) -> Iterator[Row]:
    whole = Window("", plan.period.first, plan.period.last)
    for one in sums.lodgings(world):
        about = {"town": one.town, "site": one.id, "label": one.label, "admits": one.admits}
        for window in months(plan.period):
            row = {"month": window.label, "places": one.beds(whole), "most": one.most(window).median}
            yield about | row


_SITES = (
    *_LODGED,
    date("from", "from"),
    date("to", "to"),
    amount("places", "places", "most on a day of the week; 0 while it is closed", "places"),
    *_MOST_INSIDE,
)
_STAFF = (
    Column("staff", "caseworkers", shown=False, meaning="empty: as in the case"),
    text("staffing", "caseworkers", "from the first day of the period on"),
    QUANTITY,
    LABEL,
    UNIT,
    MEDIAN,
    *QUANTILES,
)


def _by_staff(plan: PlanData, world: PlanCourse) -> list[Row]:
    return asylum.staff_rows(plan.staffings[plan.worlds.index(world)]) if plan.staffings else []


_FUNDS = (
    PAYER,
    text("label", "payer"),
    UNIT,
    amount(
        "funds", "funds", "all that the payer is given by the end of the period; empty: no limit is known"
    ),
    text("basis", "funds are", "assumed: nobody reported the sum, so what follows from it is no forecast"),
    *spread_over_runs("cost of its sites", "cost", "what the place costs the payer in the period"),
    amount("billed_median", "billed so far", "for all its sites, median of runs", shown=False),
    *spread_over_runs("bills left open", "unpaid", "its bills of the period that stay open"),
    share("runs_out_share", "run out in", "share of runs"),
    date("runs_out_median", "run out about", "first day with an open bill; empty: later, or never"),
    date("runs_out_q05", "run out, 5% of runs before", shown=False),
    date("runs_out_q95", "run out, 95% of runs before", shown=False),
)
_COSTS = (text("month", "month"), *STRETCH, PAYER, text("label", "payer"), UNIT, MEDIAN, *QUANTILES)
_ASYLUM = (
    text("month", "month", shown=False),
    *STRETCH,
    QUANTITY,
    text("label", "what", shown=False),
    UNIT,
    Column("runs", "runs", kind="count", meaning="runs that have a number here", shown=False),
    amount("median", "median of runs", shown=False),
    *QUANTILES,
)


def _asylum(plan: PlanData, world: PlanCourse) -> list[Row]:
    told = "requests" in world.persons and plan.rules is not None
    return asylum.by_month(world, plan.period) if told else []


_DAYS = (
    text("quantity", "quantity (name)"),
    LABEL,
    UNIT,
    date("date", "day"),
    *spread_over_runs("median of runs", quartiles=True),
    Column("drawn", "in a chart", kind="flag", shown=False),
)


def _days(plan: PlanData, world: PlanCourse) -> list[Row]:
    rows = sums.by_day(world, plan.period)
    drawn = {name for name in DRAWN if name != "unmet" or not plan.where.host}
    return records(rows.assign(drawn=rows["quantity"].isin(drawn)))


def _need(plan: PlanData) -> list[Column]:
    level = f"{100 * plan.level:g}%"
    return [
        date("date", "day"),
        *spread_over_runs(
            "this scenario" if plan.differences else "need, median", unit="persons", quartiles=True
        ),
        amount("level", f"need at {level}", f"suffices on the day in {level} of runs", "persons"),
        amount("offered", "places offered", "in open sites that are paid for, median of runs", "places"),
        amount("rented", "rented rooms in use", "median of runs", "places"),
        amount("places", "places and rented rooms", "the sum, median of runs", "places", shown=False),
        amount("without", "places missing", "median of runs", "persons"),
        amount("case_median", "the case", "median of the case", "persons", shown=False),
        Column("changed", "a scenario", kind="flag", shown=False),
    ]


def need(plan: PlanData, world: PlanCourse) -> list[Row]:
    """Return who needs shelter day by day beside the places, a row a day: what the first chart shows."""
    import pandas as pd

    days = slice(plan.period.first, plan.period.last + 1)
    found = sums.by_day(world, plan.period)
    frame = found[found["quantity"] == "need"].drop(columns=["quantity", "label", "unit"])
    columns = {
        "level": sufficient_each(world.within("need", plan.period), plan.level),
        "offered": np.median(world.offered[:, days], axis=0),
        "rented": np.median(world.rented[:, days], axis=0),
        "places": np.median((world.offered + world.rented)[:, days], axis=0),
        "without": np.median(world.within("short", plan.period), axis=0),
        "case_median": np.median(plan.base.within("need", plan.period), axis=0),
    }
    return records(pd.DataFrame(frame).assign(**columns, changed=world is not plan.base))


_BILLS = (
    date("date", "day"),
    PAYER,
    text("label", "payer"),
    UNIT,
    amount("billed", "bills", "so far, for all its sites, median of runs"),
    amount("funds", "funds", "given so far"),
)


def _bills(plan: PlanData, world: PlanCourse) -> Iterator[Row]:
    """Yield the bills and the funds so far of each payer with a limit, in thousands of the currency."""
    if not plan.where.host:
        return
    days = range(plan.period.first, plan.period.last + 1)
    for k, payer in enumerate(world.payers):
        if np.isfinite(world.funds[plan.period.last, k]):
            about = {"payer": payer, "label": world.case.payers.named(payer).label}
            billed = np.median(np.cumsum(world.billed[:, :, k], axis=1), axis=0)
            for t in days:
                sums = {"billed": billed[t] / 1e3, "funds": world.funds[t, k] / 1e3}
                yield about | {"date": date_of(world, t), "unit": f"thousand {world.case.currency}"} | sums


def _changes(plan: PlanData) -> Iterator[Table]:
    """Yield the worlds side by side at the service level, and what each scenario changes."""
    if not plan.differences:
        return
    rows: list[Row] = []
    for world in plan.worlds:
        beds = sums.shelter(world, plan.period, (plan.level,))[0].beds[0]
        about = {"scenario": world.id, "title": world.title, "changes": "; ".join(world.changes)}
        cost = [asdict(one) for one in sums.care(world, plan.period, (plan.level,))]
        rows.append(about | {"beds": beds} | (cost[0] if cost else {"unit": ""}))
    columns = [
        SCENARIO,
        text("title", "title", "what is different in it", shown=False),
        text("changes", "changes", shown=False),
        amount("beds", "beds", "suffice on every day of the period", "beds"),
        *_CARE[1:5],
    ]
    yield Table.of("worlds", f"Side by side at {100 * plan.level:g}%", columns, rows, key="scenario")
    differences = [
        {"scenario": name, "figure": one.id, "label": one.label, "pairs": one.runs}
        | numbers(one)
        | {"share_more": one.more, "share_less": one.less}
        for name, found in plan.differences.items()
        for one in found
    ]
    columns = [
        SCENARIO,
        text("figure", "figure (name)", shown=False),
        LABEL,
        *effect_columns("case, mean", "scenario, mean", "mean difference"),
        share("share_more", "pairs with more", shown=False),
        share("share_less", "pairs with less", shown=False),
        Column("pairs", "pairs of runs", kind="count", shown=False),
    ]
    title = "What each scenario changes, run by run"
    yield Table.of("scenarios", title, columns, differences, by="scenario")
