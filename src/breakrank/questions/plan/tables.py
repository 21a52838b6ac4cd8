"""The tables of a plan: what each column says, and its rows. Numbers are those of the runs, to the bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Column, Kind, Table, records
from breakrank.questions.paired import effect_columns, numbers
from breakrank.questions.plan import asylum, money, persons, shelter
from breakrank.questions.plan.course import PlanCourse, quantity
from breakrank.questions.plan.persons import FULL_COST, PAID_FOR, date_of, full_care_by_day
from breakrank.questions.plan.scope import months
from breakrank.questions.plan.spread import Row, at, sufficient, sufficient_each

if TYPE_CHECKING:
    from breakrank.questions.plan.plan import PlanData

INTERVAL = "90% of runs"
DRAWN = ("arrivals", "in_sites", "unmet", "private", "street", "children")
"""Quantities of people that have a chart beside the need for shelter."""


def words(name: str, label: str, meaning: str = "", *, shown: bool = True) -> Column:
    """Return a column of texts."""
    return Column(name=name, label=label, meaning=meaning, kind="text", shown=shown)


def date(name: str, label: str, meaning: str = "", *, shown: bool = True) -> Column:
    """Return a column of days."""
    return Column(name=name, label=label, meaning=meaning, kind="date", shown=shown)


def spread_over_runs(
    label: str, name: str = "", meaning: str = "", unit: str = "", *, quartiles: bool = False
) -> Iterator[Column]:
    """Yield the columns of a median and of quantiles over runs, whose names begin with `name`.

    Parameters
    ----------
    unit : of the numbers; by default that of the column ``unit``.
    quartiles : whether there are 25% and 75% besides 5% and 95%.
    """
    start, of = f"{name}_" if name else "", {"unit": unit} if unit else {"unit_in": "unit"}
    ends: dict[str, Any] = {"low": f"{start}q05", "high": f"{start}q95", "interval": INTERVAL}
    yield Column(name=f"{start}median", label=label, meaning=meaning, kind="whole", **ends, **of)
    for share in ("05", "25", "75", "95") if quartiles else ("05", "95"):
        below = f"{label}: {int(share)}% of runs below"
        yield Column(name=f"{start}q{share}", label=below, shown=False, **of)


SCENARIO = words("scenario", "scenario", "case, or the name of a scenario run with the same random draws")
UNIT = words("unit", "unit", shown=False)
LABEL = words("label", "what")


def at_levels(plan: PlanData, unit_in: str = "") -> list[Column]:
    """Return a column for each service level, such as ``at_80``."""
    meaning = "suffices on every day of the stretch in that share of the runs"
    of: dict[str, Any] = {"unit_in": unit_in, "kind": "whole"} if unit_in else {"kind": "count"}
    return [Column(name=at(one), label=f"{100 * one:g}%", meaning=meaning, **of) for one in plan.levels]


class Tables:
    """Makes the tables of a plan; of several worlds the first column says which, and the leading stands first.

    Parameters
    ----------
    plan : all worlds. lead : id of the one that documents show.
    """

    def __init__(self, plan: PlanData, lead: str) -> None:
        self.plan, self.lead = plan, lead
        self.worlds = sorted(plan.worlds, key=lambda world: world.id != lead)

    def of(
        self,
        name: str,
        title: str,
        columns: Iterable[Column],
        rows: Callable[[PlanCourse], Iterable[Mapping[str, object]]],
        **more: Any,  # noqa: ANN401 (fields of a table)
    ) -> Table:
        """Return a table with the rows of each world."""
        several = len(self.worlds) > 1
        columns = tuple(columns)
        days = [one.name for one in columns if one.kind == "date"]
        found = [{"scenario": world.id, **row} for world in self.worlds for row in rows(world)]
        for row in found:
            row |= {name: "" if row[name] is None else str(row[name])[:10] for name in days}
        by = {"by": "scenario", "only": self.lead} if several else {}
        return Table.of(name, title, [*[SCENARIO] * several, *columns], found, **by, **more)


def tables(plan: PlanData, lead: str) -> tuple[Table, ...]:
    """Return the tables that have anything to tell, in order, the sheet to work with first."""
    made, currency, period = Tables(plan, lead), plan.case.currency, plan.period
    levels = plan.levels
    every = (
        made.of("weeks", f"Week by week at {100 * plan.level:g}%", _weeks(plan), lambda w: weeks(plan, w)),
        made.of(
            "beds",
            "Beds needed, by service level",
            _beds(plan),
            lambda w: shelter.shelter_rows(w, period, levels),
        ),
        made.of("costs_at", f"Cost, {currency}", _CARE, lambda w: money.care_rows(w, period, levels)),
        made.of("period", "Over the whole period", _PERIOD, lambda w: _figures(plan, w)),
        made.of("needs", "Needed at the peak, by standard", _needs(plan), lambda w: _needed(plan, w)),
        made.of("inside", "Most inside on a day, medians", _INSIDE, lambda w: _by_month(plan, w),
                across="month", cell="inside_median"),
        made.of("staff", "Asylum, by number of caseworkers", _STAFF, lambda w: _by_staff(plan, w),
                across="label", cell="median"),
        made.of("funds", "Funds of each payer", _funds(plan), lambda w: money.funding_rows(w, period, levels)),
        made.of("costs", f"Cost of sites by month, {currency}, medians", _COSTS,
                lambda w: money.by_month(w, period), across="label", cell="median"),
        *_changes(plan),
        made.of("asylum", "Asylum by month", _ASYLUM, lambda w: _asylum(plan, w)),
        made.of("sites", "Sites by week", _SITES, lambda w: shelter.site_rows(w, period), detail=True),
        made.of("need", "Need and places", _need(plan), lambda w: need(plan, w), detail=True),
        made.of("days", "Day by day", _DAYS, lambda w: _days(plan, w), detail=True),
        made.of("bills", "Bills and funds by day", _BILLS, lambda w: _bills(plan, w), detail=True),
    )  # fmt: skip
    return tuple(table for table in every if len(table.rows))


def _weeks(plan: PlanData) -> Iterator[Column]:
    currency = plan.case.currency

    def count(name: str, label: str, meaning: str, *, shown: bool = True) -> Column:
        kind: Kind = "whole" if name in ("offered", "rented") else "count"
        return Column(name=name, label=label, meaning=meaning, kind=kind, shown=shown)

    suffice = f"suffice on every day of the week in {100 * plan.level:g}% of the runs"
    yield date("date", "week from", "first day of the week, Monday to Sunday; the ends of the period may cut it")
    yield date("to", "to", "last day, included", shown=False)
    yield count("beds", "beds", suffice)
    yield count("offered", "places offered", "fewest in open sites on a day of the week, median of runs")
    yield count("missing", "places missing", f"people beyond places and rented rooms; so many {suffice}")
    yield count("rented", "rented rooms", "in use, for holders of permits only, median of runs", shown=False)
    if plan.base.sites:
        yield count("meals", "meals a day", "for as many people as beds suffice for")
        for one in shelter.STANDARDS:
            label = f"{one.label.lower()}, {one.unit}".removesuffix(f", {one.label.lower()}")
            yield count(one.id, label, f"for as many: {one.rule}", shown=one.id == "water")
    if plan.where.host:
        yield count("arrivals", "arrivals", f"in the week; so many {suffice}")
        yield count("requests", "asylum requests", f"in the week; so many {suffice}", shown=False)
    if plan.base.payers:
        meaning = f"in the week, {currency}; so much {suffice}"
        yield count("full_cost", f"full care, {currency}", meaning)
        yield count("paid_for", f"paid for, {currency}", meaning, shown=False)


def weeks(plan: PlanData, world: PlanCourse) -> Iterator[Row]:
    """Yield what each week takes at the service level, a row a week."""
    cost, paid = full_care_by_day(world), world.paid.sum(axis=2)
    for one in shelter.shelter(world, plan.period, (plan.level,), shelter.weeks)[1:]:
        days = slice(one.window.first, one.window.last + 1)
        beds = one.beds[0]
        row: Row = {
            "date": date_of(world, one.window.first),
            "to": date_of(world, one.window.last),
            "beds": beds,
            "offered": one.offered_least,
            "missing": sufficient(world.persons["short"][:, days].max(axis=1), plan.level),
            "rented": one.rented_most,
            "meals": np.ceil(round(world.meals * beds, 9)),
            "full_cost": money.whole(sufficient(cost[:, days].sum(axis=1), plan.level)),
            "paid_for": money.whole(sufficient(paid[:, days].sum(axis=1), plan.level)),
        }
        row |= {standard.id: standard.needed(beds) for standard in shelter.STANDARDS}
        for name in ("arrivals", "requests"):
            if name in world.persons:
                row[name] = sufficient(world.persons[name][:, days].sum(axis=1), plan.level)
        yield row


def _beds(plan: PlanData) -> list[Column]:
    return [
        words("stretch", "stretch", "the whole period, or a calendar month of it"),
        date("from", "from", shown=False),
        date("to", "to", shown=False),
        *at_levels(plan),
        date("peak_median", "peak about", "day of the highest need, median of runs"),
        date("peak_q05", "peak, 5% of runs before", shown=False),
        date("peak_q95", "peak, 95% of runs before", shown=False),
        Column(name="offered_least", label="places offered, fewest", kind="whole", shown=False),
        Column(
            name="offered_most", label="places offered", kind="whole", meaning="most in open sites on a day"
        ),
        Column(
            name="rented_most",
            label="rented",
            kind="whole",
            meaning="rooms for holders of permits in use, most on a day, median of runs",
        ),
        *spread_over_runs(
            "places missing", "without", "who need shelter beyond places and rooms on the worst day", "persons"
        ),
    ]


_CARE = (
    Column(name="level", label="service level", kind="share"),
    UNIT,
    Column(name="full_cost", label=FULL_COST.lower(), unit_in="unit", kind="whole",
           meaning="enough to lodge all who need shelter on every day, in that share of runs"),
    Column(name="paid_for", label=PAID_FOR.lower(), unit_in="unit", kind="whole",
           meaning="enough for what payers paid, in that share of runs"),
    Column(name="gap", label="gap", unit_in="unit", kind="whole", meaning="full cost less what is paid for"),
    Column(name="unpaid", label="bills left open", unit_in="unit", kind="whole",
           meaning="enough for the bills that stayed open, of all payers together"),
)  # fmt: skip

_PERIOD = (
    words("figure", "figure (name)", shown=False),
    LABEL,
    words("unit", "unit"),
    words("bound", "bound", "at least: who found the sites full is not in the number", shown=False),
    *spread_over_runs("median", quartiles=True),
)


def _figures(plan: PlanData, world: PlanCourse) -> Iterator[Row]:
    for one in persons.figures(world, plan.period):
        bound = {"bound": "at least" if one.least else ""}
        label = f"{one.label}, at least" if one.least else one.label
        yield {"figure": one.id, "label": label, "unit": one.unit} | bound | one.spread.row


def _needs(plan: PlanData) -> list[Column]:
    return [
        words("need", "need (name)", shown=False),
        LABEL,
        words("unit", "unit"),
        *at_levels(plan, "unit"),
        words("rule", "standard", "the standard in words", shown=False),
        words("source", "whose standard", "who set it, and where it stands", shown=False),
    ]


def _needed(plan: PlanData, world: PlanCourse) -> list[Row]:
    """Return what people need at the peak; nothing where a case has no sites to which toilets could be added."""
    whole = shelter.shelter(world, plan.period, plan.levels)[0]
    return shelter.needs(whole.beds, plan.levels, world.meals) if plan.base.sites and max(whole.beds) else []


_LODGED = (
    words("town", "town", shown=False),
    words("site", "site (name)", "all for the sum of a town", shown=False),
    words("label", "site"),
    words("admits", "admits", "whom the site takes in: anyone, the registered, holders of a permit", shown=False),
)
_MOST_INSIDE = (
    Column(name="inside_median", label="inside at most", kind="whole", meaning="most on a day, median of runs"),
    Column(name="inside_q05", label="inside at most, 5% of runs below", shown=False),
    Column(name="inside_q95", label="inside at most, 95% of runs below", shown=False),
    Column(
        name="full_share",
        label="runs in which it takes nobody in",
        kind="share",
        meaning="it is full, closed or unpaid on a day on which some are in no site: the demand is then at "
        "least who is inside",
        shown=False,
    ),
)
_INSIDE = (
    *_LODGED,
    words("month", "month"),
    Column(name="places", label="places, at most", kind="count", meaning="on a day of the period"),
    *_MOST_INSIDE,
)


def _by_month(plan: PlanData, world: PlanCourse) -> list[Row]:
    most = {
        (one.town, one.id): {"places": float(one.places[plan.period.first : plan.period.last + 1].max())}
        for one in shelter.lodgings(world)
    }
    return [
        row | {"month": window.label} | most[row["town"], row["site"]]
        for window in months(plan.period)
        for row in shelter.site_rows(world, plan.period, lambda _, one=window: (one,))
    ]


_SITES = (
    *_LODGED,
    date("from", "from"),
    date("to", "to"),
    Column(name="places", label="places", kind="count", meaning="most on a day of the week; 0 while it is closed"),
    *_MOST_INSIDE,
)
_QUANTILES = tuple(
    Column(name=f"q{share}", label=f"{int(share)}% of runs below", unit_in="unit", shown=False)
    for share in ("05", "25", "75", "95")
)
_MEDIAN = Column(name="median", label="median of runs", unit_in="unit", kind="whole")
_STAFF = (
    Column(name="staff", label="caseworkers", shown=False, meaning="empty: as in the case"),
    words("staffing", "caseworkers", "from the first day of the period on"),
    words("quantity", "quantity (name)", shown=False),
    LABEL,
    UNIT,
    _MEDIAN,
    *_QUANTILES,
)


def _by_staff(plan: PlanData, world: PlanCourse) -> list[Row]:
    return asylum.staff_rows(plan.staffings[plan.worlds.index(world)]) if plan.staffings else []


def _funds(plan: PlanData) -> list[Column]:
    given = "all that the payer is given by the end of the period; empty: no limit is known"
    over: dict[str, Any] = {"unit_in": "unit"}
    open_bills = "so much more would pay the bills left open in that share of runs; a lower bound"
    return [
        words("payer", "payer (name)", shown=False),
        words("label", "payer"),
        UNIT,
        Column(name="funds", label="funds", meaning=given, kind="whole", **over),
        words("basis", "funds are", "assumed: nobody reported the sum, so what follows from it is no forecast"),
        *spread_over_runs("cost of its sites", "cost", "what the place costs the payer in the period"),
        Column(
            name="billed_median",
            label="billed so far, median",
            meaning="for all its sites, from the first day of the case",
            shown=False,
            **over,
        ),
        *spread_over_runs("bills left open", "unpaid", "its bills of the period that stay open"),
        Column(name="runs_out_share", label="in share of runs", kind="share", meaning="share of runs"),
        date("runs_out_median", "run out about", "first day with an open bill; empty: later, or never"),
        date("runs_out_q05", "runs out, 5% of runs before", shown=False),
        date("runs_out_q95", "runs out, 95% of runs before", shown=False),
        *(
            Column(
                name=f"gap_{100 * one:g}",
                label=f"more funds that suffice at {100 * one:g}%",
                meaning=open_bills,
                shown=False,
                **over,
            )
            for one in plan.levels
        ),
    ]


_COSTS = (
    words("month", "month", "calendar month; the first and the last may be cut"),
    date("from", "from", shown=False),
    date("to", "to", shown=False),
    words("payer", "payer (name)", "total for all", shown=False),
    words("label", "payer"),
    UNIT,
    _MEDIAN,
    *_QUANTILES,
)
_ASYLUM = (
    words("month", "month", shown=False),
    date("from", "from", shown=False),
    date("to", "to", shown=False),
    words("quantity", "quantity (name)", shown=False),
    words("label", "what", shown=False),
    UNIT,
    Column(name="runs", label="runs", kind="count", meaning="runs that have a number here", shown=False),
    Column(name="median", label="median of runs", unit_in="unit", shown=False),
    *_QUANTILES,
)


def _asylum(plan: PlanData, world: PlanCourse) -> list[Row]:
    told = "requests" in world.persons and plan.rules is not None
    return asylum.by_month(world, plan.period) if told else []


_DAYS = (
    words("quantity", "quantity (name)"),
    LABEL,
    UNIT,
    date("date", "day"),
    *spread_over_runs("median of runs", quartiles=True),
    Column(name="drawn", label="in a chart", kind="flag", shown=False),
)


def _days(plan: PlanData, world: PlanCourse) -> list[Row]:
    rows = persons.by_day(world, plan.period)
    drawn = {name for name in DRAWN if name != "unmet" or not plan.where.host}
    return records(rows.assign(drawn=rows["quantity"].isin(drawn)))


def _need(plan: PlanData) -> list[Column]:
    level, label = f"{100 * plan.level:g}%", quantity("need", plan.where.host).label
    persons_in: dict[str, Any] = {"unit": "persons", "kind": "whole"}
    return [
        date("date", "day"),
        *spread_over_runs(label, unit="persons", quartiles=True),
        Column(name="level", label=f"need at {level}", meaning=f"suffices on the day in {level} of runs",
               **persons_in),
        Column(name="offered", label="places offered", meaning="in open sites, median of runs", **persons_in),
        Column(name="rented", label="rented rooms in use", meaning="median of runs", **persons_in),
        Column(name="without", label="places missing", meaning="median of runs", **persons_in),
        Column(name="case_median", label="the case", meaning="median of the case", shown=False, **persons_in),
        Column(name="changed", label="a scenario", kind="flag", shown=False),
    ]  # fmt: skip


def need(plan: PlanData, world: PlanCourse) -> list[Row]:
    """Return who needs shelter day by day beside the places, a row a day: what the first chart shows."""
    import pandas as pd

    days = slice(plan.period.first, plan.period.last + 1)
    found = persons.by_day(world, plan.period)
    frame = found[found["quantity"] == "need"].drop(columns=["quantity", "label", "unit"])
    columns = {
        "level": sufficient_each(world.within("need", plan.period), plan.level),
        "offered": np.median(world.offered[:, days], axis=0),
        "rented": np.median(world.rented[:, days], axis=0),
        "without": np.median(world.within("short", plan.period), axis=0),
        "case_median": np.median(plan.base.within("need", plan.period), axis=0),
    }
    return records(pd.DataFrame(frame).assign(**columns, changed=world is not plan.base))


_BILLS = (
    date("date", "day"),
    words("payer", "payer (name)"),
    words("label", "payer"),
    UNIT,
    Column(name="billed", label="bills", unit_in="unit", meaning="so far, for all its sites, median of runs"),
    Column(name="funds", label="funds", unit_in="unit", meaning="given so far"),
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
    """Yield the worlds side by side at the service level, and what differs between each scenario and the case."""
    if not plan.differences:
        return
    rows: list[Row] = []
    for world in plan.worlds:
        beds = shelter.shelter(world, plan.period, (plan.level,))[0].beds[0]
        about = {"scenario": world.id, "title": world.title, "changes": "; ".join(world.changes)}
        sums: Sequence[Row] = money.care_rows(world, plan.period, (plan.level,))
        rows.append(about | {"beds": beds} | (sums[0] if sums else {"unit": ""}))
    columns = [
        SCENARIO,
        words("title", "title", "what is different in it", shown=False),
        words("changes", "changes", shown=False),
        Column(name="beds", label="beds", kind="count", meaning="suffice on every day of the period"),
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
    shares = [
        Column(name=name, label=label, kind="share", shown=False)
        for name, label in (("share_more", "pairs with more"), ("share_less", "pairs with less"))
    ]
    columns = [
        SCENARIO,
        words("figure", "figure (name)", shown=False),
        LABEL,
        *effect_columns("case, mean", "scenario, mean", "mean difference"),
        *shares,
        Column(name="pairs", label="pairs of runs", kind="count", shown=False),
    ]
    title = "What each scenario changes, run by run"
    yield Table.of("scenarios", title, columns, differences, by="scenario")
