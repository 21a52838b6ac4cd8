"""The answer of a plan: beds at the service level and what full care costs, with tables, charts and notes."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Basis, Figure, Provenance, brief
from breakrank.questions.paired import bases, draws_said, made_by
from breakrank.questions.plan.course import STAYS, PlanCourse, meals, price, shares
from breakrank.questions.plan.plan import PlanData, plan_in_runs
from breakrank.questions.plan.scope import towns
from breakrank.questions.plan.sums import (
    DECISION_DAYS,
    DECISION_SOURCE,
    FULL_COST,
    PAID_FOR,
    Funding,
    assumed,
    fundings,
    is_lower_bound,
    shelter,
    sufficient_each,
)
from breakrank.questions.plan.sums import figures as over_the_period
from breakrank.questions.plan.tables import tables, too_few
from breakrank.results.uncertainty import holds
from breakrank.show.evidence import Evidence
from breakrank.show.tables import Spread, spread
from breakrank.show.words import day, interval, number, percent, within
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_base import Evidenced
    from breakrank.questions.declared import Plan
    from breakrank.runs.carry_out import Making

RULES = ("asylum.effort", "asylum.first_days", "reception.places", "reception.funding")
"""Parameters that the numbers of a plan rest on beside its sites and payers."""


def planned(question: Plan, case: Case, making: Making) -> Answer:
    """Return the plan of a case as an answer; see :func:`plan_in_runs`."""
    plan = plan_in_runs(question, case, making)
    return answer_of(plan, made_by(making, plan.case, plan.asked, question.seed, finished=plan.runs))


def answer_of(plan: PlanData, provenance: Provenance) -> Answer:
    """Return the answer; where exactly one side is changed, documents show that one."""
    lead, period = plan.lead, plan.period
    made = tables(plan, lead.base.id)
    names = {table.name for table in made}
    title = f"Reception plan: {plan.where.label}, {day(period.start)} to {day(period.end)}"
    title += f"; {lead.base.title}" if lead is not plan or lead.base.changes else ""
    title += f"; beside {listed([world.title for world in plan.worlds[1:]])}" if len(plan.worlds) > 2 else ""
    return Answer(
        question="plan",
        title=title,
        finding=finding(plan),
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
        return brief(f"{who} {within}.")
    if not plan.case.sites:
        people = number(lead.whole.beds[0], "people")
        none = "The case has no sites, so no place can be planned"
        return brief(f"{none}: {people} people need shelter {_at(plan)}{_when(lead)}.")
    beds = f"{counted(round(lead.whole.beds[0]), 'bed')} {_at(plan)}"
    cost = lead.care
    if cost is None:
        costs = "the case names nobody who pays."
    else:
        share = percent(round(cost.paid_for / cost.full_cost, 2)) if cost.full_cost else ""
        paid = share and f", of which {share} is paid for"
        costs = f"full care costs {money_said(cost.full_cost)} {plan.case.currency}{paid}."
    if lead is not plan:
        what = "both changes" if lead.base.times != 1 and lead.base.changes != (STAYS,) else "the change"
        return brief(f"{beds} with {what}, {number(plan.whole.beds[0], 'people')} without; {costs}")
    if plan.differences:
        others = [f"{number(_suffices(one, plan), 'people')} with {one.id}" for one in plan.worlds[1:]]
        beside = f"{beds}, {', '.join(others)}"
        return brief(f"{beside}; {costs}", f"{beside}.", f"{beds} in the case; {costs}")
    return brief(f"{beds}{_when(plan)}; {costs}", f"{beds}; {costs}")


def _suffices(world: PlanCourse, plan: PlanData) -> float:
    """Return the beds that suffice in one world over the whole period, at the service level."""
    return shelter(world, plan.period, (plan.level,))[0].beds[0]


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
        return f", most about {day(plan.whole.peak_median)}"
    first, last = (plan.period.start + dt.timedelta(days=int(k)) for k in (high[0], high[-1]))
    year = plan.period.start.year != plan.period.end.year
    begin, end = _around(first, year), _around(last, year)
    return f", most in {begin}" if begin == end else f", most from {begin} to {end}"


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
    places = ("places" if lead.rents else "offered",) if lead.base.offered[:, _days(lead)].any() else ()
    yield Figure(
        name="beds",
        title=_missing(lead),
        kind="lines",
        table="need",
        x="date",
        y=("level", *places),
        where=own,
        note=(
            f"Each day for itself{'; of places, the median of runs' if places else ''}; beds that suffice on "
            f"every day: {number(lead.whole.beds[0], 'people')}."
        ),
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
    if not plan.base.offered[:, _days(plan)].any():
        return f"No site is open; most need shelter about {day(plan.whole.peak_median)}"
    if not short.any():
        return (
            f"Places suffice on every day {_at(plan)}; most need shelter about {day(plan.whole.peak_median)}"
        )
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
    street = float(np.median(plan.base.within("street", plan.period), axis=0).max())
    return f"{said['arrivals']} arrive; on the worst day {number(street, 'people')} have no roof"


def _keeping_up(plan: PlanData) -> str:
    found = plan.keeping_up
    if found is None:
        return "Nobody asks for asylum"
    if plan.rules is not None and plan.period.days <= plan.rules.first_days:
        return f"In {plan.period.days} days no new file can be taken up, whatever the staff"
    if found.grows >= 0.5:
        return "However many caseworkers, more files are open on the last day than before the period"
    many = min(found.staff, found.most)
    fails = "Not even " if found.staff > found.most else ""
    return f"{fails}{counted(many, 'caseworker')} keep{'s' * (many == 1)} up with the requests"


def _money_ends(plan: PlanData) -> str:
    ends = [one for one in fundings(plan.base, plan.period) if one.funds is not None and one.runs_out_median]
    if not ends:
        return "The money of every payer lasts in at least half of the runs"
    first = min(ends, key=lambda one: one.runs_out_median or plan.period.end)
    assumed = " (assumed)" if first.assumed else ""
    return f"{first.label}: money{assumed} is spent by {day(first.runs_out_median)} in half of the runs"


def _evidence(plan: PlanData) -> Iterator[Basis]:
    """Yield the evidence on sites, payers and rules that the numbers rest on."""
    case, known = plan.case, Evidence(plan.case)

    def basis(of: str, one: Evidenced) -> Basis:
        return Basis(of=of, says=known.behind(one.evidence, one.assumed))

    for k in plan.where.sites:
        site = case.sites[k]
        cost = f"{site.cost_per_person_day.value:g} {site.cost_per_person_day.unit}"
        yield basis(f"{site.label}: {counted(site.capacity, 'place')}, {cost}", site)
    for name in plan.base.payers:
        payer = case.payers.named(name)
        sums = sum(fund.amount for fund in payer.funds or ())
        given = "no limit is known" if payer.funds is None else f"{sums:,.0f} {case.currency}"
        yield basis(f"{payer.label}: {given}", payer)
    yield from bases(case, RULES if plan.where.host else RULES[2:])


# Notes.

NEED = (
    "People who need shelter: all who crossed to the host and are in a site, in a private home or without "
    "a roof. Not counted are those who settled and work, moved on, were sent away, or went back."
)
PLACE_ORDER = (
    "Sites fill in the order of the case's file, wherever people crossed, so who is inside is no count of "
    "who comes to this town."
)
AT_SITES = (
    f"{PLACE_ORDER} Need here: those inside, and a share of all who are in no site of the host (in private "
    "homes or without a roof), in proportion to places. The share is a rule, no result: put your own to the "
    "numbers of the host. Who left the host for want of a bed is not counted. Persons inside are a lower "
    "bound where no site takes anyone: 19 in 20 places are taken, or it is closed or unpaid."
)
MEDIANS = (
    "Here and below, numbers and days are medians of the runs, with {} in brackets. The beds that suffice at "
    "50% are those of a run, and the median of an even number of runs lies between two."
)


def notes(plan: PlanData, lead: PlanData) -> Iterator[str]:
    """Yield further findings of a plan, then how to read its numbers.

    Parameters
    ----------
    lead : the world that documents show, where exactly one is changed.
    """
    yield from scenarios(plan)
    yield from findings(lead)
    yield f"{covers(plan)}."
    yield NEED if plan.where.host else AT_SITES
    rooms = " Rented rooms are for holders of permits only: those in use help nobody else."
    yield (
        "A bed is a place for one person of any age. Places offered are those of open sites; where the money "
        f"has run out, those still taken.{rooms if lead.rents else ''} Places missing: so many "
        "more people need shelter than there are of these."
    )
    yield (
        f"Meals: {meals(lead.case):g} a day for everyone who needs shelter, the most that a site of the case "
        "serves. Meals served are what sites give those inside; tenants of rented rooms cook for themselves."
    )
    yield "Families are households with relatives; children are relatives under 18."
    if lead.base.payers:
        yield full_care(lead)
        whose = (
            "Cost is that of the sites here; funds and bills left open are the payers' for all their sites. "
        )
        yield (
            f"{'' if lead.where.host else whose}Cost of the sites: persons inside times cost a person and "
            "day, by the payers' shares. Funds run out on the first day on which a bill is not paid in full; "
            "sites then admit nobody and put people out. So bills left open are less than the gap."
        )
    if lead.rules is not None and lead.staffings:
        yield (
            "Each number of caseworkers, that of the case too, takes the same requests anew, first come, "
            f"first served, from {day(plan.period.start)} on: {lead.rules.effort:g} days of work each on "
            f"average, after {lead.rules.first_days:g} days of rest. Until the last day, about as many files "
            "close without a decision as in the runs, but not the same ones: open files differ a little."
        )
        yield (
            "Waits are those of files that are decided, however late. Yardstick for waits: "
            f"{DECISION_DAYS} days. {DECISION_SOURCE}."
        )
    yield "Soldiers and relatives are synthetic; no real person is described."


def scenarios(plan: PlanData) -> Iterator[str]:
    """Yield the changes of each scenario, and the draws of all runs."""
    for world in [*([plan.base] if plan.base.changes else []), *plan.worlds[1:]]:
        many = f"{len(world.changes)} things at once" if len(world.changes) > 1 else ""
        what = f"Changes {many}: {'; '.join(world.changes)}.".replace(" :", ":") if world.changes else ""
        yield f"{world.id}: {world.title}. {what} {world.question} A what-if, assumed.".replace("  ", " ")
    if plan.differences:
        yield f"{draws_said(plan.case)} Differences are means over pairs of runs."
    if plan.wanted > plan.asked:
        yield (
            f"{counted(plan.asked, 'run')} instead of {plan.wanted:,}: the ensemble has so many members, "
            "each run once."
        )
    if plan.missing:
        yield f"Interrupted: no run of {', '.join(plan.missing)} had finished, so they are missing."


def findings(plan: PlanData) -> Iterator[str]:
    """Yield the sums of a plan: the peak, the places, the money, the files."""
    world, period, whole = plan.base, plan.period, plan.whole
    if not world.within("need", period).any():
        if not plan.where.host:
            hosted, unmet = (
                spread(v[:, _days(plan)].max(axis=1)) for v in (world.hosted, world.persons["unmet"])
            )
            yield (
                "That nobody is put into these sites does not mean that nobody comes: other sites hold up to "
                f"{_ranged(hosted, plan)} people, and up to {_ranged(unmet, plan)} are in none."
            )
        return
    ends = f"{day(whole.peak_q05)} to {day(whole.peak_q95)}"
    peak = f"The need is highest about {day(whole.peak_median)} ({ends})."
    yield peak if plan.runs < 2 else f"{peak} {MEDIANS.format(within(plan.runs))}"
    if not plan.where.host:
        yield _inside_here(plan)
    if world.places[:, _days(plan)].any():
        yield _places(plan, whole.offered_most)
    whose = "" if plan.where.host else ", for all their sites together"
    for one in fundings(world, period):
        if one.funds is not None:
            sums = f"{number(one.funds, 'people')} {plan.case.currency}{', assumed' * one.assumed}"
            yield f"{one.label}: funds ({sums}) {_runs_out(one, plan)}{whose}."
    if "files_open" in world.persons:
        left = spread(world.within("files_open", period)[:, -1])
        yield f"Asylum files open on the last day: {_ranged(left, plan)}. {limits(plan)}".strip()
    elif plan.where.host:
        yield "Nobody decides on asylum in this case."
    if text := funds_assumed(plan):
        yield text
    if fallen := int((~world.lived[:, period.last]).sum()):
        yield (
            f"In {fallen:,} of {plan.runs:,} runs the regime falls before {day(period.end)}. From then on a "
            "run stands still: nobody comes or goes, and nothing is billed or counted as a cost."
        )


def _days(plan: PlanData) -> slice:
    return slice(plan.period.first, plan.period.last + 1)


def _ranged(one: Spread, plan: PlanData, unit: str = "people") -> str:
    """Return a median with the ends of its spread, e.g. ``1,147 (683 to 1,640)``."""
    if not one.runs:
        return "none"
    middle, ends = number(one.median, unit), interval(one.q05, one.q95, unit)
    return middle if plan.runs < 2 or ends == middle else f"{middle} ({ends})"


def covers(plan: PlanData) -> str:
    """Return the sites that the place of a plan covers, in words."""
    (mine, whole), label = shares(plan.case, plan.where), plan.where.label
    if plan.where.host:
        known = towns(plan.case, plan.where.sites)
        at, many = f" in {listed(known)}" if known else "", len(plan.where.sites)
        sites = "one site" if many == 1 else f"{many} sites"
        return (
            f"{label}, all towns together: everyone who crossed to this host, in its {sites}{at}, in private "
            "homes and without a roof. Only those in sites are known by town (ask with --place); arrivals, "
            "private homes, the street and asylum files are the host's as a whole"
        )
    if not mine:
        return f"{label}: those inside only; its places are for some only, so it has no share of others"
    places = f"{number(mine, 'people')} of {counted(round(whole), 'place')}"
    held = ", the case's in every scenario" if plan.differences else ""
    return (
        f"{label}: those inside, and its share ({percent(mine / whole)}, {places}{held}) of those in no site"
    )


def _inside_here(plan: PlanData) -> str:
    """Return how many are inside, and that it is a lower bound where others were turned away."""
    inside = _ranged(spread(plan.base.within("in_sites", plan.period).max(axis=1)), plan)
    away = plan.base.turned_away[:, _days(plan)].sum(axis=1)
    told = f"Inside are {inside} at the most on a day"
    if not away.any():
        return f"{told}."
    bound = "so the demand is at least that"
    if not is_lower_bound(plan.base, plan.period):
        bound = "and only in runs with such days is the demand at least that"
    return f"{told}; on {_ranged(spread(away), plan)} days no site here takes anyone, {bound}."


def _places(plan: PlanData, most: float) -> str:
    short = plan.base.within("short", plan.period)
    told = f"Open sites offer at most {counted(round(most), 'place')}"
    whom = "" if plan.where.host else " for those inside and the share of others"
    if not (short > 0).any():
        return f"{told}, which suffice on every day in {'every run' if plan.runs > 1 else 'the run'}."
    days, beds = (_ranged(spread(v), plan) for v in ((short > 0).sum(axis=1), short.max(axis=1)))
    return f"{told}; on {days} days they are too few{whom}, on the worst by {beds}."


def full_care(plan: PlanData) -> str:
    """Return the full cost of assistance, the paid part, and the gap."""
    gap = f"The gap is what nobody paid of it, at the service level. {PAID_FOR}: the rest."
    if not plan.where.host and not shares(plan.case, plan.where)[0]:
        return f"{FULL_COST}: of those inside only, so it is the cost of the sites. {gap}"
    whom = "all who need shelter" if plan.where.host else "those inside and its share of the others"
    return (
        f"{FULL_COST}, or full care: what lodging {whom} costs, every day: who is in a site at that site's "
        f"cost, everyone else at {price(plan.case, plan.where):,.4g} {plan.case.currency} a day, an average "
        f"place. Who left for want of a bed is not in it, so it is a lower bound. {gap}"
    )


def funds_assumed(plan: PlanData) -> str:
    """Return whose money is assumed, and what that means for the dates that follow; empty if nobody's is."""
    case = plan.case
    given = [name for name in plan.base.payers if case.payers.named(name).funds is not None]
    some = [case.payers.named(name).label for name in given if assumed(case, name)]
    if not some:
        return ""
    return (
        f"The sums of {', '.join(some)} are assumed by the case, not reported: dates that follow from them "
        "are no forecast. Put in your own, in a scenario or in payers.yaml."
    )


def _runs_out(one: Funding, plan: PlanData) -> str:
    """Return when a payer's funds run out, in a few words that follow them."""
    if one.runs_out_share == 0:
        return f"last beyond {day(plan.period.end)} in {'every run' if plan.runs > 1 else 'the run'}"
    if plan.runs < 2:
        return f"run out on {day(one.runs_out_median)}"
    share = "every run" if one.runs_out_share == 1 else f"{percent(one.runs_out_share)} of runs"
    if one.runs_out_median is None:
        return f"run out in {share}"
    late = "never" if one.runs_out_q95 is None else day(one.runs_out_q95)
    same = one.runs_out_q05 in (None, one.runs_out_q95)
    ends = "" if same else f" ({day(one.runs_out_q05)} to {late})"
    return f"run out in {share}, median {day(one.runs_out_median)}{ends}"


def limits(plan: PlanData) -> str:
    """Return the least staff that keeps up, and what no staff changes, in a few sentences; or nothing."""
    found, rules = plan.keeping_up, plan.rules
    if found is None or rules is None or not plan.staffings:
        return ""
    if plan.period.days <= rules.first_days:
        said = (
            f"The least staff that keeps up is not known for {plan.period.days} days: nobody may take up a "
            f"file for {rules.first_days:g} days (asylum.first_days)."
        )
    elif found.staff > found.most:
        said = f"Not even {number(found.most, 'people')} caseworkers keep up."
    else:
        said = (
            f"For this period, the least staff that keeps up is {counted(found.staff, 'caseworker')} from "
            f"{day(plan.period.start)} on: in 95% of runs no more files then wait for a caseworker on the "
            "last day than before."
        )
    if found.grows < 0.5:
        return said
    left, before = _ranged(found.left, plan), _ranged(found.before, plan)
    return (
        f"{said} The open files grow all the same, since every request rests first: with ever so many "
        f"caseworkers {left} are open on the last day, and {before} before the period."
    )


def doubt(plan: PlanData) -> str:
    """Return how sure the finding is, in one line."""
    if plan.runs < 2:
        return "One run has no spread, and another seed gives other numbers."
    if warning := too_few(plan.level, plan.runs, all_there_are=plan.all_there_are):
        return warning
    return (
        f"{100 * plan.level:g}% is a share of the model's runs, which differ by {holds(plan.case)}; it is "
        "not the certainty of a forecast."
    )
