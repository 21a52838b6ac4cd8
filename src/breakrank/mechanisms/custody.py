"""The inner loops of custody: arrest, verdict, release, hunts and reprisals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, exponential, uniform, uniforms
from breakrank.engine.codes import (
    DEAD,
    DETAINED,
    DISCHARGED,
    DUE_CAUGHT,
    DUE_FREED,
    DUE_VERDICT,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_DESERTED,
    EV_DIED,
    EV_DISMISSED,
    EV_ILL_TREATED,
    EV_IMPRISONED,
    EV_LEFT,
    EV_REFUSED_ORDER,
    EV_RELEASED,
    EV_REPRISAL,
    EV_RESIGNED,
    EV_SET_FREE,
    EV_SURRENDERED,
    HAD_RESIGNED,
    HIDING,
    IMPRISONED,
    RESIGNED,
    SERVING,
)
from breakrank.engine.moments import Soldiers
from breakrank.engine.records import RunRecords, move, record, schedule_after
from breakrank.engine.run import Now
from breakrank.kernel import lean
from breakrank.mechanisms.regime import Watch
from breakrank.mechanisms.resignation import Service
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_CUSTODY = int(decision("counterintelligence.custody"))
_HUNT = int(decision("counterintelligence.hunt"))
_SENTENCE = int(decision("counterintelligence.sentence"))
_REPRISAL = int(decision("counterintelligence.reprisal"))


class Custody(Table):
    """Soldiers held or sought, and acts of the service.

    ``fugitive``, ``political`` (soldier,): whether who is taken had run, and is held for what they think,
    plots or rises for and not for leaving; ``plotter`` (soldier,); ``rose`` (soldier,) in the last uprising;
    ``held`` (2,) political, and for leaving. ``days`` in custody; ``ill``, ``patron``, ``death`` chances,
    ``patron_tier`` a tier more; ``hunt`` a day, ``reprisals`` a departure at usual surveillance; ``sentence``
    days. ``tier`` (rank,). ``prisoners`` that there were at the start; ``counted`` (2,) all who are held this
    evening.
    """

    fugitive: NDArray[np.bool_]
    rose: NDArray[np.bool_]
    political: NDArray[np.bool_]
    plotter: NDArray[np.bool_] = array("soldier", strided=True)
    held: NDArray[np.int64]
    counted: NDArray[np.int32]
    tier: NDArray[np.float64]
    days: float
    ill: float
    hunt: float
    prisoners: float
    reprisals: float
    sentence: float
    patron: float
    patron_tier: float
    death: float


@lean
def detain(
    now: Now,
    soldiers: Soldiers,
    c: Custody,
    service: Service,
    records: RunRecords,
    who: NDArray[np.int32],
    suspects: NDArray[np.int32],
) -> None:
    """Arrest the suspects who still serve, and pass sentence on those in `who`.

    Who could have resigned is dismissed instead, the likelier the less resigning is punished.
    """
    key, day = now.key, now.day
    for i in suspects:
        if records.fate[i] == SERVING:
            c.fugitive[i] = False
            move(records, day, i, DETAINED, EV_ARRESTED, -1, -1, 0.0)
    for i in who:
        if records.fate[i] != DETAINED:
            continue
        dies, freed, spared, _ = uniforms(key, _CUSTODY, records.identity[i], _NOBODY, day * 2)
        chance = c.patron + c.patron_tier * c.tier[records.rank[i]]
        if dies < c.death:
            move(records, day, i, DEAD, EV_DIED, -1, -1, 0.0)
        elif freed < chance and not c.fugitive[i]:
            move(records, day, i, SERVING, EV_RELEASED, -1, -1, 0.0)
        elif (
            service.resigns[soldiers.unit[i], records.rank[i]]
            and spared < 1.0 - service.open_risk
            and not (c.fugitive[i] or c.plotter[i])
        ):
            move(records, day, i, RESIGNED, EV_DISMISSED, -1, -1, 0.0)
        else:
            move(records, day, i, IMPRISONED, EV_IMPRISONED, -1, -1, 0.0)


@lean
def follow_up(
    now: Now,
    soldiers: Soldiers,
    c: Custody,
    service: Service,
    watch: Watch,
    records: RunRecords,
) -> None:
    """Draw from today's log what the service does next: ill-treatment, verdicts, hunts, reprisals.

    Reprisals grow with the surveillance in force where the soldier served, and so does the hunt for them, by
    that of the day on which they deserted, where a case tells places apart.
    """
    key, day = now.key, now.day
    fugitive, rose, political, held = c.fugitive, c.rose, c.political, c.held
    reprisals = c.reprisals * watch.today[0]
    for k in range(now.first, records.cursor[0]):
        event, i = records.event[k], records.who[k]
        who = records.identity[i]
        if event in (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED):
            resigned = event == EV_ARRESTED and records.value[k] == HAD_RESIGNED
            fugitive[i] = event in (EV_CAPTURED, EV_CAUGHT_HIDING) or resigned or rose[i]
            hurt, wait, _, _ = uniforms(key, _CUSTODY, who, _NOBODY, day * 2 + 1)
            if hurt < c.ill:
                record(records, day, i, EV_ILL_TREATED, -1, -1, 0.0)
            political[i] = rose[i] or event in (EV_ARRESTED, EV_SURRENDERED)
            held[0 if political[i] else 1] += 1
            schedule_after(records, day + 1, -np.log(wait) * c.days, DUE_VERDICT, i)
        elif event in (EV_RELEASED, EV_DIED, EV_SET_FREE, EV_DISMISSED):
            held[0 if political[i] else 1] -= 1
        elif event == EV_IMPRISONED:
            wait_days = exponential(key, _SENTENCE, who, _NOBODY, day) * c.sentence
            schedule_after(records, day + 1, wait_days, DUE_FREED, i)
        elif event in (EV_DESERTED, EV_RESIGNED, EV_REFUSED_ORDER):
            hunt = c.hunt * watch.hunt[soldiers.unit[i]]
            hunt *= service.open_risk if event == EV_RESIGNED else 1.0
            if hunt > 0.0:
                wait_days = exponential(key, _HUNT, who, _NOBODY, day) / hunt
                schedule_after(records, day + 1, wait_days, DUE_CAUGHT, i)
        openly = event in (EV_RESIGNED, EV_REFUSED_ORDER)
        if openly or (event in (EV_DESERTED, EV_LEFT) and records.value[k] >= 0.0):
            behind = soldiers.dependants[i] if not (event == EV_LEFT and records.value[k] == 1) else 0
            here = reprisals * watch.here[soldiers.unit[i]] * (service.exposure[day] if openly else 1.0)
            if uniform(key, _REPRISAL, who, _NOBODY, day) < here * (1 + behind):
                record(records, day, i, EV_REPRISAL, -1, -1, float(behind))


@lean
def set_free(
    now: Now,
    records: RunRecords,
    who: NDArray[np.int32],
) -> None:
    """Set free whom of `who` (positions) prison still holds."""
    day = now.day
    for i in who:
        if records.fate[i] == IMPRISONED:
            move(records, day, i, DISCHARGED, EV_SET_FREE, -1, -1, 0.0)


@lean
def catch(
    now: Now,
    records: RunRecords,
    who: NDArray[np.int32],
) -> None:
    """Detain whom of `who` (positions) still hides, or is at home after resigning."""
    day = now.day
    for i in who:
        if records.fate[i] == HIDING:
            move(records, day, i, DETAINED, EV_CAUGHT_HIDING, -1, -1, 0.0)
        elif records.fate[i] == RESIGNED:
            move(records, day, i, DETAINED, EV_ARRESTED, -1, -1, HAD_RESIGNED)
