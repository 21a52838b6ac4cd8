"""Who is adrift, and who is missing from each unit and around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import SERVING
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now
from breakrank.kernel import lean
from breakrank.table import Table, array


class Straggling(Table):
    """Who is adrift, and which units come apart; for the numbers see ``dissolution_parameters``.

    ``until`` int32 (soldier,) last day on which he is adrift, -1 for none. ``first`` (unit + 1,): the
    soldiers of unit u are ``men[first[u] : first[u + 1]]``. ``strength`` (unit, 2) soldiers and officers as
    they are remembered, ``gone`` (unit, 2) the share of them that is missing, and ``near`` (state, 2) that of
    all in a state, ``around``, where the opposition holds a part. ``held`` (day, state) share that it holds;
    ``officer`` bool (rank,). ``called`` positions of those who decide, the first
    ``count[0]``. ``left`` (day,) who left as his unit came apart. ``codes``: two events.
    """

    until: NDArray[np.int32]
    first: NDArray[np.int64]
    men: NDArray[np.int32]
    unit_state: NDArray[np.uint8]
    strength: NDArray[np.float64] = array("unit", "kind")
    gone: NDArray[np.float64] = array("unit", "kind")
    near: NDArray[np.float64] = array("state", "kind")
    around: NDArray[np.float64] = array("state", "kind")
    held: NDArray[np.float64] = array("day", "state")
    officer: NDArray[np.bool_]
    called: NDArray[np.int32]
    count: NDArray[np.int64]
    left: NDArray[np.int32]
    codes: NDArray[np.int64]
    days: int
    keep: float
    moments: float
    warning: float
    leaderless: float
    rout: float
    unseen: float
    unbound: float
    comrades: float
    officers: float
    threat: float


@lean
def missing(f: Straggling, u: int, kind: int) -> float:
    """Return the share of a unit that is missing, or of those around it where that is more."""
    return max(f.gone[u, kind], f.near[f.unit_state[u], kind])


@lean
def muster(now: Now, f: Straggling, records: RunRecords, keep: float) -> None:
    """Count who of each unit is there, and around it; the strength that is remembered follows with time."""
    f.near[:] = 0.0
    f.around[:] = 0.0
    for u in range(f.unit_state.shape[0]):
        here = officers = 0.0
        for k in range(f.first[u], f.first[u + 1]):
            i = f.men[k]
            if records.fate[i] == SERVING:
                here += 1.0
                officers += 1.0 if f.officer[records.rank[i]] else 0.0
        for kind in range(2):
            there = officers if kind else here
            f.strength[u, kind] = max(there, keep * f.strength[u, kind] + (1.0 - keep) * there)
            f.gone[u, kind] = 1.0 - there / f.strength[u, kind] if f.strength[u, kind] > 0.0 else 0.0
            f.around[f.unit_state[u], kind] += f.strength[u, kind]
            f.near[f.unit_state[u], kind] += f.strength[u, kind] - there
    for s in range(f.near.shape[0]):
        for kind in range(2):
            threatened = f.held[now.day, s] > 0.0 and f.around[s, kind] > 0.0
            f.near[s, kind] = f.near[s, kind] / f.around[s, kind] if threatened else 0.0
