"""The ground that the opposition holds: what the case says of each state, and what units brought along.

How much of a state the opposition holds is the dated field ``held`` of the mechanism ``war``. Where a unit
goes over as a whole (the optional mechanism ``unit_defection``), the ground on which it stands is the
opposition's, too. The two are parts of a state that know nothing of each other: of which units took a share
a and the case says b, all but (1 - a)(1 - b) is held.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.table import Table, array


class Ground(Table):
    """What the opposition holds, in tenths.

    ``stated`` (day, state) by the case; ``held`` (day, state) with what units brought along, of which
    ``taken`` (state,) is the share of its posts; ``changes`` how often that has changed. ``stands`` bool
    (unit,), whether a unit has ground of the regime to stand on, and ``place`` (unit,) how much of its state
    the case has to give away before it has not, 0 to 1: below 0 where it went over.
    """

    stated: NDArray[np.float64] = array("day", "state")
    held: NDArray[np.float64] = array("day", "state")
    taken: NDArray[np.float64]
    changes: int
    stands: NDArray[np.bool_]
    place: NDArray[np.float64]


def open_ground(stated: NDArray[np.float64], units: int) -> Ground:
    """Return ground of which the opposition holds what the case says; so many units stand."""
    taken = np.zeros(stated.shape[1])
    return Ground(
        stated=stated,
        held=stated.copy(),
        taken=taken,
        changes=0,
        stands=np.ones(units, np.bool_),
        place=np.ones(units),
    )


@lean
def is_lost(ground: Ground, day: int, state: int, u: int) -> bool:
    """Return whether the ground of unit u is lost: its own, or all of its state."""
    return ground.stated[day, state] >= ground.place[u] or ground.held[day, state] >= 1.0


def bring_along(ground: Ground, day: int, taken: NDArray[np.float64]) -> None:
    """Let units have brought along a share of each state's posts, float64 (state,), from the next day on."""
    ground.taken[:] = taken
    ground.changes += 1
    later = slice(day + 1, None)
    ground.held[later] = np.round(1 - (1 - ground.stated[later]) * (1 - taken), 1)


def held_by_opposition(world: World) -> NDArray[np.float64]:
    """Return which share of each state the opposition holds, float64 (day, state), in tenths."""
    if "held" not in world.case.catalogue.fields or not world.on("war"):
        return np.zeros((world.days, len(world.state_ids)))
    return np.round(world.daily("held"), 1)
