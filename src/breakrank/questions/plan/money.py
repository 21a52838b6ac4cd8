"""What it costs, by payer and month, and when the money runs out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.plan.course import PlanCourse, Values
from breakrank.questions.plan.persons import Row, Spread, assumed, date_of, full_care, spread, sufficient
from breakrank.questions.plan.scope import Window, months
from breakrank.results.uncertainty import MEDIAN_AND_ENDS

if TYPE_CHECKING:
    import datetime as dt

    from breakrank.questions.plan.scope import Period

CENT = 0.005
"""Bills open by less than this are paid: it is rounding."""

TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Funding:
    """One payer's money against the bills of all sites that they pay for.

    Attributes
    ----------
    payer, label : who it is.
    given : all they have been given by the end of the period; infinite without a limit.
    cost : what the place of the plan costs them in the period.
    billed : what all their sites cost from the start of the calendar to the end of the period.
    unpaid : what of the bills of the period stays open.
    share : share of runs in which a bill stays open by the end of the period.
    earliest, median, latest : first day with an open bill, as 5%, 50% and 95% quantiles over all runs;
        ``None`` where that lies beyond the period, since in too many runs the money lasts.
    gap : by service level, what more suffices for the bills left open in so many runs (a lower bound: who is
        put out for want of money costs nothing any more).
    assumed : whether the case says that what they have is assumed, and so every date that follows from it.
    """

    payer: str
    label: str
    given: float
    cost: Spread
    billed: Spread
    unpaid: Spread
    share: float
    earliest: dt.date | None
    median: dt.date | None
    latest: dt.date | None
    gap: tuple[float, ...]
    assumed: bool = False

    @property
    def limited(self) -> bool:
        """Whether there is a limit to their money."""
        return math.isfinite(self.given)


def runs_out(unpaid: Values) -> Values:
    """Return the first day with an open bill in each run, infinite without; `unpaid` is (run, day).

    >>> runs_out(np.array([[0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])).tolist()
    [2.0, inf]
    """
    short = unpaid > CENT
    return np.where(short.any(axis=1), short.argmax(axis=1).astype(np.float64), math.inf)


def fundings(world: PlanCourse, period: Period, levels: tuple[float, ...]) -> tuple[Funding, ...]:
    """Return how each payer's money lasts, in the order of the payers of the place."""
    return tuple(_funding(world, k, period, levels) for k in range(len(world.payers)))


def _funding(world: PlanCourse, k: int, period: Period, levels: tuple[float, ...]) -> Funding:
    end = period.last + 1
    unpaid = world.unpaid[:, :end, k]
    days = runs_out(unpaid)
    early, middle, late = (_date(world, sufficient(days, share)) for share in MEDIAN_AND_ENDS)
    left = unpaid[:, period.first :].sum(axis=1)
    payer = world.payers[k]
    return Funding(
        payer,
        world.case.payers.named(payer).label,
        float(world.funds[period.last, k]),
        spread(world.cost[:, period.first : end, k].sum(axis=1)),
        spread(world.billed[:, :end, k].sum(axis=1)),
        spread(left),
        float(np.isfinite(days).mean()),
        early,
        middle,
        late,
        tuple(sufficient(left, share) for share in levels),
        assumed(world.case, payer),
    )


def _date(world: PlanCourse, day: float) -> dt.date | None:
    return date_of(world, day) if math.isfinite(day) else None


def monthly(world: PlanCourse, period: Period) -> tuple[tuple[Window, dict[str, Spread]], ...]:
    """Return for each month the cost of the place by payer, and of all payers under :data:`TOTAL`."""
    found = []
    for window in months(period):
        each = world.cost[:, window.first : window.last + 1].sum(axis=1)
        spreads = {name: spread(each[:, k]) for k, name in enumerate(world.payers)}
        found.append((window, spreads | {TOTAL: spread(each.sum(axis=1))}))
    return tuple(found)


def by_month(world: PlanCourse, period: Period) -> list[Row]:
    """Return the cost of the place by month and payer, and of all payers; nothing where nobody pays."""
    if not world.payers:
        return []
    labels = {name: world.case.payers.named(name).label for name in world.payers} | {TOTAL: "All payers"}
    return [
        {
            "month": window.label,
            "from": date_of(world, window.first),
            "to": date_of(world, window.last),
            "payer": name,
            "label": labels[name],
            "unit": world.case.currency,
        }
        | one.row
        for window, spreads in monthly(world, period)
        for name, one in spreads.items()
    ]


def funding_rows(world: PlanCourse, period: Period, levels: tuple[float, ...]) -> list[Row]:
    """Return :func:`fundings` as rows of a table, one a payer."""
    return [
        {
            "payer": one.payer,
            "label": one.label,
            "unit": world.case.currency,
            "funds": one.given if one.limited else None,
            "basis": "assumed" if one.assumed else "on record",
            "cost_median": one.cost.median,
            "cost_q05": one.cost.q05,
            "cost_q95": one.cost.q95,
            "billed_median": one.billed.median,
            "unpaid_median": one.unpaid.median,
            "unpaid_q05": one.unpaid.q05,
            "unpaid_q95": one.unpaid.q95,
            "runs_out_share": one.share,
            "runs_out_q05": one.earliest,
            "runs_out_median": one.median,
            "runs_out_q95": one.latest,
        }
        | {f"gap_{share * 100:g}": gap for share, gap in zip(levels, one.gap, strict=True)}
        for one in fundings(world, period, levels)
    ]


@dataclass(frozen=True, slots=True)
class Care:
    """What assistance costs over the period, so that it suffices in a share of the runs.

    Whole units of the case's currency, rounded up.

    Attributes
    ----------
    level : the share of runs.
    full : enough to lodge all who need shelter on every day (:func:`~.persons.full_care`).
    gap : enough for the part of it that nobody paid in the runs.
    unpaid : enough for the bills that stayed open, of all payers together.
    """

    level: float
    full: int
    gap: int
    unpaid: int

    @property
    def paid(self) -> int:
        """The part of the full cost that payers pay, which ends where their money does."""
        return self.full - self.gap


def whole(amount: float) -> int:
    """Return an amount of money in whole units, rounded up."""
    return math.ceil(amount - CENT)


def care(world: PlanCourse, period: Period, levels: tuple[float, ...]) -> tuple[Care, ...]:
    """Return the full cost of assistance, and the part that nobody pays, at each service level.

    Both are quantiles over runs. That of what payers paid would be high where they paid much, which is no
    caution, and the gap could shrink as the level rises.
    """
    days, full = slice(period.first, period.last + 1), full_care(world, period)
    paid, unpaid = (v[:, days].sum(axis=(1, 2)) for v in (world.paid, world.unpaid))
    sums = full, full - paid, unpaid
    return tuple(Care(share, *(whole(sufficient(each, share)) for each in sums)) for share in levels)


def care_rows(world: PlanCourse, period: Period, levels: tuple[float, ...]) -> list[Row]:
    """Return :func:`care` as rows of a table, one a service level; none where nobody pays."""
    found = care(world, period, levels) if world.payers else ()
    return [
        {
            "level": one.level,
            "unit": world.case.currency,
            "full_cost": one.full,
            "paid_for": one.paid,
            "gap": one.gap,
            "unpaid": one.unpaid,
        }
        for one in found
    ]
