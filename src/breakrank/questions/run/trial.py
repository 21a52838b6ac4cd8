"""A trial run of a case that has just been written: what would make its results hard to believe."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from breakrank.case import Warning_
from breakrank.results.measures import measure
from breakrank.results.outcomes import COUNTS
from breakrank.runs.carry_out import simulate
from breakrank.runs.undated import (
    WANTED,
    Remains,
    acting,
    figure_wanted,
    first_event,
    level_measure,
    undated,
)
from breakrank.show.words import span

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results.result import Result

MOST = 8_000
"""Soldiers of a trial run at most: rates hardly depend on the size of the force."""
TENFOLD = 10
"""Factor by which a figure of the record has to be missed to be told."""
RUNS = 3
"""Runs of a trial: in one of them a single uprising can be most of what a small force counts."""
ENOUGH = 10
"""Soldiers in a trial run below which chance decides."""
UNREGISTERED = (
    "left and registered do not count them, and left_abroad does: set the field registration to 1 from the "
    "day on which the host registers, or write targets of left_abroad."
)
"""What to do where all who cross stay uncounted."""
LEVEL = (
    "Then events hardly matter. Let decision.baseline_desert and decision.baseline_leave fit the quiet "
    "time, and effects of events the rest. `breakrank explain` tells what each event causes."
)
"""What to do where the level makes up half of a count."""
SHOWN = 3
"""Figures that are told."""
HALF = 0.5
"""Share of the force from which so many leaving is worth a word."""


class Trial(NamedTuple):
    """What a trial run shows: doubts, and what of the leading count remains without dated events, if any."""

    doubts: list[Warning_]
    remains: Remains | None


def trial(case: Case) -> Trial:
    """Run a case, small, at the values of its parameters, and return what is hard to believe.

    More arrests than people who left, more who surrendered, figures of the record that are missed tenfold,
    nobody who left, or half of the force that did: all as a mean of :data:`RUNS` runs, figures as a median.
    As many runs without dated events tell what of the leading count remains; half of it or more is a doubt,
    and so is a record without a figure from before the first of them.
    """
    strength = min(case.force.strength, MOST)
    small = case.with_draws(None).set({"force.strength": strength})
    result = simulate(small, runs=RUNS, workers=1)

    def counted(name: str) -> float:
        return float(result.data[name].sum()) / RUNS if name in result.data else 0.0

    left, arrested, taken = (counted(name) for name in ("exits_rank", "arrested", "surrendered_in_field"))
    run = f"in a trial run of {strength:,} soldiers"
    doubts = []

    def doubt(what: str, remedy: str) -> None:
        doubts.append(Warning_(None, None, f"{run} {what}", remedy))

    if arrested > max(left, 1):
        doubt(
            f"{arrested:,.0f} arrests exceed the {left:,.0f} who leave",
            "Lower what finds people out (surveillance, counterintelligence.effort), or say in an "
            "assumption that more are arrested than leave.",
        )
    if taken > max(left, 1):
        doubt(
            f"{taken:,.0f} surrender in lost posts, and {left:,.0f} leave",
            "Lower war.lost_posts, or contact and held where few posts fell; or say in an assumption "
            "that more surrendered.",
        )
    crossed = float(measure(result.data, "left_abroad").mean())
    if case.crossings and crossed > left and not np.any(case.daily("registration") > 0):
        doubt(f"{crossed:,.0f} cross a border and nobody is registered", UNREGISTERED)
    doubts += _missed(result, run)
    if left == 0:
        doubt(
            "nobody leaves",
            "Call `breakrank case guide` to see which number opens a way: passes, risks, surveillance.",
        )
    elif left > HALF * strength and not _recorded(result):
        doubt(
            f"{left:,.0f} leave, {left / strength:.0%} of the force",
            "Call `breakrank case guide` to see which number they follow; or, if so many did, "
            "add a target that says who left or who still served.",
        )
    remains = _remains(result) if acting(case) else None
    if remains is not None and remains.is_level:
        doubt(remains.words, LEVEL)
    if (first := first_event(case)) is not None:
        doubts.append(Warning_(None, None, figure_wanted(first), WANTED))
    return Trial(doubts, remains)


def _remains(result: Result) -> Remains | None:
    """Return what remains without dated events of what leads, or where that is hardly anyone, of who leaves.

    ``None`` where hardly anyone leaves either.
    """
    without = undated(result.case, acting(result.case), "without dated events").case
    other = simulate(without, runs=RUNS, workers=1)
    for name in (level_measure(result.case), "left"):
        before, after = (float(measure(one.whole.data, name).mean()) for one in (result, other))
        if before >= ENOUGH * result.case.stands_for:
            return Remains(name, before, after, RUNS)
    return None


def _recorded(result: Result) -> bool:
    """Return whether the record itself says that half of the force or more left, or no longer served."""
    case = result.case
    half = HALF * case.force.strength * case.stands_for
    whole = {target.id for target in case.targets if not target.by and not target.against}
    told = [(one.measure, one.record) for one in result.outcomes() if one.record and one.id in whole]
    return any(
        said.low >= half if name in ("left", "left_post") else name == "serving" and said.high <= half
        for name, said in told
    )


def _missed(result: Result, run: str) -> list[Warning_]:
    """Return a doubt about the figures that are missed by a factor of ten or more, if there are any."""
    told, first, enough = [], "", ENOUGH * result.case.stands_for
    for one in result.outcomes():
        said = one.record
        if said is None or one.unit not in COUNTS or not math.isfinite(one.median):
            continue
        few = math.isfinite(said.low) and said.low >= enough and one.median * TENFOLD < said.low
        many = math.isfinite(said.high) and one.median >= enough and one.median > TENFOLD * said.high
        if few or many:
            told.append(f"{one.label}: {one.median:,.0f}, and the record says {span(said.low, said.high)}")
            first = first or one.measure
    if not told:
        return []
    more = f"; and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return [
        Warning_(
            None,
            None,
            f"{run}, scaled to the whole force, figures are missed tenfold: {'; '.join(told[:SHOWN])}{more}",
            f"`breakrank case guide` with --of {first} shows which national numbers move it. "
            "Occasions (passes, errands, in a war war.opportunities) lift the quiet time as well; effects of "
            "events do not.",
        )
    ]
