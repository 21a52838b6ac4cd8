"""An opposition inside the country: an area that it holds, an armed group, or its register.

In most countries that came apart, those who left their army did not cross a border: they joined rebels, or
reached land that rebels held (Albrecht and Ohl 2016 on exit, resistance and loyalty; McLauchlin 2014 on
terrain and control; Kalyvas 2006, "The logic of violence in civil war"). A way of kind `area`, `group` or
`register` in ``routes.yaml`` ends inside the country. It is weighed as every other way is: by its risk, its
length and its hardship, beside the same motives. Who reaches an area or a group has gone over, which is open
defection. Where it is full they are turned away and hide, a deserter like any other. Who puts themselves on a
register, by telephone or by messenger, has deserted and hides at home, and is counted there. Of those who
surrender in the field, it takes in who is on its side, in that state if it has room there, or elsewhere; the
others stay its prisoners.

Those with the opposition die at a rate. When an area falls or a group is broken up (its schedule closes it),
some of them are taken and the others hide.

To be counted is no route out of the barracks: who is hiding, with an armed group or across a border lets the
other side know some time later (exit that becomes resistance). A way of kind `register` with `later: true` is
closed to those who serve. Whoever has left, was not caught since, and is on the opposed side by then joins at
a rate, from the day on which it opens.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, decision, exponential, uniform, uniforms
from breakrank.engine.codes import (
    ABROAD,
    DEAD,
    DETAINED,
    DUE_ARRIVAL,
    EV_CAUGHT_HIDING,
    EV_CROSSED,
    EV_DECLARED,
    EV_DESERTED,
    EV_REFUSED_ORDER,
    EV_RESIGNED,
    EV_WENT_OVER,
    HAD_LEFT,
    HIDING,
    IMPRISONED,
    REGISTERED,
    RESIGNED,
    TRAVELLING,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Soldiers
from breakrank.engine.observe import level_of_fate
from breakrank.engine.records import RunRecords, due, move, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.civil_war.war import SURRENDERED
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.journeys import Journeys, Roads
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.outputs import Measure, MeasureSource, daily, stock
from breakrank.spec import parameters_of
from breakrank.table import Table, array, number
from breakrank.units import DAYS_A_YEAR

_NOBODY = int(NOBODY)
_JOINS = int(decision("opposition.joins"))
_GONE = (EV_DESERTED, EV_CROSSED, EV_WENT_OVER, EV_RESIGNED, EV_REFUSED_ORDER)
"""Events by which somebody leaves the barracks."""


class LaterRegister(Table):
    """Who joins a register later, and when.

    ``due`` (soldier,) the next who joins on the same day, ``head`` (day,) the first, -1 for none; ``planned``
    (soldier,) whether their day is known. ``passed`` (day + 1,) what has passed of the rate by the dawn of
    each day, all registers together; ``open`` (day, route) those that are open.
    """

    due: NDArray[np.int32]
    head: NDArray[np.int32]
    planned: NDArray[np.bool_]
    passed: NDArray[np.float64]
    open: NDArray[np.bool_] = array("day", "route")
    codes: NDArray[np.int64]


@lean
def join_later(now: Now, f: LaterRegister, p: Preferences, g: Grievances, records: RunRecords) -> None:
    """Those who have left put themselves on a register; who left today will do so on a day.

    Whoever left to be on another register stays on that one.
    """
    days = f.head.shape[0]
    if f.passed[days] <= 0.0:
        return
    day, last = now.day, records.cursor[0]
    for k in range(now.first, last):
        i = records.who[k]
        if f.planned[i] or records.event[k] not in _GONE:
            continue
        f.planned[i] = True
        if records.event[k] == EV_DESERTED and records.place[k] >= 0:
            continue
        wait = f.passed[day + 1] + exponential(now.key, _JOINS, records.identity[i], _NOBODY, day)
        when = np.searchsorted(f.passed, wait) - 1
        if when < days:
            f.due[i] = f.head[when]
            f.head[when] = i
    i = f.head[day]
    while i >= 0:
        away = records.fate[i] in (HIDING, ABROAD, REGISTERED, RESIGNED) or records.fate[i] == f.codes[0]
        if away and margin_of(p, g, day, i) > 0.0:
            record(records, day, i, f.codes[1], _one_of(now, f, records.identity[i]), -1, 0.0)
        i = f.due[i]


@lean
def _one_of(now: Now, f: LaterRegister, identity: int) -> int:
    """Return one of the registers that are open today."""
    draw, _, _, _ = uniforms(now.key, _JOINS, identity, _NOBODY, APART + now.day)
    turn = int(draw * f.open[now.day].sum())
    for route in range(f.open.shape[1]):
        if f.open[now.day, route]:
            if turn == 0:
                return route
            turn -= 1
    return -1


WITH_UNIT = 1.0
"""Value of going over in the log, where somebody does it with their unit."""
ON_REGISTER = "put himself on the opposition's register"
TURNED_AWAY = "was turned away, for there was no room, and hid"
FLED = "got away when the opposition lost the place, and hid"
DIED = "died with the opposition"


_DIES = int(decision("opposition.dies"))
_TAKEN = int(decision("opposition.taken"))


class Insurgents(Table):
    """Those with the opposition, and where; routes are its places as well.

    ``place`` (soldier,) where they are, -1 nowhere or on the ground of their unit; ``until`` (soldier,) the
    day on which they die.
    ``members``, positions of all who are there, the first ``count[0]``. ``here`` and ``capacity`` (route,)
    soldiers; ``keeps`` (route,), whether one stays there, as on no register; ``open`` (day, route); ``state``
    (route,) where it lies.
    ``codes`` are the fate, the four events and that of a surrender, -1 without a war;
    ``custody`` whether the taken are held; ``deaths`` a day.
    """

    place: NDArray[np.int16]
    until: NDArray[np.int32]
    members: NDArray[np.int32]
    count: NDArray[np.int64]
    here: NDArray[np.int32]
    capacity: NDArray[np.int64]
    keeps: NDArray[np.bool_]
    open: NDArray[np.bool_] = array("day", "route")
    state: NDArray[np.uint8]
    codes: NDArray[np.int64]
    custody: bool
    deaths: float
    taken: float = number("opposition.taken")


@kernel
def _take_in(now: Now, f: Insurgents, journeys: Journeys, roads: Roads, records: RunRecords) -> None:
    """The opposition takes in those who reach it, as far as it has room; its register counts them."""
    day = now.day
    if records.head[day, DUE_ARRIVAL] < 0:
        return
    for i in due(records, day, DUE_ARRIVAL):
        route = int(journeys.route[i])
        if records.fate[i] != TRAVELLING or not roads.inland[route]:
            continue
        if not f.keeps[route]:
            move(records, day, i, HIDING, EV_DESERTED, route, -1, 0.0)
            record(records, day, i, f.codes[1], route, -1, 0.0)
            continue
        if not f.open[day, route] or f.here[route] >= f.capacity[route]:
            move(records, day, i, HIDING, f.codes[2], route, -1, 0.0)
            if not journeys.slips[i]:  # who slipped away had deserted before
                record(records, day, i, EV_DESERTED, -1, -1, HAD_LEFT)
            continue
        join(now, f, records, i, route, journeys.leader[i])


@lean
def join(now: Now, f: Insurgents, records: RunRecords, i: int, route: int, leader: int) -> None:
    """Soldier i goes over at a place that has room, or with their unit on its own ground (-1)."""
    day = now.day
    move(records, day, i, f.codes[0], EV_WENT_OVER, route, leader, 0.0 if route >= 0 else WITH_UNIT)
    record(records, day, i, EV_DECLARED, route, -1, 0.0)
    if route >= 0:
        f.here[route] += 1
    f.place[i] = route
    f.until[i] = f.open.shape[0]
    if f.deaths > 0.0:
        lives = exponential(now.key, _DIES, records.identity[i], _NOBODY, day) / f.deaths
        f.until[i] = min(day + 1.0 + lives, f.until[i])
    if f.count[0] < f.members.shape[0]:
        f.members[f.count[0]] = i
        f.count[0] += 1


@lean
def _take_in_prisoners(
    now: Now, f: Insurgents, soldiers: Soldiers, p: Preferences, g: Grievances, records: RunRecords
) -> None:
    """Of those who surrendered today the opposition takes in who is on its side, where it has room."""
    for k in range(now.first, records.cursor[0]):
        if records.event[k] != f.codes[5]:
            continue
        i = int(records.who[k])
        if margin_of(p, g, now.day, i) <= 0.0:
            continue
        place = _room_for(f, now.day, soldiers.state[i])
        if place >= 0:
            join(now, f, records, i, place, -1)


@lean
def _room_for(f: Insurgents, day: int, state: int) -> int:
    """Return an area or group with room, in a state if there is one, else anywhere; -1 for none."""
    elsewhere = -1
    for route in range(f.keeps.shape[0]):
        if f.keeps[route] and f.open[day, route] and f.here[route] < f.capacity[route]:
            if f.state[route] == state:
                return route
            elsewhere = route if elsewhere < 0 else elsewhere
    return elsewhere


@lean
def _live_on(now: Now, f: Insurgents, records: RunRecords) -> None:
    """Some with the opposition die; where a place is lost, some are taken and the others hide."""
    day, kept = now.day, 0
    for m in range(f.count[0]):
        i = f.members[m]
        route = f.place[i]
        if records.fate[i] != f.codes[0]:
            continue
        if f.until[i] <= day:
            move(records, day, i, DEAD, f.codes[4], route, -1, 0.0)
        elif route >= 0 and not f.open[day, route]:
            lose_place(now, f, records, i, route)
        else:
            f.members[kept] = i
            kept += 1
            continue
        if route >= 0:
            f.here[route] -= 1
        f.place[i] = -1
    f.count[0] = kept


@lean
def lose_place(now: Now, f: Insurgents, records: RunRecords, i: int, route: int) -> None:
    """Soldier i is taken as their place is lost, or gets away and hides."""
    day = now.day
    if uniform(now.key, _TAKEN, records.identity[i], _NOBODY, day) < f.taken:
        move(records, day, i, DETAINED if f.custody else IMPRISONED, EV_CAUGHT_HIDING, route, -1, 0.0)
    else:
        move(records, day, i, HIDING, f.codes[3], route, -1, 0.0)


class HomeOpposition(Mechanism):
    """Those who go over to an opposition at home: its room, its losses, what it loses. Off: no way there."""

    name = "opposition"
    subsystem = 7
    citation = "Albrecht and Ohl (2016), Exit, resistance, loyalty; Kalyvas (2006), The logic of violence"
    parameters = parameters_of(name, "soldiers can go over to an opposition inside the country")
    fates = ("opposition",)
    events = (ON_REGISTER, TURNED_AWAY, FLED, DIED)
    outputs = (
        daily("went_over", "Went over to an opposition at home", EV_WENT_OVER, measure=None),
        daily("went_over_rank", "Went over at home, by rank", EV_WENT_OVER, by=("rank",), measure=None),
        daily("went_over_branch", "Went over at home, by branch", EV_WENT_OVER, by=("branch",), measure=None),
        daily(
            "went_over_route",
            "Went over at home, by destination",
            EV_WENT_OVER,
            below=WITH_UNIT,
            by=("route",),
            measure=None,
        ),
        daily("registered_at_home", "On the opposition's register at home", ON_REGISTER),
        daily("turned_away_at_home", "Turned away by an opposition at home", TURNED_AWAY),
        daily("died_with_opposition", "Died with the opposition", DIED),
        stock("with_opposition", "With the opposition, by place", by=("route",)),
    )
    measures = (
        Measure(
            "went_over",
            "Went over to an opposition at home",
            "soldiers",
            "total",
            {
                "": MeasureSource("went_over"),
                "rank": MeasureSource("went_over_rank"),
                "branch": MeasureSource("went_over_branch"),
                "route": MeasureSource("went_over_route"),
            },
            primary=14,
        ),
        level_of_fate("opposition", "With an opposition at home"),
    )
    steps = (
        Step("travel", _take_in),
        Step("travel", _take_in_prisoners),
        Step("receive", _live_on),  # before dusk, when custody follows up the day's log
        Step("receive", join_later),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        crossings = world.case.crossings
        unlimited = world.force.n
        self.capacity = np.array(
            [unlimited if c.capacity is None else round(c.capacity * world.scale) for c in crossings],
            np.int64,
        )
        self.open = world.case.route_daily("open").astype(np.bool_)
        codes = [world.fate("opposition"), *(world.event(e) for e in self.events)]
        codes.append(world.event(SURRENDERED) if SURRENDERED in world.events else -1)
        self.codes = np.array(codes, np.int64)

    def begin(self, run: Run) -> None:
        """Nobody has gone over yet."""
        world, crossings = self.world, self.world.case.crossings
        n, routes = world.force.n, len(world.route_ids)
        here = np.zeros(routes, np.int32)
        run.share(
            Insurgents(
                place=run.column("opposition.place", np.int16, -1),
                until=run.column("opposition.until", np.int32),
                members=np.zeros(n, np.int32),
                count=np.zeros(1, np.int64),
                here=here,
                capacity=self.capacity,
                keeps=np.array([c.kind in ("area", "group") for c in crossings], np.bool_),
                open=self.open,
                state=np.array([world.state_ids.index(c.state) for c in crossings], np.uint8),
                codes=self.codes,
                custody=world.on("counterintelligence"),
                deaths=world["opposition.deaths"] / DAYS_A_YEAR,
            )
        )
        later = np.ascontiguousarray(self.open & np.array([c.later for c in crossings], np.bool_))
        rate = later.sum(axis=1) * world["opposition.joins"] / DAYS_A_YEAR
        run.share(
            LaterRegister(
                due=run.column("opposition.later", np.int32, -1),
                head=np.full(world.days, -1, np.int32),
                planned=run.column("opposition.planned", np.bool_),
                passed=np.concatenate(([0.0], np.cumsum(rate))),
                open=later,
                codes=self.codes[:2].copy(),
            )
        )
        run.stocks["with_opposition"] = here
