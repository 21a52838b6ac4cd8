"""The calendar of occasions: decision opportunities that do not depend on what happens.

Leave passes, errands, postings and family shocks are drawn at the start of a replicate by Poisson processes:
whom they reach, and the moments that they bring. There is one process for each soldier and kind, drawn by
time change: the k-th moment comes when the cumulated rate passes the k-th sum of exponential draws. A higher
rate under the same luck therefore only brings moments forward and adds to them.

What follows from the luck and a few arrays, which most changes leave as they are, scenarios of one run share:
see :func:`once`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import CHUNK, NOBODY, WORDS, fraction, words, words_among
from breakrank.kernel import kernel, lean
from breakrank.table import Table, array

T = TypeVar("T")


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.latest: dict[str, tuple[tuple[Any, ...], Any]] = {}


_kept = _PerThread()


def once(name: str, given: tuple[Any, ...], make: Callable[[], T]) -> T:
    """Return ``make(given)``; the last result again if the arguments are the same to the bit.

    Each thread keeps the latest of each `name`. What is given and made must not be changed afterwards.
    """
    kept = _kept.latest.get(name)
    if kept is None or len(kept[0]) != len(given) or not all(map(_same, kept[0], given)):
        kept = _kept.latest[name] = given, make()
    return kept[1]


def _same(a: Any, b: Any) -> bool:  # noqa: ANN401
    if not isinstance(a, np.ndarray):
        return bool(a == b)
    return a is b or ((a.dtype, a.shape) == (b.dtype, b.shape) and a.tobytes() == b.tobytes())


_NOBODY = int(NOBODY)
_ROUNDING, _LEAST = 1e-6, 1e-30
_KNOWN = 64


class Reached(Table):
    """Whom a process reaches, and how: positions ``rows``, ascending; the rest as in :class:`Process`.

    ``beyond`` of each of them is what a product of draws lies below only when they go beyond their whole
    rate. ``near`` (group, part) is the day in the middle of each part of a group's rate, one of as many as
    days.
    """

    rows: NDArray[np.int32]
    beyond: NDArray[np.float32]
    group: NDArray[np.int32]
    factor: NDArray[np.float32]
    cumulative: NDArray[np.float64] = array("group", "day")
    near: NDArray[np.int16] = array("group", "part")


@lean
def _whole_rate(reached: Reached, i: int) -> float:
    days = reached.cumulative.shape[1]
    return reached.cumulative[reached.group[i], days - 1] * reached.factor[i]


@kernel
def _find_reached(reached: Reached) -> tuple[int, float]:
    """Write whom a process reaches; return how many they are, and how many moments they have on average."""
    n, mean, days = 0, 0.0, reached.cumulative.shape[1]
    for g in range(reached.cumulative.shape[0]):
        day, part = 0, reached.cumulative[g, days - 1] / days
        for k in range(days):
            while day < days - 1 and reached.cumulative[g, day] <= (2 * k + 1) * part / 2:
                day += 1
            reached.near[g, k] = day
    known, beyond = np.full(_KNOWN, -1.0), np.empty(_KNOWN)
    for i in range(reached.group.shape[0]):
        if reached.group[i] < 0 or reached.factor[i] <= 0.0:
            continue
        total = _whole_rate(reached, i)
        if total > 0.0:
            k = int(total * _KNOWN * _KNOWN) % _KNOWN  # soldiers have few rates
            if total != known[k]:
                known[k], beyond[k] = total, np.exp(-total) * (1.0 - _ROUNDING) - _LEAST
            reached.rows[n], reached.beyond[n] = i, beyond[k]
            n += 1
            mean += total
    return n, mean


@kernel
def occasions_of_rate(
    key: np.uint64, name: int, identity: NDArray[np.uint32], reached: Reached, room: int
) -> tuple[NDArray[np.int16], NDArray[np.int32], int]:
    """Draw the moments of one process: days, soldiers (ascending) and how many, -1 if they do not fit."""
    day_of, who, word = np.empty(room, np.int16), np.empty(room, np.int32), np.empty(room, np.uint32)
    first, count = np.empty((WORDS, CHUNK), np.uint32), np.empty(CHUNK, np.int32)
    n = _words_of_moments(key, name, identity, reached, first, count, who, word)
    return day_of, who, _days_of_moments(reached, n, who, word, day_of)


@lean
def _words_of_moments(
    key: np.uint64,
    name: int,
    identity: NDArray[np.uint32],
    reached: Reached,
    first: NDArray[np.uint32],
    count: NDArray[np.int32],
    who: NDArray[np.int32],
    word: NDArray[np.uint32],
) -> int:
    """Write whose moments there are, each with its random word; return how many, -1 if there is no room.

    A soldier has had their moments once the product of their draws lies below what their whole rate leaves;
    what only rounding decides is kept. `first` and `count` are room for a chunk of soldiers: how many moments
    each has is counted for all of them, and all of their words are written, since no processor guesses how
    many.
    """
    rows, beyond = reached.rows, reached.beyond
    n, room = 0, who.shape[0] - WORDS
    for k in range(0, rows.shape[0], CHUNK):
        some = rows[k : k + CHUNK]
        words_among(key, name, identity, some, some.shape[0], 0, first)
        for c in range(some.shape[0]):
            b, p = beyond[k + c], fraction(first[0, c])
            q = p * fraction(first[1, c])
            r = q * fraction(first[2, c])
            s = r * fraction(first[3, c])
            count[c] = np.int32(p >= b) + np.int32(q >= b) + np.int32(r >= b) + np.int32(s >= b)
        for c in range(some.shape[0]):
            if n > room:
                return -1
            for j in range(WORDS):
                who[n + j], word[n + j] = some[c], first[j, c]
            n += int(count[c])
            if count[c] == WORDS:
                n = _words_beyond(key, name, identity, reached, k + c, n, who, word)
                if n < 0:
                    return -1
    return n


@lean
def _words_beyond(
    key: np.uint64,
    name: int,
    identity: NDArray[np.uint32],
    reached: Reached,
    row: int,
    n: int,
    who: NDArray[np.int32],
    word: NDArray[np.uint32],
) -> int:
    """Write the words of a soldier's moments after the first; return how many there are then, -1 as above."""
    i, beyond = reached.rows[row], reached.beyond[row]
    total = _whole_rate(reached, i)
    product, spent, block = 1.0, 0.0, 0
    while product >= beyond and spent < total:
        for w in words(key, name, identity[i], _NOBODY, block):
            product *= fraction(w)
            spent -= np.log(fraction(w))
            if block:
                if product < beyond or spent >= total:
                    break
                if n >= who.shape[0]:
                    return -1
                who[n], word[n] = i, w
                n += 1
        block += 1
    return n


@lean
def _days_of_moments(
    reached: Reached, n: int, who: NDArray[np.int32], word: NDArray[np.uint32], day_of: NDArray[np.int16]
) -> int:
    """Write the days of the first `n` moments; return how many stay, without what lies beyond the end.

    With `n` below 0 nothing is written, and it is returned.
    """
    cumulative = reached.cumulative
    days = cumulative.shape[1]
    kept, last, spent = min(n, 0), -1, 0.0
    for k in range(n):
        i, g = who[k], reached.group[who[k]]
        spent = spent * np.int64(i == last) - np.log(fraction(word[k]))
        last = i
        if spent >= cumulative[g, days - 1] * reached.factor[i]:
            continue
        level = spent / reached.factor[i]
        day = reached.near[g, min(int(level * days / cumulative[g, days - 1]), days - 1)]
        while day > 0 and cumulative[g, day - 1] > level:
            day -= 1
        while day < days - 1 and cumulative[g, day] <= level:  # level may round up to the total
            day += 1
        day_of[kept], who[kept] = day, i
        kept += 1
    return kept


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
    def _found(self) -> tuple[Reached, float]:
        n = len(self.group)
        given = self.group, self.factor, self.cumulative, np.empty(self.cumulative.shape, np.int16)
        found = Reached(np.empty(n, np.int32), np.empty(n, np.float32), *given)
        n, mean = _find_reached(found)
        return Reached(found.rows[:n].copy(), found.beyond[:n].copy(), *given), mean

    @property
    def reached(self) -> Reached:
        """Return whom it reaches."""
        return self._found[0]

    def draw(
        self, key: np.uint64, identity: NDArray[np.uint32]
    ) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        """Return days and soldiers (positions, ascending) of the moments of one replicate."""
        given = key, identity, self.group, self.factor, self.cumulative
        return once(f"moments of {self.name}", given, lambda: self._drawn(key, identity))

    def _drawn(
        self, key: np.uint64, identity: NDArray[np.uint32]
    ) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        mean = self._found[1]
        room = int(mean + 6 * np.sqrt(mean)) + 16  # hardly ever exceeded: mean and six deviations
        while True:
            days, who, n = occasions_of_rate(key, self.name, identity, self.reached, room)
            if n >= 0:
                return days[:n], who[:n]
            room = 2 * room + WORDS


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
