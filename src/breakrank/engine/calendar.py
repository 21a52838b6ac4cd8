"""The calendar of occasions: moments of decision that do not depend on what happens.

Leave passes, errands, postings and family shocks are drawn at the start of a replicate, one Poisson
process for each soldier and kind, by time change: the k-th moment comes when the cumulated rate
passes the k-th sum of exponential draws. A higher rate under the same luck therefore only brings
moments forward and adds to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, fraction, words, words_each
from breakrank.kernel import kernel

_NOBODY = int(NOBODY)
CHUNK = 1024


@dataclass
class Occasions:
    """The calendar of moments known in advance: for each day a run of soldiers, ascending.

    ``start`` int64 (days + 1,), ``who`` int32, ``occasion`` uint8.
    """

    start: NDArray[np.int64]
    who: NDArray[np.int32]
    occasion: NDArray[np.uint8]


@kernel
def occasions_of_rate(
    key: np.uint64,
    name: int,
    identity: NDArray[np.uint32],
    group: NDArray[np.int32],
    factor: NDArray[np.float32],
    cumulative: NDArray[np.float64],
    room: int,
) -> tuple[NDArray[np.int16], NDArray[np.int32], int]:
    """Draw the moments of one process. Return days, soldiers (ascending) and how many did not fit.

    Soldier i's rate on day d is ``factor[i]`` times the daily increment of ``cumulative[group[i]]``
    (float64 (group, days), non-decreasing); a negative group has no moments.
    """
    days = cumulative.shape[1]
    day_of = np.empty(room, np.int16)
    who = np.empty(room, np.int32)
    first = np.empty((4, CHUNK), np.uint32)
    n = 0
    for i in range(identity.shape[0]):
        c = i % CHUNK
        if c == 0:
            words_each(key, name, identity[i : i + CHUNK], 0, first)
        g = group[i]
        if g < 0 or factor[i] <= 0.0:
            continue
        total = cumulative[g, days - 1] * factor[i]
        even = cumulative[g, days - 1] / days
        spent = 0.0
        block = 0
        w0, w1, w2, w3 = first[0, c], first[1, c], first[2, c], first[3, c]
        while spent < total:
            for w in (w0, w1, w2, w3):
                spent -= np.log(fraction(w))
                if spent >= total:
                    break
                level = spent / factor[i]
                day = min(int(level / even), days - 1)
                while day > 0 and cumulative[g, day - 1] > level:
                    day -= 1
                while day < days - 1 and cumulative[g, day] <= level:  # level may round up to the total
                    day += 1
                if n < room:
                    day_of[n] = day
                    who[n] = i
                n += 1
            if spent < total:
                block += 1
                w0, w1, w2, w3 = words(key, name, identity[i], _NOBODY, block)
    return day_of, who, n


@dataclass(frozen=True)
class Process:
    """A Poisson process of occasions.

    Soldier i's cumulated rate by the end of day d is ``factor[i] * cumulative[group[i], d]``.

    Attributes
    ----------
    occasion : code of the occasion; ``name`` code of the decision whose draws it uses.
    group : int32 (soldier,), row of `cumulative`, negative for those without.
    factor : float32 (soldier,); ``cumulative`` float64 (group, day), non-decreasing.
    """

    occasion: int
    name: int
    group: NDArray[np.int32]
    factor: NDArray[np.float32]
    cumulative: NDArray[np.float64]

    @cached_property
    def room(self) -> int:
        """Return a number of moments that is hardly ever exceeded (mean and six deviations)."""
        inside = self.group >= 0
        mean = float(np.dot(self.cumulative[self.group[inside], -1], self.factor[inside]))
        return int(mean + 6 * np.sqrt(mean)) + 16

    def draw(
        self, key: np.uint64, identity: NDArray[np.uint32]
    ) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        """Return days and soldiers (positions, ascending) of the moments of one replicate."""
        room = self.room
        while True:
            days, who, n = occasions_of_rate(
                key, self.name, identity, self.group, self.factor, self.cumulative, room
            )
            if n <= room:
                return days[:n], who[:n]
            room = n


@kernel
def _spots(
    days: int, day_of: NDArray[np.int16], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the moments of each process and day begin and end once sorted by day, then process."""
    processes = ends.shape[0]
    first = np.zeros((processes, days), np.int64)
    last = np.zeros((processes, days), np.int64)
    begin = 0
    for p in range(processes):
        for j in range(begin, ends[p]):
            last[p, day_of[j]] += 1
        begin = ends[p]
    spot = 0
    for d in range(days):
        for p in range(processes):
            first[p, d] = spot
            spot += last[p, d]
            last[p, d] = spot
    return first, last


@kernel
def _merge(
    days: int,
    day_of: NDArray[np.int16],
    who: NDArray[np.int32],
    kind: NDArray[np.uint8],
    ends: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
    """Sort processes, each ascending by soldier, by day and soldier; the highest occasion of a day counts."""
    first, last = _spots(days, day_of, ends)
    processes, m = ends.shape[0], day_of.shape[0]
    by_who, by_kind = np.empty(m, np.int32), np.empty(m, np.uint8)
    spot = first.copy()
    begin = 0
    for p in range(processes):
        for j in range(begin, ends[p]):
            s = spot[p, day_of[j]]
            by_who[s], by_kind[s] = who[j], kind[j]
            spot[p, day_of[j]] = s + 1
        begin = ends[p]
    start = np.zeros(days + 1, np.int64)
    out_who, out_kind = np.empty(m, np.int32), np.empty(m, np.uint8)
    k = 0
    for d in range(days):
        while True:
            best = -1
            for p in range(processes):
                if first[p, d] < last[p, d] and (best < 0 or by_who[first[p, d]] < by_who[first[best, d]]):
                    best = p
            if best < 0:
                break
            s = first[best, d]
            first[best, d] = s + 1
            if k > start[d] and out_who[k - 1] == by_who[s]:
                out_kind[k - 1] = max(out_kind[k - 1], by_kind[s])
            else:
                out_who[k], out_kind[k] = by_who[s], by_kind[s]
                k += 1
        start[d + 1] = k
    return start, out_who[:k].copy(), out_kind[:k].copy()


def merge_occasions(
    days: int, processes: list[tuple[NDArray[np.int16], NDArray[np.int32], int]]
) -> Occasions:
    """Merge processes ``(days, soldiers, occasion code)`` into one calendar."""
    if not processes:
        return Occasions(np.zeros(days + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.uint8))
    day_of = np.concatenate([p[0] for p in processes])
    who = np.concatenate([p[1] for p in processes])
    kind = np.concatenate([np.full(len(p[0]), p[2], np.uint8) for p in processes])
    ends = np.cumsum([len(p[0]) for p in processes])
    return Occasions(*_merge(days, day_of, who, kind, ends))
