"""The regime: what it does about exits, plots and risings, within its means.

A case gives surveillance, pay and perks as dated fields; this mechanism adds the reactions. Plots
found out and risings raise surveillance up to what the services can sustain; a rising or a month of
many exits brings a pay rise for low and middle ranks and perks for the senior ones, as long as the
budget lasts; officers tied to those who rose are discharged; a way out that too many use is closed, and a
trail or river is guarded so that it is as good as closed (coup-proofing and its reactions: Quinlivan
1999; Svolik 2012; Sudduth 2017 on purges; Greitens 2016 on the services).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, uniform
from breakrank.engine.codes import (
    DISCHARGED,
    EV_CROSSED,
    EV_DESERTED,
    EV_DISCHARGED,
    EV_FOLLOWED,
    EV_LEFT,
    EV_NAMED,
    EV_REPORTED,
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    EV_ROSE,
    EV_TAPPED,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import TrustTies
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Now, Run, hold
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
from breakrank.mechanisms.ground import Ground
from breakrank.mechanisms.regime_parameters import (
    ALARM_MEMORY,
    ALARM_PLOT,
    ALARM_RISING,
    CLOSURE,
    CLOSURE_DAYS,
    EFFORT_BUDGET,
    OUTPUTS,
    PARAMETERS,
    PAY_BUDGET,
    PAY_STEP,
    PAY_TRIGGER,
    PERK_STEP,
    PURGE,
)
from breakrank.mechanisms.visibility import share_noticed
from breakrank.spec import Field
from breakrank.table import Table, array
from breakrank.units import DAYS_A_MONTH, DAYS_A_WEEK, DAYS_A_YEAR, THOUSAND

_PURGE = int(decision("regime.purge"))
SURVEILLANCE = Field(
    "surveillance",
    "ratio to usual",
    0,
    20,
    "effort of surveillance and pursuit",
    (),
    1.0,
    local=("state", "branch"),
)
GRAIN = 0.05
"""Surveillance in force is rounded to this, so that few different days arise."""
SENIOR = 4
"""Lowest tier that is kept by perks instead of pay."""


class Watch(Table):
    """What the regime does today, as others read it.

    ``today`` float64 (1,) surveillance in force (ratio to usual); ``raised`` float64 (rank,) pay relative
    to the case's; ``perks`` float64 (rank,) added to the rents of each rank; ``closed`` bool (route,).
    ``here`` float64 (unit,) surveillance of each unit relative to that of the country; ``hunt`` float64
    (unit,) the hunt for its deserters, relative to that of the case.
    """

    today: NDArray[np.float64]
    here: NDArray[np.float64]
    hunt: NDArray[np.float64]
    raised: NDArray[np.float64]
    perks: NDArray[np.float64]
    closed: NDArray[np.bool_]


class Reaction(Table):
    """What the regime remembers, and how it reacts; see ``regime_parameters``.

    ``surveillance`` (day,) by the case; ``alarm`` by which it is raised, a ratio, of which ``keep`` is left a
    day later. ``gone`` (30,) soldiers on each of the last days; ``crossed`` (7, route); ``closable`` (route,)
    ways that it may close where it holds the land, and the ``state`` (route,) that each begins in;
    ``closed_until`` (route,) day. ``budget`` of a year and what is ``spent``, parts of the wage bill, of
    which ``junior`` and ``senior`` are paid to those ranks. ``plotter`` (soldier,) whom the services would
    watch.
    """

    on: bool
    surveillance: NDArray[np.float64] = array("day")
    watched: NDArray[np.float32]
    plotter: NDArray[np.bool_] = array("soldier", strided=True)
    tier: NDArray[np.float64]
    alarm: float
    keep: float
    found: float
    scale: float
    risen: float
    effort: float
    noticed: float
    gone: NDArray[np.int64]
    many: float
    crossed: NDArray[np.int64] = array("day", "route")
    most: float
    closure: int
    closable: NDArray[np.bool_]
    state: NDArray[np.int64]
    closed_until: NDArray[np.int64]
    purge: float
    pay: float
    perks: float
    junior: float
    senior: float
    budget: float
    spent: float


@lean
def _watch(now: Now, r: Reaction, w: Watch, ground: Ground) -> None:
    """Surveillance, pay, perks and closures in force today."""
    level = r.surveillance[now.day] * (1.0 + r.alarm)
    w.today[0] = round(level / GRAIN) * GRAIN if r.alarm > 0.0 else level
    for route in range(r.closed_until.shape[0]):
        w.closed[route] = r.closed_until[route] > now.day and _holds(ground, now.day, r.state[route])
    hold(r.watched, now.day, w.today[0])


@lean
def _react(now: Now, r: Reaction, w: Watch, ground: Ground, records: RunRecords, ties: TrustTies) -> None:
    """React to plots found out, risings and exits, as far as the budgets reach."""
    if not r.on:
        return
    day, last = now.day, records.cursor[0]
    found, risings, gone = _read(now, r, records)
    r.gone[day % DAYS_A_MONTH] = gone
    raised = r.found * found / r.scale + r.risen * risings
    r.alarm = min(r.alarm * r.keep + raised, r.effort)
    if r.alarm < GRAIN / 2 and raised == 0.0:
        r.alarm = 0.0
    if risings > 0.0:
        _purge(now, r, records, last, ties)
    month_ends = (day + 1) % DAYS_A_MONTH == 0
    many = month_ends and r.gone.sum() > r.many
    _pay(r, w, min(max(risings, 1.0 if many else 0.0), 1.0), 1 + int(day / DAYS_A_YEAR))
    _close(r, ground, day)


@lean
def _read(now: Now, r: Reaction, records: RunRecords) -> tuple[int, float, int]:
    """Return plots found out today, failed risings as far as noticed, soldiers gone; count crossings."""
    crossed = r.crossed[now.day % DAYS_A_WEEK]
    crossed[:] = 0
    found = gone = 0
    risings = 0.0
    for k in range(now.first, records.cursor[0]):
        e = records.event[k]
        if e in (EV_TAPPED, EV_NAMED) or (e == EV_REPORTED and r.plotter[records.other[k]]):
            found += 1
        elif e in (EV_RISING_COLLAPSED, EV_RISING_STALEMATE):
            risings += share_noticed(records.value[k], r.noticed)
        elif e == EV_CROSSED:
            crossed[records.place[k]] += 1
        elif e in (EV_DESERTED, EV_LEFT) and records.value[k] >= 0.0:
            gone += 1
    return found, risings, gone


@lean
def _holds(ground: Ground, day: int, state: int) -> bool:
    """Return whether the regime holds half of a state or more, so that it can close a way out of it."""
    held = ground.held[day, state]
    return held <= 1.0 - held


@lean
def _close(r: Reaction, ground: Ground, today: int) -> None:
    """Close from tomorrow on what too many have crossed within a week, where the regime holds the land."""
    for route in range(r.crossed.shape[1]):
        week = 0
        for day in range(r.crossed.shape[0]):
            week += r.crossed[day, route]
        if r.closable[route] and week > r.most and _holds(ground, today, r.state[route]):
            r.closed_until[route] = today + 1 + r.closure


@lean
def _purge(now: Now, r: Reaction, records: RunRecords, last: int, ties: TrustTies) -> None:
    """Discharge officers tied to those who rose today."""
    for k in range(now.first, last):
        if records.event[k] not in (EV_ROSE, EV_FOLLOWED):
            continue
        i = records.who[k]
        for t in range(ties.start[i], ties.start[i + 1]):
            j = ties.other[t]
            if records.fate[j] != SERVING or r.tier[records.rank[j]] < OFFICER:
                continue
            if uniform(now.key, _PURGE, records.identity[j], records.identity[i], now.day) < r.purge:
                move(records, now.day, j, DISCHARGED, EV_DISCHARGED, -1, i, 0.0)


@lean
def _pay(r: Reaction, w: Watch, part: float, years: int) -> None:
    """Raise pay below senior rank and perks above, by part of a step, if the years' budgets allow it."""
    pay, perks = part * r.pay, part * r.perks
    cost = r.junior * pay + r.senior * perks
    if r.spent + cost > r.budget * years:
        return
    r.spent += cost
    for rank in range(r.tier.shape[0]):
        if r.tier[rank] < SENIOR:
            w.raised[rank] *= 1.0 + pay
        else:
            w.perks[rank] += perks


class Regime(Mechanism):
    """Reactions within budgets. Off: surveillance, pay and perks are the case's alone, whatever happens.

    Surveillance is a ratio to the usual (1), pay a ratio to the case's, perks a fraction like rents; the
    budget of pay and perks is counted in parts of the wage bill and granted anew each year of the calendar.
    """

    name = "regime"
    subsystem = 11
    parameters = PARAMETERS
    outputs = OUTPUTS
    fields = (SURVEILLANCE,)
    steps = (Step("dawn", _watch), Step("dusk", _react))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.acts = True
        self.surveillance = world.daily("surveillance")
        ways = world.case.crossings
        self.closable = np.array([c.kind != "embassy" for c in ways], np.bool_)
        self.state = np.array([world.state_ids.index(c.state) for c in ways], np.int64)
        wages = world.rank_shares.sum(axis=0) * world.daily("pay")[0]
        wages = wages / max(float(wages.sum()), 1e-12)  # shares of the wage bill, by rank
        junior = world.tier < SENIOR
        self.junior, self.senior = float(wages[junior].sum()), float(wages[~junior].sum())

    def begin(self, run: Run) -> None:
        """Nothing has happened yet."""
        world, ranks, routes = self.world, len(self.world.rank_ids), len(self.world.route_ids)
        here, hunt = np.ones((2, len(world.force.units)))
        self.watch = Watch(
            np.zeros(1), here, hunt, np.ones(ranks), np.zeros(ranks), np.zeros(routes, np.bool_)
        )
        run.share(self.watch)
        self.reaction = Reaction(
            on=self.on,
            surveillance=self.surveillance,
            watched=run.gauge("watch"),
            plotter=run.hot("plots.plotter", np.bool_),
            tier=world.tier,
            alarm=0.0,
            keep=float(np.exp(-1 / world[ALARM_MEMORY.name])),
            found=world[ALARM_PLOT.name],
            scale=world.scale,
            risen=world[ALARM_RISING.name],
            effort=world[EFFORT_BUDGET.name],
            noticed=world["rising.noticed"] * world.scale,
            gone=np.zeros(DAYS_A_MONTH, np.int64),
            many=world[PAY_TRIGGER.name] * world.force.n / THOUSAND,
            crossed=np.zeros((DAYS_A_WEEK, routes), np.int64),
            most=world[CLOSURE.name] * world.scale,
            closure=int(world[CLOSURE_DAYS.name]),
            closable=self.closable,
            state=self.state,
            closed_until=np.full(routes, -1, np.int64),
            purge=world[PURGE.name],
            pay=world[PAY_STEP.name],
            perks=world[PERK_STEP.name],
            junior=self.junior,
            senior=self.senior,
            budget=world[PAY_BUDGET.name],
            spent=0.0,
        )
        run.share(self.reaction)
