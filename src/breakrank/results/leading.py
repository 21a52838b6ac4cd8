"""Which figure leads: the one that the record of a case counts most often."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from breakrank.results.measure_table import find

if TYPE_CHECKING:
    from breakrank.case import Case

COUNTS = ("soldiers", "persons")
"""Units that are told for the whole force."""


def counted_measures(case: Case) -> tuple[str, ...]:
    """Return the counts that figures of the record speak of, the most frequent first."""
    counted = Counter(t.measure for t in case.targets if find(t.measure).unit in COUNTS and not t.against)
    return tuple(name for name, _ in counted.most_common())


def leading_measure(case: Case) -> str:
    """Return the count that most figures of the record speak of; of no record, who left."""
    return (*counted_measures(case), "left_abroad")[0]
