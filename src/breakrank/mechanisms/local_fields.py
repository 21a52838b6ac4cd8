"""What may differ by state and branch where a case names the mechanism ``local``, as others read it.

A cell is one branch in one state; a unit is of one cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.mechanisms.regime import SURVEILLANCE
from breakrank.spec import Dimension, Field
from breakrank.units import DAYS_A_YEAR

_HERE: tuple[Dimension, ...] = ("state", "branch")
LEAVE = Field("leave", "ratio to usual", 0, 1000, "leave passes, by state and branch", _HERE, 1.0)
OUTSIDE = Field(
    "errands", "ratio to usual", 0, 1000, "errands outside the base, by state and branch", _HERE, 1.0
)
OPINION = Field(
    "opinion",
    "standard deviations",
    -10,
    10,
    "how far soldiers of a state and branch are more opposed than the force, by what they think",
    _HERE,
    0.0,
)
FIELDS = (LEAVE, OUTSIDE, OPINION)
_MOST = 256
"""Rows that a soldier's place among them, a byte, can name."""


def differs_here(world: World) -> bool:
    """Return whether a case tells states and branches apart."""
    return LEAVE.name in world.case.catalogue.fields and world.on("local")


def cell_of_units(world: World) -> NDArray[np.int32]:
    """Return the cell of each unit, int32 (unit,)."""
    units = world.force.units
    return (units.state.astype(np.int32) * len(world.branch_ids) + units.branch).astype(np.int32)


def by_cell(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an array by day, state and branch as one by day and cell."""
    days, states, branches = values.shape[:3]
    return np.ascontiguousarray(values.reshape(days, states * branches, *values.shape[3:]))


def watch_by_state(world: World) -> NDArray[np.float64]:
    """Return surveillance in each state relative to that of the country, float64 (day, state).

    The mean over those stationed there; 1 where a case does not tell places apart, or nobody is stationed.
    """
    shared = np.ones((world.days, len(world.state_ids)))
    watch = world.case.local(SURVEILLANCE.name) if differs_here(world) else None
    if watch is None:
        return shared
    there = world.case.force.stations
    strength = there.sum(axis=1)
    mean = (watch * there).sum(axis=2) / np.maximum(strength, 1e-12)
    whole = world.daily(SURVEILLANCE.name)[:, None]
    return np.where((whole > 0) & (strength > 0), mean / np.maximum(whole, 1e-12), shared)


def occasions_here(world: World, field: Field) -> NDArray[np.float64]:
    """Return years of usual occasions by the end of each day, float64 (cell, day)."""
    return np.ascontiguousarray(np.cumsum(by_cell(world.daily(field.name)), axis=0).T / DAYS_A_YEAR)


def bought_here(world: World, stated: bool = False) -> NDArray[np.float64] | None:
    """Return the part of the basket that pay buys, float64 (day, cell, rank); None if it is alike."""
    pay = world.case.local("pay", stated)
    if pay is None:
        return None
    basket = world.case.stated("basket") if stated else world.daily("basket")
    return by_cell(pay) / basket[:, None, None]


def stated_here(
    world: World, usual: NDArray[np.float64], weight: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    """Return grievance and opinion on the first day, shares of the strength, and the row of each soldier.

    Parameters
    ----------
    usual : grievance on the first day by the case's own fields, float64 (branch, rank), as if pay were alike.
    weight : of a standard deviation of what soldiers think, utility units.

    The first two are float64 (row, rank); cells in which nothing differs share a row.
    """
    force, states = world.case.force, len(world.state_ids)
    level = np.tile(usual, (states, 1))
    bought = bought_here(world, stated=True)
    if bought is not None:
        alike = world.case.stated("pay")[0] / world.case.stated("basket")[0]
        level += world["grievance.hardship_weight"] * (1 / (1 + bought[0]) - 1 / (1 + alike[None, :]))
    level += weight * by_cell(world.case.stated(OPINION.name))[0][:, None]
    share = (force.stations[:, :, None] * world.rank_shares[None, :, :]).reshape(level.shape)
    rows, row_of = np.unique(level, axis=0, return_inverse=True)
    weights = np.zeros_like(rows)
    np.add.at(weights, row_of, share)
    if len(rows) > _MOST:
        raise UsageError(f"opinion and pay tell {len(rows)} states and branches apart, and {_MOST} is most")
    return rows, weights, row_of.astype(np.uint8)[cell_of_units(world)[world.force.unit]]
