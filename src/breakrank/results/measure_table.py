"""The measures of the model: which variable answers each, and which by rank, branch, way out or site."""

from __future__ import annotations

from collections.abc import Mapping

from breakrank.errors import UsageError, nearest
from breakrank.model import catalogue, known_measures
from breakrank.outputs import Measure, MeasureSource

__all__ = ["MEASURES", "Measure", "MeasureSource", "find"]

MEASURES: Mapping[str, Measure] = catalogue().measures
"""Every measure that the built-in model answers, by id."""


def find(name: str) -> Measure:
    """Return the measure of that id, or raise :class:`UsageError` naming the nearest."""
    if name in MEASURES:
        return MEASURES[name]
    known = known_measures()
    if name not in known:
        raise UsageError(f"no measure {name!r}{nearest(name, known)} (known: {', '.join(known)})")
    return known[name]
