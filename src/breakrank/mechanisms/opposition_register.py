"""A register of the opposition that people join after they have left, by telephone or messenger.

To be counted is no way out of the barracks: who is hiding, with an armed group or across a border lets the
other side know some time later (Albrecht and Ohl 2016, "Exit, resistance, loyalty", on exit that becomes
resistance). A way of kind `register` with `later: true` is closed to those who serve. Whoever has left, was
not caught since, and is on the opposed side by then joins at a rate, from the day on which it opens.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, decision, exponential, uniforms
from breakrank.engine.codes import ABROAD, EV_CROSSED, EV_DESERTED, EV_WENT_OVER, HIDING, REGISTERED
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now, Run
from breakrank.kernel import lean
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.spec import Parameter
from breakrank.table import Table, array
from breakrank.units import DAYS_A_YEAR

_NOBODY = int(NOBODY)
_JOINS = int(decision("opposition.joins"))

JOINS = Parameter(
    "opposition.joins", "per year", 0, 365, 2.0,
    "rate at which those who have left put themselves on each register that is joined later",
    "Albrecht and Ohl 2016", scope="national",
    assumed="half within four months, where one is open: nobody has counted how long it took",
    prior=("triangular", 0.2, 2, 12),
)  # fmt: skip


class LaterRegister(Table):
    """Who joins a register later, and when.

    ``due`` int32 (soldier,) the next who joins on the same day, ``head`` (day,) the first, -1 for none;
    ``planned`` bool (soldier,) whether his day is known. ``passed`` (day + 1,) what has passed of the rate by
    the dawn of each day, all registers together; ``open`` (day, route) those that are open.
    ``codes``: the fate of those with the opposition, and the event.
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
        if f.planned[i] or records.event[k] not in (EV_DESERTED, EV_CROSSED, EV_WENT_OVER):
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
        away = records.fate[i] in (HIDING, ABROAD, REGISTERED) or records.fate[i] == f.codes[0]
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


def later_register(run: Run, opened: NDArray[np.bool_], codes: NDArray[np.int64]) -> LaterRegister:
    """Return the table: nobody has joined yet; `opened` (day, route), `codes` of the opposition."""
    world = run.world
    later = np.array([c.later for c in world.case.crossings], np.bool_)
    here = np.ascontiguousarray(opened & later)
    rate = here.sum(axis=1) * world[JOINS.name] / DAYS_A_YEAR
    return LaterRegister(
        run.column("opposition.later", np.int32, -1),
        np.full(world.days, -1, np.int32),
        run.column("opposition.planned", np.bool_),
        np.concatenate(([0.0], np.cumsum(rate))),
        here,
        codes[:2].copy(),
    )
