"""The answer of a plan: the beds at the service level and what full care costs, with tables and charts."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Basis, Figure, Provenance, brief
from breakrank.questions.paired import bases
from breakrank.questions.plan.money import fundings
from breakrank.questions.plan.notes import doubt, notes
from breakrank.questions.plan.persons import figures as over_the_period
from breakrank.questions.plan.persons import sufficient_each
from breakrank.questions.plan.tables import tables
from breakrank.show.evidence import Evidence
from breakrank.show.words import day, number, percent
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case.models_base import Evidenced
    from breakrank.questions.plan.data import PlanData

RULES = ("asylum.effort", "asylum.first_days", "reception.places", "reception.funding")
"""Parameters that the numbers of a plan rest on beside its sites and payers."""


def answer_of(plan: PlanData, provenance: Provenance) -> Answer:
    """Return the answer; where exactly one side is changed, documents show that one."""
    lead, period = plan.lead, plan.period
    made = tables(plan, lead.base.id)
    names = {table.name for table in made}
    title = f"Reception plan: {plan.where.label}, {day(period.start)} to {day(period.end)}"
    title += f"; {lead.base.title}" if lead is not plan or lead.base.changes else ""
    return Answer(
        question="plan",
        title=title,
        finding=brief(finding(plan)),
        doubt=doubt(plan),
        tables=made,
        figures=tuple(one for one in _figures(plan, lead) if one.table in names),
        notes=(*notes(plan, lead), *plan.remarks),
        evidence=tuple(_evidence(lead)),
        provenance=provenance,
    )


def finding(plan: PlanData) -> str:
    """Return the beds at the service level and when, and the full cost with the share that is paid for."""
    lead, period = plan.lead, plan.period
    within = f"from {day(period.start)} to {day(period.end)}, in {'any' if plan.runs > 1 else 'the one'} run"
    if not lead.base.within("need", period).any():
        who = "Nobody needs shelter" if plan.where.host else "Nobody is put into these sites"
        return f"{who} {within}."
    if not plan.case.sites:
        people = number(lead.whole.beds[0], "people")
        none = "The case has no sites, so no place can be planned"
        return f"{none}: {people} people need shelter {_at(plan)} {_when(lead)}."
    many = number(lead.whole.beds[0], "people")
    beds = f"{many} {'bed' if many == '1' else 'beds'} {_at(plan)}"
    if lead is not plan:
        beds += f" with the change, {number(plan.whole.beds[0], 'people')} without"
    else:
        beds += f" {_when(plan)}"
    cost = lead.care
    if cost is None:
        return f"{beds}; the case names nobody who pays."
    paid = f", of which {percent(round(cost.paid / cost.full, 2))} is paid for" if cost.full else ""
    return f"{beds}; full care costs {money_said(cost.full)} {plan.case.currency}{paid}."


def _at(plan: PlanData) -> str:
    return f"at {100 * plan.level:g}%" if plan.runs > 1 else "in the one run"


def money_said(amount: float) -> str:
    """Return an amount as it is said.

    >>> money_said(1_382_000), money_said(672_296), money_said(912)
    ('1.4 million', '672,000', '912')
    """
    if amount >= 1e6:
        return f"{amount / 1e6:,.1f} million"
    return f"{round(amount, -3) if amount >= 1e4 else amount:,.0f}"


def _when(plan: PlanData) -> str:
    """Return from when to when more than half of the beds are needed."""
    daily = sufficient_each(plan.base.within("need", plan.period), plan.level)
    high = np.flatnonzero(daily > plan.whole.beds[0] / 2)
    if not high.size:
        return f"about {day(plan.whole.peak)}"
    first, last = (plan.period.start + dt.timedelta(days=int(k)) for k in (high[0], high[-1]))
    year = plan.period.start.year != plan.period.end.year
    begin, end = _around(first, year), _around(last, year)
    return f"in {begin}" if begin == end else f"from {begin} to {end}"


def _around(date: dt.date, year: bool) -> str:
    """Return a date as it is said.

    >>> _around(dt.date(2019, 3, 12), False), _around(dt.date(2019, 5, 30), True)
    ('mid-March', 'late May 2019')
    """
    part = "early " if date.day <= 10 else "mid-" if date.day <= 20 else "late "
    return f"{part}{date:%B}{f' {date.year}' if year else ''}"


def _figures(plan: PlanData, lead: PlanData) -> Iterator[Figure]:
    """Yield the charts, each with what it shows as its title."""
    if not lead.base.within("need", lead.period).any():
        return
    own: Any = (("scenario", lead.base.id),) if len(plan.worlds) > 1 else ()
    places = ("places" if lead.base.rented.any() else "offered",) if lead.base.offered.any() else ()
    yield Figure(
        name="beds",
        title=_missing(lead),
        kind="lines",
        table="need",
        x="date",
        y=("level", *places),
        where=own,
        note=f"Each day for itself; beds that suffice on every day: {number(lead.whole.beds[0], 'people')}.",
    )
    if plan.differences:
        yield Figure(
            name="changes",
            title=_difference(plan),
            kind="lines",
            table="need",
            x="date",
            y=("case_median", "median"),
            by="scenario",
            where=(("changed", True),),
            note="People who need shelter, medians of runs.",
        )
    yield Figure(
        name="people",
        title=_people(lead),
        kind="fan",
        table="days",
        x="date",
        y=("median",),
        low="q05",
        high="q95",
        inner=("q25", "q75"),
        by="label",
        where=(*own, ("drawn", True)),
        note="Medians with 50% and 90% of runs; each name with the number of the last day.",
    )
    if plan.staffings and lead.base.within("requests", plan.period).any():
        yield Figure(
            name="staff",
            title=_keeping_up(lead),
            kind="dots",
            table="staff",
            x="staffing",
            y=("median",),
            low="q05",
            high="q95",
            where=(*own, ("quantity", "files_open")),
            note="Files open on the last day by number of caseworkers, medians with 90% of runs.",
        )
    yield Figure(
        name="money",
        title=_money_ends(lead),
        kind="lines",
        table="bills",
        x="date",
        y=("billed", "funds"),
        by="label",
        where=own,
        note="So far, medians of runs.",
    )


def _missing(plan: PlanData) -> str:
    """Return on how many days places are missing at the service level, and on which most."""
    short = sufficient_each(plan.base.within("short", plan.period), plan.level)
    if not plan.base.offered.any():
        return f"No site is open; most need shelter about {day(plan.whole.peak)}"
    if not short.any():
        return f"Places suffice on every day {_at(plan)}; most need shelter about {day(plan.whole.peak)}"
    worst = plan.period.start + dt.timedelta(days=int(short.argmax()))
    lacking, days = number(float(short.max()), "people"), int((short > 0).sum())
    return (
        f"Places are too few on {days} of {plan.period.days} days {_at(plan)}, on {day(worst)} by {lacking}"
    )


def _difference(plan: PlanData) -> str:
    """Return the effect of the strongest scenario on the highest need."""
    peaks = {name: one for name, found in plan.differences.items() for one in found if one.id == "need_peak"}
    name = max(peaks, key=lambda each: abs(peaks[each].mean) if math.isfinite(peaks[each].mean) else 0.0)
    one = peaks[name]
    if not math.isfinite(one.mean) or round(one.mean) == 0 or one.low * one.high < 0:
        return "No clear difference in the highest need"
    more = "more" if one.mean > 0 else "fewer"
    return f"{name}: {number(abs(one.mean), 'people')} {more} at the highest need, in the mean of runs"


def _people(plan: PlanData) -> str:
    said = {one.id: number(one.spread.median, "people") for one in over_the_period(plan.base, plan.period)}
    if not plan.where.host:
        return (
            f"At the peak {said['in_sites_peak']} are inside, and {said['unmet_peak']} in no site of the host"
        )
    street = plan.base.within("street", plan.period).max(axis=1)
    return (
        f"{said['arrivals']} arrive; at the worst {number(float(np.median(street)), 'people')} have no roof"
    )


def _keeping_up(plan: PlanData) -> str:
    found = plan.keeping_up
    if found is None:
        return "Nobody asks for asylum"
    if plan.rules is not None and plan.period.days <= plan.rules.first_days:
        return f"In {plan.period.days} days no new file can be taken up, whatever the staff"
    if found.grows >= 0.5:
        return "No number of caseworkers keeps the open files from growing"
    many = min(found.staff, found.most)
    fails = "Not even " if found.staff > found.most else ""
    return f"{fails}{counted(many, 'caseworker')} keep{'s' * (many == 1)} up with the requests"


def _money_ends(plan: PlanData) -> str:
    ends = [one for one in fundings(plan.base, plan.period, (plan.level,)) if one.limited and one.median]
    if not ends:
        return "The money of every payer lasts in at least half of the runs"
    first = min(ends, key=lambda one: one.median or plan.period.end)
    assumed = " (assumed)" if first.assumed else ""
    return f"{first.label}: money{assumed} is spent by {day(first.median)} in half of the runs"


def _evidence(plan: PlanData) -> Iterator[Basis]:
    """Yield the evidence on sites, payers and rules that the numbers rest on."""
    case, known = plan.case, Evidence(plan.case)

    def basis(of: str, one: Evidenced) -> Basis:
        refs = "; ".join(dict.fromkeys(ref.said for ref in known.refs(one.evidence)))
        return Basis(of=of, says=refs or f"assumed: {' '.join((one.assumed or 'no source').split())}")

    for k in plan.base.sites:
        site = case.sites[k]
        cost = f"{site.cost_per_person_day.value:g} {site.cost_per_person_day.unit}"
        yield basis(f"{site.label}: {site.capacity:,} places, {cost}", site)
    for name in plan.base.payers:
        payer = case.payers.named(name)
        sums = sum(fund.amount for fund in payer.funds or ())
        given = "no limit is known" if payer.funds is None else f"{sums:,.0f} {case.currency}"
        yield basis(f"{payer.label}: {given}", payer)
    yield from bases(case, RULES if plan.where.host else RULES[2:])
