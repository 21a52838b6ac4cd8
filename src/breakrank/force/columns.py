"""The tables a force is made of, and the meaning of their codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

VEHICLE, BORDER_POST, ESCORT, GUARDS_POLITICIAN = 1, 2, 4, 8
"""Flags of the column ``access``: what a soldier can get at. They add up."""

UNIT, CLASSMATE, KIN = 0, 1, 2
"""Codes of ``ties.kind``: comrade in the same unit, academy classmate, relative."""


class Frozen:
    """Base of the tables: their arrays are read-only, also after a trip to another process."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for _, value in self._items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(value for _, value in self._items())

    def _items(self) -> Iterator[tuple[str, Any]]:
        for f in fields(self):  # type: ignore[arg-type]
            yield f.name, getattr(self, f.name)


@dataclass(frozen=True, slots=True)
class Labels:
    """Identifiers behind the codes; position in a tuple is the code."""

    regions: tuple[str, ...]
    states: tuple[str, ...]
    branches: tuple[str, ...]
    ranks: tuple[str, ...]
    schools: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FormationTable(Frozen):
    """Formations (about a battalion or a brigade), in order of battle. Shape (formations,)."""

    region: NDArray[np.uint8]
    state: NDArray[np.uint8]
    branch: NDArray[np.uint8]

    def __len__(self) -> int:
        return self.region.size


@dataclass(frozen=True, slots=True, eq=False)
class UnitTable(Frozen):
    """Units (about a company), in order of battle. Shape (units,).

    ``size`` is the establishment: the soldiers a unit was set up with, not those still present.
    ``headquarters`` marks the units of the formation that commands a branch in its region.
    """

    formation: NDArray[np.int32]
    state: NDArray[np.uint8]
    branch: NDArray[np.uint8]
    size: NDArray[np.int32]
    headquarters: NDArray[np.bool_]

    def __len__(self) -> int:
        return self.formation.size


@dataclass(frozen=True, slots=True, eq=False)
class ClassTable(Frozen):
    """Sections of academy classes; ``school_class`` c stands in row c - 1. Shape (classes,).

    ``school`` indexes ``labels.schools``, ``entry`` is the calendar year of joining up, ``section``
    counts from 0, ``expected`` is how many soldiers the establishment puts into a section on average.
    """

    school: NDArray[np.uint8]
    entry: NDArray[np.int16]
    section: NDArray[np.int32]
    expected: NDArray[np.float64]

    def __len__(self) -> int:
        return self.school.size


@dataclass(frozen=True, slots=True, eq=False)
class Ties(Frozen):
    """Trust ties, as a compressed sparse row table: symmetric, sorted, no pair twice, nobody with themselves.

    Attributes
    ----------
    start : int64, shape (n + 1,); the ties of position i stand at ``start[i]:start[i + 1]``.
    other : int32, shape (m,); the other's position, ascending within a row. Each tie stands twice.
    kind : uint8, shape (m,); `UNIT`, `CLASSMATE` or `KIN`.
    """

    start: NDArray[np.int64]
    other: NDArray[np.int32]
    kind: NDArray[np.uint8]

    def __len__(self) -> int:
        return self.other.size

    def of(self, position: int) -> NDArray[np.int32]:
        """Return the positions of those whom the soldier at `position` trusts."""
        return self.other[self.start[position] : self.start[position + 1]]

    def degree(self, kind: int | None = None) -> NDArray[np.int64]:
        """Return how many ties each soldier has, of one kind or of all, shape (n,)."""
        if kind is None:
            return np.diff(self.start)
        before = np.concatenate(([0], np.cumsum(self.kind == kind, dtype=np.int64)))
        return np.asarray(np.diff(before[self.start]), np.int64)
