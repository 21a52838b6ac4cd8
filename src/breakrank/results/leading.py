"""Which figure leads: the one that a case chooses, else the one that its record counts most often."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from breakrank.outputs import named_part
from breakrank.results.measure_table import find

if TYPE_CHECKING:
    from breakrank.case import Case, Target

COUNTS = ("soldiers", "persons")
"""Units that are told for the whole force."""


def counted_measures(case: Case) -> tuple[str, ...]:
    """Return the counts that figures of the record speak of: those of the whole force before those of a part.

    Of each kind the most frequent comes first.
    """
    told = [t for t in case.targets if find(t.measure).unit in COUNTS and not t.against]
    counted, whole = Counter(t.measure for t in told), {t.measure for t in told if not t.by}
    return tuple(sorted(counted, key=lambda name: (name not in whole, -counted[name])))


def headline_target(case: Case) -> Target | None:
    """Return the target that a case chooses as its headline; ``None`` where it chooses none."""
    return next((target for target in case.targets if target.id == case.headline), None)


def headline_measure(case: Case) -> str | None:
    """Return what the case's headline counts, of which part of the force; ``None`` where it chooses none."""
    told = headline_target(case)
    return named_part(told.measure, told.by or {}) if told and not told.against else None


def leading_measure(case: Case) -> str:
    """Return what the case's headline counts, else the first of :func:`counted_measures`, else who left."""
    told = headline_target(case)
    return told.measure if told else (*counted_measures(case), "left_abroad")[0]
