"""Sentences and short texts of a plan, as the terminal, the charts and the document say them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.questions.compare.query import asked_of
from breakrank.questions.plan.money import fundings
from breakrank.questions.plan.persons import FULL_COST, PAID_FOR
from breakrank.questions.plan.place_words import counted_here, inside_here, nobody, ranged
from breakrank.questions.plan.queue_words import least_staff
from breakrank.questions.plan.shelter import fall, shelter
from breakrank.questions.plan.spread import Spread, spread
from breakrank.results.quantiles import FEW
from breakrank.results.uncertainty import chance_only
from breakrank.show.words import day, interval, number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.data import PlanData
    from breakrank.questions.plan.money import Funding


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


ORDER = (
    "people go to the first site of sites.yaml that has a place, wherever they cross. Plan without --place "
    "to see all who need shelter."
)
"""What a plan for a town does not see."""


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
        said += f" {asked_of(plan.case)}"
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
