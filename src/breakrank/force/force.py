"""The synthetic force: one column per attribute, one row per soldier, in order of battle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import UsageError
from breakrank.force.columns import (
    BORDER_POST,
    CLASSMATE,
    ESCORT,
    GUARDS_POLITICIAN,
    KIN,
    UNIT,
    VEHICLE,
    ClassTable,
    FormationTable,
    Frozen,
    Labels,
    Ties,
    UnitTable,
)


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
    def branch_ids(self) -> tuple[str, ...]:
        """Identifiers of the branches, by code."""
        return self.labels.branches

    @property
    def rank_ids(self) -> tuple[str, ...]:
        """Identifiers of the ranks, by code, lowest first."""
        return self.labels.ranks

    @property
    def state_ids(self) -> tuple[str, ...]:
        """Identifiers of the states, by code."""
        return self.labels.states

    @property
    def region_ids(self) -> tuple[str, ...]:
        """Identifiers of the regions, by code."""
        return self.labels.regions

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

    def without(self, identity: int) -> Force:
        """Return the force without one soldier; everybody else keeps identity, columns and ties.

        Raises
        ------
        UsageError
            if nobody of that identity is in the force.
        """
        gone = self.position(identity)
        columns: dict[str, Any] = {
            name: np.delete(value, gone) for name, value in self._items() if isinstance(value, np.ndarray)
        }
        return replace(self, **columns, ties=_ties_without(self.ties, gone))

    def describe(self) -> str:
        """Return the strength by branch (rows) and rank (columns) as plain text."""
        shape = (len(self.branch_ids), len(self.rank_ids))
        flat = np.bincount(self.branch.astype(np.int64) * shape[1] + self.rank, minlength=shape[0] * shape[1])
        counts = flat.reshape(shape)
        rows = [("", *self.rank_ids, "all")]
        rows += [
            (name, *(f"{k:,}" for k in row), f"{row.sum():,}")
            for name, row in zip(self.branch_ids, counts, strict=True)
        ]
        rows.append(("all", *(f"{k:,}" for k in counts.sum(axis=0)), f"{self.n:,}"))
        width = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w)
                for i, (cell, w) in enumerate(zip(row, width, strict=True))
            ).rstrip()
            for row in rows
        )

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
                f"├── {_count(len(self.branch_ids), 'branch', 'branches')},"
                f" {_count(len(self.rank_ids), 'rank')},"
                f" stationed in {_count(len(np.unique(self.state)), 'state')}",
                f"├── access: {', '.join(f'{name} {s:.1%}' for name, s in share.items())}",
                f"├── {self.dependants.mean() if self.n else 0:.2f} dependants per soldier,"
                f" {self.kin_abroad.mean() if self.n else 0:.1%} with kin abroad",
                f"└── {len(self.ties) / n:.2f} ties per soldier:"
                f" {comrades:.2f} comrades, {classmates:.2f} classmates, {kin:.2f} kin",
            )
        )


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


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
