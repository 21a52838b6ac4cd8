"""The inner loops of the routes: who takes which way, who comes along, and who leads others out.

Intentions to leave that wait for a way: who keeps one, and when it may be carried out.

A soldier weighs leaving by all ways that they have known, and may find the one that they choose shut. Then
they keep the intention until it fades. Once a way opens they decide again within days, with the same luck as
when they made up their mind: so they go unless their reasons have weakened meanwhile (the aspiration and the
ability to leave are two things: Carling 2002, "Migration in the age of involuntary immobility").
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, decision, uniform, uniforms
from breakrank.engine.codes import (
    AS_CIVILIAN,
    DEFEATED,
    DESERT,
    DUE_ARRIVAL,
    DUE_GOES,
    DUE_WAITED,
    EV_DISMISSED,
    EV_LEFT,
    EV_REFUSED_ORDER,
    EV_RESIGNED,
    EV_SHUT_OUT,
    HIDING,
    INVITED,
    LEAVE,
    LEAVE_WITH_FAMILY,
    POSTING,
    RESIGNED,
    SERVING,
    STAY,
    TRAVELLING,
    WAITED,
    WARNED,
)
from breakrank.engine.moments import Moment, Moments, Soldiers
from breakrank.engine.records import RunRecords, due, move, record, schedule, schedule_after
from breakrank.engine.run import Now
from breakrank.force.force import VEHICLE
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.route_graph import AGAIN, LATER
from breakrank.table import Table, array, number

HALF_LIFE: Final = 90.0
"""Days after which half of such intentions are given up. Assumed: a plan that cannot be carried out lasts
about as long as the grief or anger that made it, for months and not for years."""
LATEST: Final = 32_000
"""Latest day that can be noted: near the largest number of its type, and after any run has ended."""
DELAY: Final = 7.0
"""Mean days from the opening of a way until a soldier who waits for it can get away: a weekly pass."""

_NOBODY = int(NOBODY)
_KEEPS = int(decision("ways_out.keeps_intention"))


class Intentions(Table):
    """Who waits for a way, by soldier: ``until`` int16, the last day (-1: nobody waits); ``resolve`` float32.

    The latter is 1 less their luck on the day on which they made up their mind.
    """

    until: NDArray[np.int16]
    resolve: NDArray[np.float32]


@lean
def keep(now: Now, moments: Moments, j: int, intentions: Intentions) -> None:
    """Note the intention of decider `j`, with the day on which it will have faded."""
    i = moments.who[j]
    fades, _, _, _ = uniforms(now.key, _KEEPS, moments.identity[j], _NOBODY, 2 * now.day)
    intentions.until[i] = min(now.day - np.log2(fades) * HALF_LIFE, LATEST)
    intentions.resolve[i] = 1.0 - moments.draw[j]


@lean
def recall(moments: Moments, intentions: Intentions) -> None:
    """Give those who waited the random number with which they made up their minds."""
    for j in range(moments.who.shape[0]):
        if moments.occasion[j] == WAITED:
            moments.draw[j] = 1.0 - intentions.resolve[moments.who[j]]


@kernel
def remind(
    now: Now, soldiers: Soldiers, intentions: Intentions, nearer: NDArray[np.bool_], records: RunRecords
) -> None:
    """Let those decide soon who wait where a way has opened: `nearer` (state, rank)."""
    for i in range(intentions.until.shape[0]):
        if intentions.until[i] < now.day or records.fate[i] != SERVING:
            continue
        if nearer[soldiers.state[i], soldiers.rank[i]]:
            waits, _, _, _ = uniforms(now.key, _KEEPS, soldiers.identity[i], _NOBODY, 2 * now.day + 1)
            schedule(records, now.day + int(-np.log(waits) * DELAY), DUE_WAITED, i)


_WAY = int(decision("ways_out.way"))
_SLIP = int(decision("ways_out.slip"))
ALONE, FAMILY, POSTED, HUNTED = 0, 1, 2, 3
"""Ways of leaving: the last for those on the run, whom embassies take in (and nobody else)."""
CIVILIAN = 4
"""How those travel who resigned before: by the ways of who goes alone, as far as anyone still wants them."""


class Journeys(Table):
    """Per soldier: way (-1: none), whose group (-1: their own), mode; whether they slip away, or are hunted.

    Per way ``arranged`` int32, the last day on which an embassy lets out those inside (-1: none yet).
    """

    route: NDArray[np.int16]
    leader: NDArray[np.int32]
    mode: NDArray[np.uint8]
    slips: NDArray[np.bool_]
    hunted: NDArray[np.bool_]
    arranged: NDArray[np.int32]


class Roads(Table):
    """The ways as they are today; see ``route_graph.Ways``. ``utility`` float64 (state, rank, mode, route).

    ``watched`` float64 (state, route) how closely the checkpoints on the way are watched, relative to the
    country's. ``manned`` bool (state, route): a crossing of that state at which units are posted. ``inland``
    bool (route,): it ends with an opposition inside the country. ``value`` (state, rank, mode) is the log-sum
    of ``utility`` over open ways. ``wished`` and ``hoped`` are the same if each way that ever was open is so.
    """

    utility: NDArray[np.float64] = array("state", "rank", "mode", "route")
    value: NDArray[np.float64] = array("state", "rank", "mode")
    wished: NDArray[np.float64] = array("state", "rank", "mode", "route")
    hoped: NDArray[np.float64] = array("state", "rank", "mode")
    days: NDArray[np.float64] = array("state", "route")
    checkpoints: NDArray[np.int64] = array("state", "route")
    watched: NDArray[np.float64] = array("state", "route")
    capture: NDArray[np.float64] = array("route")
    violence: NDArray[np.float64] = array("route")
    host: NDArray[np.bool_] = array("route")
    embassy: NDArray[np.bool_] = array("route")
    inland: NDArray[np.bool_] = array("route")
    manned: NDArray[np.bool_] = array("state", "route")
    stay: NDArray[np.float64] = array("route")
    checkpoint_risk: float
    posted_risk: float = number("routes.posted_risk")
    alert: float = number("routes.alert")


@lean
def way_of(occasion: int) -> int:
    """Return how someone who goes alone leaves on an occasion: ALONE, POSTED or HUNTED."""
    if occasion == POSTING:
        return POSTED
    return HUNTED if occasion in (WARNED, DEFEATED) else ALONE


def no_roads(states: int, ranks: int, routes: int) -> Roads:
    """Return ways of which none is open."""
    size = {"state": states, "rank": ranks, "mode": 4, "route": routes}
    blank = dict.fromkeys(("utility", "value", "wished", "hoped"), -np.inf) | {"days": np.inf, "watched": 1.0}
    columns = {
        name: np.full([size[axis] for axis in axes.split(", ")], blank.get(name, 0), kind)
        for name, kind, axes in Roads.declared()
        if axes
    }
    return Roads(**columns, checkpoint_risk=0.0)


class Leaving(Table):
    """What helps a soldier away, utility units: the use of a vehicle, and being asked along (``company``).

    ``slip_share`` of those who desert slip abroad, and of those who resign leave the country later;
    ``openly`` whether anyone can resign.
    """

    vehicle: float = number("decision.head_start")
    slip_share: float = number("routes.slip_abroad")
    company: float = number("routes.joint_exit_weight")
    openly: bool


@lean
def worth_alone(at: Moment, r: Roads, j: Journeys) -> float:
    """Return the value of the routes to somebody who goes alone, utility units; -inf if none is known."""
    if at.occasion == INVITED:
        return r.utility[at.state, at.rank, j.mode[at.leader], j.route[at.leader]]
    return r.hoped[at.state, at.rank, way_of(at.occasion)]


@lean
def worth_with_family(at: Moment, r: Roads, j: Journeys) -> float:
    """Return the value of the routes to somebody who takes their family, as :func:`worth_alone` does."""
    if at.occasion == INVITED:
        posted = j.mode[at.leader] == POSTED
        return -np.inf if posted else r.utility[at.state, at.rank, FAMILY, j.route[at.leader]]
    return r.hoped[at.state, at.rank, FAMILY]


@lean
def helped(at: Moment, worth: float, a: Leaving, soldiers: Soldiers) -> float:
    """Return the value of routes with the vehicle that one may have; 0 if none is open."""
    if worth == -np.inf:
        return 0.0
    drives = soldiers.access[at.who] & VEHICLE and at.occasion != INVITED
    return worth + a.vehicle if drives else worth


@kernel
def pick_way(utility: NDArray[np.float64], draw: float) -> int:
    """Return the way that a draw from (0, 1) picks by softmax of `utility`; -1 if none is open."""
    highest = utility.max()
    if highest == -np.inf:
        return -1
    total = 0.0
    for u in utility:
        total += np.exp(u - highest)
    passed = 0.0
    last = -1
    for k in range(utility.shape[0]):
        if utility[k] > -np.inf:
            passed += np.exp(utility[k] - highest)
            last = k
            if draw * total < passed:
                break
    return last


@kernel
def way_abroad(roads: Roads, state: int, rank: int, draw: float) -> int:
    """Return the way abroad that a draw from (0, 1) picks for who goes alone; -1 if none is open."""
    utility = roads.utility[state, rank, ALONE]
    return pick_way(np.where(roads.inland, -np.inf, utility), draw)


@lean
def set_off(
    now: Now,
    records: RunRecords,
    roads: Roads,
    journeys: Journeys,
    i: int,
    state: int,
    route: int,
    mode: int,
    slips: bool,
    value: float,
) -> None:
    """Set soldier i on a way by themselves, at whose end they are once its days are over."""
    journeys.route[i], journeys.leader[i], journeys.mode[i], journeys.slips[i] = route, -1, mode, slips
    move(records, now.day, i, TRAVELLING, EV_LEFT, route, -1, value)
    schedule(records, now.day + max(1, int(np.ceil(roads.days[state, route]))), DUE_ARRIVAL, i)


@kernel
def slip_away(
    now: Now,
    soldiers: Soldiers,
    moments: Moments,
    a: Leaving,
    records: RunRecords,
    roads: Roads,
    journeys: Journeys,
) -> None:
    """Send a share of those who deserted today across a border, unregistered."""
    key, day = now.key, now.day
    for j in range(moments.who.shape[0]):
        i = moments.who[j]
        if moments.choice[j] != DESERT or records.fate[i] != HIDING or records.since[i] != day:
            continue
        slip, way, _, _ = uniforms(key, _SLIP, records.identity[i], _NOBODY, day)
        if slip >= a.slip_share:
            continue
        route = way_abroad(roads, soldiers.state[i], records.rank[i], way)
        if route >= 0:
            set_off(now, records, roads, journeys, i, soldiers.state[i], route, ALONE, True, -1.0)


@lean
def plan_to_go(now: Now, a: Leaving, records: RunRecords) -> None:
    """Some of those who left the service in the open today will leave the country, on a later day."""
    if not a.openly:
        return
    for k in range(now.first, records.cursor[0]):
        if records.event[k] not in (EV_RESIGNED, EV_REFUSED_ORDER, EV_DISMISSED):
            continue
        i = records.who[k]
        slip, _, wait, _ = uniforms(now.key, _SLIP, records.identity[i], _NOBODY, now.day)
        if slip < a.slip_share:
            schedule_after(records, now.day + 1, -np.log(wait) * LATER, DUE_GOES, i)


@kernel
def go_as_civilians(
    now: Now, soldiers: Soldiers, records: RunRecords, roads: Roads, journeys: Journeys
) -> None:
    """Those who resigned and mean to leave the country set out; without an open way they try again."""
    key, day = now.key, now.day
    if records.head[day, DUE_GOES] < 0:
        return
    for i in due(records, day, DUE_GOES):
        if records.fate[i] != RESIGNED:
            continue
        draw = uniform(key, _SLIP, records.identity[i], _NOBODY, APART + day)
        route = way_abroad(roads, soldiers.state[i], records.rank[i], draw)
        if route >= 0:
            set_off(now, records, roads, journeys, i, soldiers.state[i], route, CIVILIAN, False, AS_CIVILIAN)
        else:
            schedule(records, day + AGAIN, DUE_GOES, i)


@kernel
def depart(
    now: Now,
    soldiers: Soldiers,
    moments: Moments,
    records: RunRecords,
    roads: Roads,
    journeys: Journeys,
    intentions: Intentions,
) -> None:
    """Set those on their way who chose to leave; who was invited takes their leader's way.

    Who chose a way that is shut today stays, and keeps the intention.
    """
    key, day = now.key, now.day
    who, choice, occasion, leader = moments.who, moments.choice, moments.occasion, moments.leader
    state = soldiers.state
    for j in range(who.shape[0]):
        if choice[j] != LEAVE and choice[j] != LEAVE_WITH_FAMILY:
            continue
        i = who[j]
        mode = FAMILY if choice[j] == LEAVE_WITH_FAMILY else ALONE
        head = -1
        if occasion[j] == INVITED:
            head = leader[j]
            route = int(journeys.route[head])
            if mode == ALONE:
                mode = journeys.mode[head] if journeys.mode[head] != FAMILY else ALONE
        else:
            if occasion[j] == POSTING:
                mode = POSTED
            draw = uniform(key, _WAY, records.identity[i], _NOBODY, day)
            way = mode if mode == FAMILY else way_of(occasion[j])
            route = pick_way(roads.wished[state[i], records.rank[i], way], draw)
            if roads.utility[state[i], records.rank[i], way, route] == -np.inf:
                keep(now, moments, j, intentions)
                record(records, day, i, EV_SHUT_OUT, route, -1, float(mode))
                choice[j] = STAY
                continue
            if mode == POSTED and not roads.manned[state[i], route]:
                mode = ALONE  # he slips away from his post to a way that he does not guard
        journeys.route[i], journeys.leader[i], journeys.mode[i] = route, head, mode
        journeys.slips[i] = False
        move(records, day, i, TRAVELLING, EV_LEFT, route, head, float(mode))
        begins = state[head] if head >= 0 else state[i]
        wait = 0 if mode == POSTED else max(1, int(np.ceil(roads.days[begins, route])))
        schedule(records, day + wait, DUE_ARRIVAL, i)


@kernel
def lead_out(
    now: Now, name: int, soldiers: Soldiers, records: RunRecords, i: int, roads: Roads, journeys: Journeys
) -> bool:
    """Set the leader of a planned crossing on their way; return whether there is one."""
    draw, state = uniform(now.key, name, records.identity[i], _NOBODY, now.day), soldiers.state[i]
    route = pick_way(roads.utility[state, records.rank[i], ALONE], draw)
    if route >= 0:
        set_off(now, records, roads, journeys, i, state, route, ALONE, False, float(ALONE))
    return route >= 0
