"""The inner loops of arriving: how a journey ends, and who is then registered or declares himself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, uniform, uniforms
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
from breakrank.engine.records import RunRecords, move, record, schedule
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.journeys import POSTED, Journeys, Roads

_NOBODY = int(NOBODY)


@lean
def arrive(
    key: np.uint64,
    luck: int,
    abroad: int,
    records: RunRecords,
    day: int,
    arriving: NDArray[np.int32],
    from_embassy: NDArray[np.int32],
    journeys: Journeys,
    roads: Roads,
    state: NDArray[np.uint8],
    kin_abroad: NDArray[np.bool_],
    scheme_ahead: int,
    custody: bool,
    dies: float,
    unregistered: float,
    unregistered_kin: float,
    lag: float,
    parties: int,
) -> None:
    """End journeys: captured, shot, inside an embassy, or across and then registered or not.

    When the first enters an empty embassy it begins to ask for safe conduct. Once that is granted, all who
    are inside by then leave in so many `parties`, one a day.
    """
    for i in arriving:
        if records.fate[i] != TRAVELLING:
            continue
        route = int(journeys.route[i])
        head = int(journeys.leader[i])
        group = i if head < 0 else head
        risk = roads.capture[route]
        if journeys.mode[i] == POSTED:
            risk *= roads.posted_risk
        else:
            risk = (
                1.0 - (1.0 - risk) * (1.0 - roads.checkpoint_risk) ** roads.checkpoints[state[group], route]
            )
        if journeys.hunted[i] or journeys.hunted[group]:
            risk = 1.0 - (1.0 - risk) ** (1.0 + roads.alert)
        when = day * 2
        if uniform(key, luck, records.identity[group], _NOBODY, when) < risk:
            move(records, day, i, DETAINED if custody else IMPRISONED, EV_CAPTURED, route, head, 0.0)
            continue
        hit, fatal, _, _ = uniforms(key, luck, records.identity[i], records.identity[group], when + 1)
        if hit < roads.violence[route]:
            if fatal < dies:
                move(records, day, i, DEAD, EV_SHOT, route, head, 1.0)
                continue
            record(records, day, i, EV_SHOT, route, head, 0.0)
        if roads.embassy[route]:
            move(records, day, i, EMBASSY, EV_EMBASSY, route, head, 0.0)
            if journeys.arranged[route] <= day:
                journeys.arranged[route] = day + int(roads.stay[route]) + parties
            turn = int(parties * uniform(key, abroad, records.identity[group], _NOBODY, when))
            schedule(records, max(day + 1, journeys.arranged[route] - turn), DUE_EMBASSY_EXIT, i)
            continue
        _cross(
            key,
            abroad,
            records,
            day,
            i,
            route,
            journeys,
            roads.host[route],
            kin_abroad[i],
            scheme_ahead,
            unregistered,
            unregistered_kin,
            lag,
        )
    for i in from_embassy:
        if records.fate[i] == EMBASSY:
            _cross(
                key,
                abroad,
                records,
                day,
                i,
                int(journeys.route[i]),
                journeys,
                False,
                False,
                -1,
                0.0,
                0.0,
                lag,
            )


@lean
def _cross(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    i: int,
    route: int,
    journeys: Journeys,
    host: bool,
    kin: bool,
    scheme_ahead: int,
    unregistered: float,
    unregistered_kin: float,
    lag: float,
) -> None:
    """Put soldier i across; before the host's first scheme opens, who means to present himself waits."""
    move(records, day, i, ABROAD, EV_CROSSED, route, journeys.leader[i], float(journeys.mode[i]))
    hides, waits, _, _ = uniforms(key, name, records.identity[i], _NOBODY, APART + day)
    if journeys.slips[i] or hides < (unregistered_kin if kin else unregistered):
        record(records, day, i, EV_SLIPPED, route, -1, 0.0 if journeys.slips[i] else 1.0)
        return
    first = max(day, scheme_ahead) if host else day
    schedule(records, first + int(-np.log(waits) * lag), DUE_REGISTRATION, i)


@kernel
def register(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    registering: NDArray[np.int32],
    journeys: Journeys,
    host: NDArray[np.bool_],
    scheme: bool,
    declares: float,
    desk: int,
) -> None:
    """Register those who present themselves (value 1: under the host's scheme); some declare besides.

    The host registers at most `desk` a day, in the order of their coming; the others come again tomorrow.
    """
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
        if uniform(key, name, records.identity[i], _NOBODY, 2 * APART + day) < declares:
            move(records, day, i, DECLARED, EV_REGISTERED, route, i, counted)
            record(records, day, i, EV_DECLARED, route, -1, 0.0)
        else:
            move(records, day, i, REGISTERED, EV_REGISTERED, route, -1, counted)
