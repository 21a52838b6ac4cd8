"""What a plan for a town or single sites counts, in sentences; and the size of the force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.plan.persons import is_lower_bound
from breakrank.questions.plan.spread import Spread, spread
from breakrank.show.words import day, interval, number, percent

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

ORDER = (
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
            f"{ORDER}",
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
