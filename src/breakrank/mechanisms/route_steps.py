"""What leavers do in each phase of a day, as steps of tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    DESERT,
    DUE_ARRIVAL,
    DUE_EMBASSY_EXIT,
    DUE_REGISTRATION,
    LEAVE,
    LEAVE_WITH_FAMILY,
)
from breakrank.engine.moments import Moments, Soldiers
from breakrank.engine.records import RunRecords, due
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.arrivals import Border, arrive, register
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.ground import Ground
from breakrank.mechanisms.journeys import Journeys, Leaving, Roads, depart, slip_away
from breakrank.mechanisms.regime import Watch
from breakrank.mechanisms.route_parameters import DECLARES
from breakrank.mechanisms.route_waiting import Intentions
from breakrank.table import Table, array


class Outlook(Table):
    """What the ways are like today: ``epoch`` (day,) counts changes by the case; the others as last seen.

    ``changes`` of the ground that units brought along.
    """

    epoch: NDArray[np.int64] = array("day")
    seen: int
    changes: int
    level: float
    closed: NDArray[np.bool_]


@lean
def changed(now: Now, o: Outlook, w: Watch, ground: Ground) -> bool:
    """What the routes are worth today."""
    changed = o.seen != o.epoch[now.day] or o.changes != ground.changes or o.level != w.today[0]
    o.seen, o.changes, o.level = o.epoch[now.day], ground.changes, w.today[0]
    for route in range(o.closed.shape[0]):
        changed = changed or o.closed[route] != w.closed[route]
        o.closed[route] = w.closed[route]
    return changed


@lean
def set_out(
    now: Now,
    soldiers: Soldiers,
    moments: Moments,
    a: Leaving,
    roads: Roads,
    journeys: Journeys,
    intentions: Intentions,
    records: RunRecords,
) -> bool:
    """Leavers set out or wait for a way; some deserters slip abroad; leaders ask comrades along."""
    if moments.count[DESERT]:
        slip_away(now, soldiers, moments, a, records, roads, journeys)
    if moments.count[LEAVE] + moments.count[LEAVE_WITH_FAMILY] == 0:
        return False
    depart(now, soldiers, moments, records, roads, journeys, intentions)
    return a.company > 0.0 and moments.count[LEAVE] > 0


@kernel
def end_journeys(
    now: Now,
    soldiers: Soldiers,
    b: Border,
    credit: Credit,
    roads: Roads,
    journeys: Journeys,
    records: RunRecords,
) -> None:
    """Journeys end: captured, shot, in an embassy, or across; the arrived register or do not."""
    head = records.head[now.day]
    if head[DUE_ARRIVAL] >= 0 or head[DUE_EMBASSY_EXIT] >= 0:
        arriving, leaving = due(records, now.day, DUE_ARRIVAL), due(records, now.day, DUE_EMBASSY_EXIT)
        arrive(now, soldiers, b, records, arriving, leaving, journeys, roads)
    if head[DUE_REGISTRATION] >= 0:
        registering = due(records, now.day, DUE_REGISTRATION)
        register(now, b, roads, DECLARES * credit.today[0], records, registering, journeys)
