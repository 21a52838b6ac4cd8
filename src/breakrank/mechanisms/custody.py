"""The inner loops of custody: arrest, verdict, release, hunts and reprisals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, exponential, uniform, uniforms
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
    EV_ILL_TREATED,
    EV_IMPRISONED,
    EV_LEFT,
    EV_RELEASED,
    EV_REPRISAL,
    EV_SET_FREE,
    EV_SURRENDERED,
    HIDING,
    IMPRISONED,
    SERVING,
)
from breakrank.engine.records import RunRecords, move, record, schedule_after
from breakrank.kernel import lean

_NOBODY = int(NOBODY)


@lean
def detain(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    tier: NDArray[np.float64],
    suspects: NDArray[np.int32],
    patron: float,
    patron_tier: float,
    death: float,
    fugitive: NDArray[np.bool_],
) -> None:
    """Arrest the suspects who still serve, and pass sentence on those in `who`."""
    for i in suspects:
        if records.fate[i] == SERVING:
            fugitive[i] = False
            move(records, day, i, DETAINED, EV_ARRESTED, -1, -1, 0.0)
    for i in who:
        if records.fate[i] != DETAINED:
            continue
        dies, freed, _, _ = uniforms(key, name, records.identity[i], _NOBODY, day * 2)
        chance = patron + patron_tier * tier[records.rank[i]]
        if dies < death:
            move(records, day, i, DEAD, EV_DIED, -1, -1, 0.0)
        elif freed < chance and not fugitive[i]:
            move(records, day, i, SERVING, EV_RELEASED, -1, -1, 0.0)
        else:
            move(records, day, i, IMPRISONED, EV_IMPRISONED, -1, -1, 0.0)


@lean
def follow_up(
    key: np.uint64,
    custody: int,
    hunt: int,
    reprisal: int,
    records: RunRecords,
    first: int,
    last: int,
    day: int,
    dependants: NDArray[np.uint8],
    custody_days: float,
    ill: float,
    hunt_rate: float,
    reprisals: float,
    fugitive: NDArray[np.bool_],
    rose: NDArray[np.bool_],
    sentence: int,
    sentence_days: float,
    political: NDArray[np.bool_],
    held: NDArray[np.int64],
) -> None:
    """Draw from today's log what the service does next: ill-treatment, verdicts, hunts, reprisals.

    `political` marks who is held for what he thinks, plots or rises for, and not for leaving; `held` int64
    (2,) counts those held of either kind.
    """
    for k in range(first, last):
        event, i = records.event[k], records.who[k]
        who = records.identity[i]
        if event in (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED):
            fugitive[i] = event in (EV_CAPTURED, EV_CAUGHT_HIDING) or rose[i]
            hurt, wait, _, _ = uniforms(key, custody, who, _NOBODY, day * 2 + 1)
            if hurt < ill:
                record(records, day, i, EV_ILL_TREATED, -1, -1, 0.0)
            political[i] = rose[i] or event in (EV_ARRESTED, EV_SURRENDERED)
            held[0 if political[i] else 1] += 1
            schedule_after(records, day + 1, -np.log(wait) * custody_days, DUE_VERDICT, i)
        elif event in (EV_RELEASED, EV_DIED, EV_SET_FREE):
            held[0 if political[i] else 1] -= 1
        elif event == EV_IMPRISONED:
            wait_days = exponential(key, sentence, who, _NOBODY, day) * sentence_days
            schedule_after(records, day + 1, wait_days, DUE_FREED, i)
        elif event == EV_DESERTED and hunt_rate > 0.0:
            wait_days = exponential(key, hunt, who, _NOBODY, day) / hunt_rate
            schedule_after(records, day + 1, wait_days, DUE_CAUGHT, i)
        if event == EV_DESERTED or (event == EV_LEFT and records.value[k] >= 0):
            behind = dependants[i] if not (event == EV_LEFT and records.value[k] == 1) else 0
            if uniform(key, reprisal, who, _NOBODY, day) < reprisals * (1 + behind):
                record(records, day, i, EV_REPRISAL, -1, -1, float(behind))


@lean
def set_free(records: RunRecords, day: int, who: NDArray[np.int32]) -> None:
    """Set free whom of `who` (positions) prison still holds."""
    for i in who:
        if records.fate[i] == IMPRISONED:
            move(records, day, i, DISCHARGED, EV_SET_FREE, -1, -1, 0.0)


@lean
def catch(records: RunRecords, day: int, who: NDArray[np.int32]) -> None:
    """Detain whom of `who` (positions) still hides."""
    for i in who:
        if records.fate[i] == HIDING:
            move(records, day, i, DETAINED, EV_CAUGHT_HIDING, -1, -1, 0.0)
