"""Names of counts in tables, charts and reports, so that no two counts share a word.

Who presents themselves abroad may declare for the challenger or not, and a host's register counts both, but
only those whom its scheme took in; the plain labels of the variables do not keep the three apart.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from breakrank.labels import WHERE
from breakrank.outputs import asked_part, named_part
from breakrank.results.measure_table import find
from breakrank.wording import with_part

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
    """Return the measure of the case's headline and its part of the force; ``None`` if it chooses none."""
    told = headline_target(case)
    return named_part(told.measure, told.by or {}) if told and not told.against else None


def leading_measure(case: Case) -> str:
    """Return what the case's headline counts, else the first of :func:`counted_measures`, else who left."""
    told = headline_target(case)
    return told.measure if told else (*counted_measures(case), "left_abroad")[0]


def called(name: str) -> str:
    """Return the label of a measure, with its part; UsageError for an unknown name."""
    plain, part = asked_part(name)
    if part:
        return with_part(called(plain), part)
    if name == "registered":
        return "In the host's register"
    one = find(name)
    # a fate has the name of where people stand; a purge has that of one, and counts those it discharges
    return WHERE.get(name, one.label) if one.kind == "level" else one.label


APART = (
    "A soldier who registers abroad counts as an exit, or, if they declare for the challenger too, as "
    "an open defection. The host's register counts both, but only those admitted to the host's scheme."
)
"""The difference, in two sentences."""
AT_HOME = " Whoever goes over to an opposition at home has declared, too: an open defection."
"""What is to be added where a case has one."""
