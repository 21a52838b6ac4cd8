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
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Run
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
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
from breakrank.table import Table
from breakrank.units import DAYS_A_MONTH, DAYS_A_WEEK, DAYS_A_YEAR, THOUSAND

_PURGE = int(decision("regime.purge"))
SURVEILLANCE = Field("surveillance", "ratio to usual", 0, 20, "effort of surveillance and pursuit", (), 1.0)
GRAIN = 0.05
"""Surveillance in force is rounded to this, so that few different days arise."""
SENIOR = 4
"""Lowest tier that is kept by perks instead of pay."""


class Watch(Table):
    """What the regime does today, as others read it.

    ``today`` float64 (1,) surveillance in force (ratio to usual); ``raised`` float64 (rank,) pay relative
    to the case's; ``perks`` float64 (rank,) added to the rents of each rank; ``closed`` bool (route,).
    """

    today: NDArray[np.float64]
    raised: NDArray[np.float64]
    perks: NDArray[np.float64]
    closed: NDArray[np.bool_]


@lean
def _read(
    records: RunRecords, first: int, watched: NDArray[np.bool_], noticed: float, crossed: NDArray[np.int64]
) -> tuple[int, float, int]:
    """Return plots found out today, failed risings as far as noticed, soldiers gone; count crossings."""
    found = gone = 0
    risings = 0.0
    for k in range(first, records.cursor[0]):
        e = records.event[k]
        if e in (EV_TAPPED, EV_NAMED) or (e == EV_REPORTED and watched[records.other[k]]):
            found += 1
        elif e in (EV_RISING_COLLAPSED, EV_RISING_STALEMATE):
            risings += share_noticed(records.value[k], noticed)
        elif e == EV_CROSSED:
            crossed[records.place[k]] += 1
        elif e == EV_DESERTED or (e == EV_LEFT and records.value[k] >= 0):
            gone += 1
    return found, risings, gone


@lean
def _close(
    crossed: NDArray[np.int64],
    closable: NDArray[np.bool_],
    most: float,
    until: int,
    closed_until: NDArray[np.int64],
) -> None:
    """Close what more than `most` have crossed within a week, `crossed` (day, route), until a day."""
    for route in range(crossed.shape[1]):
        week = 0
        for day in range(crossed.shape[0]):
            week += crossed[day, route]
        if closable[route] and week > most:
            closed_until[route] = until


@lean
def _purge(
    key: np.uint64,
    name: int,
    records: RunRecords,
    first: int,
    last: int,
    day: int,
    tier: NDArray[np.float64],
    chance: float,
    start: NDArray[np.int64],
    other: NDArray[np.int32],
) -> None:
    """Discharge officers tied to those who rose today."""
    for k in range(first, last):
        if records.event[k] not in (EV_ROSE, EV_FOLLOWED):
            continue
        i = records.who[k]
        for t in range(start[i], start[i + 1]):
            j = other[t]
            if records.fate[j] != SERVING or tier[records.rank[j]] < OFFICER:
                continue
            if uniform(key, name, records.identity[j], records.identity[i], day) < chance:
                move(records, day, j, DISCHARGED, EV_DISCHARGED, -1, i, 0.0)


class Regime(Mechanism):
    """Reactions within budgets. Off: surveillance, pay and perks are the case's alone, whatever happens.

    Surveillance is a ratio to the usual (1), pay a ratio to the case's, perks a fraction like rents; the
    budget of pay and perks is counted in parts of the wage bill and never filled up again within a run.
    """

    name = "regime"
    subsystem = 11
    parameters = PARAMETERS
    outputs = OUTPUTS
    fields = (SURVEILLANCE,)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.acts = True
        self.surveillance = world.daily("surveillance")
        self.keep = float(np.exp(-1 / world[ALARM_MEMORY.name]))
        self.closable = np.array([c.kind != "embassy" for c in world.case.crossings], np.bool_)
        wages = world.rank_shares.sum(axis=0) * world.daily("pay")[0]
        self.wages = wages / max(float(wages.sum()), 1e-12)  # shares of the wage bill, by rank
        self.noticed, self.most = world["rising.noticed"] * world.scale, world[CLOSURE.name] * world.scale
        self.budget = world[PAY_BUDGET.name] * world.days / DAYS_A_YEAR

    def begin(self, run: Run) -> None:
        """Nothing has happened yet."""
        ranks, routes = len(self.world.rank_ids), len(self.world.route_ids)
        self.watch = Watch(np.zeros(1), np.ones(ranks), np.zeros(ranks), np.zeros(routes, np.bool_))
        self.alarm = 0.0
        self.spent = 0.0
        self.gone = np.zeros(DAYS_A_MONTH, np.int64)
        self.crossed = np.zeros((DAYS_A_WEEK, routes), np.int64)
        self.closed_until = np.full(routes, -1, np.int64)
        self.plotter = run.hot("plots.plotter", np.bool_)
        run.share(self.watch)

    def dawn(self, run: Run) -> None:
        """Surveillance, pay, perks and closures in force today."""
        level = float(self.surveillance[run.day]) * (1 + self.alarm)
        self.watch.today[0] = round(level / GRAIN) * GRAIN if self.alarm > 0 else level
        self.watch.closed[:] = self.closed_until > run.day
        run.gauge("watch", float(self.watch.today[0]))

    def dusk(self, run: Run) -> None:
        """React to plots found out, risings and exits, as far as the budgets reach."""
        if not self.on:
            return
        world, day = self.world, run.day
        week = self.crossed[day % DAYS_A_WEEK]
        week[:] = 0
        last = int(run.records.cursor[0])
        found, risings, gone = _read(run.records, run.mark, self.plotter, self.noticed, week)
        self.gone[day % DAYS_A_MONTH] = gone
        raised = world[ALARM_PLOT.name] * found / world.scale + world[ALARM_RISING.name] * risings
        self.alarm = min(self.alarm * self.keep + raised, world[EFFORT_BUDGET.name])
        if self.alarm < GRAIN / 2:
            self.alarm = self.alarm if raised else 0.0
        if risings > 0:
            ties = world.force.ties
            run.make_room(1 << 14)
            _purge(
                run.key,
                _PURGE,
                run.records,
                run.mark,
                last,
                day,
                world.tier,
                world[PURGE.name],
                ties.start,
                ties.other,
            )
        month_ends = (day + 1) % DAYS_A_MONTH == 0
        self._pay(min(max(risings, float(month_ends and self._many_gone())), 1.0))
        until = day + 1 + int(world[CLOSURE_DAYS.name])
        _close(self.crossed, self.closable, self.most, until, self.closed_until)

    def _many_gone(self) -> bool:
        """Return whether more have left within thirty days than the regime puts up with."""
        return bool(self.gone.sum() > self.world[PAY_TRIGGER.name] * self.world.force.n / THOUSAND)

    def _pay(self, part: float) -> None:
        """Raise pay below senior rank and perks above, by part of a step, if the budget still allows it."""
        world, junior = self.world, self.world.tier < SENIOR
        pay, perks = part * world[PAY_STEP.name], part * world[PERK_STEP.name]
        cost = float(self.wages[junior].sum()) * pay + float(self.wages[~junior].sum()) * perks
        if self.spent + cost <= self.budget:
            self.spent += cost
            self.watch.raised[junior] *= 1 + pay
            self.watch.perks[~junior] += perks
