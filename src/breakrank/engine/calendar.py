"""The calendar of occasions: decision opportunities that do not depend on what happens.

Leave passes, errands, postings and family shocks are drawn at the start of a replicate
(:mod:`breakrank.engine.process`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.kernel import lean
from breakrank.table import Table


class Occasions(Table):
    """The calendar of moments known in advance: for each day a run of soldiers, ascending.

    ``start`` int64 (days + 1,), ``who`` int32, ``occasion`` uint8.
    """

    start: NDArray[np.int64]
    who: NDArray[np.int32]
    occasion: NDArray[np.uint8]


@lean
def _by_soldier(
    day_of: NDArray[np.int16],
    who: NDArray[np.int32],
    kind: NDArray[np.uint8],
    spot: NDArray[np.int64],
    days: NDArray[np.int16],
    soldiers: NDArray[np.int32],
    kinds: NDArray[np.uint8],
) -> None:
    """Sort moments by soldier into `days`, `soldiers` and `kinds`; `spot` are zeros, one more than soldiers.

    Each process is ascending by soldier, so that all of this walks through memory in order.
    """
    for i in who:
        spot[i + 1] += 1
    for i in range(1, spot.shape[0]):
        spot[i] += spot[i - 1]
    for j in range(who.shape[0]):
        s = spot[who[j]]
        spot[who[j]] = s + 1
        days[s], soldiers[s], kinds[s] = day_of[j], who[j], kind[j]


@lean
def _by_day(
    day_of: NDArray[np.int16],
    who: NDArray[np.int32],
    kind: NDArray[np.uint8],
    end: NDArray[np.int64],
    start: NDArray[np.int64],
    soldiers: NDArray[np.int32],
    kinds: NDArray[np.uint8],
) -> None:
    """Sort moments, given by soldier, by day; the highest occasion of a soldier's day counts.

    Writes ``start`` (days + 1,) and as many of `soldiers` and `kinds` as it says; `end` is room for a
    number for each day.
    """
    for d in day_of:
        start[d + 1] += 1
    for d in range(end.shape[0]):
        start[d + 1] += start[d]
        end[d] = start[d]
    for j in range(who.shape[0]):
        d = day_of[j]
        s = end[d]
        if s > start[d] and soldiers[s - 1] == who[j]:
            kinds[s - 1] = max(kinds[s - 1], kind[j])
        else:
            soldiers[s], kinds[s] = who[j], kind[j]
            end[d] = s + 1
    k = 0
    for d in range(end.shape[0]):
        first, start[d] = start[d], k
        for s in range(first, end[d]):
            soldiers[k], kinds[k] = soldiers[s], kinds[s]
            k += 1
    start[end.shape[0]] = k


def merge_occasions(
    days: int, processes: list[tuple[NDArray[np.int16], NDArray[np.int32], int]]
) -> Occasions:
    """Merge processes ``(days, soldiers, occasion code)`` into one calendar."""
    if not processes:
        return Occasions(np.zeros(days + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.uint8))
    day_of = np.concatenate([p[0] for p in processes])
    who = np.concatenate([p[1] for p in processes])
    kind = np.concatenate([np.full(len(p[0]), p[2], np.uint8) for p in processes])
    room = np.empty_like(day_of), np.empty_like(who), np.empty_like(kind)
    _by_soldier(day_of, who, kind, np.zeros(int(who.max(initial=0)) + 2, np.int64), *room)
    start = np.zeros(days + 1, np.int64)
    _by_day(*room, np.empty(days, np.int64), start, who, kind)
    return Occasions(start, who[: start[-1]], kind[: start[-1]])
