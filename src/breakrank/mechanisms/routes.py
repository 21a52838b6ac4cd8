"""Routes: choosing a way, the journey, groups led by an officer, and the three outcomes.

Who leaves picks a way by its risk, hardship and length (a logit among ways within the choice of
leaving, so that the whole is one multinomial logit). Leaders ask trusted comrades of their unit to
come along; the group shares one way and one luck with the patrols. Who arrives presents themselves
and is registered, or declares for the challenger besides, or stays unregistered. Who only deserts
hides at home or slips abroad. Who finds their way shut may wait for it: see ``journeys``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, decision, uniform, uniforms
from breakrank.engine.codes import (
    ABROAD,
    DEAD,
    DECLARED,
    DEFEATED,
    DESERT,
    DETAINED,
    DUE_ARRIVAL,
    DUE_EMBASSY_EXIT,
    DUE_REGISTRATION,
    EMBASSY,
    EV_CAPTURED,
    EV_CROSSED,
    EV_DECLARED,
    EV_EMBASSY,
    EV_INVITED,
    EV_REGISTERED,
    EV_SHOT,
    EV_SLIPPED,
    IMPRISONED,
    INVITED,
    LEAVE,
    LEAVE_WITH_FAMILY,
    REGISTERED,
    SERVING,
    TRAVELLING,
    WARNED,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments, Soldiers, TrustTies
from breakrank.engine.records import RunRecords, due, move, record, schedule
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean, straight
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.fear import punishment_by_rank
from breakrank.mechanisms.journeys import (
    ALONE,
    CIVILIAN,
    FAMILY,
    HUNTED,
    POSTED,
    Ground,
    Intentions,
    Journeys,
    Leaving,
    Roads,
    WaysToday,
    depart,
    find_ways,
    go_as_civilians,
    held_by_opposition,
    helped,
    logsumexp,
    no_roads,
    open_ground,
    plan_to_go,
    recall,
    remind,
    slip_away,
    worth_alone,
    worth_with_family,
)
from breakrank.mechanisms.regime import Watch
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

_NOBODY = int(NOBODY)
_LUCK = int(decision("ways_out.luck"))
_ABROAD = int(decision("ways_out.abroad"))

SHOT_TO_CAUGHT: Final = 10 / 3
"""Weight of a way's risk of being shot relative to that of capture: death against years in prison. As the
witness who kept off the bridge for fear of armed civilians, soldiers avoid it several times as much."""
HARDSHIP: Final = 1.0
"""What the hardest way (hardship 1) costs, utility: as much as two days on the road."""
FAMILY_HARDSHIP: Final = 2.0
"""Hardship of a way with a family, relative to going alone: there are twice as many to get across."""
KIN_HELP: Final = 0.7
"""Utility of relatives abroad for one who wants to leave: twice the odds. Theory only: Massey and others
1993; size assumed."""
LEAD: Final = 0.5
"""Chance that a leader who leaves alone asks comrades along: an even one, as nobody has counted."""
SHOT_DIES: Final = 0.3
"""Chance that who is shot on the way dies: assumed; the one whom the reports name lived."""
DECLARES: Final = 0.4
"""Chance that a soldier who registers declares for a challenger who is sure to win. Theory only: Albrecht and
Ohl 2016; size assumed."""
PARTIES: Final = 4
"""Parties in which those whom an embassy sheltered leave, one a day, once safe conduct is granted."""
SETTING_UP = (0.25, 0.5, 0.75)
"""Share of its pace at which a desk registers on the days after it opens.

A register that opens for a wave starts slowly: hall, forms and clerks come one after another. A judgement; no
count of a desk's first days is in the record of any built-in case."""


class Border(Table):
    """What awaits those who arrive.

    ``scheme`` (day,) whether the host registers; ``scheme_ahead`` (day,) the day on which its scheme opens,
    if later; ``custody`` whether the captured are held; ``unregistered``
    and ``unregistered_kin`` shares who never register; ``lag`` days until they do; ``desk`` (day,) how many
    are registered at most; ``open_risk`` what those who resigned before still risk, relative to others.
    """

    scheme: NDArray[np.bool_] = array("day")
    scheme_ahead: NDArray[np.int64] = array("day")
    custody: bool
    desk: NDArray[np.int64] = array("day")
    unregistered: float = number("routes.unregistered")
    unregistered_kin: float = number("routes.kin_slip")
    lag: float = number("routes.registration_lag")
    open_risk: float = number("decision.open_risk")


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
    now: Now, b: Border, credit: Credit, roads: Roads, journeys: Journeys, records: RunRecords
) -> None:
    """Those who present themselves are registered; some declare besides.

    The value in the log is 1 under the host's scheme. The host registers at most `desk` a day, in the order
    of their coming; the others come again tomorrow.
    """
    key, day = now.key, now.day
    if records.head[day, DUE_REGISTRATION] < 0:
        return
    registering, declares = due(records, day, DUE_REGISTRATION), DECLARES * credit.today[0]
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
def end_journeys(
    now: Now, soldiers: Soldiers, b: Border, roads: Roads, journeys: Journeys, records: RunRecords
) -> None:
    """Journeys end: captured, shot, in an embassy, or across."""
    head = records.head[now.day]
    if head[DUE_ARRIVAL] >= 0 or head[DUE_EMBASSY_EXIT] >= 0:
        arriving, leaving = due(records, now.day, DUE_ARRIVAL), due(records, now.day, DUE_EMBASSY_EXIT)
        arrive(now, soldiers, b, records, arriving, leaving, journeys, roads)


@lean
def _way_alone(at: Moment, r: Roads, j: Journeys, a: Leaving, soldiers: Soldiers) -> float:
    """What the ways are worth to them alone."""
    return helped(at, worth_alone(at, r, j), a, soldiers)


@lean
def _way_family(at: Moment, r: Roads, j: Journeys, a: Leaving, soldiers: Soldiers) -> float:
    """What the ways are worth to them with their family."""
    return helped(at, worth_with_family(at, r, j), a, soldiers)


@lean
def _kin(at: Moment, soldiers: Soldiers) -> float:
    """What relatives abroad are worth."""
    return KIN_HELP if soldiers.kin_abroad[at.who] else 0.0


@lean
def _group(at: Moment, a: Leaving) -> float:
    """What a leader's asking is worth."""
    return a.company if at.occasion == INVITED else 0.0


@lean
def _no_way_alone(at: Moment, r: Roads, j: Journeys) -> bool:
    """Whether no way is open to them alone."""
    return worth_alone(at, r, j) == -np.inf


@lean
def _no_way_with_family(at: Moment, r: Roads, j: Journeys) -> bool:
    """Whether no way is open to them with their family."""
    return worth_with_family(at, r, j) == -np.inf


def _desk(world: World, opens: int) -> NDArray[np.int64]:
    """Return how many the host can register on each day (day,), fewer on the days after it opens."""
    if not world.on("reception"):
        return np.full(world.days, world.force.n, np.int64)
    pace = np.ones(world.days)
    if opens:
        first = pace[opens : opens + len(SETTING_UP)]
        first[:] = SETTING_UP[: len(first)]
    return np.ceil(pace * int(world["reception.registration_desk"]) * world.scale).astype(np.int64)


class Routes(Mechanism):
    """Routes, journeys, groups and the three outcomes. Off: no way leads abroad; deserters hide at home."""

    name = "routes"
    subsystem = 7
    parameters = parameters_of(name, "ways lead out of the country")
    fields = (
        Field("registration", "switch", 0, 1, "the host registers those who present themselves", (), 0.0),
    )
    terms = (
        Term("routes.way_alone", "the ways that are open", {LEAVE: 1}, _way_alone),
        Term(
            "routes.way_family", "the ways that are open with a family", {LEAVE_WITH_FAMILY: 1}, _way_family
        ),
        Term("routes.kin", "relatives abroad", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}, _kin),
        Term("routes.group", "a leader asks to come along", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}, _group),
    )
    closes = ((LEAVE, _no_way_alone), (LEAVE_WITH_FAMILY, _no_way_with_family))

    steps = (
        Step("dawn", changed, then="_look"),
        Step("meet", recall),
        Step("act", set_out, then="_ask_along"),
        Step("travel", go_as_civilians),
        Step("travel", plan_to_go),
        Step("travel", end_journeys),
        Step("travel", register),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        # Whether the host will ever have a scheme is unknown before its first day, so nobody acts on it.
        scheme = world.daily("registration") >= 0.5
        opens = int(np.argmax(scheme)) if scheme.any() else world.days
        self.border = Border(
            scheme=scheme,
            scheme_ahead=np.maximum(np.arange(world.days), opens),
            custody=world.on("counterintelligence"),
            desk=_desk(world, opens),
        )
        self.given = (Leaving(), self.border)
        self.leads = np.array([r.leads for r in world.case.force.ranks], np.int64)
        self.epoch = np.zeros(world.days, np.int64)
        self.held = held_by_opposition(world)
        if not self.on:
            return
        self.ways = find_ways(world)
        self.known = np.maximum.accumulate(self.ways.open, axis=0)
        self.epoch = self.ways.epoch
        states = np.arange(len(world.state_ids))
        self.manned = (self.ways.home[None, :] == states[:, None]) & self.ways.posted[None, :]
        self.worth: dict[tuple[int, bytes, bytes], tuple[Any, ...]] = {}

    def _worth(
        self, day: int, today: WaysToday, closed: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], ...]:
        """Return the utility of open ways, (state, rank, mode, route), its log-sum, and those of known ones.

        Modes: alone, with family, posted at the crossing of one's state, and hunted; see ``journeys``.
        Embassies take in the hunted only, and the hunted count with the alert.
        """
        world, ways = self.world, self.ways
        punishment = punishment_by_rank(world)
        pass_posts = (1 - world["routes.checkpoint_risk"]) ** today.checkpoints
        capture = today.capture[None, :]
        caught = 1 - (1 - capture) * pass_posts
        shot = SHOT_TO_CAUGHT * world["routes.risk_weight"] * ways.violence[day]
        effort = world["routes.days_weight"] * today.days + shot[None, :]
        usable = np.isfinite(today.days) & (ways.open[day] & ~closed)[None, :]
        modes, wishes = [], []
        for mode in (ALONE, FAMILY, POSTED, HUNTED):
            hardship = HARDSHIP * ways.hardship * (FAMILY_HARDSHIP if mode == FAMILY else 1)
            may = usable & ways.family[None, :] if mode == FAMILY else usable
            risk = caught
            if mode == HUNTED:
                risk = 1 - (1 - caught) ** (1 + world["routes.alert"])
            else:
                may = may & ~ways.embassy[None, :]
            if mode == POSTED:
                may = may | (self.manned & ~closed[None, :])  # a post that is relieved lets nobody through
                risk = np.where(self.manned, world["routes.posted_risk"] * capture, caught)
            u = -world["routes.risk_weight"] * punishment[None, :, None] * risk[:, None, :]
            u = u - (effort + hardship[None, :])[:, None, :] + ways.usual
            modes.append(np.where(may[:, None, :] & ways.ranks[None, :, :], u, -np.inf))
            known = may | (self.known[day] & (ways.family | (mode == ALONE)) & ~ways.embassy)[None, :]
            known = known & np.isfinite(today.days) if mode in (ALONE, FAMILY) else may
            wishes.append(np.where(known[:, None, :] & ways.ranks[None, :, :], u, -np.inf))
        utility, wished = np.stack(modes, axis=2), np.stack(wishes, axis=2)
        return utility, logsumexp(utility), wished, logsumexp(wished)

    def begin(self, run: Run) -> None:
        """Nobody is on the way yet."""
        self.journeys = Journeys(
            route=run.column("routes.route", np.int16, -1),
            leader=run.column("routes.leader", np.int32, -1),
            mode=run.column("routes.mode", np.uint8),
            slips=run.column("routes.slips", np.bool_),
            hunted=run.column("routes.hunted", np.bool_),
            arranged=np.full(len(self.world.route_ids), -1, np.int32),
        )
        run.share(self.journeys)
        closed = np.zeros(len(self.world.route_ids), np.bool_)
        run.share(Outlook(epoch=self.epoch, seen=-1, changes=-1, level=-1.0, closed=closed))
        self.intentions = Intentions(
            until=run.column("routes.until", np.int16, -1), resolve=run.column("routes.resolve", np.float32)
        )
        run.share(self.intentions)
        run.share(open_ground(self.held, len(self.world.force.units)))
        run.share(no_roads(len(self.world.state_ids), len(self.world.rank_ids), len(self.world.route_ids)))

    def roads(self, run: Run) -> Roads:
        """Return the ways as they are today; surveillance raises the risk of capture."""
        ways, day, watch, ground = self.ways, run.day, run.view(Watch), run.view(Ground)
        level, closed = float(watch.today[0]), watch.closed
        which = int(ways.epoch[day]), closed.tobytes(), ground.held[day].tobytes()
        if which not in self.worth:
            today = ways.on(day, ground.held[day])
            self.worth[which] = today, *self._worth(day, today, closed)
        today, utility, value, wished, hoped = self.worth[which]
        return Roads(
            utility=utility,
            value=value,
            wished=wished,
            hoped=hoped,
            days=today.days,
            checkpoints=today.checkpoints,
            watched=today.watched,
            capture=np.minimum(today.capture * (level * today.guarded), 1.0),
            violence=ways.violence[day],
            host=ways.host,
            embassy=ways.embassy,
            inland=ways.inland,
            manned=self.manned,
            stay=ways.stay,
            checkpoint_risk=min(self.world["routes.checkpoint_risk"] * level, 1.0),
        )

    def _look(self, run: Run) -> None:
        before = run.view(Roads)
        self.today = self.roads(run)
        run.share(self.today)
        nearer = np.asarray((self.today.value > before.value)[:, :, :2].any(axis=2))
        waiting = int(np.count_nonzero(self.intentions.until >= run.day)) if nearer.any() else 0
        if waiting:
            run.make_room(waiting)
            remind(run.now, run.view(Soldiers), self.intentions, nearer, run.records)

    def _ask_along(self, run: Run) -> None:
        """Let leaders who set out alone ask trusted comrades of their unit to come along."""
        views = run.view(Soldiers), run.view(Moments), run.view(TrustTies)
        friends, leaders = ask_along(run.now, *views, self.leads, run.records)
        run.call(friends, INVITED, leaders)
