"""What a plan sums up over runs: people, beds and standards, cost and money, each with its spread.

A service level of 80% means: in 80% of the runs so many beds are enough on every day of the stretch. It is a
quantile over runs of the highest need on any day. It holds their luck and, under draws of parameters, what is
not known of these; what the model leaves out or assumes wrongly is not in it.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.questions.plan.course import CENT, PlanCourse, Values, open_days, places_of, price, quantity
from breakrank.questions.plan.scope import Window, months
from breakrank.results.uncertainty import LEVELS, MEDIAN_AND_ENDS
from breakrank.show.tables import COLUMNS, Spread, spread

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case
    from breakrank.questions.plan.scope import Period


Row = dict[str, Any]
"""A row of a table, by column."""


def columns_of(one: Any) -> Row:  # noqa: ANN401 (any of the things below)
    """Return the fields of a thing as columns of a table; of a spread the median and both ends."""
    row: Row = {}
    for name in (each.name for each in fields(one)):
        value = getattr(one, name)
        if isinstance(value, Spread):
            row |= {f"{name}_{q}": getattr(value, q) for q in ("median", "q05", "q95")}
        else:
            row[name] = value
    return row


def stretch(world: PlanCourse, window: Window) -> Row:
    """Return the first and the last day of a stretch as columns of a table."""
    return {"from": date_of(world, window.first), "to": date_of(world, window.last)}


def sufficient(values: npt.ArrayLike, level: float) -> float:
    """Return the least of the values that is enough in at least so large a share of the runs.

    It is the value of a run, never one between two: what is claimed to suffice did suffice in so many.

    >>> sufficient(range(1, 101), 0.95), sufficient([40, 10, 30, 20], 0.5), sufficient([7], 0.95)
    (95.0, 20.0, 7.0)
    """
    return float(sufficient_each(np.asarray(values, dtype=np.float64)[:, None], level)[0])


def sufficient_each(values: npt.NDArray[np.float64], level: float) -> npt.NDArray[np.float64]:
    """Return :func:`sufficient` of each column: `values` is (run, column), what is returned (column,)."""
    needed = math.ceil(level * len(values) - 1e-9)
    return np.asarray(np.sort(values, axis=0)[max(needed, 1) - 1], dtype=np.float64)


def at(level: float) -> str:
    """Return the name of the column of a service level.

    >>> at(0.8), at(0.995)
    ('at_80', 'at_99.5')
    """
    return f"at_{100 * level:g}"


FULL_COST, PAID_FOR = "Full cost of assistance", "Paid for until money ends"
"""What the cost of all who need shelter is called, and what of it payers pay."""


@dataclass(frozen=True, slots=True)
class PlanFigure:
    """One number of a plan, over the whole period: what it is, and its spread over runs.

    ``least`` says that it is a lower bound: who found the sites full is not in it.
    """

    id: str
    label: str
    unit: str
    spread: Spread
    least: bool = False


def by_day(world: PlanCourse, period: Period) -> pd.DataFrame:
    """Return every quantity day by day with quantiles over runs, and the places offered and rented."""
    import pandas as pd

    days = slice(period.first, period.last + 1)
    dates = world.dates[days].astype("datetime64[ns]")
    told = {name: quantity(name, world.where.host) for name in world.persons}
    series = [(name, told[name].label, told[name].unit, values) for name, values in world.persons.items()]
    series += [
        ("places_offered", "Places offered in open sites", "places", world.offered),
        ("rooms_rented", "Rented rooms in use, for holders of permits", "places", world.rented),
    ]
    parts = []
    for name, label, unit, values in series:
        rows = np.quantile(values[:, days], LEVELS, axis=0)
        about = {"quantity": name, "label": label, "unit": unit, "date": dates}
        parts.append(pd.DataFrame(about | dict(zip(COLUMNS, rows, strict=True))))
    return pd.concat(parts, ignore_index=True)


def figures(world: PlanCourse, period: Period) -> tuple[PlanFigure, ...]:
    """Return the figures of the whole period: totals, the peak, and states at its ends."""
    full = is_lower_bound(world, period)
    return tuple(
        PlanFigure(name, label, unit, spread(v), full and name == "in_sites_peak")
        for name, label, unit, v in _counted(world, period)
    )


def is_lower_bound(world: PlanCourse, period: Period) -> bool:
    """Say whether who is inside a place is a lower bound: in half the runs it turns people away some day."""
    away = world.turned_away[:, period.first : period.last + 1].any(axis=1)
    return not world.where.host and float(away.mean()) >= 0.5


def _counted(world: PlanCourse, period: Period) -> Iterator[tuple[str, str, str, Values]]:
    """Yield the figures of the whole period: id, label and unit, and one number per run."""

    def total(name: str, ident: str = "", unit: str = "") -> list[tuple[str, str, str, Values]]:
        if name not in world.persons:
            return []
        about = quantity(name, world.where.host)
        return [(ident or name, about.total, unit or about.unit, world.within(name, period).sum(axis=1))]

    for name in ("arrivals", "arrived_soldiers", "arrived_relatives", "arrived_children"):
        yield from total(name)
    need, short = world.within("need", period), world.within("short", period)
    label = quantity("need", world.where.host).label
    yield "need_first", f"{label}, first day", "persons", need[:, 0]
    yield "need_peak", f"{label}, at the peak", "persons", need.max(axis=1)
    yield "need_last", f"{label}, last day", "persons", need[:, -1]
    yield from total("need", "need_days", "person-days")
    yield from total("street", "street_days", "person-nights")
    if not world.where.host:
        inside, away = world.within("in_sites", period), world.turned_away[:, period.first : period.last + 1]
        yield "in_sites_peak", "In the sites, at the peak", "persons", inside.max(axis=1)
        yield "days_full", "Days on which no site here takes anyone", "days", away.sum(axis=1)
        yield (
            "unmet_peak",
            "In no site, whole host, at the peak",
            "persons",
            world.within("unmet", period).max(axis=1),
        )
    yield "days_short", "Days with too few places", "days", (short > 0).sum(axis=1)
    yield "short_peak", "Places missing, on the worst day", "places", short.max(axis=1)
    for name, label in (
        ("awaiting_registration", "Waiting to be registered"),
        ("programme", "In the host's programme"),
        ("families", "Families"),
        ("children", "Children in sites"),
    ):
        if name in world.persons:
            most = world.within(name, period).max(axis=1)
            yield f"{name}_peak", f"{label}, at the peak", quantity(name, world.where.host).unit, most
    for name in ("meals_needed", "meals", "requests", "decisions"):
        yield from total(name)
    if "files_open" in world.persons:
        yield "files_last", "Asylum files open, last day", "files", world.within("files_open", period)[:, -1]
    if world.payers:
        days, currency = slice(period.first, period.last + 1), world.case.currency
        yield "care", FULL_COST, currency, full_care(world, period)
        yield "paid", PAID_FOR, currency, world.paid[:, days].sum(axis=(1, 2))
        yield "unpaid", uncovered(world), currency, world.unpaid[:, days].sum(axis=(1, 2))


def full_care(world: PlanCourse, period: Period) -> Values:
    """Return the cost of accommodating all who need shelter, float64 (run,)."""
    return np.asarray(full_care_by_day(world)[:, period.first : period.last + 1].sum(axis=1))


def full_care_by_day(world: PlanCourse) -> Values:
    """Return the daily cost of accommodating all who need shelter, float64 (run, day).

    Who is in a site costs what that site costs; who is in a private home or without a roof is put at the
    price of an average place. Whoever moved on or settled costs nothing.
    """
    outside = (world.persons["need"] - world.persons["in_sites"]) * world.lived
    return np.asarray(world.cost.sum(axis=2) + price(world.case, world.where) * outside)


def uncovered(world: PlanCourse) -> str:
    """Return the label of bills that stay open, and whether they follow from assumed sums."""
    said = "assumed funds" if any(assumed(world.case, name) for name in world.payers) else "funds"
    return f"Bills not covered by {said}"


def assumed(case: Case, payer: str) -> bool:
    """Return whether a payer's funds, or their lack of a limit, rest on an assumption of the case."""
    return bool(case.payers.named(payer).assumed)


def date_of(world: PlanCourse, day: float) -> dt.date:
    """Return the date of a day counted from the start of the calendar."""
    return world.case.calendar.start + dt.timedelta(days=int(day))


COMPARED = (
    *("arrivals", "need_peak", "short_peak", "need_days", "street_days"),
    *("files_last", "care", "paid", "unpaid"),
)
"""Ids of the figures that scenarios are compared by."""


def compared(world: PlanCourse, period: Period) -> dict[str, tuple[str, str, Values]]:
    """Return the figures compared between scenarios, by id: label, unit, and one number per run."""
    found = {
        name: (label, unit, values.astype(np.float64))
        for name, label, unit, values in _counted(world, period)
        if name in COMPARED
    }
    found["need_peak"] = ("Highest need for beds", "beds", found["need_peak"][2])
    if np.isfinite(world.serving).all():
        found["serving"] = ("Soldiers still serving, last day", "soldiers", world.serving)
    return found


# Beds, and what goes with them.

UNKNOWN = "town not known"
ALL = "all"
"""Instead of the id of a site: all sites of a town."""


@dataclass(frozen=True, eq=False, slots=True)
class Lodging:
    """A site, or all sites of a town, day by day.

    Attributes
    ----------
    town, id, label : of the site; the id is :data:`ALL` for a town.
    admits : whom it takes in; empty for a town.
    places : float64 (day,), places on each day, 0 while closed.
    inside : float64 (run, day), persons inside.
    full : bool (run, day), whether it takes nobody in while some are in no site of the host: it is full or
        closed, or its bills are unpaid. Then who is inside is less than who would be.
    """

    town: str
    id: str
    label: str
    admits: str
    places: Values
    inside: Values
    full: npt.NDArray[np.bool_]

    def most(self, window: Window) -> Spread:
        """Return the most persons inside on a day of a stretch, over runs."""
        return spread(self.inside[:, window.first : window.last + 1].max(axis=1))

    def turns_away(self, window: Window) -> float:
        """Return the share of runs in which it takes nobody in on a day of a stretch, though it is open."""
        days = slice(window.first, window.last + 1)
        return float((self.full & (self.places > 0))[:, days].any(axis=1).mean())

    def beds(self, window: Window) -> float:
        """Return the most places on a day of a stretch."""
        return float(self.places[window.first : window.last + 1].max())


def lodgings(world: PlanCourse) -> tuple[Lodging, ...]:
    """Return the sites of a plan's place by town, each town with several of them followed by their sum."""
    case, days = world.case, len(world.dates)
    unmet = world.persons["unmet"] > 0
    found: list[Lodging] = []
    for town in dict.fromkeys(case.sites[k].town or UNKNOWN for k in world.where.sites):
        mine = []
        for column, k in enumerate(world.where.sites):
            site = case.sites[k]
            if (site.town or UNKNOWN) == town:
                places = places_of(case, k) * open_days(case, k, days).astype(np.float64)
                inside = world.inside[:, :, column]
                full = ~world.vacant[:, :, column] & unmet
                mine.append(Lodging(town, site.id, site.label, site.admits, places, inside, full))
        found += mine
        if len(mine) > 1:
            whole = sum((one.places for one in mine), np.zeros(days))
            inside = sum((one.inside for one in mine), np.zeros_like(mine[0].inside))
            general = [one for one in mine if one.admits not in ("", "permit")] or mine
            none = np.logical_and.reduce([one.full for one in general])
            rooms = ", rented rooms too" if any(one.admits == "permit" for one in mine) else ""
            found.append(Lodging(town, ALL, f"All in {town}{rooms}", "", whole, inside, none))
    return tuple(found)


def weeks(period: Period) -> tuple[Window, ...]:
    """Return the weeks of a period from Monday to Sunday, named by their first day; the ends may be cut.

    >>> from breakrank.questions.plan.scope import Period
    >>> [w.label for w in weeks(Period(dt.date(2019, 2, 23), dt.date(2019, 3, 5), 53, 63))]
    ['2019-02-23', '2019-02-25', '2019-03-04']
    """
    found, first = [], period.first
    while first <= period.last:
        date = period.start + dt.timedelta(days=first - period.first)
        last = min(first + 6 - date.weekday(), period.last)
        found.append(Window(str(date), first, last))
        first = last + 1
    return tuple(found)


def site_rows(world: PlanCourse, period: Period) -> list[Row]:
    """Return places and persons inside by town, site and week: a row for each site, or town, and week."""
    return [
        {
            "town": one.town,
            "site": one.id,
            "label": one.label,
            "admits": one.admits,
            **stretch(world, window),
            "places": one.beds(window),
            "inside_q05": inside.q05,
            "inside_median": inside.median,
            "inside_q95": inside.q95,
            "full_share": one.turns_away(window),
        }
        for one in lodgings(world)
        for window in weeks(period)
        for inside in [one.most(window)]
    ]


@dataclass(frozen=True, slots=True)
class Standard:
    """One standard.

    Attributes
    ----------
    id, label : what is needed.
    each : how much for one person.
    unit : of what is needed by all.
    whole : whether it comes in whole pieces.
    rule : the standard in words. source : whose it is, and where it stands.
    """

    id: str
    label: str
    each: float
    unit: str
    whole: bool
    rule: str
    source: str

    def needed(self, persons: float) -> float:
        """Return the needs of a number of persons.

        >>> STANDARDS[2].label, STANDARDS[2].needed(41), STANDARDS[0].needed(100)
        ('Toilets', 3.0, 350.0)
        """
        amount = self.each * persons
        return float(math.ceil(round(amount, 9))) if self.whole else amount


STANDARDS = (
    Standard(
        "floor",
        "Covered floor space",
        3.5,
        "m²",
        False,
        "3.5 m² a person, without cooking, bathing and sanitation; 4.5 to 5.5 m² in cold climates or towns "
        "where these are inside",
        "Sphere Handbook 2018, shelter and settlement standard 3 (living space)",
    ),
    Standard(
        "water",
        "Water",
        15.0,
        "litres a day",
        False,
        "15 litres a person and day, for drinking and domestic hygiene",
        "Sphere Handbook 2018, water supply standard 2.1 (access and quantity); UNHCR Emergency Handbook, "
        "emergency water standard",
    ),
    Standard(
        "toilets",
        "Toilets",
        1 / 20,
        "toilets",
        True,
        "1 for 20 people (1 for 50 in the first phase), three for women to one for men",
        "Sphere Handbook 2018, excreta management standard 3.2 (access to and use of toilets)",
    ),
    Standard(
        "taps",
        "Water taps",
        1 / 250,
        "taps",
        True,
        "1 for 250 people",
        "Sphere Handbook 2018, water supply standard 2.1 (access and quantity)",
    ),
    Standard(
        "energy",
        "Food energy",
        2_100.0,
        "kcal a day",
        False,
        "2,100 kcal a person and day, as a figure to plan with",
        "Sphere Handbook 2018, food assistance standard 6.1 (general nutrition requirements)",
    ),
)
"""The standards a plan is set against."""

DECISION_DAYS = 30
"""Days from the interview within which a decision should be issued, by UNHCR's measure for itself."""

DECISION_SOURCE = (
    "UNHCR, Procedural Standards for Refugee Status Determination under UNHCR's Mandate (2003), 4.5: a "
    "decision normally within one month of the interview, two where it is complex"
)
"""Whose measure that is. States set their own; here it is a yardstick only."""


def needs(beds: tuple[float, ...], levels: tuple[float, ...], meals: float = 3.0) -> list[Row]:
    """Return the needs on the day of the highest need, for the persons that suffice at each level.

    `meals` are those that a person needs a day by the case.

    Columns ``need``, ``label``, ``unit``, one for each level (such as ``at_80``), ``rule``, ``source``.
    """
    rule = f"{meals:g} meals a person and day, the most that a site of the case serves"
    every = (
        Standard("persons", "Persons to shelter", 1.0, "persons", False, "", "the runs of this plan"),
        Standard("meals", "Meals a day", meals, "meals a day", True, rule, "the case"),
        *STANDARDS,
    )
    return [
        {"need": one.id, "label": one.label, "unit": one.unit}
        | {at(level): one.needed(persons) for level, persons in zip(levels, beds, strict=True)}
        | {"rule": one.rule, "source": one.source}
        for one in every
    ]


WHOLE = "Whole period"


@dataclass(frozen=True, slots=True)
class Shelter:
    """What suffices over a stretch of days.

    Attributes
    ----------
    window : the stretch; its label is that of a month, or :data:`WHOLE`.
    beds : by service level, in its order: beds that suffice on every day of the stretch in so many runs.
    peak_median : day of the highest need: median over runs.
    peak_q05, peak_q95 : ends of the middle 90% of the runs' days of highest need.
    offered_least, offered_most : fewest and most places that open sites offer on a day of the stretch.
    rented_most : most rented rooms in use on a day of the stretch, median over runs.
    without : persons without a place on the worst day of the stretch, run by run.
    """

    window: Window
    beds: tuple[float, ...]
    peak_median: dt.date
    peak_q05: dt.date
    peak_q95: dt.date
    offered_least: float
    offered_most: float
    rented_most: float
    without: Spread


def shelter(
    world: PlanCourse,
    period: Period,
    levels: tuple[float, ...],
    stretches: Callable[[Period], tuple[Window, ...]] = months,
) -> tuple[Shelter, ...]:
    """Return what suffices over the whole period, then stretch by stretch: month by month, or by week."""
    whole = Window(WHOLE, period.first, period.last)
    return tuple(_shelter(world, window, levels) for window in (whole, *stretches(period)))


def _shelter(world: PlanCourse, window: Window, levels: tuple[float, ...]) -> Shelter:
    days = slice(window.first, window.last + 1)
    need, offered = world.persons["need"][:, days], np.median(world.offered[:, days], axis=0)
    most, when = need.max(axis=1), window.first + need.argmax(axis=1)
    when = when[most > 0] if most.any() else when  # a run in which nobody needs shelter has no such day
    early, middle, late = (sufficient(when, share) for share in MEDIAN_AND_ENDS)
    return Shelter(
        window,
        tuple(sufficient(most, share) for share in levels),
        date_of(world, middle),
        date_of(world, early),
        date_of(world, late),
        float(offered.min()),
        float(offered.max()),
        float(np.median(world.rented[:, days].max(axis=1))),
        spread(world.persons["short"][:, days].max(axis=1)),
    )


def shelter_rows(world: PlanCourse, period: Period, levels: tuple[float, ...]) -> list[Row]:
    """Return :func:`shelter` as rows of a table, one a stretch."""
    return [
        columns_of(one)
        | {"stretch": one.window.label, **stretch(world, one.window)}
        | {at(share): beds for share, beds in zip(levels, one.beds, strict=True)}
        for one in shelter(world, period, levels)
    ]


# Money.

TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Funding:
    """One payer's money against the bills of all sites that they pay for.

    Attributes
    ----------
    payer, label : who it is.
    funds : all they have been given by the end of the period; ``None`` without a limit.
    cost : what the place of the plan costs them in the period.
    billed : what all their sites cost from the start of the calendar to the end of the period.
    unpaid : what of the bills of the period stays open.
    runs_out_share : share of runs in which a bill stays open by the end of the period.
    runs_out_q05, runs_out_median, runs_out_q95 : first day with an open bill, as quantiles over all runs;
        ``None`` where that lies beyond the period, since in too many runs the money lasts.
    assumed : whether the case says that what they have is assumed, and so every date that follows from it.
    """

    payer: str
    label: str
    funds: float | None
    cost: Spread
    billed: Spread
    unpaid: Spread
    runs_out_share: float
    runs_out_q05: dt.date | None
    runs_out_median: dt.date | None
    runs_out_q95: dt.date | None
    assumed: bool


def runs_out(unpaid: Values) -> Values:
    """Return the first day with an open bill in each run, infinite without; `unpaid` is (run, day).

    >>> runs_out(np.array([[0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])).tolist()
    [2.0, inf]
    """
    short = unpaid > CENT
    return np.where(short.any(axis=1), short.argmax(axis=1).astype(np.float64), math.inf)


def fundings(world: PlanCourse, period: Period) -> tuple[Funding, ...]:
    """Return how each payer's money lasts, in the order of the payers of the place."""
    return tuple(_funding(world, k, period) for k in range(len(world.payers)))


def _funding(world: PlanCourse, k: int, period: Period) -> Funding:
    end = period.last + 1
    unpaid = world.unpaid[:, :end, k]
    days = runs_out(unpaid)
    ends = (sufficient(days, share) for share in MEDIAN_AND_ENDS)
    early, middle, late = (date_of(world, day) if math.isfinite(day) else None for day in ends)
    payer, given = world.payers[k], float(world.funds[period.last, k])
    return Funding(
        payer,
        world.case.payers.named(payer).label,
        given if math.isfinite(given) else None,
        spread(world.cost[:, period.first : end, k].sum(axis=1)),
        spread(world.billed[:, :end, k].sum(axis=1)),
        spread(unpaid[:, period.first :].sum(axis=1)),
        float(np.isfinite(days).mean()),
        early,
        middle,
        late,
        assumed(world.case, payer),
    )


def by_month(world: PlanCourse, period: Period) -> list[Row]:
    """Return the cost of the place by month and payer, and of all payers; nothing where nobody pays."""
    labels = {name: world.case.payers.named(name).label for name in world.payers}
    rows: list[Row] = []
    for window in months(period) if labels else ():
        each = world.cost[:, window.first : window.last + 1].sum(axis=1)
        about = {"month": window.label, **stretch(world, window), "unit": world.case.currency}
        for k, (name, label) in enumerate(labels.items()):
            rows.append(about | {"payer": name, "label": label} | spread(each[:, k]).row)
        rows.append(about | {"payer": TOTAL, "label": "All payers"} | spread(each.sum(axis=1)).row)
    return rows


def funding_rows(world: PlanCourse, period: Period) -> list[Row]:
    """Return :func:`fundings` as rows of a table, one a payer."""
    about = {True: "assumed", False: "on record"}
    return [
        columns_of(one) | {"unit": world.case.currency, "basis": about[one.assumed]}
        for one in fundings(world, period)
    ]


@dataclass(frozen=True, slots=True)
class Care:
    """What assistance costs over the period, so that it suffices in a share of the runs.

    Whole units of the case's currency, rounded up.

    Attributes
    ----------
    level : the share of runs. unit : the currency.
    full_cost : enough to lodge all who need shelter on every day (:func:`full_care`).
    paid_for : the part of the full cost that payers pay, which ends where their money does.
    gap : enough for the part of it that nobody paid in the runs.
    unpaid : enough for the bills that stayed open, of all payers together.
    """

    level: float
    unit: str
    full_cost: int
    paid_for: int
    gap: int
    unpaid: int


def whole(amount: float) -> int:
    """Return an amount of money in whole units, rounded up."""
    return math.ceil(amount - CENT)


def care(world: PlanCourse, period: Period, levels: tuple[float, ...]) -> tuple[Care, ...]:
    """Return the full cost of assistance, and the part that nobody pays, at each service level.

    None where nobody pays. Both are quantiles over runs. That of what payers paid would be high where they
    paid much, which is no caution, and the gap could shrink as the level rises.
    """
    days, full = slice(period.first, period.last + 1), full_care(world, period)
    paid, unpaid = (v[:, days].sum(axis=(1, 2)) for v in (world.paid, world.unpaid))
    found = []
    for share in levels if world.payers else ():
        cost, gap, left = (whole(sufficient(each, share)) for each in (full, full - paid, unpaid))
        found.append(Care(share, world.case.currency, cost, cost - gap, gap, left))
    return tuple(found)
