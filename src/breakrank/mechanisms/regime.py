"""The regime: what it does about exits, plots and uprisings, within its means.

A case gives surveillance, pay and perks as dated fields; this mechanism adds the reactions. Plots
found out and uprisings raise surveillance, and a plotter found out alarms as much as one who rose, so
that a plot alarms a little and never nothing. An uprising or a month of many exits brings a pay rise for
low and middle ranks and perks for the senior ones, at most twice a year; officers tied to those who rose
are discharged (coup-proofing and its reactions: Quinlivan 1999; Svolik 2012; Sudduth 2017 on purges;
Greitens 2016 on the services). Which ways are shut is a dated field of the case and not a reaction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, uniform
from breakrank.engine.codes import (
    DISCHARGED,
    EV_DESERTED,
    EV_DISCHARGED,
    EV_FOLLOWED,
    EV_LEFT,
    EV_NAMED,
    EV_REFUSED_ORDER,
    EV_REPORTED,
    EV_RESIGNED,
    EV_ROSE,
    EV_TAPPED,
    EV_UPRISING_COLLAPSED,
    EV_UPRISING_STALEMATE,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import TrustTies
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Now, Run, hold
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import share_noticed
from breakrank.outputs import daily, level
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number
from breakrank.units import DAYS_A_MONTH, DAYS_A_YEAR, THOUSAND

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
GRAIN = 0.01
"""Surveillance in force is rounded to this, so that few different days arise; the alarm itself is not."""
SENIOR = 4
"""Lowest tier that is kept by perks instead of pay."""
PERKS = 0.2
"""Perks added to senior ranks, relative to the pay rise of the others: perks cost less than they bind."""
RISES_A_YEAR = 2
"""Full pay rises that a year's budget affords."""
ALARM_MEMORY = 45.0
"""Days in which the alarm fades to 37%: round-ups after an uprising last some weeks."""
PAY_TRIGGER = 5.0
"""Exits in thirty days, of a thousand soldiers, at which the regime raises pay."""


class Watch(Table):
    """What the regime does today, as others read it.

    ``today`` (1,) surveillance in force (ratio to usual); ``raised`` (rank,) pay relative to the case's;
    ``perks`` (rank,) added to the rents of each rank; ``closed`` (route,), for ways shut by others.
    ``here`` (unit,) surveillance of each unit relative to that of the country; ``hunt`` (unit,) the hunt for
    its deserters, relative to that of the case.
    """

    today: NDArray[np.float64]
    here: NDArray[np.float64]
    hunt: NDArray[np.float64]
    raised: NDArray[np.float64]
    perks: NDArray[np.float64]
    closed: NDArray[np.bool_]


class Reaction(Table):
    """What the regime remembers, and how it reacts.

    ``surveillance`` (day,) by the case; ``alarm``, 0 to 1, by which it is raised, of which ``keep`` is left a
    day later; an uprising that everyone notices adds ``risen``, and half notice ``noticed`` persons. ``gone``
    (30,) soldiers on each of the last days; at ``many`` the regime raises pay by the fraction ``pay``, and
    has raised it ``rises`` times. ``plotter`` (soldier,) whom the services would watch.
    """

    on: bool
    surveillance: NDArray[np.float64] = array("day")
    watched: NDArray[np.float32]
    plotter: NDArray[np.bool_] = array("soldier", strided=True)
    tier: NDArray[np.float64]
    alarm: float
    keep: float
    risen: float = number("regime.alarm_uprising")
    noticed: float
    gone: NDArray[np.int64]
    many: float
    purge: float = number("regime.purge")
    pay: float = number("regime.pay_step")
    rises: float


@lean
def _watch(now: Now, r: Reaction, w: Watch) -> None:
    """Surveillance in force today."""
    level = r.surveillance[now.day] * (1.0 + r.alarm)
    w.today[0] = round(level / GRAIN) * GRAIN if r.alarm > 0.0 else level
    hold(r.watched, now.day, w.today[0])


@lean
def _react(now: Now, r: Reaction, w: Watch, records: RunRecords, ties: TrustTies) -> None:
    """React to plots found out, uprisings and exits."""
    if not r.on:
        return
    day, last = now.day, records.cursor[0]
    found, uprisings, gone = _read(now, r, records)
    r.gone[day % DAYS_A_MONTH] = gone
    raised = min(r.risen * (uprisings + share_noticed(found, r.noticed)), 1.0)
    r.alarm = r.alarm * r.keep
    r.alarm += raised * (1.0 - r.alarm)  # services work at most twice as hard as usual
    if uprisings > 0.0:
        _purge(now, r, records, last, ties)
    month_ends = (day + 1) % DAYS_A_MONTH == 0
    many = month_ends and r.gone.sum() > r.many
    _pay(r, w, min(max(uprisings, 1.0 if many else 0.0), 1.0), 1 + int(day / DAYS_A_YEAR))


@lean
def _read(now: Now, r: Reaction, records: RunRecords) -> tuple[int, float, int]:
    """Return plotters found out today, failed uprisings as far as noticed, and soldiers gone."""
    found = gone = 0
    uprisings = 0.0
    for k in range(now.first, records.cursor[0]):
        e = records.event[k]
        if e in (EV_TAPPED, EV_NAMED) or (e == EV_REPORTED and r.plotter[records.other[k]]):
            found += 1
        elif e in (EV_UPRISING_COLLAPSED, EV_UPRISING_STALEMATE):
            uprisings += share_noticed(records.value[k], r.noticed)
        elif e in (EV_DESERTED, EV_LEFT, EV_RESIGNED, EV_REFUSED_ORDER) and records.value[k] >= 0.0:
            gone += 1
    return found, uprisings, gone


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
    if r.rises + part > RISES_A_YEAR * years:
        return
    r.rises += part
    for rank in range(r.tier.shape[0]):
        if r.tier[rank] < SENIOR:
            w.raised[rank] *= 1.0 + part * r.pay
        else:
            w.perks[rank] += part * r.pay * PERKS


class Regime(Mechanism):
    """Reactions within budgets. Off: surveillance, pay and perks are the case's alone, whatever happens.

    Surveillance is a ratio to the usual (1), pay a ratio to the case's, perks a fraction like rents; the
    budget of pay and perks is granted anew each year.
    """

    name = "regime"
    subsystem = 11
    parameters = parameters_of(name, "the regime reacts: surveillance, pay and perks, purges")
    outputs = (
        daily("discharged", "Discharged in a purge", EV_DISCHARGED),
        level("surveillance_level", "Surveillance in force", "fraction"),
    )
    fields = (SURVEILLANCE,)
    steps = (Step("dawn", _watch), Step("dusk", _react))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.acts = True

    def begin(self, run: Run) -> None:
        """Nothing has happened yet."""
        world, ranks, routes = self.world, len(self.world.rank_ids), len(self.world.route_ids)
        here, hunt = np.ones((2, len(world.force.units)))
        self.watch = Watch(
            today=np.zeros(1),
            here=here,
            hunt=hunt,
            raised=np.ones(ranks),
            perks=np.zeros(ranks),
            closed=np.zeros(routes, np.bool_),
        )
        run.share(self.watch)
        self.reaction = Reaction(
            on=self.on,
            surveillance=world.daily("surveillance"),
            watched=run.gauge("surveillance_level"),
            plotter=run.hot("plots.plotter", np.bool_),
            tier=world.tier,
            alarm=0.0,
            keep=float(np.exp(-1 / ALARM_MEMORY)),
            noticed=world["uprising.noticed"] * world.scale,
            gone=np.zeros(DAYS_A_MONTH, np.int64),
            many=PAY_TRIGGER * world.force.n / THOUSAND,
            rises=0.0,
        )
        run.share(self.reaction)
