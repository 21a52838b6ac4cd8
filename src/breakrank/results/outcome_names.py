"""What tables, charts and reports call what is counted, so that no two counts share a word.

Who presents himself abroad may declare for the challenger or not, and a host's register counts both, but
only those whom its scheme took in; the plain labels of the variables do not keep the three apart.
"""

from __future__ import annotations

from breakrank.labels import WHERE
from breakrank.outputs import asked_part
from breakrank.results.measure_table import find
from breakrank.wording import with_part


def called(name: str) -> str:
    """Return what a measure is called, with its part; UsageError where there is none of this name."""
    plain, part = asked_part(name)
    if part:
        return with_part(called(plain), part)
    if name == "registered":
        return "In the host's register"
    one = find(name)
    # a fate has the name of where people stand; a purge has that of one, and counts those it discharges
    return WHERE.get(name, one.label) if one.kind == "level" else one.label


APART = (
    "A soldier who presents himself abroad counts as an exit, or, if he also declares for the challenger, as "
    "an open defection. The host's register counts both, but only those admitted to the host's scheme."
)
"""The difference, in two sentences."""
AT_HOME = " Whoever goes over to an opposition at home has declared, too: an open defection."
"""What is to be added where a case has one."""
