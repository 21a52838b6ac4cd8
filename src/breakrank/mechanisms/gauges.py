"""Gauges: what is measured of those who serve, once a week, without touching anything.

The share privately opposed and the mean belief about comrades are read off a fixed sample of
soldiers (every k-th identity, some ten thousand of them; all in a small force).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.books import Books
from breakrank.engine.codes import SERVING
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import kernel
from breakrank.mechanisms.belief import Beliefs, belief_of
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.preference import Preferences, margin_of

EVERY = 7
SAMPLE = 10_000


@kernel
def _measure(
    books: Books, p: Preferences, g: Grievances, b: Beliefs, day: int, sample: NDArray[np.int64]
) -> tuple[float, float]:
    serving = 0
    opposed = 0
    believed = 0.0
    for i in sample:
        if books.fate[i] == SERVING:
            serving += 1
            believed += belief_of(b, i)
            if margin_of(p, g, day, i) > 0:
                opposed += 1
    if serving == 0:
        return np.nan, np.nan
    return opposed / serving, believed / serving


class Gauges(Mechanism):
    """Weekly measurements of opinion among those who serve; they change nothing."""

    name = "gauges"
    subsystem = 4

    def __init__(self, world: World) -> None:
        super().__init__(world)
        identity = world.force.identity
        step = max(1, int(identity[-1] + 1) // SAMPLE) if len(identity) else 1
        self.sample = np.flatnonzero(identity % step == 0)

    def dusk(self, run: Run) -> None:
        """Measure opposition and belief, once a week."""
        if run.day % EVERY == 0:
            opposed, believed = _measure(
                run.books,
                run.view(Preferences),
                run.view(Grievances),
                run.view(Beliefs),
                run.day,
                self.sample,
            )
            run.gauge("opposed", opposed)
            run.gauge("belief", believed)
