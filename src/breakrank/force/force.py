"""The synthetic force: its tables, the meaning of their codes, and a row for each soldier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import UsageError

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


@dataclass(frozen=True, slots=True, eq=False)
class Force(Frozen):
    """Synthetic soldiers; none is a real person. All columns are read-only, shape (n,).

    Attributes
    ----------
    identity : uint32, ascending. Names a soldier for good, and names their draws; a *position* is
        merely where they stand in the columns.
    branch, rank, state : uint8 codes into `labels`; ranks count from the lowest.
    unit : int32, row of `units`, ascending.
    years : uint8, years served.
    school_class : uint32, section of an academy class: row of `classes` plus 1, 0 for none.
    dependants : uint8, people who live on their pay.
    kin_abroad : bool, has relatives abroad who could take them in.
    access : uint8, sum of the flags `VEHICLE`, `BORDER_POST`, `ESCORT` and `GUARDS_POLITICIAN`.
    units, formations, classes : tables of the whole force as established.
    labels : identifiers behind the codes.
    ties : trust ties between positions.
    """

    identity: NDArray[np.uint32]
    branch: NDArray[np.uint8]
    rank: NDArray[np.uint8]
    state: NDArray[np.uint8]
    unit: NDArray[np.int32]
    years: NDArray[np.uint8]
    school_class: NDArray[np.uint32]
    dependants: NDArray[np.uint8]
    kin_abroad: NDArray[np.bool_]
    access: NDArray[np.uint8]
    units: UnitTable
    formations: FormationTable
    classes: ClassTable
    labels: Labels
    ties: Ties

    @property
    def n(self) -> int:
        """Soldiers present."""
        return self.identity.size

    @property
    def unit_start(self) -> NDArray[np.int64]:
        """Positions of unit u are ``unit_start[u]:unit_start[u + 1]``; int64, shape (units + 1,)."""
        return np.searchsorted(self.unit, np.arange(len(self.units) + 1)).astype(np.int64)

    @property
    def formation(self) -> NDArray[np.int32]:
        """Formation of each soldier, int32, shape (n,)."""
        return self.units.formation[self.unit]

    @property
    def leader(self) -> NDArray[np.int32]:
        """Position of each unit's leader, -1 where nobody is left; int32, shape (units,).

        The highest rank leads, among equals the longest service, then the lowest identity.
        """
        start = self.unit_start
        leader = np.full(len(self.units), -1, np.int32)
        manned = np.flatnonzero(np.diff(start))
        seniority = self.rank.astype(np.uint16) << 8 | self.years
        if manned.size:
            best = np.maximum.reduceat(seniority, start[manned])
            sizes = np.diff(start)[manned]
            first = np.flatnonzero(seniority == np.repeat(best, sizes))
            where, at = np.unique(self.unit[first], return_index=True)
            leader[where] = first[at]
        return leader

    def position(self, identity: int) -> int:
        """Return where a soldier stands in the columns.

        Raises
        ------
        UsageError
            if nobody of that identity is in the force.
        """
        at = int(np.searchsorted(self.identity, identity)) if identity >= 0 else self.n
        if at == self.n or int(self.identity[at]) != identity:
            raise UsageError(
                f"no soldier {identity} in this force of {self.n:,}"
                + (f": identities run from {self.identity[0]} to {self.identity[-1]}" if self.n else "")
            )
        return at

    def __repr__(self) -> str:
        n = max(1, self.n)
        comrades, classmates, kin = (
            np.count_nonzero(self.ties.kind == k) / n for k in (UNIT, CLASSMATE, KIN)
        )
        share = {
            name: np.count_nonzero(self.access & flag) / n
            for name, flag in (
                ("a vehicle", VEHICLE),
                ("a border post", BORDER_POST),
                ("escort duty", ESCORT),
                ("guard of a politician", GUARDS_POLITICIAN),
            )
        }
        return "\n".join(
            (
                f"Force of {_count(self.n, 'soldier')}",
                f"├── order of battle: {_count(len(self.labels.regions), 'region')},"
                f" {_count(len(self.formations), 'formation')}, {_count(len(self.units), 'unit')}",
                f"├── {_count(len(self.labels.branches), 'branch', 'branches')},"
                f" {_count(len(self.labels.ranks), 'rank')},"
                f" stationed in {_count(len(np.unique(self.state)), 'state')}",
                f"├── access: {', '.join(f'{name} {s:.1%}' for name, s in share.items())}",
                f"├── {self.dependants.mean() if self.n else 0:.2f} dependants per soldier,"
                f" {self.kin_abroad.mean() if self.n else 0:.1%} with kin abroad",
                f"└── {len(self.ties) / n:.2f} ties per soldier:"
                f" {comrades:.2f} comrades, {classmates:.2f} classmates, {kin:.2f} kin",
            )
        )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
