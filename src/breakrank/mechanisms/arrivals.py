"""The inner loops of arriving: how a journey ends, and who is then registered or declares himself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, uniform, uniforms
from breakrank.engine.books import Books, move, record, schedule
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
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.journeys import POSTED, Journeys, Roads

_NOBODY = int(NOBODY)


@lean
def arrive(
    key: np.uint64,
    luck: int,
    abroad: int,
    books: Books,
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
        if books.fate[i] != TRAVELLING:
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
        if uniform(key, luck, books.identity[group], _NOBODY, when) < risk:
            move(books, day, i, DETAINED if custody else IMPRISONED, EV_CAPTURED, route, head, 0.0)
            continue
        hit, fatal, _, _ = uniforms(key, luck, books.identity[i], books.identity[group], when + 1)
        if hit < roads.violence[route]:
            if fatal < dies:
                move(books, day, i, DEAD, EV_SHOT, route, head, 1.0)
                continue
            record(books, day, i, EV_SHOT, route, head, 0.0)
        if roads.embassy[route]:
            move(books, day, i, EMBASSY, EV_EMBASSY, route, head, 0.0)
            if journeys.arranged[route] <= day:
                journeys.arranged[route] = day + int(roads.stay[route]) + parties
            turn = int(parties * uniform(key, abroad, books.identity[group], _NOBODY, when))
            schedule(books, max(day + 1, journeys.arranged[route] - turn), DUE_EMBASSY_EXIT, i)
            continue
        _cross(
            key,
            abroad,
            books,
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
        if books.fate[i] == EMBASSY:
            _cross(
                key, abroad, books, day, i, int(journeys.route[i]), journeys, False, False, -1, 0.0, 0.0, lag
            )


@lean
def _cross(
    key: np.uint64,
    name: int,
    books: Books,
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
    move(books, day, i, ABROAD, EV_CROSSED, route, journeys.leader[i], float(journeys.mode[i]))
    hides, waits, _, _ = uniforms(key, name, books.identity[i], _NOBODY, APART + day)
    if journeys.slips[i] or hides < (unregistered_kin if kin else unregistered):
        record(books, day, i, EV_SLIPPED, route, -1, 0.0 if journeys.slips[i] else 1.0)
        return
    first = max(day, scheme_ahead) if host else day
    schedule(books, first + int(-np.log(waits) * lag), DUE_REGISTRATION, i)


@kernel
def register(
    key: np.uint64,
    name: int,
    books: Books,
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
    for i in registering[np.argsort(books.since[registering], kind="mergesort")]:
        if books.fate[i] != ABROAD:
            continue
        route = int(journeys.route[i])
        if host[route]:
            if desk <= 0:
                schedule(books, day + 1, DUE_REGISTRATION, i)
                continue
            desk -= 1
        counted = 1.0 if (scheme and host[route]) else 0.0
        if uniform(key, name, books.identity[i], _NOBODY, 2 * APART + day) < declares:
            move(books, day, i, DECLARED, EV_REGISTERED, route, i, counted)
            record(books, day, i, EV_DECLARED, route, -1, 0.0)
        else:
            move(books, day, i, REGISTERED, EV_REGISTERED, route, -1, counted)
