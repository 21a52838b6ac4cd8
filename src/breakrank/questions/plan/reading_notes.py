"""What a reader has to know of a plan's numbers: what is counted, what is assumed, how it was made."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from breakrank.questions.plan.persons import FULL_COST, PAID_FOR, assumed
from breakrank.questions.plan.scope import towns
from breakrank.questions.plan.shelter import DECISION_DAYS, DECISION_SOURCE, STANDARDS
from breakrank.questions.plan.texts import PLACE_ORDER, costs, limits, share
from breakrank.results.quantiles import FEW
from breakrank.results.uncertainty import holds
from breakrank.show.provenance import drawn_in_part
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.data import PlanData

NEED = (
    "People who need shelter: all who crossed to the host and are in a site, in a private home or without "
    "a roof. Not counted are those who settled and work, moved on, were sent away, or went back."
)
AT_SITES = (
    f"{PLACE_ORDER} Need here: those inside, and a share of all who are in no site of the host (in private "
    "homes or without a roof), in proportion to places. The share is a rule, no result: put your own to the "
    "numbers of the host. Persons inside are a lower bound (at least, ≥) where no site takes anyone: 19 in "
    "20 places are taken, or it is closed or unpaid."
)


def covers(plan: PlanData) -> str:
    """Return what the place of a plan covers, in words."""
    if not plan.where.host:
        if not share(plan):
            return (
                f"{plan.where.label}: those inside, and nobody else; its places are for some only, so it has "
                "no share of those in no site"
            )
        return f"{plan.where.label}: those inside, and its share ({share(plan)}) of those in no site"
    known = towns(plan.case, plan.where.sites)
    at = f" in {listed(known)}" if known else ""
    return (
        f"{plan.where.label}, all towns together: everyone who crossed to this host, in its "
        f"{len(plan.where.sites)} sites{at}, in private homes and without a roof. Only those in sites are "
        "known by town (ask with --place); arrivals, private homes, the street and asylum files are the "
        "host's as a whole"
    )


def assured(assurance: tuple[float, ...]) -> str:
    """Return what an assurance means, in a sentence.

    >>> assured((0.5, 0.95))
    'An assurance of 50% or 95% means: in that share of the runs so many beds suffice on every day.'
    """
    levels = [f"{100 * share:g}%" for share in assurance]
    named = levels[0] if len(levels) == 1 else f"{', '.join(levels[:-1])} or {levels[-1]}"
    return f"An assurance of {named} means: in that share of the runs so many beds suffice on every day."


BEYOND = 3
"""Runs that should need more than what is said to suffice; with fewer it is little else than the worst."""


def runs_for(share: float) -> int:
    """Return the fewest runs on which an assurance rests soundly; 0 where no number does.

    >>> runs_for(0.95), runs_for(0.8), runs_for(1.0)
    (60, 15, 0)
    """
    return math.ceil(round(BEYOND / (1 - share), 6)) if share < 1 else 0


def too_few(assurance: tuple[float, ...], runs: int) -> str:
    """Return a warning of assurances that rest on the worst runs alone, and how many it takes; or nothing.

    >>> too_few((0.5, 0.95), 60)
    ''
    """
    if runs < 2:
        return ""
    low = [share for share in assurance if runs < (runs_for(share) or math.inf)]
    if not low:
        return ""
    named = ", ".join(f"{100 * share:g}%" for share in low)
    beyond = runs - math.ceil(low[-1] * runs - 1e-9)
    rests = "is their worst" if beyond < 1 else f"leaves {beyond} of them beyond it"
    need = runs_for(low[-1])
    cure = (
        f"take {need:,} runs or more (--runs {need}, or Runs in the page)"
        if need
        else "100% is always the worst run, however many"
    )
    return f"{runs:,} runs are too few for an assurance of {named}: {100 * low[-1]:g}% {rests}; {cure}."


def bands(runs: int) -> str:
    """Return what medians and intervals are over so many runs."""
    if runs < 2:
        return "One run has no spread: every number is that run's, and another seed gives others."
    if runs < FEW:
        return f"Medians, minima and maxima of {runs} runs, too few for intervals."
    return f"Medians and 90% intervals over {runs:,} runs."


def synthetic(plan: PlanData) -> str:
    """Return what the numbers are and what they are not."""
    return (
        "Soldiers and relatives are synthetic; no real person is described. The spread of the "
        f"runs is due to {holds(plan.case)}; it is not the certainty of a forecast."
    )


def stands_still(plan: PlanData) -> str:
    """Return in how many runs the regime falls, and what that means for a plan."""
    runs = f"{plan.base.fallen:,} of {plan.runs:,} runs"
    return (
        f"In {runs} the regime falls by {plan.period.end}. From that day on a run stands still: nobody comes "
        "or goes, those who need shelter stay, and no bills are made out, so that nothing is paid for."
    )


def beds_and_places(plan: PlanData) -> str:
    """Return what counts as a bed, as a place offered, as a rented room, and who is without a place."""
    text = "A bed is a place for one person of any age. Places offered are those of open sites."
    if plan.base.rented.any():
        text += (
            " Rented rooms are for holders of permits only: those in use shelter their tenants and help "
            "nobody else."
        )
    return (
        f"{text} Places missing: so many more people need shelter than there are of these; they are in "
        "private homes or without a roof."
    )


def meals(plan: PlanData) -> str:
    """Return which meals are needed and which are served."""
    return (
        f"Meals needed: {plan.base.meals:g} a day for everyone who needs shelter, the most that a site of "
        "the case serves. Meals served: what sites give those inside; tenants of rented rooms cook for "
        "themselves."
    )


def money(plan: PlanData) -> str:
    """Return what cost and unpaid bills are."""
    return (
        f"Money in {plan.case.currency}. {_for_the_place(plan)}Cost of the sites: persons inside times cost "
        "a person and day, by the payers' shares. Funds run out on the first day on which a bill is not paid "
        "in full; sites then admit nobody and put people out. So bills left unpaid, and the funds that would "
        "have paid them (columns gap_ of the table funds), are less than the gap."
    )


def _for_the_place(plan: PlanData) -> str:
    """Return which sums are the place's and which are the payers' for all their sites; of a host nothing."""
    if plan.where.host:
        return ""
    return "Cost is that of the sites here; funds and what stays unpaid are the payers' for all their sites. "


def full_care(plan: PlanData) -> str:
    """Return what the full cost of assistance is, what is paid for, and the gap."""
    gap = f"{PAID_FOR}: what payers pay of it. The gap is the rest, both at the same assurance."
    if not plan.where.host and not plan.base.share[0]:
        return f"{FULL_COST}: of those inside only, so it is the cost of the sites. {gap}"
    whom = "all who need shelter" if plan.where.host else "those inside and its share of the others"
    return (
        f"{FULL_COST}: what lodging {whom} costs, every day: who is in a site at that site's "
        f"cost, everyone else at {plan.base.price:,.4g} {plan.case.currency} a day, an average place. Who "
        f"left for want of a bed is not in it, so it is a lower bound. {gap}"
    )


def changed(world: PlanCourse) -> str:
    """Return what a scenario changes, as a sentence; it says so where several things change at once."""
    if not world.changes:
        return ""
    many = f"Changes {len(world.changes)} things at once" if len(world.changes) > 1 else "Changes"
    return f"{many}: {'; '.join(world.changes)}. "


def funds_assumed(plan: PlanData) -> str:
    """Return whose money is assumed, and what that means for the dates that follow; empty if nobody's is."""
    case = plan.case
    given = [name for name in plan.base.payers if case.payers.named(name).funds is not None]
    some = [case.payers.named(name).label for name in given if assumed(case, name)]
    if not some:
        return ""
    return (
        f"The sums of {', '.join(some)} are assumed by the case, not reported: what follows from them is no "
        "forecast. Put in your own: under What if? in the page, or in the case's payers.yaml, which gives "
        "their sources."
    )


def read_first(plan: PlanData) -> tuple[str, ...]:
    """Return what decides how the numbers are read: it stands on the first page, before the tables."""
    read = NEED if plan.where.host else AT_SITES
    found = [
        drawn_in_part(plan.case.stands_for),
        read,
        funds_assumed(plan),
        stands_still(plan) if plan.base.fallen else "",
    ]
    return tuple(text for text in found if text)


def notes(plan: PlanData) -> Iterator[tuple[str, str]]:
    """Return topics and texts, in order."""
    case, period = plan.case, plan.period
    yield "Case", f"{case.title} ({case.id}), digest {case.digest}"
    yield "Place", covers(plan)
    if text := drawn_in_part(plan.case.stands_for):
        yield "Size of the force", text
    yield "Period", f"{period.start} to {period.end}, {period.days} days, both included"
    yield "Runs and seed", f"{plan.runs:,} runs, seed {plan.seed}; they differ by {holds(plan.case)}"
    for world in plan.worlds[:: -1 if len(plan.worlds) == 2 else 1]:  # one scenario leads
        of = f", {world.id}" if len(plan.worlds) > 1 else ""
        yield f"Cost{of}", "".join(text for text, _ in costs(plan, world)) or "Nobody pays here."
    if too_few(plan.assurance, plan.runs):
        yield "Too few runs", too_few(plan.assurance, plan.runs)
    for world in plan.worlds[1:]:
        yield (
            f"Scenario {world.id}",
            f"{world.title}. {changed(world)}{world.question} Digest {world.case.digest}; "
            f"{len(world.runs):,} runs. A what-if, not a claim about the record.",
        )
    yield "Spread", bands(plan.runs)
    if plan.runs < FEW:
        yield "Quantiles", "Columns q05 to q95 are quantiles, linear between runs, of however many runs."
    if plan.base.fallen:
        yield "Runs that stand still", stands_still(plan)
    yield (
        "Assurance",
        f"{assured(plan.assurance)} For 95%, make at least 60 runs: three of them then need more.",
    )
    yield "Shelter", NEED if plan.where.host else AT_SITES
    yield "Beds and places", beds_and_places(plan)
    yield "Meals", meals(plan)
    yield "Families", "Households with relatives: soldiers who need shelter and whose relatives came along."
    yield "Children", "Relatives under 18; counted on arrival and in sites."
    if plan.base.payers:
        yield "Money", money(plan)
        yield "Full cost and gap", full_care(plan)
        if text := funds_assumed(plan):
            yield "Assumed funds", text
    yield from _asylum(plan)
    for one in STANDARDS:
        yield f"Standard: {one.label.lower()}", f"{one.rule}. {one.source}."
    yield "Person-days", "People times days: ten people for three days are 30 person-days."
    yield "What this is", synthetic(plan)
    yield "Command", plan.command
    yield "Versions", ", ".join(f"{name} {text}" for name, text in plan.versions.items())


def _asylum(plan: PlanData) -> Iterator[tuple[str, str]]:
    if plan.rules is None:
        return
    yield (
        "Asylum files",
        (
            "As the runs have them: a file closes with a decision, a permit, or when its person is gone. "
            "Files are those of the host as a whole."
        ),
    )
    if plan.staffings:
        yield (
            "Staff, what if",
            (
                "The same requests, first come, first served, by so many caseworkers from "
                f"{plan.period.start} on, each decision {plan.rules.effort:g} caseworker days of work on "
                f"average (exponential), after {plan.rules.first_days:g} days of rest. Open files close "
                "without a decision with the chance that they have on that day in the runs. Waits are "
                "those of who gets a decision, and run on past the last day until all is decided."
            ),
        )
    if text := limits(plan):
        yield "What limits decisions", text
    yield "Yardstick for waits", f"{DECISION_DAYS} days: {DECISION_SOURCE}."
