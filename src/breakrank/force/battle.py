"""The order of battle: force, region, formation, unit of about a hundred, and the slots in it.

Nothing here is drawn. Soldiers are numbered in order of battle, so that a unit is a run of identities.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from breakrank.force.columns import FormationTable, UnitTable
from breakrank.force.establishment import Establishment

COMMANDS_REGION, COMMANDS_FORMATION, COMMANDS_UNIT, REGIONAL_STAFF, FORMATION_STAFF, LINE = 1, 2, 4, 8, 16, 32
"""Kinds of slot a soldier can fill. The first slot of a unit commands; staff sits at headquarters."""


def order_of_battle(plan: Establishment) -> tuple[FormationTable, UnitTable]:
    """Divide the soldiers of each state and branch evenly into units, and the units into formations.

    Regions come in the case's order, then states, then branches. The formation that commands a
    branch in a region (``headquarters``) is the first one in the capital's state if that lies in
    the region, else in the state where the region has most soldiers of the branch.
    """
    formations: list[tuple[int, int, int]] = []
    unit_formation, unit_size, unit_hq = [], [], []
    for region, state, branch, strength in _garrisons(plan):
        units = max(1, round(strength / plan.unit_size))
        groups = min(units, max(1, round(strength / plan.formation_size)))
        within = np.arange(units, dtype=np.int64) * groups // units
        unit_formation.append(within + len(formations))
        unit_size.append(strength // units + (np.arange(units) < strength % units))
        unit_hq.append((within == 0) & (_seat(plan, region, branch) == state))
        formations += [(region, state, branch)] * groups
    table = np.array(formations, np.uint8)
    formation = np.concatenate(unit_formation)
    return FormationTable(*table.T.copy()), UnitTable(
        formation=formation.astype(np.int32),
        state=table[formation, 1],
        branch=table[formation, 2],
        size=np.concatenate(unit_size).astype(np.int32),
        headquarters=np.concatenate(unit_hq),
    )


def _garrisons(plan: Establishment) -> Iterator[tuple[int, int, int, int]]:
    """Yield region, state, branch and strength wherever a branch has soldiers, in order of battle."""
    for region in range(len(plan.labels.regions)):
        for state in np.flatnonzero(plan.region_of == region).tolist():
            for branch in np.flatnonzero(plan.posted_strength[state]).tolist():
                yield region, state, branch, int(plan.posted_strength[state, branch])


def _seat(plan: Establishment, region: int, branch: int) -> int:
    """Return the state from which a branch is commanded in a region."""
    here = np.where(plan.region_of == region, plan.posted_strength[:, branch], -1)
    return plan.capital if here[plan.capital] > 0 else int(here.argmax())


def slot_kinds(units: UnitTable) -> NDArray[np.uint8]:
    """Return the kind of every slot in order of battle, uint8, shape (n,).

    The lower half of the slots of regional headquarters, and of the first unit of every other
    formation, are staff; the rest of them are the clerks, drivers and guards that staff needs.
    """
    size = units.size.astype(np.int64)
    first = np.concatenate(([0], np.cumsum(size)))
    leading = np.concatenate(([True], np.diff(units.formation) != 0))
    staff = np.where(units.headquarters, REGIONAL_STAFF, np.where(leading, FORMATION_STAFF, LINE))
    slot = np.arange(first[-1], dtype=np.int32) - np.repeat(first[:-1].astype(np.int32), size)
    half = np.repeat((units.size // 2), size)
    kinds = np.where(slot < half, np.repeat(staff.astype(np.uint8), size), np.uint8(LINE))
    leader = np.where(units.headquarters, COMMANDS_REGION, COMMANDS_FORMATION)
    kinds[first[:-1]] = np.where(leading, leader, COMMANDS_UNIT)
    return kinds
