"""The measures of the model: which variable answers each, and which by rank, branch, route or site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from breakrank.errors import UsageError, nearest
from breakrank.outputs import Measure, asked_part

if TYPE_CHECKING:
    MEASURES: Mapping[str, Measure]
    """Every measure that the built-in model answers, by id."""


def __getattr__(name: str) -> Mapping[str, Measure]:
    if name != "MEASURES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from breakrank.model import catalogue  # half a second

    return catalogue().measures


def find(text: str) -> Measure:
    """Return the measure of that id, of a part or not, or raise :class:`UsageError` naming the nearest."""
    from breakrank.model import known_measures

    known, (name, _) = known_measures(), asked_part(text)
    if name not in known:
        raise UsageError(f"no measure {name!r}{nearest(name, known)} (known: {', '.join(known)})")
    return known[name]
