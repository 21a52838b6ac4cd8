"""What runs that agree with the record cannot be asked: outcomes that they were chosen for.

A world is kept because its unchanged run agrees with the record. A change that moves what was chosen, such as
the day of a rising, undoes part of that choice: a difference then holds the change and the lost choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.results import Result


def chosen_for(before: Result) -> int:
    """Return how many figures of the record the unchanged runs were chosen for; 0 where they were not."""
    return sum(bool(one.used) for one in before.outcomes())


def settled(before: Result) -> frozenset[str]:
    """Return the outcomes that all unchanged runs share because they were chosen for them.

    Of these a paired difference says nothing: it cannot go in one of its two directions.
    """
    every = before.outcomes()
    told = {one.measure for one in every if one.used}
    same = {one.id for one in every if one.used is None and (one.share in (0, 1) or one.least == one.most)}
    return frozenset(told & same)


def caution(before: Result) -> str:
    """Return what to know of differences of such runs; nothing where they were not chosen."""
    figures = chosen_for(before)
    if not figures:
        return ""
    return (
        f"The unchanged runs were chosen because they agree with {figures} figures of the record. A change "
        "that moves what was chosen, such as the day of a rising, undoes part of that choice. A difference "
        "then holds both."
    )
