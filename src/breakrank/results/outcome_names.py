"""What tables, charts and reports call what is counted, so that no two counts share a word.

Who presents himself abroad may declare for the challenger or not, and a host's register counts both, but
only those whom its scheme took in; the plain labels of the variables do not keep the three apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from breakrank.results.measures import MEASURES, find
from breakrank.results.variables import FATES, OUTCOMES

KINDS: Mapping[str, str] = MappingProxyType(
    dict(OUTCOMES)
    | {
        "registered_exit": "Exit (presented himself abroad)",
        "open_defection": "Open defection (and declared)",
    }
)
"""The kinds of leaving."""

WHERE: Mapping[str, str] = MappingProxyType(
    dict(FATES)
    | {
        "registered": "Abroad, presented himself",
        "abroad": "Abroad, presented to nobody",
        "declared": "Abroad, declared for the challenger",
    }
)
"""The fates."""

CALLED: Mapping[str, str] = MappingProxyType(
    {m.id: m.label for m in MEASURES.values()}
    | {k: label for k, label in WHERE.items() if k in MEASURES}
    | {"registered": "In the host's register"}
)
"""The measures of the model."""


def called(name: str) -> str:
    """Return what a measure is called; UsageError where there is none of this name."""
    return CALLED[name] if name in CALLED else find(name).label


APART = (
    "A soldier who presents himself abroad counts as an exit, or, if he also declares for the challenger, as "
    "an open defection. The host's register counts both, but only those admitted to the host's scheme."
)
"""The difference, in two sentences."""
