"""People by day and over the whole period, their spread over runs, and what suffices in a share of them."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.questions.plan.course import PlanCourse, Values, quantity
from breakrank.results.uncertainty import FEW, LEVELS

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case
    from breakrank.questions.plan.scope import Period


Row = dict[str, Any]
"""A row of a table, by column."""

COLUMNS = ("q05", "q25", "median", "q75", "q95")
"""Columns of quantiles over runs, linear between runs (Hyndman and Fan 1996, type 7).

Of few runs the ends are the least and the most, as in every answer.
"""


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of one number over the runs that have one; nan where none has."""

    q05: float
    q25: float
    median: float
    q75: float
    q95: float
    runs: int

    @property
    def row(self) -> dict[str, float]:
        """The quantiles as columns of a table."""
        return {name: getattr(self, name) for name in COLUMNS}


def spread(values: npt.ArrayLike) -> Spread:
    """Return the spread of one number per run, those that are none left out.

    >>> few = spread([1.0, 2.0, float("nan"), 3.0])
    >>> few.q05, few.median, few.q95, few.runs
    (1.0, 2.0, 3.0, 3)
    """
    array = np.asarray(values, dtype=np.float64)
    finite = array[np.isfinite(array)]
    if not finite.size:
        return Spread(*(math.nan,) * 5, 0)
    low, *middle, high = LEVELS
    levels = (0.0, *middle, 1.0) if finite.size < FEW else (low, *middle, high)
    q05, q25, median, q75, q95 = (float(q) for q in np.quantile(finite, levels))
    return Spread(q05, q25, median, q75, q95, int(finite.size))


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

    dates = world.dates[period.first : period.last + 1].astype("datetime64[ns]")
    parts = []
    for name in world.persons:
        rows = np.quantile(world.within(name, period), LEVELS, axis=0)
        about = quantity(name, world.host)
        parts.append(
            pd.DataFrame(
                {"quantity": name, "label": about.label, "unit": about.unit, "date": dates}
                | dict(zip(COLUMNS, rows, strict=True))
            )
        )
    for name, label, values in (
        ("places_offered", "Places offered in open sites", world.offered),
        ("rooms_rented", "Rented rooms in use, for holders of permits", world.rented),
    ):
        rows = np.quantile(values[:, period.first : period.last + 1], LEVELS, axis=0)
        told = {"quantity": name, "label": label, "unit": "places", "date": dates}
        parts.append(pd.DataFrame(told | dict(zip(COLUMNS, rows, strict=True))))
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
    return not world.host and float(away.mean()) >= 0.5


def _counted(world: PlanCourse, period: Period) -> Iterator[tuple[str, str, str, Values]]:
    """Yield the figures of the whole period: id, label and unit, and one number per run."""

    def total(name: str, ident: str = "", unit: str = "") -> list[tuple[str, str, str, Values]]:
        if name not in world.persons:
            return []
        about = quantity(name, world.host)
        return [(ident or name, about.total, unit or about.unit, world.within(name, period).sum(axis=1))]

    for name in ("arrivals", "arrived_soldiers", "arrived_relatives", "arrived_children"):
        yield from total(name)
    need, short = world.within("need", period), world.within("short", period)
    label = quantity("need", world.host).label
    yield "need_first", f"{label}, first day", "persons", need[:, 0]
    yield "need_peak", f"{label}, at the peak", "persons", need.max(axis=1)
    yield "need_last", f"{label}, last day", "persons", need[:, -1]
    yield from total("need", "need_days", "person-days")
    yield from total("street", "street_days", "person-nights")
    if not world.host:
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
            yield f"{name}_peak", f"{label}, at the peak", quantity(name, world.host).unit, most
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
    """Return the cost of accommodating all who need shelter, float64 (run,).

    Who is in a site costs what that site costs; who is in a private home or without a roof is put at the
    price of an average place (:attr:`PlanCourse.price`). Whoever moved on or settled costs nothing.
    """
    days = slice(period.first, period.last + 1)
    outside = (world.persons["need"] - world.persons["in_sites"])[:, days].sum(axis=1)
    return np.asarray(world.cost[:, days].sum(axis=(1, 2)) + world.price * outside)


def full_care_by_day(world: PlanCourse) -> Values:
    """Return the daily cost of accommodating all who need shelter, float64 (run, day)."""
    outside = world.persons["need"] - world.persons["in_sites"]
    return np.asarray(world.cost.sum(axis=2) + world.price * outside)


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


COMPARED = ("arrivals", "need_peak", "need_days", "street_days", "files_last", "care", "paid", "unpaid")
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
