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

from breakrank.draws import NOBODY, WORDS, fraction, words, words_each
from breakrank.kernel import kernel, lean
from breakrank.table import Table

_NOBODY = int(NOBODY)
CHUNK = 1024
_KNOWN = 64
_ROUNDING, _LEAST = 1e-9, 1e-290


class Occasions(Table):
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
    day_of = np.empty(room, np.int16)
    who = np.empty(room, np.int32)
    first = np.empty((WORDS, CHUNK), np.uint32)
    known = np.zeros((_KNOWN, 2))
    n = _moments_of_rate(key, name, identity, group, factor, cumulative, first, known, day_of, who)
    return day_of, who, n


@lean
def _moments_of_rate(
    key: np.uint64,
    name: int,
    identity: NDArray[np.uint32],
    group: NDArray[np.int32],
    factor: NDArray[np.float32],
    cumulative: NDArray[np.float64],
    first: NDArray[np.uint32],
    known: NDArray[np.float64],
    day_of: NDArray[np.int16],
    who: NDArray[np.int32],
) -> int:
    """Write the moments of one process as far as there is room, and return how many there are.

    `first` is room for the words of a chunk of soldiers, and `known` for totals, each with what a product of
    draws lies below only when they go beyond that total: it saves the last logarithm. The rest as in
    :func:`occasions_of_rate`.
    """
    room, days = who.shape[0], cumulative.shape[1]
    n = 0
    for i in range(identity.shape[0]):
        c = i % CHUNK
        if c == 0:
            words_each(key, name, identity[i : i + CHUNK], 0, first)
        g = group[i]
        if g < 0 or factor[i] <= 0.0:
            continue
        total = cumulative[g, days - 1] * factor[i]
        f = int((_KNOWN + 1) * factor[i]) % _KNOWN
        if total != known[f, 0]:
            known[f, 0], known[f, 1] = total, np.exp(-total) * (1.0 - _ROUNDING) - _LEAST
        beyond = known[f, 1]
        even = cumulative[g, days - 1] / days
        spent, product = 0.0, 1.0
        block = 0
        w0, w1, w2, w3 = first[0, c], first[1, c], first[2, c], first[3, c]
        while spent < total:
            for w in (w0, w1, w2, w3):
                product *= fraction(w)
                spent = np.inf if product < beyond else spent - np.log(fraction(w))
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
    return n


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
        mean = float((self.cumulative[self.group[inside], -1] * self.factor[inside]).sum())
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
