"""The order of battle of a case, ready for building a force."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.case.content import Content
from breakrank.case.listing import Listing
from breakrank.case.models_force import Branch, Rank, Region, State


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
