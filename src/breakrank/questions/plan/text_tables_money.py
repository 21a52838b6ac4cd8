"""The tables of a plan's money as texts: the full cost, what is paid for, who pays, what is left unpaid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.questions.plan.money import TOTAL, Funding, care, fundings, monthly
from breakrank.questions.plan.persons import FULL_COST, PAID_FOR, uncovered
from breakrank.questions.plan.shelter import Shelter, shelter
from breakrank.questions.plan.texts import amounts, between_days, scaled
from breakrank.show.grid import GridTable
from breakrank.show.words import day, number, percent

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

MONTHS = 12
"""Most months that a table for reading has; of more those of the highest need are shown."""


def medians(plan: PlanData) -> str:
    """Return what is added to the head of a table whose numbers are medians over runs."""
    return ", medians" if plan.runs > 1 else ""


def kept(months: tuple[Shelter, ...], most: int = MONTHS) -> tuple[Shelter, ...]:
    """Return the months that a table for reading shows, at most so many, in order of date."""
    if len(months) <= most:
        return months
    busiest = sorted(range(len(months)), key=lambda k: -months[k].beds[-1])[:most]
    return tuple(months[k] for k in sorted(busiest))


def cut(stretches: Sequence[object], most: int = MONTHS) -> str:
    """Return what is added to the head of a table that leaves out stretches; empty where it has all.

    >>> cut(range(10), 8), cut(range(8), 8)
    (', the fullest 8 of 10', '')
    """
    return f", the fullest {most} of {len(stretches)}" if len(stretches) > most else ""


def payers_grid(plan: PlanData, most: int = 1000) -> GridTable:
    """Return each payer's cost in the period, his funds, when they run out, and what stays unpaid.

    Of more payers than `most` those with the highest cost are shown.
    """
    scale, unit = unit_of_money(plan)
    whole = "" if plan.where.host else ", all their sites"
    heads = [f"Payer{medians(plan)}", f"Cost of sites, {unit}", f"Funds{whole}"]
    heads += ["Run out", f"Left unpaid{whole}"]
    rows: list[tuple[str, ...]] = []
    found = fundings(plan.base, plan.period, plan.assurance)
    order = sorted(range(len(found)), key=lambda k: -found[k].cost.median)[:most]
    for k in sorted(order):
        one = found[k]
        funds = number(one.given / scale, "" if scale > 1 else "people") if one.limited else "no limit"
        funds += ", assumed" if one.assumed else ""
        ends = ends_of(one, plan.runs)
        unpaid = amounts(one.unpaid, plan.runs, scale) if one.limited else ""
        rows.append((one.label, amounts(one.cost, plan.runs, scale), funds, ends, unpaid))
    return GridTable(tuple(heads), tuple(rows), 1)


def ends_of(one: Funding, runs: int) -> str:
    """Return when funds run out: the median day with its ends, and in what share of runs."""
    if not one.limited:
        return ""
    if one.share == 0:
        return "in no run" if runs > 1 else "no"
    if one.median is None:
        return f"in {percent(one.share)} of runs"
    ends = f"{day(one.median, year=False)}{between_days(one)}"
    return f"{ends}, {percent(one.share)} of runs" if one.share < 1 else ends


def cost_grid(plan: PlanData, payers: bool = True) -> GridTable:
    """Return the cost by month: of each payer, as medians, and of all with the ends over runs."""
    if not plan.base.payers:
        return GridTable(("Month",), (), 1)
    scale, unit = unit_of_money(plan)
    names = list(plan.base.payers) if payers else []
    labels = [plan.case.payers.named(name).label for name in names]
    every = shelter(plan.base, plan.period, plan.assurance)[1:]
    shown = {s.window for s in kept(every)}
    rows = [
        (
            window.label,
            *(number(spreads[name].median / scale, "" if scale > 1 else "people") for name in names),
            amounts(spreads[TOTAL], plan.runs, scale),
        )
        for window, spreads in monthly(plan.base, plan.period)
        if window in shown
    ]
    head = f"Cost of sites, {unit}{medians(plan)}{cut(every)}"
    return GridTable((head, *labels, "All payers"), tuple(rows), 1)


def care_grid(plan: PlanData) -> GridTable:
    """Return the full cost of assistance at each assurance, what is paid for, the gap, and open bills."""
    if not plan.base.payers:
        return GridTable(("Money",), (), 1)
    scale, unit = unit_of_money(plan)
    found = care(plan.base, plan.period, plan.assurance)
    shown = found if plan.runs > 1 else found[-1:]
    heads = tuple(f"{100 * one.assurance:g}%" for one in shown) if plan.runs > 1 else ("Value",)
    unpaid = uncovered(plan.base)

    def row(label: str, values: Sequence[float]) -> tuple[str, ...]:
        return label, *(number(v / scale, "" if scale > 1 else "people") for v in values)

    rows = [
        row(FULL_COST, [one.full for one in shown]),
        row(PAID_FOR, [one.paid for one in shown]),
        row("Gap", [one.gap for one in shown]),
        row(unpaid, [one.unpaid for one in shown]),
    ]
    return GridTable((f"Cost that suffices, {unit}", *heads), tuple(rows), 1)


def unit_of_money(plan: PlanData) -> tuple[float, str]:
    """Return the unit in which amounts are shown, the same in all tables of a plan, and what it is worth."""
    days = slice(plan.period.first, plan.period.last + 1)
    return scaled(float(plan.base.cost[:, days].sum(axis=(1, 2)).max()), plan.case.currency, 1e5)
