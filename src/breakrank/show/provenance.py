"""Notes that precede a result's numbers: what they count, and what was changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.show.words import number

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results.result import Result

WHOLE_FORCE = (
    "People, places, files and money are those of the whole force; plots, uprisings, units and posts are as "
    "simulated."
)
"""What is said beside numbers of a force drawn in part."""


def one_stands_for(many: float) -> str:
    """Return for how many a soldier of a force drawn in part stands; empty where it is drawn in full.

    >>> one_stands_for(8.3), one_stands_for(1)
    ('One simulated soldier stands for 8.3.', '')
    """
    return "" if many == 1 else f"One simulated soldier stands for {number(many)}."


def drawn_in_part(stands_for: float) -> str:
    """Return that a force is drawn in part and what numbers count; empty where it is drawn in full."""
    return "" if stands_for == 1 else f"{one_stands_for(stands_for)} {WHOLE_FORCE}"


def changes(result: Result) -> str:
    """Return the changes of the case, e.g. ``"fear.on = 0; until 2019-06-30"``; empty if none."""
    return told(result.case, result.changed)


def told(case: Case, besides: str = "") -> str:
    """Return the changes of a case: added mechanisms, values, and what was changed `besides`."""
    added = (name for name in case.mechanisms if name not in case.content.case.mechanisms)
    parts = [f"with the mechanism {name}" for name in added]
    parts += [f"{name} = {p.value:g}" for name, p in case.parameters.items() if name in case.by_hand]
    return "; ".join([*parts, besides] if besides else parts)
