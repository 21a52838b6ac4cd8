"""What runs that agree with the record cannot be asked: outcomes that they were chosen for.

A world is kept because its unchanged run agrees with the record. A change that moves what was chosen, such as
the day of a rising, undoes part of that choice: a difference then holds the change and the lost choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.results.outcomes import used

if TYPE_CHECKING:
    from breakrank.case import Case, Target
    from breakrank.results import Result


def chosen_for(case: Case) -> tuple[Target, ...]:
    """Return the figures of the record that the unchanged runs of a case were chosen for, if they were."""
    return tuple(t for t in case.targets if t.date <= case.calendar.end and used(t, case))


def settled(before: Result) -> frozenset[str]:
    """Return the outcomes that all unchanged runs share because they were chosen for them.

    Of these a paired difference says nothing: it cannot go in one of its two directions.
    """
    told = {target.measure for target in chosen_for(before.case)}
    found = (one for one in before.outcomes() if one.used is None and one.id in told)
    return frozenset(one.id for one in found if one.share in (0, 1) or one.least == one.most)


def caution(case: Case) -> str:
    """Return what to know of differences of such runs; nothing where they were not chosen."""
    number = len(chosen_for(case))
    if not number:
        return ""
    figures = f"{number} figure{'s' * (number != 1)}"
    return (
        f"The unchanged runs were chosen because they agree with {figures} of the record. A change that "
        "moves what was chosen, such as the day of a rising, undoes part of that choice. A difference then "
        "holds both."
    )
