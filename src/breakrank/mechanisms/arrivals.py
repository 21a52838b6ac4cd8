"""The inner loops of arriving: how a journey ends, and who is then registered or declares themselves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, decision, uniform, uniforms
from breakrank.engine.codes import (
    ABROAD,
    DEAD,
    DECLARED,
    DETAINED,
    DUE_EMBASSY_EXIT,
    DUE_REGISTRATION,
    EMBASSY,
    EV_CAPTURED,
    EV_CROSSED,
    EV_DECLARED,
    EV_EMBASSY,
    EV_REGISTERED,
    EV_SHOT,
    EV_SLIPPED,
    IMPRISONED,
    REGISTERED,
    TRAVELLING,
)
from breakrank.engine.moments import Soldiers
from breakrank.engine.records import RunRecords, move, record, schedule
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.journeys import CIVILIAN, POSTED, Journeys, Roads
from breakrank.mechanisms.route_parameters import PARTIES, SHOT_DIES
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_LUCK = int(decision("ways_out.luck"))
_ABROAD = int(decision("ways_out.abroad"))


class Border(Table):
    """What awaits those who arrive; see ``route_parameters``.

    ``scheme`` (day,) whether the host registers; ``scheme_ahead`` (day,) the day on which its scheme opens,
    if later; ``custody`` whether the captured are held; ``dies`` chance that a hit kills; ``unregistered``
    and ``unregistered_kin`` shares who never register; ``lag`` days until they do; ``desk`` (day,)
    how many are registered at most; ``open_risk`` what those who resigned before still risk, relative to
    others.
    """

    scheme: NDArray[np.bool_] = array("day")
    scheme_ahead: NDArray[np.int64] = array("day")
    custody: bool
    desk: NDArray[np.int64] = array("day")
    unregistered: float
    unregistered_kin: float
    lag: float
    open_risk: float


@lean
def _risk(roads: Roads, state: int, route: int, posted: bool, hunted: bool) -> float:
    """Return the risk of being captured on a way from a state, also for those posted at its end."""
    risk = roads.capture[route]
    if posted:
        risk *= roads.posted_risk
    else:
        stopped = min(roads.checkpoint_risk * roads.watched[state, route], 1.0)
        risk = 1.0 - (1.0 - risk) * (1.0 - stopped) ** roads.checkpoints[state, route]
    if hunted:
        risk = 1.0 - (1.0 - risk) ** (1.0 + roads.alert)
    return risk


@lean
def arrive(
    now: Now,
    soldiers: Soldiers,
    b: Border,
    records: RunRecords,
    arriving: NDArray[np.int32],
    from_embassy: NDArray[np.int32],
    journeys: Journeys,
    roads: Roads,
) -> None:
    """End journeys: captured, shot, inside an embassy, or across and then registered or not.

    When the first enters an empty embassy it begins to ask for safe conduct. Once that is granted, all who
    are inside by then leave in :data:`PARTIES`, one a day.
    """
    key, day = now.key, now.day
    state = soldiers.state
    for i in arriving:
        if records.fate[i] != TRAVELLING:
            continue
        route = int(journeys.route[i])
        head = int(journeys.leader[i])
        group = i if head < 0 else head
        hunted = journeys.hunted[i] or journeys.hunted[group]
        risk = _risk(roads, state[group], route, journeys.mode[i] == POSTED, hunted)
        wanted = b.open_risk if journeys.mode[i] == CIVILIAN else 1.0
        when = day * 2
        if uniform(key, _LUCK, records.identity[group], _NOBODY, when) < risk * wanted:
            move(records, day, i, DETAINED if b.custody else IMPRISONED, EV_CAPTURED, route, head, 0.0)
            continue
        hit, fatal, _, _ = uniforms(key, _LUCK, records.identity[i], records.identity[group], when + 1)
        if hit < roads.violence[route] * wanted:
            if fatal < SHOT_DIES:
                move(records, day, i, DEAD, EV_SHOT, route, head, 1.0)
                continue
            record(records, day, i, EV_SHOT, route, head, 0.0)
        if roads.inland[route]:
            continue  # the opposition takes him in, or does not
        if roads.embassy[route]:
            move(records, day, i, EMBASSY, EV_EMBASSY, route, head, 0.0)
            if journeys.arranged[route] <= day:
                journeys.arranged[route] = day + int(roads.stay[route]) + PARTIES
            turn = int(PARTIES * uniform(key, _ABROAD, records.identity[group], _NOBODY, when))
            schedule(records, max(day + 1, journeys.arranged[route] - turn), DUE_EMBASSY_EXIT, i)
            continue
        kin = soldiers.kin_abroad[i]
        hides = b.unregistered_kin if kin else b.unregistered
        opens = b.scheme_ahead[day] if roads.host[route] else day
        _cross(now, records, i, route, journeys, hides, opens, b.lag)
    for i in from_embassy:
        if records.fate[i] == EMBASSY:
            _cross(now, records, i, int(journeys.route[i]), journeys, 0.0, day, b.lag)


@lean
def _cross(
    now: Now,
    records: RunRecords,
    i: int,
    route: int,
    journeys: Journeys,
    share: float,
    opens: int,
    lag: float,
) -> None:
    """Put soldier i across; before the host's first scheme opens, who means to present themselves waits."""
    key, day = now.key, now.day
    move(records, day, i, ABROAD, EV_CROSSED, route, journeys.leader[i], float(journeys.mode[i]))
    hides, waits, _, _ = uniforms(key, _ABROAD, records.identity[i], _NOBODY, APART + day)
    if journeys.slips[i] or hides < share:
        counted = journeys.slips[i] or journeys.mode[i] == CIVILIAN  # as he left his post
        record(records, day, i, EV_SLIPPED, route, -1, 0.0 if counted else 1.0)
        return
    schedule(records, max(day, opens) + int(-np.log(waits) * lag), DUE_REGISTRATION, i)


@kernel
def register(
    now: Now,
    b: Border,
    roads: Roads,
    declares: float,
    records: RunRecords,
    registering: NDArray[np.int32],
    journeys: Journeys,
) -> None:
    """Register those who present themselves (value 1: under the host's scheme); some declare besides.

    The host registers at most `desk` a day, in the order of their coming; the others come again tomorrow.
    """
    key, day = now.key, now.day
    desk, scheme, host = b.desk[day], b.scheme[day], roads.host
    for i in registering[np.argsort(records.since[registering], kind="mergesort")]:
        if records.fate[i] != ABROAD:
            continue
        route = int(journeys.route[i])
        if host[route]:
            if desk <= 0:
                schedule(records, day + 1, DUE_REGISTRATION, i)
                continue
            desk -= 1
        counted = 1.0 if (scheme and host[route]) else 0.0
        if journeys.mode[i] == CIVILIAN:  # counted when he resigned, and so not as alone
            move(records, day, i, REGISTERED, EV_REGISTERED, route, i, counted)
        elif uniform(key, _ABROAD, records.identity[i], _NOBODY, 2 * APART + day) < declares:
            move(records, day, i, DECLARED, EV_REGISTERED, route, i, counted)
            record(records, day, i, EV_DECLARED, route, -1, 0.0)
        else:
            move(records, day, i, REGISTERED, EV_REGISTERED, route, -1, counted)
