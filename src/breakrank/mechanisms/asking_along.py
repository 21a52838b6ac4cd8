"""Who of today's leavers asks comrades to come along, and whom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import (
    ADRIFT,
    CALLED_OVER,
    EV_INVITED,
    INVITED,
    LEAVE,
    SERVING,
    UNDER_FIRE,
    WAITED,
)
from breakrank.engine.moments import Moments, Soldiers, TrustTies
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean, straight
from breakrank.mechanisms.ways_parameters import LEAD

_NOBODY = int(NOBODY)
_ASK = int(decision("ways_out.ask_along"))
_ROOM = 64  # doubled where more are asked along


@lean
def _asks(now: Now, moments: Moments, leads: NDArray[np.int64], records: RunRecords, j: int) -> bool:
    """Return whether decider j leaves and asks comrades to come along."""
    i = moments.who[j]
    why = moments.occasion[j]
    free = moments.choice[j] == LEAVE and (why < INVITED or why in (UNDER_FIRE, ADRIFT, CALLED_OVER, WAITED))
    return (
        free
        and leads[records.rank[i]] > 0
        and uniform(now.key, _ASK, records.identity[i], _NOBODY, now.day) < LEAD
    )


@lean
def anyone_asks(now: Now, moments: Moments, leads: NDArray[np.int64], records: RunRecords) -> bool:
    """Return whether any of today's leavers asks comrades to come along."""
    for j in range(moments.who.shape[0]):  # noqa: SIM110 (compiled)
        if _asks(now, moments, leads, records, j):
            return True
    return False


@straight
@kernel
def ask_along(
    now: Now,
    soldiers: Soldiers,
    moments: Moments,
    leads: NDArray[np.int64],
    ties: TrustTies,
    records: RunRecords,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return whom today's leavers of leading rank ask to come along, and who asks (positions)."""
    day, who, unit = now.day, moments.who, soldiers.unit
    start, other = ties.start, ties.other
    invited = np.empty(_ROOM, np.int32)
    leaders = np.empty(_ROOM, np.int32)
    n = 0
    for j in range(who.shape[0]):
        i = who[j]
        if not _asks(now, moments, leads, records, j):
            continue
        asked = 0
        for t in range(start[i], start[i + 1]):
            friend = other[t]
            if asked >= leads[records.rank[i]] or records.fate[friend] != SERVING or unit[friend] != unit[i]:
                continue
            if n == invited.shape[0]:
                invited = np.concatenate((invited, np.empty_like(invited)))
                leaders = np.concatenate((leaders, np.empty_like(leaders)))
            invited[n], leaders[n] = friend, i
            n += 1
            asked += 1
        if asked:
            record(records, day, i, EV_INVITED, -1, -1, float(asked))
    return invited[:n], leaders[:n]
