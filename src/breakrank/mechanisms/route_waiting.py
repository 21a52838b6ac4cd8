"""Intentions to leave that wait for a way: who keeps one, and when it may be carried out.

A soldier weighs leaving by all ways that they have known, and may find the one that they choose shut. Then
they keep the intention until it fades. Once a way opens they decide again within days, with the same luck as
when they made up their mind: so they go unless their reasons have weakened meanwhile (the aspiration and the
ability to leave are two things: Carling 2002, "Migration in the age of involuntary immobility").
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniforms
from breakrank.engine.codes import DUE_WAITED, SERVING, WAITED
from breakrank.engine.moments import Moments, Soldiers
from breakrank.engine.records import RunRecords, schedule
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean
from breakrank.table import Table

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
    now: Now,
    soldiers: Soldiers,
    intentions: Intentions,
    nearer: NDArray[np.bool_],
    records: RunRecords,
) -> None:
    """Let those decide soon who wait where a way has opened: `nearer` (state, rank)."""
    for i in range(intentions.until.shape[0]):
        if intentions.until[i] < now.day or records.fate[i] != SERVING:
            continue
        if nearer[soldiers.state[i], soldiers.rank[i]]:
            waits, _, _, _ = uniforms(now.key, _KEEPS, soldiers.identity[i], _NOBODY, 2 * now.day + 1)
            schedule(records, now.day + int(-np.log(waits) * DELAY), DUE_WAITED, i)
