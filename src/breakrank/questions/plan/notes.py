"""Notes for readers of a plan, in sentences: findings, definitions, assumptions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.paired import draws_said
from breakrank.questions.plan.asylum import AS_IS
from breakrank.questions.plan.money import Funding, fundings
from breakrank.questions.plan.persons import FULL_COST, PAID_FOR, Spread, assumed, is_lower_bound, spread
from breakrank.questions.plan.scope import towns
from breakrank.questions.plan.shelter import DECISION_DAYS, DECISION_SOURCE, fall
from breakrank.results.uncertainty import holds
from breakrank.show.words import day, interval, number, percent, within
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

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
    "numbers of the host. Persons inside are a lower bound where no site takes anyone: 19 in 20 places are "
    "taken, or it is closed or unpaid."
)
MEDIANS = "Here and below, numbers and days are medians of the runs, with {} in brackets."
WEEKS = (
    "Each number is of its week alone: beds and places missing on the worst day, places offered on the day "
    "with the fewest. So columns need not subtract exactly, nor weeks sum exactly to the period. The first "
    "and the last week may be cut short."
)
"""How the table by week is read."""
BEYOND = 3
"""Runs that should need more than what is said to suffice; with fewer it is little else than the worst."""


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
    yield _beds_and_places(lead)
    yield (
        f"Meals: {lead.base.meals:g} a day for everyone who needs shelter, the most that a site of the case "
        "serves. Meals served are what sites give those inside; tenants of rented rooms cook for themselves."
    )
    yield "Families are households with relatives; children are relatives under 18."
    if lead.base.payers:
        yield full_care(lead)
        yield _money(lead)
    if lead.rules is not None and lead.staffings:
        yield (
            f"Other numbers of caseworkers take the same requests, first come, first served, from "
            f"{day(plan.period.start)} on: {lead.rules.effort:g} days of work each on average, after "
            f"{lead.rules.first_days:g} days of rest. Files close without a decision as in the runs."
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
    peak = f"The need is highest about {day(whole.peak)} ({day(whole.earliest)} to {day(whole.latest)})."
    yield peak if plan.runs < 2 else f"{peak} {MEDIANS.format(within(plan.runs))}"
    if not plan.where.host:
        yield _inside_here(plan)
    if world.places.any():
        yield _places(plan, whole.offered_most)
    if lost := fall(world, period):
        change = f"from {number(lost.before, 'people')} to {number(lost.after, 'people')}"
        yield f"On {day(lost.date)} places fall {change}; {_ranged(lost.without, plan)} are then missing."
    whose = "" if plan.where.host else ", for all their sites together"
    for one in fundings(world, period, (plan.level,)):
        if one.limited:
            sums = f"{number(one.given, 'people')} {plan.case.currency}{', assumed' * one.assumed}"
            yield f"{one.label}: funds ({sums}) {_runs_out(one, plan)}{whose}."
    if "files_open" in world.persons:
        left = spread(world.within("files_open", period)[:, -1])
        yield f"Asylum files open on the last day: {_ranged(left, plan)}. {limits(plan)}".strip()
    elif plan.where.host:
        yield "Nobody decides on asylum in this case."
    if text := funds_assumed(plan):
        yield text
    if world.fallen:
        yield (
            f"In {world.fallen:,} of {plan.runs:,} runs the regime falls by {day(period.end)}. From that day "
            "on a run stands still: nobody comes or goes, and no bills are made out."
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
    (mine, whole), label = plan.base.share, plan.where.label
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
    places = f"{number(mine, 'people')} of {number(whole, 'people')} places"
    return f"{label}: those inside, and its share ({percent(mine / whole)}, {places}) of those in no site"


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
    told = f"Open sites offer at most {number(most, 'people')} places"
    whom = "" if plan.where.host else " for those inside and the share of others"
    if not (short > 0).any():
        return f"{told}, which suffice on every day in {'every run' if plan.runs > 1 else 'the run'}."
    days, beds = (_ranged(spread(v), plan) for v in ((short > 0).sum(axis=1), short.max(axis=1)))
    return f"{told}; on {days} days they are too few{whom}, on the worst by {beds}."


def _beds_and_places(plan: PlanData) -> str:
    text = "A bed is a place for one person of any age. Places offered are those of open sites."
    if plan.base.rented.any():
        text += " Rented rooms are for holders of permits only: those in use help nobody else."
    return f"{text} Places missing: so many more people need shelter than there are of these."


def full_care(plan: PlanData) -> str:
    """Return the full cost of assistance, the paid part, and the gap."""
    gap = f"The gap is what nobody paid of it, at the service level. {PAID_FOR}: the rest."
    if not plan.where.host and not plan.base.share[0]:
        return f"{FULL_COST}: of those inside only, so it is the cost of the sites. {gap}"
    whom = "all who need shelter" if plan.where.host else "those inside and its share of the others"
    return (
        f"{FULL_COST}, or full care: what lodging {whom} costs, every day: who is in a site at that site's "
        f"cost, everyone else at {plan.base.price:,.4g} {plan.case.currency} a day, an average place. Who "
        f"left for want of a bed is not in it, so it is a lower bound. {gap}"
    )


def _money(plan: PlanData) -> str:
    whose = (
        ""
        if plan.where.host
        else (
            "Cost is that of the sites here; funds and bills left open are the payers' for all their sites. "
        )
    )
    return (
        f"{whose}Cost of the sites: persons inside times cost a person and day, by the payers' shares. Funds "
        "run out on the first day on which a bill is not paid in full; sites then admit nobody and put "
        "people out. So bills left open are less than the gap."
    )  # fmt: skip


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
    if one.share == 0:
        return f"last beyond {day(plan.period.end)} in {'every run' if plan.runs > 1 else 'the run'}"
    if plan.runs < 2:
        return f"run out on {day(one.median)}"
    share = "every run" if one.share == 1 else f"{percent(one.share)} of runs"
    if one.median is None:
        return f"run out in {share}"
    late = "never" if one.latest is None else day(one.latest)
    ends = "" if one.earliest in (None, one.latest) else f" ({day(one.earliest)} to {late})"
    return f"run out in {share}, median {day(one.median)}{ends}"


def limits(plan: PlanData) -> str:
    """Return what decisions wait for, and the least staff that keeps up, in a few sentences; or nothing."""
    found = plan.keeping_up
    if found is None or not plan.staffings:
        return ""
    as_is, said = next(s for s in plan.staffings[0] if s.staff == AS_IS), []
    if np.isfinite(as_is.rest).any():
        rest, held = (_ranged(spread(v), plan) for v in (as_is.rest, as_is.held))
        wait = f" {_ranged(spread(as_is.wait), plan)} days" if np.isfinite(as_is.wait).all() else ""
        said.append(
            f"A file that is decided waits{wait}: {rest} until anyone may take it up (asylum.first_days), "
            f"{held} for a caseworker, and the work itself."
        )
    said.append(_too_short(plan) or _enough(plan))
    left, before = _ranged(found.left, plan), _ranged(found.before, plan)
    if found.grows >= 0.5:
        said.append(
            f"No number of caseworkers keeps the open files from growing: with ever so many, {left} are open "
            f"on the last day, and {before} before the period, since every request rests first."
        )
    else:
        said.append(f"With ever so many, {left} files are open on the last day: those at rest.")
    if np.isfinite(as_is.closed).any():
        share = percent(float(np.nanmedian(as_is.closed)))
        said.append(
            f"Of who asks in the period, {share} get no decision: they leave, or take a permit, before it."
        )
    return " ".join(said)


def _enough(plan: PlanData) -> str:
    assert plan.keeping_up is not None
    staff = plan.keeping_up.staff
    if staff > plan.keeping_up.most:
        return f"Not even {number(plan.keeping_up.most, 'people')} caseworkers keep up."
    many, start = counted(staff, "caseworker"), day(plan.period.start)
    return (
        f"For this period, the least staff that keeps up is {many} from {start} on: in 95% "
        "of runs no more files then wait for a caseworker on the last day than before."
    )


def _too_short(plan: PlanData) -> str:
    """Return why no least staff is told of a period in which no new file may be taken up; or nothing."""
    if plan.rules is None or plan.period.days > plan.rules.first_days:
        return ""
    return (
        f"The least staff that keeps up is not known for {plan.period.days} days: nobody may take up a file "
        f"for {plan.rules.first_days:g} days (asylum.first_days)."
    )


def runs_for(share: float) -> int:
    """Return the fewest runs on which a service level rests soundly; 0 where no number does.

    >>> runs_for(0.95), runs_for(0.8), runs_for(1.0)
    (60, 15, 0)
    """
    return math.ceil(round(BEYOND / (1 - share), 6)) if share < 1 else 0


def too_few(level: float, runs: int) -> str:
    """Return that a service level rests on the worst runs alone, and how many it takes; or nothing.

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
    return (
        f"{runs:,} runs are too few for a service level of {100 * level:g}%, which {rests}; take {need:,} "
        "runs or more."
    )


def doubt(plan: PlanData) -> str:
    """Return how sure the finding is, in one line."""
    if plan.runs < 2:
        return "One run has no spread, and another seed gives other numbers."
    if warning := too_few(plan.level, plan.runs):
        return warning
    return (
        f"{100 * plan.level:g}% is a share of the model's runs, which differ by {holds(plan.case)}; it is "
        "not the certainty of a forecast."
    )
