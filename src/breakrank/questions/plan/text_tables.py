"""The tables of a plan as texts: short enough for a terminal or half a page, numbers as readers see them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.plan.asylum import AS_IS, Staffing
from breakrank.questions.plan.money import TOTAL, Funding, care, fundings, monthly
from breakrank.questions.plan.persons import FULL_COST, PAID_FOR, figures, uncovered
from breakrank.questions.plan.scope import Period, Window, months
from breakrank.questions.plan.shelter import (
    ALL,
    STANDARDS,
    UNKNOWN,
    Lodging,
    Shelter,
    lodgings,
    needs,
    shelter,
)
from breakrank.questions.plan.spread import spread
from breakrank.questions.plan.texts import amounts, between_days, full_cost, ranged, scaled
from breakrank.results.quantiles import FEW
from breakrank.show.grid import GridTable
from breakrank.show.words import day, interval, number, percent, signed

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData
    from breakrank.results.paired import Difference

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


COLUMNS = 8
"""Most months that the table has; of more those with most persons in sites are shown."""


def sites_grid(plan: PlanData) -> GridTable:
    """Return for each site, towns together, its places and the most persons inside by month: medians."""
    found = lodgings(plan.base)
    shown = _shown(plan)
    many = plan.where.host and len({one.town for one in found}) > 1
    rows = []
    for one in found:
        label = one.label if one.id == ALL or one.town in one.label else f"{one.label}{_in(one.town, many)}"
        inside = [_inside(one, w) for w in shown]
        places = "for rent" if one.admits == "permit" else number(float(one.places.max()), "people")
        rows.append((label, "" if one.id == ALL else places, *inside))
    years = len({w.label[4:8] for w in shown}) > 1
    heads = tuple(w.label[:8] if years else w.label[:3] for w in shown)
    head = f"Most inside on a day{medians(plan)}{cut(months(plan.period), COLUMNS)}"
    if any(cell.startswith(LEAST) for row in rows for cell in row[2:]):
        head += f" ({LEAST}: at least, as it takes nobody in)"
    return GridTable((head, "Places", *heads), tuple(rows), 1)


LEAST = "≥"
"""Before persons inside where in half of the runs or more the site takes nobody in on a day of the month."""


def _inside(one: Lodging, window: Window) -> str:
    middle = one.most(window).median
    if one.beds(window) <= 0 and middle <= 0:
        return "closed"
    return f"{LEAST if one.turns_away(window) >= 0.5 else ''}{number(middle, 'people')}"


def _in(town: str, many: bool) -> str:
    return f", {town}" if many and town != UNKNOWN else ""


def _shown(plan: PlanData) -> tuple[Window, ...]:
    """Return the months that the table shows, in order of date."""
    every = months(plan.period)
    if len(every) <= COLUMNS:
        return every
    inside = plan.base.inside.sum(axis=2)
    order = sorted(every, key=lambda w: -float(inside[:, w.first : w.last + 1].max()))[:COLUMNS]
    return tuple(sorted(order, key=lambda w: w.first))


def shelter_grid(
    plan: PlanData, stretches: Callable[[Period], tuple[Window, ...]] = months, most: int = MONTHS
) -> GridTable:
    """Return beds that suffice by assurance, for the whole period and by month or week, beside the places.

    Of more stretches than `most` those of the highest need are shown.
    """
    found = shelter(plan.base, plan.period, plan.assurance, stretches)
    levels = [f"{100 * share:g}%" for share in plan.assurance] if plan.runs > 1 else ["Beds"]
    rows = []
    for one in (found[0], *kept(found[1:], most)):
        beds = one.beds if plan.runs > 1 else one.beds[-1:]
        peak = day(one.peak, year=False) if max(beds) > 0 else ""
        offered = interval(one.offered_least, one.offered_most, "people")
        cells = [one.window.label, *(number(b, "people") for b in beds), peak, offered]
        cells += [number(one.rented_most, "people"), ranged(one.without, plan.runs)]
        rows.append(tuple(cells))
    head = "Beds that suffice" if plan.where.host else "Beds needed, with its share"
    heads = [f"{head}{cut(found[1:], most)}", *levels, "Peak about", "Places offered", "Rented, in use"]
    heads.append(f"Places missing{medians(plan)}")
    return GridTable(tuple(heads), tuple(rows), 1)


def people_grid(plan: PlanData, half: bool = True) -> GridTable:
    """Return the figures of the whole period with 90% spreads; 50% with `half`."""
    half = half and plan.runs >= FEW
    heads: tuple[str, ...] = ("Over the whole period", "Median" if plan.runs > 1 else "Value")
    heads += ("50% of runs",) if half else ()
    if plan.runs > 1:
        heads += ("90% of runs" if plan.runs >= FEW else f"All {plan.runs} runs",)
    rows = []
    for one in figures(plan.base, plan.period):
        unit = "" if one.unit in _PLAIN or one.unit in one.label.lower() else f" ({one.unit})"
        least = "at least " if one.least else ""
        cells = [f"{one.label}{unit}", f"{least}{number(one.spread.median, 'people')}"]
        if half:
            cells.append(interval(one.spread.q25, one.spread.q75, "people"))
        if plan.runs > 1:
            cells.append(interval(*one.spread.ends, "people"))
        rows.append(tuple(cells))
    return GridTable(heads, tuple(rows), 1)


_PLAIN = (
    *("people", "persons", "soldiers", "relatives", "children", "families"),
    *("meals", "requests", "decisions"),
)
"""Units that the label makes plain."""


def staff_grid(plan: PlanData) -> GridTable:
    """Return what numbers of caseworkers would do.

    Files left open and those of them that wait for a caseworker; mean days of wait, and those of nine tenths;
    shares decided by the end of the period, and closed without a decision.
    """
    end = day(plan.period.end, year=False)
    heads = (
        f"Caseworkers{medians(plan)}",
        f"Files open, {end}",
        "For want of staff",
        "Days of wait",
        "9 in 10",
        "Decided",
        "Undecided",
    )
    rows = []
    for one in plan.staffings[0] if plan.staffings else ():
        left = ranged(spread(one.open[:, -1]), plan.runs)
        held = ranged(spread(one.waiting), plan.runs)
        waits = (_days(one.wait, plan.runs), _days(one.long_wait, 1))
        rows.append((_staff(plan, one), left, held, *waits, _middle(one.decided), _middle(one.closed)))
    return GridTable(heads, tuple(rows), 1)


def _middle(shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    """Return the median over runs of a share."""
    return percent(float(np.nanmedian(shares))) if np.isfinite(shares).any() else "none"


def _staff(plan: PlanData, one: Staffing) -> str:
    if one.staff != AS_IS:
        return one.label
    assert plan.rules is not None
    staff = plan.rules.staff[plan.period.first : plan.period.last + 1]
    return f"{one.label}: {interval(float(staff.min()), float(staff.max()), 'people')}"


def _days(values: np.ndarray[tuple[int], np.dtype[np.float64]], runs: int) -> str:
    """Return days of waiting over runs; where some never end, in what share of runs."""
    known = values[~np.isnan(values)]
    if not known.size:
        return "none"
    never = float(np.isinf(known).mean())
    if never > 0:
        return "never" if never == 1 else f"never in {percent(never)} of runs"
    return ranged(spread(known), runs)


def needs_grid(plan: PlanData) -> GridTable:
    """Return what people need at the peak by the field's standards, with the numbers of their sources.

    It has no rows where the case describes no reception: nobody builds toilets at a site that there is not.
    """
    whole = shelter(plan.base, plan.period, plan.assurance)[0]
    shown = [100 * share for share in plan.assurance] if plan.runs > 1 else [100 * plan.assurance[-1]]
    heads = tuple(f"{share:g}%" for share in shown) if plan.runs > 1 else ("Need",)
    marks = {one.id: f" [{k}]" for k, one in enumerate(STANDARDS, 1)}
    rows = []
    for row in needs(whole.beds, plan.assurance, plan.base.meals) if len(plan.case.sites) else ():
        plain = str(row["unit"]) in str(row["label"]).lower() or row["unit"] == "persons"
        unit = "" if plain else f", {row['unit']}"
        cells = [number(row[f"at_{share:g}"], "people") for share in shown]
        rows.append((f"{row['label']}{unit}{marks.get(str(row['need']), '')}", *cells))
    return GridTable(("Needed at the peak", *heads), tuple(rows), 1)


def sources_of_needs() -> tuple[str, ...]:
    """Return the standards with whose they are, numbered as in :func:`needs_grid`."""
    return tuple(f"[{k}] {one.rule}: {one.source}." for k, one in enumerate(STANDARDS, 1))


def scenario_grid(plan: PlanData) -> GridTable:
    """Return what each scenario changes: mean differences with 95% intervals."""
    names = [world.id for world in plan.worlds[1:]]
    figures_of = [{d.id: d for d in plan.differences[name]} for name in names]
    base = {d.id: d for each in figures_of[:1] for d in each.values()}
    rows = []
    for ident, about in base.items():
        unit = "" if about.unit in _PLAIN or about.unit in about.label.lower() else f", {about.unit}"
        cells = [_difference(each[ident]) if ident in each else "" for each in figures_of]
        rows.append((f"{about.label}{unit}", number(round(about.before), "people"), *cells))
    head = "Mean difference (95% interval)" if plan.runs > 1 else "Difference from the case"
    return GridTable((head, "Case, mean" if plan.runs > 1 else "Case", *names), tuple(rows), 1)


def worlds_grid(plan: PlanData) -> GridTable:
    """Return the case and each scenario side by side: beds, costs, and when whose funds run out."""
    rows = []
    whole = [shelter(world, plan.period, plan.assurance)[0] for world in plan.worlds]
    for k, share in enumerate(plan.assurance):
        rows.append((f"Beds at {100 * share:g}%", *(number(one.beds[k], "people") for one in whole)))
    found = [fundings(world, plan.period, plan.assurance) for world in plan.worlds]
    for payer in found[0]:
        mine = [{f.payer: f for f in each}.get(payer.payer) for each in found]
        if any(one is not None and one.limited for one in mine):
            ends = ["" if one is None else ends_of(one, plan.runs) for one in mine]
            what = "Assumed funds run out" if payer.assumed else "Funds run out"
            rows.append((f"{what}, {payer.label}", *ends))
    costs = [plan.assistance(world) for world in plan.worlds]
    for label, name in ((full_cost(plan), "full"), (PAID_FOR, "paid"), ("Gap", "gap")):
        if plan.base.payers:
            sums = ("" if one is None else number(getattr(one, name), "people") for one in costs)
            rows.append((f"{label}, {plan.case.currency}", *sums))
    return GridTable(("Side by side", *(world.id for world in plan.worlds)), tuple(rows), 1)


def _difference(d: Difference) -> str:
    if not math.isfinite(d.mean):
        return "none"
    if round(d.mean) == 0 and (not math.isfinite(d.low) or round(d.low) == round(d.high) == 0):
        return "none"
    if not math.isfinite(d.low):
        return signed(d.mean, "people")
    return f"{signed(d.mean, 'people')} ({interval(d.low, d.high, 'people', sign=True)})"
