"""The verdict of a comparison in one paragraph: what differs clearly, of how many outcomes looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.results.paired import CONFIDENCE
from breakrank.show.words import between, interval

if TYPE_CHECKING:
    from breakrank.results.paired import Difference

NAMED = 4
"""Outcomes named at most."""


def verdict(differences: Sequence[Difference], runs: int) -> str:
    """Say what differs clearly, with the mean of the paired differences and its 95% interval.

    The first outcome is always named. Others are named in their order where they differ clearly.
    Where many are looked at, some intervals leave zero out by chance: the most that would on average if
    nothing differed are said beside them.
    """
    first, *others = differences
    of = len(differences)
    if runs < 2:
        return f"One pair of runs tells nothing of chance, so no difference can be judged ({of} looked at)."
    if first.told:
        words = f"In {runs:,} pairs of runs: {_said(first)}"
    else:
        middle = between(first.mean, first.low, first.high, first.unit, sign=True)
        numbers = f"{middle}, {interval(first.low, first.high, first.unit, sign=True)}"
        words = f"{runs:,} pairs of runs show no clear difference in “{first.label}” ({numbers})"
    clear = [one for one in others if one.told]
    if not clear and not first.told:
        return f"{words}, nor in any other of {of} outcomes looked at."
    told = "".join(f"; {_said(one)}" for one in clear[:NAMED])
    more = f"; and {len(clear) - NAMED} more" if len(clear) > NAMED else ""
    return (
        f"{words}{told}{more}. Each is the mean of the differences within pairs, with its 95% interval. "
        f"{len(clear) + first.told} of {of} outcomes looked at differ clearly; about "
        f"{(1 - CONFIDENCE) * of:.1g} would by chance if none did."
    )


def of_one(one: Difference, expected: str | None) -> str:
    """Return in words whether one outcome differs, and whether that is what the literature expects."""
    if one.runs < 2:
        return "one pair says nothing of chance"
    if one.before == one.after and one.more == one.less == 0:
        return "no difference"
    words = ("more" if one.mean > 0 else "less") if one.told else "no clear difference"
    if expected is None or expected == "either":
        return words
    told = {
        "agrees": "as expected",
        "opposite": "against what is expected",
        "unclear": f"{expected} is expected",
    }
    return f"{words}, {told[one.against(expected)]}"


def _said(one: Difference) -> str:
    how = "rises" if one.mean > 0 else "falls"
    way = 1 if one.mean > 0 else -1
    low, high = sorted((way * one.low, way * one.high))
    middle = between(way * one.mean, low, high, one.unit, sign=True).replace("+", "")
    ends = "in every pair" if low == high else interval(low, high, one.unit, sign=True).replace("+", "")
    return f"{one.label} {how} by {middle} ({ends})"
