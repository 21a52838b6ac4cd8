"""The variables of a result, as the mechanisms declare them, and the labels along their dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from breakrank.labels import (
    AIMS,
    FATES,
    IN_CARE,
    LEAKED,
    OUTCOMES,
    PLOT_ENDS,
    PLOT_SIZES,
    STANCES,
    STAYS,
)
from breakrank.outputs import CURRENCY, YES_OR_NO, Output

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.spec import Field

__all__ = [
    "AIMS",
    "CURRENCY",
    "FATES",
    "IN_CARE",
    "LEAKED",
    "OUTCOMES",
    "PLOT_ENDS",
    "PLOT_SIZES",
    "STANCES",
    "STAYS",
    "VARIABLES",
    "YES_OR_NO",
    "coordinates",
    "days",
    "field_variable",
]

if TYPE_CHECKING:
    VARIABLES: Mapping[str, Output]
    """Every variable that a run of the built-in model hands back, by name. Mechanisms of other packages add
    theirs: those of a case stand in ``case.outputs``."""


def __getattr__(name: str) -> Mapping[str, Output]:
    if name != "VARIABLES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from breakrank.model import catalogue  # half a second, which who only looks at a result need not wait for

    return catalogue().outputs


def field_variable(field: Field) -> Output:
    """Return the output under which a dated field of the case stands in a result."""
    label = field.name.replace("_", " ").capitalize()
    return Output(f"field_{field.name}", ("day", *field.dims), "float32", label, field.unit, "mean")


def coordinates(case: Case) -> dict[str, tuple[str, ...]]:
    """Return the ids along every labelled dimension (not run and day), for this case."""
    return {
        "outcome": tuple(OUTCOMES),
        "fate": (*FATES, *case.catalogue.fates),
        "rank": tuple(r.id for r in case.force.ranks),
        "branch": tuple(b.id for b in case.force.branches),
        "state": tuple(s.id for s in case.force.states),
        "route": tuple(c.id for c in case.crossings),
        "region": tuple(r.id for r in case.force.regions),
        "aim": tuple(AIMS),
        "plot_end": tuple(PLOT_ENDS),
        "plot_size": tuple(PLOT_SIZES),
        "stance": tuple(STANCES),
        "stay": tuple(STAYS),
        "site": tuple(s.id for s in case.sites),
        "payer": tuple(p.id for p in getattr(case, "payers", ())),
    }


def days(case: Case) -> np.ndarray[tuple[int], np.dtype[np.datetime64]]:
    """Return the case's days, datetime64[ns], first to last inclusive."""
    start = np.datetime64(case.calendar.start, "D")
    return (start + np.arange(case.calendar.days)).astype("datetime64[ns]")
