"""How those who came over are treated, as they would tell it: a roof, bread, free hours, work."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.guest_table import IN_SITE, PRIVATE_HOME, SETTLED
from breakrank.table import Table


class Treatment(Table):
    """Weights of a roof, bread, and free hours (as again of work) in how someone is treated; in all 1.

    ``home`` is how much of a roof and of bread a private home gives, 0 to 1; ``free_hours`` how many hours a
    day count as full freedom.
    """

    roof: float
    bread: float
    freedom: float
    home: float
    free_hours: float


MEALS_A_DAY = 3


@lean
def quality_of(
    t: Treatment,
    stay: int,
    site: int,
    may_work: bool,
    hours: NDArray[np.float64],
    rations: NDArray[np.float64],
) -> tuple[float, float]:
    """Return how someone is treated, 0 to 1, and how he is fed, 0 to 1, by where he lives.

    At a site its rules count; a private home gives part of both and full freedom; the street
    only freedom; who may work feeds himself; who has settled has all of it.
    """
    if stay == IN_SITE:
        fed = min(rations[site] / MEALS_A_DAY, 1.0)
        roof, freedom = 1.0, min(hours[site] / t.free_hours, 1.0)
    elif stay >= SETTLED:
        return 1.0, 1.0
    elif stay == PRIVATE_HOME:
        roof, fed, freedom = t.home, t.home, 1.0
    else:
        roof, fed, freedom = 0.0, 0.0, 1.0
    work = 1.0 if may_work else 0.0
    fed = max(fed, work)
    return t.roof * roof + t.bread * fed + t.freedom * (freedom + work), fed


def treatment_weights(world: World) -> Treatment:
    """Return the weights of how someone is treated, adding up to 1."""
    bread, freedom = world["word_home.bread"], world["word_home.freedom"]
    whole = 1 + bread + 2 * freedom  # a roof counts 1, the right to work as much as freedom
    roof, bread, freedom = 1 / whole, bread / whole, freedom / whole
    home, free_hours = world["word_home.private_home"], world["word_home.free_hours"]
    return Treatment(roof, bread, freedom, home, free_hours)
