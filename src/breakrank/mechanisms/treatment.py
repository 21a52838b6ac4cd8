"""How those who came over are treated, as they would tell it: a roof, bread, free hours, work."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.guest_table import IN_SITE, PRIVATE_HOME, SETTLED


class Treatment(NamedTuple):
    """Weights of a roof, bread, free hours and work in how someone is treated; they add up to 1."""

    roof: float
    bread: float
    freedom: float
    work: float


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

    At a site its rules count; a private home is half a roof and half the bread and full freedom; the street
    only freedom; who may work feeds himself; who has settled has all of it.
    """
    if stay == IN_SITE:
        fed = min(rations[site] / 3.0, 1.0)
        roof, freedom = 1.0, min(hours[site] / 12.0, 1.0)
    elif stay >= SETTLED:
        return 1.0, 1.0
    elif stay == PRIVATE_HOME:
        roof, fed, freedom = 0.5, 0.5, 1.0
    else:
        roof, fed, freedom = 0.0, 0.0, 1.0
    work = 1.0 if may_work else 0.0
    fed = max(fed, work)
    return t.roof * roof + t.bread * fed + t.freedom * freedom + t.work * work, fed


def treatment_weights(world: World) -> Treatment:
    """Return the weights of how someone is treated, adding up to 1."""
    weights = [world[f"word_home.{name}"] for name in ("roof", "bread", "freedom", "work")]
    total = sum(weights) or 1.0
    return Treatment(*(w / total for w in weights))
