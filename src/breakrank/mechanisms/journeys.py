"""Ways out: the graph of routes, what each way costs, who takes which, and who leads others out.

A way is the quickest road from a soldier's station to a crossing, and the crossing itself. Its
risk of capture compounds that of the crossing with that of each checkpoint on the road. Crossings
open, close and change by date, and roads are cut; those posted at a closed crossing can still force it
(Schon 2020 on routes of flight; Flee, Suleimenova et al. 2017, on dated closures). Some ways end inside the
country: see the optional mechanism ``opposition``.

How much of a state an opposition holds is the dated field ``held`` of the mechanism ``war``. Where a unit
goes over as a whole (the optional mechanism ``unit_defection``), the ground on which it stands is the
opposition's, too. The two are parts of a state that know nothing of each other: of which units took a share
a and the case says b, all but (1 - a)(1 - b) is held. So many checkpoints fewer stand on the roads there, and
the risk at its crossings is so much lower (control of territory: Kalyvas 2006).

A soldier weighs leaving by all ways that they have known, and may find the one that they choose shut. Then
they keep the intention until it fades. Once a way opens they decide again within days, with the same luck as
when they made up their mind: so they go unless their reasons have weakened meanwhile (the aspiration and the
ability to leave are two things: Carling 2002, "Migration in the age of involuntary immobility").
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

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
from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.force.force import VEHICLE
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.grievance import differs_here
from breakrank.mechanisms.regime import SURVEILLANCE
from breakrank.table import Table, array, number

if TYPE_CHECKING:
    from breakrank.case.models_routes import Crossing


class Ground(Table):
    """What the opposition holds, in tenths.

    ``stated`` (day, state) by the case; ``held`` (day, state) with what units brought along, of which
    ``taken`` (state,) is the share of its posts; ``changes`` how often that has changed. ``stands`` (unit,),
    whether a unit has ground of the regime to stand on, and ``place`` (unit,) how much of its state the case
    has to give away before it has not, 0 to 1: below 0 where it went over.
    """

    stated: NDArray[np.float64] = array("day", "state")
    held: NDArray[np.float64] = array("day", "state")
    taken: NDArray[np.float64]
    changes: int
    stands: NDArray[np.bool_]
    place: NDArray[np.float64]


def open_ground(stated: NDArray[np.float64], units: int) -> Ground:
    """Return ground of which the opposition holds what the case says; so many units stand."""
    taken = np.zeros(stated.shape[1])
    return Ground(
        stated=stated,
        held=stated.copy(),
        taken=taken,
        changes=0,
        stands=np.ones(units, np.bool_),
        place=np.ones(units),
    )


@lean
def is_lost(ground: Ground, day: int, state: int, u: int) -> bool:
    """Return whether the ground of unit u is lost: its own, or all of its state."""
    return ground.stated[day, state] >= ground.place[u] or ground.held[day, state] >= 1.0


def bring_along(ground: Ground, day: int, taken: NDArray[np.float64]) -> None:
    """Let units have brought along a share of each state's posts, float64 (state,), from the next day on."""
    ground.taken[:] = taken
    ground.changes += 1
    later = slice(day + 1, None)
    ground.held[later] = np.round(1 - (1 - ground.stated[later]) * (1 - taken), 1)


def held_by_opposition(world: World) -> NDArray[np.float64]:
    """Return which share of each state the opposition holds, float64 (day, state), in tenths."""
    if "held" not in world.case.catalogue.fields or not world.on("war"):
        return np.zeros((world.days, len(world.state_ids)))
    return np.round(world.daily("held"), 1)


def watch_by_state(world: World) -> NDArray[np.float64]:
    """Return surveillance in each state relative to that of the country, float64 (day, state).

    The mean over those stationed there; 1 where a case does not tell places apart, or nobody is stationed.
    """
    shared = np.ones((world.days, len(world.state_ids)))
    watch = world.case.local(SURVEILLANCE.name) if differs_here(world) else None
    if watch is None:
        return shared
    there = world.case.force.stations
    strength = there.sum(axis=1)
    mean = (watch * there).sum(axis=2) / np.maximum(strength, 1e-12)
    whole = world.daily(SURVEILLANCE.name)[:, None]
    return np.where((whole > 0) & (strength > 0), mean / np.maximum(whole, 1e-12), shared)


LATER: Final = 60.0
"""Mean days from leaving the service in the open to leaving the country: time to sell, pack and be hired."""
AGAIN: Final = 30
"""Days after which who finds no way open tries again to leave the country as a civilian."""


def logsumexp(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(sum(exp(values))) over the last axis; -inf where all are -inf."""
    highest = values.max(axis=-1)
    shift = np.where(np.isfinite(highest), highest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(values - shift[..., None]).sum(axis=-1)) + shift)


@dataclass(frozen=True)
class Ways:
    """Every route out of every state.

    Attributes
    ----------
    world : of the case.
    cut : bool (day, road), which roads are cut; ``watch`` float64 (day, state), relative to the country's.
    home : int64 (route,), the state a crossing lies in.
    host, posted, embassy : bool (route,).
    inland : bool (route,), whether it ends with an opposition inside the country.
    usual : float64 (route,), by how much more usual it is than leaving the country, utility.
    ranks : bool (rank, route), whether a rank can take it.
    family : bool (route,), whether it can be done with a family.
    hardship : float64 (route,), 0 to 1; ``stay`` float64 (route,), mean days inside an embassy.
    open : bool (day, route); ``capture``, ``violence`` float64 (day, route).
    exposed : float64 (day, route), the risk of capture where nobody but the regime holds land.
    epoch : int64 (day,), counts the days on which anything of these changes.
    known : what roads were found to be like, by what is cut, held and watched.
    """

    world: World
    cut: NDArray[np.bool_]
    watch: NDArray[np.float64]
    home: NDArray[np.int64]
    host: NDArray[np.bool_]
    posted: NDArray[np.bool_]
    embassy: NDArray[np.bool_]
    inland: NDArray[np.bool_]
    usual: NDArray[np.float64]
    ranks: NDArray[np.bool_]
    family: NDArray[np.bool_]
    hardship: NDArray[np.float64]
    stay: NDArray[np.float64]
    open: NDArray[np.bool_]
    capture: NDArray[np.float64]
    exposed: NDArray[np.float64]
    violence: NDArray[np.float64]
    epoch: NDArray[np.int64]
    known: dict[bytes, _Roads] = field(default_factory=dict)

    def on(self, day: int, held: NDArray[np.float64]) -> WaysToday:
        """Return what the ways are like on a day on which the opposition holds these shares of states."""
        cut, watch = self.cut[day], self.watch[day]
        now = cut.tobytes() + held.tobytes() + watch.tobytes()
        if now not in self.known:
            self.known[now] = _roads(self.world, np.flatnonzero(cut).tolist(), held, watch)
        capture = np.where(self.inland, self.exposed[day], self.exposed[day] * (1 - held[self.home]))
        return WaysToday(*self.known[now], capture)


class WaysToday(NamedTuple):
    """The ways on one day.

    Attributes
    ----------
    days : float64 (state, route), on the road and across; inf where no road leads.
    checkpoints : int64 (state, route), on the road.
    watched : float64 (state, route), how closely they are watched, relative to the country's watch.
    guarded : float64 (route,), the same of each crossing. capture : float64 (route,), see :class:`Ways`.
    """

    days: NDArray[np.float64]
    checkpoints: NDArray[np.int64]
    watched: NDArray[np.float64]
    guarded: NDArray[np.float64]
    capture: NDArray[np.float64]


_Way: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]
"""From every state: days, checkpoints, and how closely these are watched relative to the country's watch."""
_Roads: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]
"""The same to every crossing (state, route), and the watch at each crossing (route,)."""


def _quickest(
    world: World, goal: int, cut: Collection[int], held: NDArray[np.float64], watch: NDArray[np.float64]
) -> _Way:
    """Return days by road and checkpoints from every state to state `goal`, and how closely they are watched.

    The quickest way counts (Dijkstra 1959). Roads of `cut` (positions) cannot be used; `held` (state,) is the
    share of each that the opposition holds, `watch` (state,) the watch there.
    """
    n = len(world.state_ids)
    code = {s: i for i, s in enumerate(world.state_ids)}
    roads: list[list[tuple[int, float, int, float]]] = [[] for _ in range(n)]
    for k, road in enumerate(world.case.roads):
        if k in cut:
            continue
        a, b = code[road.start], code[road.to]
        posts = round(road.checkpoints * float(1 - (held[a] + held[b]) / 2))
        seen = posts * float(watch[a] + watch[b]) / 2
        roads[a].append((b, float(road.days), posts, seen))
        roads[b].append((a, float(road.days), posts, seen))
    days = np.full(n, np.inf)
    posts_to, seen_to = np.zeros(n, np.int64), np.zeros(n)
    days[goal] = 0
    queue = [(0.0, 0, goal)]
    while queue:
        d, p, s = heapq.heappop(queue)
        if (d, p) > (days[s], posts_to[s]):
            continue
        for t, more, checks, seen in roads[s]:
            if (d + more, p + checks) < (days[t], posts_to[t]) or days[t] == np.inf:
                days[t], posts_to[t], seen_to[t] = d + more, p + checks, seen_to[s] + seen
                heapq.heappush(queue, (d + more, p + checks, t))
    return days, posts_to, np.where(posts_to > 0, seen_to / np.maximum(posts_to, 1), 1.0)


def days_to_capital(world: World) -> NDArray[np.float64]:
    """Return days by road to the capital, float64 (state,); the farthest where no road leads there."""
    states = np.zeros(len(world.state_ids))
    days, _, _ = _quickest(world, world.state_ids.index(world.case.capital), (), states, states)
    return np.where(np.isfinite(days), days, days[np.isfinite(days)].max())


def _roads(
    world: World, cut: Collection[int], held: NDArray[np.float64], watch: NDArray[np.float64]
) -> _Roads:
    """Return days, checkpoints and their watch from every state to every crossing, and the watch at each.

    Roads of `cut` (positions) cannot be used; `held` and `watch` are of each state.
    """
    code = {s: i for i, s in enumerate(world.state_ids)}
    goals = {c.state for c in world.case.crossings}
    found = {s: _quickest(world, code[s], cut, held, watch) for s in goals}
    days, posts, watched = zip(*(_on_the_way(found, c) for c in world.case.crossings), strict=True)
    guarded = watch[[code[c.state] for c in world.case.crossings]]
    return np.stack(days, axis=1), np.stack(posts, axis=1), np.stack(watched, axis=1), guarded


def _on_the_way(found: Mapping[str, _Way], crossing: Crossing) -> _Way:
    """Return the same of a way from every state; a register is reached by telephone."""
    days, posts, watched = found[crossing.state]
    if crossing.kind == "register":
        return np.full_like(days, float(crossing.days)), np.zeros_like(posts), watched
    return days + float(crossing.days), posts, watched


def find_ways(world: World) -> Ways:
    """Return the routes out of a case's states, by day."""
    crossings = world.case.crossings
    if not crossings:
        raise UsageError("the case has no crossings; give at least one in routes.yaml or set routes.on=0")
    code = {s: i for i, s in enumerate(world.state_ids)}
    inland = np.array([c.at_home for c in crossings], np.bool_)
    home = np.array([code[c.state] for c in crossings], np.int64)
    later = np.array([c.later for c in crossings], np.bool_)
    opened = world.case.route_daily("open").astype(np.bool_)
    opened &= (~inland | world.on("opposition")) & ~later
    exposed, violence = world.case.route_daily("capture"), world.case.route_daily("violence")
    held = held_by_opposition(world)
    capture = np.where(inland, exposed, exposed * (1 - held[:, home]))
    cut, watch = np.zeros((world.days, len(world.case.roads)), np.bool_), watch_by_state(world)
    for k, road in enumerate(world.case.roads):
        for time in road.cut:
            first, last = ((day - world.case.calendar.start).days for day in (time.start, time.to))
            cut[max(0, first) : max(0, last + 1), k] = True
    changed = np.zeros(world.days, np.int64)
    for series in (cut, held, watch, opened, capture, violence):
        changed[1:] |= np.any(series[1:] != series[:-1], axis=1)
    return Ways(
        world,
        cut,
        watch,
        home,
        np.array([c.host for c in crossings], np.bool_),
        np.array([c.posted for c in crossings], np.bool_),
        np.array([c.kind == "embassy" for c in crossings], np.bool_),
        inland,
        np.where(
            inland,
            world["opposition.baseline"] if "opposition.baseline" in world.case.catalogue.parameters else 0.0,
            0.0,
        ),
        np.array([[not c.ranks or rank in c.ranks for c in crossings] for rank in world.rank_ids], np.bool_),
        np.array([c.family for c in crossings], np.bool_),
        np.array([c.hardship for c in crossings], np.float64),
        np.array([float(c.stay.days) for c in crossings], np.float64),
        opened,
        capture,
        exposed,
        violence,
        np.cumsum(changed),
    )


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

    Per way ``arranged``, the last day on which an embassy lets out those inside (-1: none yet).
    """

    route: NDArray[np.int16]
    leader: NDArray[np.int32]
    mode: NDArray[np.uint8]
    slips: NDArray[np.bool_]
    hunted: NDArray[np.bool_]
    arranged: NDArray[np.int32]


class Roads(Table):
    """The ways as they are today; see :class:`Ways`. ``utility`` float64 (state, rank, mode, route).

    ``watched`` (state, route) how closely the checkpoints on the way are watched, relative to the country's.
    ``manned`` (state, route): a crossing of that state at which units are posted. ``inland`` (route,): it
    ends with an opposition inside the country. ``value`` (state, rank, mode) is the log-sum of ``utility``
    over open ways. ``wished`` and ``hoped`` are the same if each way that ever was open is so.
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

    ``slip_share`` of those who desert slip abroad, and of those who resign leave the country later.
    """

    vehicle: float = number("decision.head_start")
    slip_share: float = number("routes.slip_abroad")
    company: float = number("routes.joint_exit_weight")


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
