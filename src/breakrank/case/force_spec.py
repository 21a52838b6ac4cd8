"""The order of battle of a case, ready for building a force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from breakrank.case.content import Content
from breakrank.case.models_force import Branch, Rank, Region, State
from breakrank.errors import UsageError, nearest


class HasId(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Short name."""


T = TypeVar("T", bound=HasId)


class Listing(tuple[T, ...]):
    """Items in the order of the case file, e.g. the branches of a force.

    Examples
    --------
    >>> from breakrank.case.models_force import State
    >>> states = Listing([State(id="VE-A", label="Capital"), State(id="VE-S", label="Tachira")])
    >>> states.ids, states.position("VE-S"), states.named("VE-S").label
    (('VE-A', 'VE-S'), 1, 'Tachira')
    """

    __slots__ = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(item.id for item in self)

    def position(self, id: str) -> int:  # noqa: A002 (the word of the case files)
        """Return where the item with this id stands; UsageError (with the nearest id) when there is none."""
        for k, item in enumerate(self):
            if item.id == id:
                return k
        raise UsageError(f"there is no {id!r} here{nearest(id, self.ids)}. Known: {', '.join(self.ids)}")

    def named(self, id: str) -> T:  # noqa: A002
        """Return the item with this id; UsageError (with the nearest id) when there is none."""
        return self[self.position(id)]


def apportion(total: int, weights: ArrayLike) -> NDArray[np.int64]:
    """Share `total` soldiers out by largest remainder (Hamilton), so that the parts add up exactly.

    Parameters
    ----------
    total : soldiers to share out, 0 or more.
    weights : relative sizes, shape (k,), 0 or more, not all 0 unless `total` is 0.

    Returns
    -------
    Whole numbers, shape (k,), each less than 1 from its exact quota. Equal remainders go to the earlier.

    Examples
    --------
    >>> apportion(10, [1, 1, 1]).tolist()
    [4, 3, 3]
    """
    w = np.asarray(weights, np.float64)
    if total == 0:
        return np.zeros(w.shape, np.int64)
    quota = w / w.sum() * total
    parts: NDArray[np.int64] = np.floor(quota).astype(np.int64)
    short = total - int(parts.sum())
    parts[np.argsort(parts - quota, kind="stable")[:short]] += 1
    return parts


@dataclass(frozen=True, eq=False)
class ForceSpec:
    """What a force is built from.

    Attributes
    ----------
    strength : number of soldiers, 1 or more; the strengths of the branches add up to it.
    branches, ranks, regions, states : in the order of force.yaml, ranks lowest first; each knows its ``ids``.
    stations : float64 (state, branch), share of a branch stationed in a state; each column adds up to 1.
    rank_shares : float64 (rank, branch), share of a rank in a branch; each column adds up to 1.
    region_of : int64 (state,), position of the region each state belongs to.
    formation_size, unit_size : soldiers in a formation and in a unit, 1 or more.
    """

    strength: int
    branches: Listing[Branch]
    ranks: Listing[Rank]
    regions: Listing[Region]
    states: Listing[State]
    stations: NDArray[np.float64]
    rank_shares: NDArray[np.float64]
    region_of: NDArray[np.int64]
    formation_size: int
    unit_size: int

    def __repr__(self) -> str:
        return (
            f"Force of {self.strength:,}: {len(self.branches)} branches, {len(self.ranks)} ranks, "
            f"{len(self.states)} states in {len(self.regions)} regions"
        )


def force_spec(content: Content) -> ForceSpec:
    """Return the order of battle; the content has passed its checks."""
    force = content.force
    branches, states = Listing(force.branches), Listing(force.states)
    column = {b: k for k, b in enumerate(branches.ids)}
    row = {s: k for k, s in enumerate(states.ids)}
    stations = np.zeros((len(states), len(branches)))
    for state, branch, share in content.stations:
        stations[row[state], column[branch]] = share
    shares = np.array(
        [[r.share[b] if isinstance(r.share, dict) else r.share for b in branches.ids] for r in force.ranks]
    )
    region_of = np.zeros(len(states), np.int64)
    for k, region in enumerate(force.regions):
        for state in region.states:
            region_of[row[state]] = k
    stations /= stations.sum(axis=0)
    shares /= shares.sum(axis=0)
    for array in (stations, shares, region_of):
        array.flags.writeable = False
    return ForceSpec(
        force.strength.value,
        branches,
        Listing(force.ranks),
        Listing(force.regions),
        states,
        stations,
        shares,
        region_of,
        force.formations.size,
        force.formations.unit,
    )
