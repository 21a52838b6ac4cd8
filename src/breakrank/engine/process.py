"""Poisson processes of occasions: whom they reach, and the moments that they bring in a replicate.

There is one process for each soldier and kind, drawn by time change: the k-th moment comes when the
cumulated rate passes the k-th sum of exponential draws. A higher rate under the same luck therefore only
brings moments forward and adds to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, WORDS, fraction, words, words_among
from breakrank.kernel import kernel, lean
from breakrank.table import Table

_NOBODY = int(NOBODY)
CHUNK = 1024
_ROUNDING, _LEAST = 1e-9, 1e-290


class Reached(Table):
    """Whom a process reaches: positions ``rows``, ascending, and of each his ``total`` rate.

    ``beyond`` is what a product of draws lies below only when they go beyond the total.
    """

    rows: NDArray[np.int32]
    total: NDArray[np.float64]
    beyond: NDArray[np.float64]


@kernel
def occasions_of_rate(
    key: np.uint64,
    name: int,
    identity: NDArray[np.uint32],
    reached: Reached,
    group: NDArray[np.int32],
    factor: NDArray[np.float32],
    cumulative: NDArray[np.float64],
    room: int,
) -> tuple[NDArray[np.int16], NDArray[np.int32], int]:
    """Draw the moments of one process. Return days, soldiers (ascending) and how many, -1 if they do not fit.

    Soldier i's rate on day d is ``factor[i]`` times the daily increment of ``cumulative[group[i]]``
    (float64 (group, days), non-decreasing); only those at ``reached.rows`` have any.
    """
    day_of, who, word = np.empty(room, np.int16), np.empty(room, np.int32), np.empty(room, np.uint32)
    first, count = np.empty((WORDS, CHUNK), np.uint32), np.empty(CHUNK, np.int32)
    n = _words_of_moments(key, name, identity, reached, first, count, who, word)
    if n > 0:
        n = _days_of_moments(group, factor, cumulative, n, who, word, day_of)
    return day_of, who, n


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

    A soldier has had his moments once the product of his draws lies below what his total leaves; what only
    rounding decides is kept. `first` and `count` are room for a chunk of soldiers: how many moments each has
    is counted for all of them, and all of his words are written, since no processor guesses how many.
    """
    rows, beyond = reached.rows, reached.beyond
    n, one, room = np.uintp(0), np.uintp(1), who.shape[0] - WORDS
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
            if np.intp(n) > room:
                return -1
            m = n
            for j in range(WORDS):
                who[m], word[m] = some[c], first[j, c]
                m += one
            n += np.uintp(count[c])
            if count[c] == WORDS:
                m = _words_beyond(
                    key, name, identity[some[c]], reached, k + c, first[:, c], np.intp(n), who, word
                )
                if m < 0:
                    return -1
                n = np.uintp(m)
    return np.intp(n)


@lean
def _words_beyond(
    key: np.uint64,
    name: int,
    identity: int,
    reached: Reached,
    row: int,
    first: NDArray[np.uint32],
    n: int,
    who: NDArray[np.int32],
    word: NDArray[np.uint32],
) -> int:
    """Write the words of a soldier's moments after the `first`; return how many there are, -1 as above."""
    beyond, total = reached.beyond[row], reached.total[row]
    product, spent, block = 1.0, 0.0, 0
    for w in first:
        product *= fraction(w)
        spent -= np.log(fraction(w))
    while product >= beyond and spent < total:
        block += 1
        for w in words(key, name, identity, _NOBODY, block):
            product *= fraction(w)
            spent -= np.log(fraction(w))
            if product < beyond or spent >= total:
                break
            if n >= who.shape[0]:
                return -1
            who[n], word[n] = reached.rows[row], w
            n += 1
    return n


@lean
def _days_of_moments(
    group: NDArray[np.int32],
    factor: NDArray[np.float32],
    cumulative: NDArray[np.float64],
    n: int,
    who: NDArray[np.int32],
    word: NDArray[np.uint32],
    day_of: NDArray[np.int16],
) -> int:
    """Write the days of the first `n` moments; return how many stay, without what lies beyond the end."""
    days = cumulative.shape[1]
    kept, last, spent = 0, -1, 0.0
    for k in range(n):
        i, g = who[k], group[who[k]]
        spent = spent * np.int64(i == last) - np.log(fraction(word[k]))
        last = i
        if spent >= cumulative[g, days - 1] * factor[i]:
            continue
        level = spent / factor[i]
        day = min(int(level * days / cumulative[g, days - 1]), days - 1)
        while day > 0 and cumulative[g, day - 1] > level:
            day -= 1
        while day < days - 1 and cumulative[g, day] <= level:  # level may round up to the total
            day += 1
        day_of[kept], who[kept] = day, i
        kept += 1
    return kept


@lean
def _find_reached(
    group: NDArray[np.int32],
    factor: NDArray[np.float32],
    cumulative: NDArray[np.float64],
    reached: Reached,
) -> int:
    """Write whom a process reaches, and return how many; see :class:`Reached`."""
    n, days = 0, cumulative.shape[1]
    known, beyond = -1.0, 0.0
    for i in range(group.shape[0]):
        if group[i] < 0 or factor[i] <= 0.0:
            continue
        total = cumulative[group[i], days - 1] * factor[i]
        if total > 0.0:
            if total != known:
                known, beyond = total, np.exp(-total) * (1.0 - _ROUNDING) - _LEAST
            reached.rows[n], reached.total[n], reached.beyond[n] = i, total, beyond
            n += 1
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
    def reached(self) -> Reached:
        """Return whom it reaches."""
        n = len(self.group)
        found = Reached(np.empty(n, np.int32), np.empty(n), np.empty(n))
        n = _find_reached(self.group, self.factor, self.cumulative, found)
        return Reached(found.rows[:n], found.total[:n], found.beyond[:n])

    @cached_property
    def room(self) -> int:
        """Return a number of moments that is hardly ever exceeded (mean and six deviations)."""
        mean = float(self.reached.total.sum())
        return int(mean + 6 * np.sqrt(mean)) + 16

    def draw(
        self, key: np.uint64, identity: NDArray[np.uint32]
    ) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        """Return days and soldiers (positions, ascending) of the moments of one replicate."""
        room = self.room
        while True:
            days, who, n = occasions_of_rate(
                key, self.name, identity, self.reached, self.group, self.factor, self.cumulative, room
            )
            if n >= 0:
                return days[:n], who[:n]
            room = 2 * room + WORDS
