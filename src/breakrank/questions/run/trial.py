"""A trial run of a case that has just been written: what would make its results hard to believe."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from breakrank.runs.ensemble import simulate

if TYPE_CHECKING:
    from breakrank.case import Case

MOST = 8_000
"""Soldiers of a trial run at most: rates do not depend on the size of the force."""
HALF = 0.5
"""Share of the force from which so many leaving is worth a word."""


class Doubt(NamedTuple):
    """What is hard to believe, and what to do about it."""

    text: str
    remedy: str


def trial(case: Case) -> list[Doubt]:
    """Run a case once, small, at the values of its parameters, and return what is hard to believe.

    More arrests than people who left, more who surrendered, nobody who left, or half of the force that did.
    """
    strength = min(case.force.strength, MOST)
    result = simulate(case.with_draws(None).set({"force.strength": strength}), runs=1, workers=1)
    left = float(result.data["exits_rank"].sum())
    arrested = float(result.data["arrested"].sum()) if "arrested" in result.data else 0.0
    run = f"in a trial run of {strength:,} soldiers"
    doubts = []
    if arrested > max(left, 1):
        doubts.append(
            Doubt(
                f"{run} {arrested:,.0f} arrests exceed the {left:,.0f} who leave",
                "Lower what finds people out (surveillance, counterintelligence.effort), or say in an "
                "assumption that more are arrested than leave.",
            )
        )
    taken = float(result.data["surrendered_in_field"].sum()) if "surrendered_in_field" in result.data else 0.0
    if taken > max(left, 1):
        doubts.append(
            Doubt(
                f"{run} {taken:,.0f} surrender in lost posts, and {left:,.0f} leave",
                "Lower war.lost_posts, or contact and held where few posts fell; or say in an assumption "
                "that more surrendered.",
            )
        )
    if left == 0:
        doubts.append(
            Doubt(
                f"{run} nobody leaves",
                "Call `breakrank case guide` to see which number opens a way: passes, risks, watch.",
            )
        )
    elif left > HALF * strength:
        doubts.append(
            Doubt(
                f"{run} {left:,.0f} leave, {left / strength:.0%} of the force",
                "Call `breakrank case guide` to see which number they follow.",
            )
        )
    return doubts
