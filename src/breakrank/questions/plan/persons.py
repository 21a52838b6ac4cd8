"""People by day, and over the whole period, with their spread over runs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.plan.course import QUANTITIES, PlanCourse, Values
from breakrank.questions.plan.spread import COLUMNS, Spread, spread
from breakrank.results.quantiles import LEVELS

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case
    from breakrank.questions.plan.scope import Period


@dataclass(frozen=True, slots=True)
class PlanFigure:
    """One number of a plan, over the whole period: what it is, and its spread over runs."""

    id: str
    label: str
    unit: str
    spread: Spread


def by_day(world: PlanCourse, period: Period) -> pd.DataFrame:
    """Return every quantity day by day with quantiles over runs, and the places offered and rented."""
    import pandas as pd

    dates = world.dates[period.first : period.last + 1].astype("datetime64[ns]")
    parts = []
    for name in world.persons:
        rows = np.quantile(world.within(name, period), LEVELS, axis=0)
        about = QUANTITIES[name]
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


def totals(world: PlanCourse, name: str, period: Period) -> Values:
    """Return one quantity added up over the days of a period, float64 (run,)."""
    return np.asarray(world.within(name, period).sum(axis=1))


def peaks(world: PlanCourse, name: str, period: Period) -> tuple[Values, Values]:
    """Return the most on any day of a period and the day it is first reached, each (run,)."""
    values = world.within(name, period)
    return values.max(axis=1), period.first + values.argmax(axis=1).astype(np.float64)


def figures(world: PlanCourse, period: Period) -> tuple[PlanFigure, ...]:
    """Return what counts over the whole period: totals, the peak, and how things stand at its ends."""
    return tuple(_figures(world, period))


def _figures(world: PlanCourse, period: Period) -> Iterator[PlanFigure]:
    for name in ("arrivals", "arrived_soldiers", "arrived_relatives", "arrived_children"):
        if name in world.persons:
            about = QUANTITIES[name]
            yield PlanFigure(name, about.total, about.unit, spread(totals(world, name, period)))
    need = world.within("need", period)
    label = QUANTITIES["need"].label
    yield PlanFigure("need_first", f"{label}, first day", "persons", spread(need[:, 0]))
    yield PlanFigure("need_peak", f"{label}, at the peak", "persons", spread(need.max(axis=1)))
    yield PlanFigure("need_last", f"{label}, last day", "persons", spread(need[:, -1]))
    for name, unit in (("need", "person-days"), ("street", "person-nights")):
        if name in world.persons:
            yield PlanFigure(
                f"{name}_days", QUANTITIES[name].total, unit, spread(totals(world, name, period))
            )
    short = world.within("short", period)
    yield PlanFigure("days_short", "Days with too few places", "days", spread((short > 0).sum(axis=1)))
    yield PlanFigure("short_peak", "Places missing, on the worst day", "places", spread(short.max(axis=1)))
    for name, label in (
        ("desk_waiting", "Waiting to be registered"),
        ("programme", "In the host's programme"),
        ("families", "Families"),
        ("children", "Children in sites"),
    ):
        if name in world.persons:
            most = world.within(name, period).max(axis=1)
            unit = QUANTITIES[name].unit
            yield PlanFigure(f"{name}_peak", f"{label}, at the peak", unit, spread(most))
    for name in ("meals_needed", "meals"):
        yield PlanFigure(name, QUANTITIES[name].total, "meals", spread(totals(world, name, period)))
    for name in ("requests", "decisions"):
        if name in world.persons:
            about = QUANTITIES[name]
            yield PlanFigure(name, about.total, about.unit, spread(totals(world, name, period)))
    if "files_open" in world.persons:
        left = world.within("files_open", period)[:, -1]
        yield PlanFigure("files_last", "Asylum files open, last day", "files", spread(left))
    if world.payers:
        days = slice(period.first, period.last + 1)
        currency = world.case.currency
        yield PlanFigure("care", "Cost of full care", currency, spread(full_care(world, period)))
        yield PlanFigure("cost", "Cost of the sites", currency, spread(world.cost[:, days].sum(axis=(1, 2))))
        short_of = world.unpaid[:, days].sum(axis=(1, 2))
        yield PlanFigure("unpaid", uncovered(world), currency, spread(short_of))


def full_care(world: PlanCourse, period: Period) -> Values:
    """Return what it would have cost to lodge all who need shelter, float64 (run,).

    Who is in a site costs what that site costs; who is in a private home or without a roof is put at the
    price of an average place (:attr:`PlanCourse.price`). Whoever moved on or settled costs nothing.
    """
    days = slice(period.first, period.last + 1)
    outside = (world.persons["need"] - world.persons["in_sites"])[:, days].sum(axis=1)
    return np.asarray(world.cost[:, days].sum(axis=(1, 2)) + world.price * outside)


def uncovered(world: PlanCourse) -> str:
    """Return what bills that stay open are called, and whether they follow from sums that are assumed."""
    said = "assumed funds" if any(assumed(world.case, name) for name in world.payers) else "funds"
    return f"Bills not covered by {said}"


def assumed(case: Case, payer: str) -> bool:
    """Return whether what a payer has, or that it has no limit, rests on an assumption of the case."""
    return bool(case.payers.named(payer).assumed)


def date_of(world: PlanCourse, day: float) -> dt.date:
    """Return the date of a day counted from the start of the calendar."""
    return world.case.calendar.start + dt.timedelta(days=int(day))


def compared(world: PlanCourse, period: Period) -> dict[str, tuple[str, str, Values]]:
    """Return what is compared between scenarios, by id: label, unit, and one number per run."""
    found: dict[str, tuple[str, str, Values]] = {}

    def note(name: str, label: str, unit: str, values: Values) -> None:
        found[name] = (label, unit, np.asarray(values, dtype=np.float64))

    if "arrivals" in world.persons:
        note("arrivals", "Arrivals", "persons", totals(world, "arrivals", period))
    note("need_peak", "Highest need for beds", "beds", peaks(world, "need", period)[0])
    note("need_days", "Person-days of shelter", "person-days", totals(world, "need", period))
    if "street" in world.persons:
        note("street_days", "Person-nights without a roof", "person-nights", totals(world, "street", period))
    if "files_open" in world.persons:
        last = world.within("files_open", period)[:, -1]
        note("files_last", "Asylum files open, last day", "files", last)
    if world.payers:
        days = slice(period.first, period.last + 1)
        currency = world.case.currency
        note("care", "Cost of full care", currency, full_care(world, period))
        note("cost", "Cost of the sites", currency, world.cost[:, days].sum(axis=(1, 2)))
        note("unpaid", uncovered(world), currency, world.unpaid[:, days].sum(axis=(1, 2)))
    if np.isfinite(world.serving).all():
        note("serving", "Soldiers still serving, last day", "soldiers", world.serving)
    return found
