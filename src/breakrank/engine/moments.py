"""Moments of decision: the only times at which a soldier's choice is evaluated.

Occasions of the year that do not depend on what happens (leave passes, errands, postings, family
shocks) are drawn at the start of a replicate, one Poisson process for each soldier and kind, by
time change: the k-th moment comes when the cumulated rate passes the k-th sum of exponential
draws. A higher rate under the same luck therefore only brings moments forward and adds to them.
Occasions that follow from events (having been confided to, invited) join on their day.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, uniforms
from breakrank.engine.codes import OPTIONS, SERVING
from breakrank.kernel import kernel

_NOBODY = int(NOBODY)


@dataclass
class Moments:
    """Today's deciders and what the mechanisms say of them. Arrays have one entry for each decider.

    Attributes
    ----------
    who : positions, ascending, each once (int32); ``occasion`` why today (uint8 code).
    terms : float64 (term, decider), in utility units; rows belong to the mechanisms' terms.
    open : bool (option, decider), which options exist for whom.
    utility, chance : float64 (option, decider), after the choice; chances of those who plainly stay
        are written only for a witness.
    choice : uint8, the option taken; ``count`` int64 (option,), how many took it.
    margin : float64, how far each is on the opposed side (see ``mechanisms.preference``), once weighed.
    leader : int32, who asks each decider to come along (position), empty on other occasions.
    """

    who: NDArray[np.int32]
    occasion: NDArray[np.uint8]
    terms: NDArray[np.float64]
    open: NDArray[np.bool_]
    utility: NDArray[np.float64]
    chance: NDArray[np.float64]
    choice: NDArray[np.uint8]
    count: NDArray[np.int64]
    margin: NDArray[np.float64]
    leader: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))

    @property
    def n(self) -> int:
        """Return the number of deciders."""
        return len(self.who)

    def took(self, *options: int) -> bool:
        """Return whether anyone took one of these options."""
        return any(self.count[o] > 0 for o in options)


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
    n = 0
    for i in range(identity.shape[0]):
        g = group[i]
        if g < 0 or factor[i] <= 0.0:
            continue
        total = cumulative[g, days - 1] * factor[i]
        even = cumulative[g, days - 1] / days
        spent = 0.0
        block = 0
        while True:
            a, b, c, d = uniforms(key, name, identity[i], _NOBODY, block)
            block += 1
            done = False
            for u in (a, b, c, d):
                spent -= np.log(u)
                if spent >= total:
                    done = True
                    break
                level = spent / factor[i]
                day = min(int(level / even), days - 1)
                while day > 0 and cumulative[g, day - 1] > level:
                    day -= 1
                while cumulative[g, day] <= level:
                    day += 1
                if n < room:
                    day_of[n] = day
                    who[n] = i
                n += 1
            if done:
                break
    return day_of, who, n


@dataclass(frozen=True)
class Process:
    """A Poisson process of occasions: soldier i's cumulated rate by day d is ``factor[i] * cumulative[group[i], d]``.

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
        """Return a number of moments that is hardly ever exceeded (six standard deviations above the mean)."""
        inside = self.group >= 0
        mean = float(np.dot(self.cumulative[self.group[inside], -1], self.factor[inside]))
        return int(mean + 6 * np.sqrt(mean)) + 16

    def draw(self, key: np.uint64, identity: NDArray[np.uint32]) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
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
def _merge(
    days: int, day_of: NDArray[np.int16], who: NDArray[np.int32], kind: NDArray[np.uint8], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
    """Sort processes (each ascending by soldier) by day, then soldier; a soldier's highest occasion of a day counts."""
    m = day_of.shape[0]
    processes = ends.shape[0]
    at = np.zeros((processes, days + 1), np.int64)
    begin = 0
    for p in range(processes):
        for j in range(begin, ends[p]):
            at[p, day_of[j] + 1] += 1
        begin = ends[p]
    total = np.zeros(days + 1, np.int64)
    for d in range(days):
        total[d + 1] = total[d]
        for p in range(processes):
            total[d + 1] += at[p, d + 1]
    spot = np.zeros((processes, days), np.int64)
    for d in range(days):
        s = total[d]
        for p in range(processes):
            spot[p, d] = s
            s += at[p, d + 1]
    by_day_who = np.empty(m, np.int32)
    by_day_kind = np.empty(m, np.uint8)
    begin = 0
    for p in range(processes):
        for j in range(begin, ends[p]):
            s = spot[p, day_of[j]]
            by_day_who[s] = who[j]
            by_day_kind[s] = kind[j]
            spot[p, day_of[j]] = s + 1
        begin = ends[p]
    start = np.zeros(days + 1, np.int64)
    out_who = np.empty(m, np.int32)
    out_kind = np.empty(m, np.uint8)
    k = 0
    head = np.empty(processes, np.int64)
    for d in range(days):
        for p in range(processes):
            head[p] = spot[p, d] - at[p, d + 1]
        first = k
        while True:
            best = -1
            for p in range(processes):
                if head[p] < spot[p, d] and (best < 0 or by_day_who[head[p]] < by_day_who[head[best]]):
                    best = p
            if best < 0:
                break
            w = by_day_who[head[best]]
            c = by_day_kind[head[best]]
            head[best] += 1
            if k > first and out_who[k - 1] == w:
                out_kind[k - 1] = max(out_kind[k - 1], c)
            else:
                out_who[k] = w
                out_kind[k] = c
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


@kernel
def deciders(
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    extra: NDArray[np.int32],
    extra_occasion: int,
    fate: NDArray[np.uint8],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Merge two ascending lists of soldiers and keep those who serve; the higher occasion counts."""
    n, m = who.shape[0], extra.shape[0]
    out = np.empty(n + m, np.int32)
    kind = np.empty(n + m, np.uint8)
    i = j = k = 0
    while i < n or j < m:
        if j >= m or (i < n and who[i] < extra[j]):
            w, c = who[i], occasion[i]
            i += 1
        elif i >= n or extra[j] < who[i]:
            w, c = extra[j], np.uint8(extra_occasion)
            j += 1
        else:
            w, c = who[i], max(occasion[i], np.uint8(extra_occasion))
            i += 1
            j += 1
        if fate[w] == SERVING:
            out[k] = w
            kind[k] = c
            k += 1
    return out[:k], kind[:k]


def open_moments(who: NDArray[np.int32], occasion: NDArray[np.uint8], terms: int) -> Moments:
    """Return moments with every term zero; only staying is open."""
    n = len(who)
    available = np.zeros((len(OPTIONS), n), np.bool_)
    available[0] = True
    return Moments(
        who,
        occasion,
        np.zeros((terms, n)),
        available,
        np.empty((len(OPTIONS), n)),
        np.empty((len(OPTIONS), n)),
        np.zeros(n, np.uint8),
        np.zeros(len(OPTIONS), np.int64),
        np.empty(n),
    )
