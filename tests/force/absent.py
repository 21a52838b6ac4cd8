"""A force without one soldier, as if they had never been drawn; and how many ties each has."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.force import Force
from breakrank.force.force import Ties


def without(force: Force, identity: int) -> Force:
    """Return the force without one soldier; everybody else keeps identity, columns and ties."""
    gone = force.position(identity)
    values = {field.name: getattr(force, field.name) for field in fields(force)}
    columns: dict[str, Any] = {
        name: np.delete(value, gone) for name, value in values.items() if isinstance(value, np.ndarray)
    }
    return replace(force, **columns, ties=_ties_without(force.ties, gone))


def _ties_without(ties: Ties, gone: int) -> Ties:
    """Take one position out of the ties and number the later ones anew."""
    row = slice(int(ties.start[gone]), int(ties.start[gone + 1]))
    keep = ties.other != gone
    keep[row] = False
    before = np.concatenate(([0], np.cumsum(keep, dtype=np.int64)))
    other = ties.other[keep]
    return Ties(
        start=np.delete(before[ties.start], gone),
        other=other - (other > gone),
        kind=ties.kind[keep],
    )


def degree(ties: Ties, kind: int | None = None) -> NDArray[np.int64]:
    """Return how many ties each soldier has, of one kind or of all, shape (n,)."""
    if kind is None:
        return np.diff(ties.start)
    before = np.concatenate(([0], np.cumsum(ties.kind == kind, dtype=np.int64)))
    return np.asarray(np.diff(before[ties.start]), np.int64)
