"""Detection: how the services find plots out, by wiretaps, reports and interrogation.

Talk between plotters is overheard at a rate that grows with surveillance; who serves in intelligence gives
less away. Who was overheard, reported or named is arrested some days later, and may name those next to them.
What is heard twice gives the leader away, so that a plot known to the services rarely lives on. Some hear of
it first and run (informers and wiretaps in coup-proofing: Greitens 2016; on cells and what one arrest reveals
Baker and Faulkner 1993).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, uniforms
from breakrank.engine.codes import (
    DUE_ARREST,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_NAMED,
    EV_RELEASED,
    EV_REPORTED,
    EV_SURRENDERED,
    EV_TAPPED,
    EV_WARNED,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Soldiers
from breakrank.engine.records import RunRecords, record, schedule_after
from breakrank.engine.run import Now, Run
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.plot_life import ALIVE, MEMBER, Plots, warn_one
from breakrank.mechanisms.regime import Watch
from breakrank.outputs import daily
from breakrank.spec import parameters_of
from breakrank.table import Table, number
from breakrank.units import DAYS_A_YEAR

TRADECRAFT = 0.5
"""What a wiretap yields from who serves in intelligence, relative to others: they know what is listened
to."""
ENOUGH = 2
"""Leaks after which the services know who leads a plot: two talks heard can be put together."""

_TAP = int(decision("detection.tap"))
_SUSPECT = int(decision("detection.suspect"))
_NAME = int(decision("detection.name"))


class Taps(Table):
    """What the services hear, and whom they seek.

    ``trained`` (unit,) in intelligence; ``hunted`` (soldier,) already sought; ``rate`` a day at usual
    surveillance; ``chain`` and ``warned`` chances; ``days`` to an arrest.
    """

    trained: NDArray[np.bool_]
    hunted: NDArray[np.bool_]
    rate: float
    chain: float = number("detection.chain")
    warned: float = number("detection.warned")
    days: float = number("counterintelligence.days_to_arrest")


@lean
def _suspect(now: Now, t: Taps, records: RunRecords, i: int, founder: int) -> None:
    """Seek soldier i: they are arrested in a few days, unless they are warned a day ahead and run."""
    if t.hunted[i]:
        return
    t.hunted[i] = True
    hears, wait, _, _ = uniforms(now.key, _SUSPECT, records.identity[i], records.identity[founder], now.day)
    if hears < t.warned:
        warn_one(records, now.day, i, founder)
    schedule_after(records, now.day + 2, -t.days * np.log(wait), DUE_ARREST, i)


@kernel
def _overhear(now: Now, t: Taps, watch: Watch, p: Plots, soldiers: Soldiers, records: RunRecords) -> None:
    """Overhear members of living plots that have won somebody over."""
    rate = t.rate * watch.today[0]
    for plot in range(p.used[0]):
        if p.end[plot] != ALIVE or p.largest[plot] < 2:
            continue
        founder = p.founder[plot]
        row = p.rows[plot]
        while row >= 0:
            i, unit = p.member[row], soldiers.unit[p.member[row]]
            if p.role[row] == MEMBER and records.fate[i] == SERVING:
                chance = rate * watch.here[unit] * (TRADECRAFT if t.trained[unit] else 1.0)
                draws = uniforms(now.key, _TAP, records.identity[i], records.identity[founder], now.day)
                if draws[0] < chance:
                    p.leaks[plot] += 1
                    record(records, now.day, i, EV_TAPPED, -1, founder, 0.0)
                    _suspect(now, t, records, i, founder)
            row = p.next[row]


@kernel
def _investigate(now: Now, t: Taps, p: Plots, records: RunRecords) -> None:
    """Follow up reports of plots, interrogate plotters taken today, and seek leaders known by now.

    The taken may name those next to them: who recruited them and whom they recruited.
    """
    for k in range(now.first, records.cursor[0]):
        event, i = records.event[k], records.who[k]
        if event == EV_RELEASED:
            t.hunted[i] = False
        taken = event in (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED)
        if not taken and event != EV_REPORTED:
            continue
        i = i if taken else records.other[k]
        mine = p.first[i]
        if mine < 0:
            continue
        plot = p.plot[mine]
        if taken:
            _name(now, t, p, records, mine)
        elif p.end[plot] == ALIVE and p.leaks[plot] > 0 and records.fate[i] == SERVING:
            _suspect(now, t, records, i, p.founder[plot])
    for plot in range(p.used[0]):
        founder = p.founder[plot]
        free = p.end[plot] == ALIVE and records.fate[founder] == SERVING
        if free and p.leaks[plot] >= ENOUGH and not t.hunted[founder]:
            record(records, now.day, founder, EV_NAMED, -1, -1, 0.0)
            _suspect(now, t, records, founder, founder)


@lean
def _name(now: Now, t: Taps, p: Plots, records: RunRecords, mine: int) -> None:
    """Let who is taken name others of the plot of their row `mine`."""
    i, plot = p.member[mine], p.plot[mine]
    row = p.rows[plot]
    while row >= 0:
        j = p.member[row]
        next_to = p.via[row] == mine or p.via[mine] == row
        if next_to and records.fate[j] == SERVING and not t.hunted[j]:
            draws = uniforms(now.key, _NAME, records.identity[i], records.identity[j], now.day)
            if draws[0] < t.chain:
                p.leaks[plot] += 1
                record(records, now.day, j, EV_NAMED, -1, i, 0.0)
                _suspect(now, t, records, j, p.founder[plot])
        row = p.next[row]


class Detection(Mechanism):
    """Wiretaps and interrogation. Off: plots are lost only through informers and chance arrests."""

    name = "detection"
    subsystem = 5
    parameters = parameters_of(name, "plots are found out by wiretaps and interrogation")
    outputs = (
        daily("wiretapped", "Overheard by a wiretap", EV_TAPPED),
        daily("named", "Named under interrogation", EV_NAMED),
        daily("warned", "Warned of a leak", EV_WARNED),
    )
    steps = (Step("conspire", _overhear), Step("dusk", _investigate))

    def begin(self, run: Run) -> None:
        """Nobody is sought."""
        world = self.world
        run.share(
            Taps(
                trained=world.intelligence_units.copy(),
                hunted=run.column("routes.hunted", np.bool_),
                rate=world["detection.wiretaps"] / DAYS_A_YEAR,
            )
        )
