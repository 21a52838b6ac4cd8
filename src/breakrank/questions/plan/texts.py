"""Sentences and short texts of a plan, as the terminal, the charts and the document say them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from breakrank.questions.paired import draws_said
from breakrank.questions.plan.asylum import AS_IS
from breakrank.questions.plan.money import fundings
from breakrank.questions.plan.persons import FULL_COST, PAID_FOR, is_lower_bound
from breakrank.questions.plan.queue_whatif import caseworkers, queue_rules
from breakrank.questions.plan.shelter import fall, shelter
from breakrank.questions.plan.spread import Spread, spread
from breakrank.results.quantiles import FEW
from breakrank.results.uncertainty import chance_only
from breakrank.show.html import Tile
from breakrank.show.words import day, interval, number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.data import PlanData
    from breakrank.questions.plan.money import Funding

PlanT = TypeVar("PlanT", bound="PlanData")


def leading(plan: PlanT) -> PlanT:
    """Return the plan of the changed side alone where there is exactly one; else the plan itself."""
    if len(plan.worlds) != 2:
        return plan
    worlds = plan.worlds[1:]
    rules = queue_rules(worlds[0].case) if plan.where.host else None
    keeping_up = caseworkers(worlds, plan.period, (), plan.seed)[1] if rules else None
    return replace(
        plan,
        case=worlds[0].case,
        worlds=worlds,
        staffings=plan.staffings[1:],
        differences={},
        rules=rules,
        keeping_up=keeping_up,
    )


def what_changed(plan: PlanData, shown: str = "Both pages show") -> str:
    """Return what is changed, and that what follows shows it, for the top of a document."""
    world = plan.worlds[1]
    changes = f": {'; '.join(world.changes)}" if world.changes else ""
    return f"{world.title}{changes}. {shown} this, except where they say without, or Case."


def both(plan: PlanData, lead: PlanData) -> list[tuple[str, bool]]:
    """Return the finding; where a changed side leads, the finding with it, then the headline without."""
    if lead is plan:
        return finding(plan)
    (first, stressed), *rest = finding(lead)
    (before, also), *others = headline(plan)
    return [
        (f"With the change, {lower(first)}", stressed),
        *rest,
        (f" Without the change, {lower(before)}", also),
        *((text, False) for text, _ in others),
    ]


def beside(mine: tuple[Tile, ...], before: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return key figures with the change, and in their notes what they are without."""
    was = {one.label: one.value for one in before}
    return tuple(
        replace(one, note=f"{one.note}; {was[one.label]} without".removeprefix("; "))
        if one.label in was
        else one
        for one in mine
    )


def lower(text: str) -> str:
    """Return a sentence as it goes on after other words."""
    return text[:1].lower() + text[1:]


PLACE_ORDER = (
    "Sites fill in the order of the case's file, wherever people crossed, so who is inside is no count of "
    "who comes to this town."
)


def ranged(one: Spread, runs: int, unit: str = "people") -> str:
    """Return a median with the ends of its spread, e.g. ``1,147 (683 to 1,640)``."""
    if not one.runs:
        return "none"
    middle, ends = number(one.median, unit), interval(*one.ends, unit)
    return middle if runs < 2 or ends == middle else f"{middle} ({ends})"


def nobody(plan: PlanData) -> list[tuple[str, bool]]:
    """Return that nobody needs shelter; of a place, whether others of the host are used."""
    period, runs = plan.period, plan.runs
    when = f"from {day(period.start)} to {day(period.end)}, "
    which = f"in {'any run' if runs > 1 else 'the one run'}."
    days = slice(period.first, period.last + 1)
    hosted, unmet = (v[:, days].max(axis=1) for v in (plan.base.hosted, plan.base.persons["unmet"]))
    if not (hosted.any() or unmet.any()):
        return [("Nobody needs shelter ", True), (when, False), (which, False)]
    return [
        ("Nobody is put into these sites ", True),
        (when, False),
        (f"{which} ", False),
        (
            f"That does not mean that nobody comes: other sites of the host hold up to "
            f"{ranged(spread(hosted), runs)} people, and up to {ranged(spread(unmet), runs)} are in none. "
            f"{PLACE_ORDER}",
            False,
        ),
    ]


def share(plan: PlanData) -> str:
    """Return which share of those in no site a place is counted with, e.g. ``53%, 575 of 1,075 places``."""
    mine, whole = plan.base.share
    places = f"{number(mine, 'people')} of {number(whole, 'people')} places"
    return f"{percent(mine / whole)}, {places}" if mine else ""


def counted_here(plan: PlanData) -> str:
    """Return who is counted at a place, as a sentence with the number of those in no site."""
    if not share(plan):
        return "Counted are those inside; the places are for some only, so they have no share of others. "
    unmet = ranged(spread(plan.base.within("unmet", plan.period).max(axis=1)), plan.runs)
    return (
        "Counted are those inside and, of those in no site of the host (at the most "
        f"{unmet}), the share of its places ({share(plan)}). "
    )


def inside_here(plan: PlanData) -> str:
    """Return how many are inside, and that it is a lower bound where others were turned away."""
    days = slice(plan.period.first, plan.period.last + 1)
    inside = ranged(spread(plan.base.within("in_sites", plan.period).max(axis=1)), plan.runs)
    away = plan.base.turned_away[:, days].sum(axis=1)
    told = f"Inside are {inside} at the most on a day"
    if not away.any():
        return f"{told}. "
    full = f"{told}; on {ranged(spread(away), plan.runs)} days no site here takes anyone"
    if is_lower_bound(plan.base, plan.period):
        return f"{full}, so the demand is at least that. "
    return f"{full}: only in runs with such days is the demand at least that. "


def limits(plan: PlanData) -> str:
    """Return what decisions wait for, and the least staff that keeps up, in a few sentences; or nothing."""
    found = plan.keeping_up
    if found is None or not plan.staffings:
        return ""
    said = [_waits(plan), too_short(plan) or _enough(plan)]
    left, before = ranged(found.left, plan.runs), ranged(found.before, plan.runs)
    if found.grows >= 0.5:
        said.append(
            f"No number of caseworkers keeps the open files from growing: with ever so many, {left} are open "
            f"on the last day, and {before} before the period, since every request rests first."
        )
    else:
        said.append(f"With ever so many, {left} files are open on the last day: those at rest.")
    closed = next(s.closed for s in plan.staffings[0] if s.staff == AS_IS)
    if np.isfinite(closed).any():
        share = percent(float(np.nanmedian(closed)))
        said.append(
            f"Of who asks in the period, {share} get no decision: they leave, or take a permit, before it."
        )
    return " ".join(text for text in said if text)


def _waits(plan: PlanData) -> str:
    one = next(s for s in plan.staffings[0] if s.staff == AS_IS)
    if not np.isfinite(one.rest).any():
        return ""
    rest, held = (ranged(spread(v), plan.runs) for v in (one.rest, one.held))
    wait = ranged(spread(one.wait), plan.runs) if np.isfinite(one.wait).all() else ""
    whole = f" {wait} days" if wait else ""
    return (
        f"A file that is decided waits{whole}: {rest} until anyone may take it up (asylum.first_days), "
        f"{held} for a caseworker, and the work itself."
    )


def _enough(plan: PlanData) -> str:
    assert plan.keeping_up is not None
    staff = plan.keeping_up.staff
    if staff > plan.keeping_up.most:
        return f"Not even {number(plan.keeping_up.most, 'people')} caseworkers keep up."
    since = day(plan.period.start, year=False)
    many = f"{number(staff, 'people')} caseworker{'s' * (staff != 1)}"
    return (
        f"For this period, the least staff that keeps up is {many} from {since} on: in 95% of runs no more "
        "files then wait for a caseworker on the last day than before. Another period gives another number."
    )


def too_short(plan: PlanData) -> str:
    """Return why no least staff is told of a period in which no new file may be taken up; or nothing."""
    if plan.rules is None or plan.period.days > plan.rules.first_days:
        return ""
    return (
        f"The least staff that keeps up is not told for {plan.period.days} days: nobody may take up a file "
        f"for {plan.rules.first_days:g} days (asylum.first_days), so who asks in this period waits for no "
        "caseworker yet."
    )


def least_staff(plan: PlanData) -> str:
    """Return the least staff that keeps up, and what files any staff leaves open; or nothing.

    The files are those of the queue played again, with the case's own staff and with ever so many.
    """
    found = plan.keeping_up
    if found is None or not plan.staffings or found.staff > found.most:
        return ""
    as_is = next(s for s in plan.staffings[0] if s.staff == AS_IS)
    mine = ranged(spread(as_is.open[:, -1]), plan.runs)
    again = (
        f" In the queue played again, {mine} stay open with the case's staff, "
        f"{ranged(found.left, plan.runs)} with ever so many."
    )
    if too_short(plan):
        return again
    many = f"{number(found.staff, 'people')} caseworker{'s' * (found.staff != 1)}"
    return f" For this period {many} would keep up.{again}"


def scaled(top: float, currency: str, least: float = 1e4) -> tuple[float, str]:
    """Return by what amounts up to `top` are divided so that they read well, and the unit they are then in.

    Amounts up to `least` stay as they are.

    >>> scaled(412_500, "US dollars"), scaled(900, "US dollars")
    ((1000.0, 'thousand US dollars'), (1.0, 'US dollars'))
    """
    if top >= 1e3 * least:
        return 1e6, f"million {currency}"
    return (1e3, f"thousand {currency}") if top >= least else (1.0, currency)


def amounts(one: Spread, runs: int, scale: float) -> str:
    """Return a spread of amounts of money, divided by `scale`."""
    return ranged(one.divided(scale), runs, "" if scale > 1 else "people")


def sum_of(one: Funding, plan: PlanData) -> str:
    """Return what a payer has, and that it is assumed where it is; e.g. ``510,000 US dollars, assumed``."""
    given = f"{number(one.given, 'people')} {plan.case.currency}"
    return f"{given}, assumed" if one.assumed else given


def runs_out(one: Funding, plan: PlanData) -> str:
    """Return when a payer's funds run out, in a few words that follow them."""
    if not one.limited:
        return "have no known limit"
    if one.share == 0:
        return f"last beyond {day(plan.period.end)} in {'every run' if plan.runs > 1 else 'the run'}"
    if plan.runs < 2:
        return f"run out on {day(one.median)}"
    share = "every run" if one.share == 1 else f"{percent(one.share)} of runs"
    if one.median is None:
        return f"run out in {share}"
    return f"run out in {share}, median {day(one.median)}{between_days(one)}"


def between_days(one: Funding) -> str:
    """Return the ends of the day on which money runs out, in brackets; empty where they say nothing."""
    if one.earliest is None or one.earliest == one.latest:
        return ""
    late = "never" if one.latest is None else day(one.latest, year=False)
    early = day(one.earliest, year=False)
    if one.latest is not None and (one.earliest.year, one.earliest.month) == (
        one.latest.year,
        one.latest.month,
    ):
        early = str(one.earliest.day)
    return f" ({early} to {late})"


def funding_lines(one: Funding, plan: PlanData) -> list[str]:
    """Return when a payer's money runs out in short lines, for the head of a small chart."""
    if not one.limited:
        return ["no limit is known"]
    if plan.runs < 2:
        return [
            f"spent on {day(one.median, year=False)}"
            if one.median
            else f"lasts beyond {day(plan.period.end)}"
        ]
    if one.share == 0:
        return ["assumed funds last in every run" if one.assumed else "lasts in every run"]
    what = "assumed funds spent" if one.assumed else "funds spent"
    share = f"{what} in every run" if one.share == 1 else f"{what} in {percent(one.share)} of runs"
    if one.median is None:
        return [share]
    return [share, f"median {day(one.median, year=False)}{between_days(one)}"]


def peak_difference(plan: PlanData, world: PlanCourse) -> str:
    """Return what a scenario does to the highest need for beds."""
    for d in plan.differences[world.id]:
        if d.id == "need_peak":
            if not math.isfinite(d.mean) or round(d.mean) == 0:
                return "highest need: no difference"
            more = "more" if d.mean > 0 else "fewer"
            ends = ""
            if math.isfinite(d.low):
                low, high = sorted((abs(d.low), abs(d.high)))
                ends = f" ({interval(low, high, 'people')})" if d.low * d.high > 0 else " (uncertain)"
            return f"highest need: {number(abs(d.mean), 'people')} {more}{ends}"
    return ""


def full_cost(plan: PlanData) -> str:
    """Return what the cost that leads is called, with the assurance at which it is told."""
    return f"{FULL_COST} at {100 * plan.level:g}% assurance" if plan.runs > 1 else FULL_COST


def costs(plan: PlanData, world: PlanCourse | None = None) -> list[tuple[str, bool]]:
    """Return the full cost of assistance, what is paid for and the gap, as parts of a sentence."""
    found = plan.assistance(world)
    if found is None:
        return []
    full, paid, gap = (number(one, "people") for one in (found.full, found.paid, found.gap))
    return [
        (f"{full_cost(plan)}: ", False),
        (f"{full} {plan.case.currency}", True),
        (f"; {PAID_FOR.lower()}: {paid}, a gap of {gap}. ", False),
    ]


def headline(plan: PlanData) -> list[tuple[str, bool]]:
    """Return the beds that suffice and the full cost of assistance, with which the finding begins."""
    world, period, runs = plan.base, plan.period, plan.runs
    whole = shelter(world, period, plan.assurance)[0]
    if not world.within("need", period).any():
        return nobody(plan)
    parts: list[tuple[str, bool]] = []
    if runs > 1:
        levels = [
            f"{number(beds, 'people')} beds at {100 * share:g}%"
            for share, beds in zip(plan.assurance, whole.beds, strict=True)
        ]
        lead = "Enough on every day: " if plan.where.host else "Enough here, by rule, on every day: "
        parts += [(lead, False), (f"{listed(levels)} assurance", True)]
    else:
        most = number(whole.beds[-1], "people")
        parts += [("At its highest, ", False), (f"{most} people need a bed", True)]
    return [*parts, (f"; the need is highest about {day(whole.peak)}. ", False), *costs(plan)]


def finding(plan: PlanData) -> list[tuple[str, bool]]:
    """Return what the plan comes to in a few sentences, as parts of text and whether each is stressed."""
    world, period, runs, parts = plan.base, plan.period, plan.runs, headline(plan)
    if not world.within("need", period).any():
        return parts
    if not plan.where.host:
        parts.append((counted_here(plan), False))
        parts.append((inside_here(plan), True))
    if world.places.any():
        parts.append((_places(plan, shelter(world, period, plan.assurance)[0].offered_most), False))
        if lost := _falls(plan):
            parts.append((lost, False))
    else:
        parts.append(("The case has no open sites in the period, so there is no place in any. ", False))
    limited = [f for f in fundings(world, period, plan.assurance) if f.limited]
    for one in sorted(limited, key=lambda f: (f.median is None, f.median or period.end))[:2]:
        funds = f"{one.label}: funds ({sum_of(one, plan)}) "
        whose = "" if plan.where.host else ", for all their sites together"
        parts += [(funds, False), (f"{runs_out(one, plan)}{whose}", one.share > 0), (". ", False)]
    if any(f.assumed for f in limited):
        parts.append(("Dates that follow from assumed sums are no forecast. ", False))
    if "files_open" in world.persons:
        left = spread(world.within("files_open", period)[:, -1])
        parts += [
            ("Asylum files open on the last day: ", False),
            (f"{ranged(left, runs)}.", False),
        ]
        parts.append((least_staff(plan), False))
    return parts


def _places(plan: PlanData, most: float) -> str:
    short = plan.base.within("short", plan.period)
    told = f"Open sites offer at most {number(most, 'people')} places"
    whom = "" if plan.where.host else " for those inside and the share of others"
    if not (short > 0).any():
        return f"{told}, which suffice on every day in {'every run' if plan.runs > 1 else 'the run'}. "
    days, beds = spread((short > 0).sum(axis=1)), spread(short.max(axis=1))
    lacking = ranged(beds, plan.runs)
    return f"{told}; on {ranged(days, plan.runs)} days they are too few{whom}, on the worst by {lacking}. "


def _falls(plan: PlanData) -> str:
    """Return on which day the places offered fall most, and how many are then without one; or nothing."""
    lost = fall(plan.base, plan.period)
    if lost is None or lost.without.median < 1:
        return ""
    change = f"from {number(lost.before, 'people')} to {number(lost.after, 'people')}"
    without = ranged(lost.without, plan.runs)
    return f"On {day(lost.date)} they fall {change}, and {without} places are missing. "


def caution(plan: PlanData) -> str:
    """Return what the spreads are, in a sentence or two."""
    said = _spreads(plan)
    if plan.differences or chance_only(plan.case):
        said += f" {draws_said(plan.case)}"
    if plan.differences and plan.runs > 1:
        said += " Differences between scenarios are means over pairs of runs, with their 95% intervals."
    return said


def _spreads(plan: PlanData) -> str:
    if plan.runs < 2:
        return "One run has no spread, and another seed gives other numbers."
    if plan.runs < FEW:
        return f"In brackets the minimum and the maximum of {plan.runs} runs: too few for intervals."
    return (
        "Each number is a median; brackets give the range of 90% of the runs. This is the spread of the "
        "model, not the certainty of a forecast."
    )
