"""What leavers do in each phase of a day, as steps of tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import (
    DEFEATED,
    DESERT,
    DUE_ARRIVAL,
    DUE_EMBASSY_EXIT,
    DUE_REGISTRATION,
    EV_INVITED,
    INVITED,
    LEAVE,
    LEAVE_WITH_FAMILY,
    SERVING,
    TRAVELLING,
    WARNED,
)
from breakrank.engine.moments import Moments, Soldiers, TrustTies
from breakrank.engine.records import RunRecords, due, record
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean, straight
from breakrank.mechanisms.arrivals import Border, arrive, register
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.ground import Ground
from breakrank.mechanisms.journeys import (
    Journeys,
    Leaving,
    Roads,
    depart,
    go_as_civilians,
    plan_to_go,
    slip_away,
)
from breakrank.mechanisms.regime import Watch
from breakrank.mechanisms.route_parameters import DECLARES, LEAD
from breakrank.mechanisms.route_waiting import Intentions
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_ASK = int(decision("ways_out.ask_along"))


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


@straight
@kernel
def ask_along(
    now: Now,
    soldiers: Soldiers,
    moments: Moments,
    ties: TrustTies,
    leads: NDArray[np.int64],
    records: RunRecords,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Let leaders who set out alone ask trusted comrades of their unit to come along.

    Returns whom they ask, and who asks each (positions). `leads` (rank,): how many each can lead.
    """
    n, room = 0, 0
    for j in range(moments.who.shape[0]):
        if moments.choice[j] == LEAVE:
            room += ties.start[moments.who[j] + 1] - ties.start[moments.who[j]]
    friends, leaders = np.empty(room, np.int32), np.empty(room, np.int32)
    for j in range(moments.who.shape[0]):
        i, why = moments.who[j], moments.occasion[j]
        if moments.choice[j] != LEAVE or why in (INVITED, WARNED, DEFEATED):
            continue
        most = leads[records.rank[i]]
        if records.fate[i] != TRAVELLING or most == 0:
            continue
        if uniform(now.key, _ASK, records.identity[i], _NOBODY, now.day) >= LEAD:
            continue
        first = n
        for friend in ties.other[ties.start[i] : ties.start[i + 1]]:
            if n == first + most:
                break
            if records.fate[friend] == SERVING and soldiers.unit[friend] == soldiers.unit[i]:
                friends[n], leaders[n] = friend, i
                n += 1
        if n > first:
            record(records, now.day, i, EV_INVITED, -1, -1, float(n - first))
    return friends[:n], leaders[:n]


@kernel
def go_later(
    now: Now, soldiers: Soldiers, a: Leaving, roads: Roads, journeys: Journeys, records: RunRecords
) -> None:
    """Some who left the service in the open leave the country later, as civilians."""
    go_as_civilians(now, soldiers, records, roads, journeys)
    plan_to_go(now, a, records)


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
