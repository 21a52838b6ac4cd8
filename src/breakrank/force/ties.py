"""Trust ties: who would be told the truth. Built from identities alone.

Whether two soldiers trust each other is one draw, named by the lower and the higher identity. Who
comes into question is fixed by slots that follow from each one's own identity: their unit, their section
of an academy class, their circle of possible relatives. The probability follows from the size of the
slot on paper. So a soldier who is not there changes no tie between two others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, philox
from breakrank.force.force import CLASSMATE, KIN, UNIT, ClassTable, Ties, UnitTable
from breakrank.kernel import kernel

TRUST = (int(decision("force.comrades")), int(decision("force.classmates")), int(decision("force.kin")))
"""Decisions by kind of tie."""

KIN_CIRCLE = 16
"""Soldiers in one circle of possible relatives; wide, so that few triangles arise by chance."""
_CIRCLE = int(decision("force.kin_circle"))
_NOBODY = int(NOBODY)
_TOGETHER = 8
"""So many draws the processor computes at once. What is left over of a row would take as long one by one."""


@kernel
def group(slot: NDArray[np.int32], slots: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Sort positions by slot, keeping their order; slot -1 is left out.

    Returns
    -------
    start (slots + 1,) and members: those of slot g are ``members[start[g]:start[g + 1]]``.
    """
    start = np.zeros(slots + 1, np.int64)
    for g in slot:
        start[g + 1] += g >= 0
    start = np.cumsum(start)
    members = np.empty(start[-1], np.int32)
    at = start.copy()
    for i in range(slot.size):
        g = slot[i]
        if g >= 0:
            members[at[g]] = i
            at[g] += 1
    return start, members


@kernel
def kin_circles(key: np.uint64, identity: NDArray[np.uint32], circles: int) -> NDArray[np.int32]:
    """Draw each soldier's circle of possible relatives, 0..circles-1, shape (n,)."""
    slot = np.empty(identity.size, np.int32)
    k0, k1 = int(key & np.uint64(0xFFFFFFFF)), int(key >> np.uint64(32))
    for i in range(identity.size):
        word = philox(identity[i], _NOBODY, 0, _CIRCLE, k0, k1)[0]
        slot[i] = (np.uint64(word) * np.uint64(circles)) >> np.uint64(32)
    return slot


@kernel
def row(key: np.uint64, name: int, who: int, whom: NDArray[np.uint32], word: NDArray[np.uint32]) -> None:
    """Write the first words of the draws of `who` with each of `whom`; a loop the compiler can vectorise."""
    k0, k1 = int(key & np.uint64(0xFFFFFFFF)), int(key >> np.uint64(32))
    for j in range(whom.size):
        word[j] = philox(who, whom[j], 0, name, k0, k1)[0]


@kernel
def trusting_pairs(
    key: np.uint64,
    kind: int,
    limit: NDArray[np.uint64],
    start: NDArray[np.int64],
    members: NDArray[np.int32],
    identity: NDArray[np.uint32],
    unit: NDArray[np.int32],
    school_class: NDArray[np.uint32],
    low: NDArray[np.int32],
    high: NDArray[np.int32],
) -> int:
    """Find the pairs of one kind; write their positions to `low` and `high` as far as these reach.

    Each pair is of one kind only: members of one unit are comrades, never classmates or relatives,
    and members of one class section are classmates, never relatives.

    Parameters
    ----------
    limit : of each slot, uint64: a pair is tied when the first word of its draw lies below.
    start, members : soldiers by slot, from :func:`group`.
    identity, unit, school_class : columns, shape (n,).
    low, high : results, positions.

    Returns
    -------
    How many pairs there are, which may be more than were written.
    """
    name = TRUST[kind]
    longest = 0
    for g in range(start.size - 1):
        longest = max(longest, start[g + 1] - start[g])
    word, hit = np.empty(longest + _TOGETHER, np.uint32), np.empty(longest, np.int64)
    whom = np.zeros(members.size + _TOGETHER, np.uint32)
    whom[: members.size] = identity[members]
    found = 0
    for g in range(start.size - 1):
        end = start[g + 1]
        if limit[g] == 0:
            continue
        for a in range(start[g], end - 1):
            i = members[a]
            more = -(-(end - a - 1) // _TOGETHER) * _TOGETHER
            row(key, name, identity[i], whom[a + 1 : a + 1 + more], word)
            hits = 0
            for b in range(a + 1, end):  # without a branch, since no processor guesses who is tied
                hit[hits] = b
                hits += word[b - a - 1] < limit[g]
            for b in hit[:hits]:
                j = members[b]
                if kind != UNIT and unit[i] == unit[j]:
                    continue
                if kind == KIN and school_class[i] != 0 and school_class[i] == school_class[j]:
                    continue
                if found < low.size:
                    low[found], high[found] = i, j
                found += 1
    return found


@kernel
def compress(
    n: int, low: NDArray[np.int32], high: NDArray[np.int32], kind: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
    """Turn pairs into start, other, kind of :class:`Ties`: both directions, ascending in each row."""
    start = np.zeros(n + 1, np.int64)
    for e in range(low.size):
        start[low[e] + 1] += 1
        start[high[e] + 1] += 1
    start = np.cumsum(start)
    other = np.empty(start[n], np.int32)
    what = np.empty(start[n], np.uint8)
    end = start[:n].copy()
    for e in range(low.size):
        for i, j in ((low[e], high[e]), (high[e], low[e])):
            other[end[i]], what[end[i]] = j, kind[e]
            end[i] += 1
    for i in range(n):
        for k in range(start[i] + 1, start[i + 1]):  # rows are short and nearly in order
            at, j, tie = k, other[k], what[k]
            while at > start[i] and other[at - 1] > j:
                other[at], what[at] = other[at - 1], what[at - 1]
                at -= 1
            other[at], what[at] = j, tie
    return start, other, what


def build_ties(
    key: np.uint64,
    identity: NDArray[np.uint32],
    unit: NDArray[np.int32],
    school_class: NDArray[np.uint32],
    units: UnitTable,
    classes: ClassTable,
    means: tuple[float, float, float],
) -> Ties:
    """Build the ties among the soldiers given, who may be any part of a force.

    Parameters
    ----------
    identity, unit, school_class : columns of those present, shape (n,), in ascending identity.
    units, classes : tables of the whole force as established.
    means : mean ties with comrades, classmates and kin; where a slot is too small, all in it are tied.
    """
    comrades, classmates, kin = means
    strength = int(units.size.sum())
    circles = max(1, round(strength / KIN_CIRCLE))
    relatives = np.full(circles, (strength - 1) / circles)
    columns = (identity, unit, school_class)
    found = [
        _pairs(key, UNIT, unit, _chance(comrades, units.size.astype(np.float64) - 1), columns),
        _pairs(key, CLASSMATE, _class_slot(school_class), _chance(classmates, classes.expected), columns),
        _pairs(key, KIN, kin_circles(key, identity, circles), _chance(kin, relatives), columns),
    ]
    low, high = (np.concatenate(ends) for ends in zip(*found, strict=True))
    kind = np.repeat(np.array((UNIT, CLASSMATE, KIN), np.uint8), [pairs.size for pairs, _ in found])
    return Ties(*compress(identity.size, low, high, kind))


def _pairs(
    key: np.uint64,
    kind: int,
    slot: NDArray[np.int32],
    chance: NDArray[np.float64],
    columns: tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.uint32]],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return both ends of all pairs of one kind, making room for a few more than are expected."""
    start, members = group(slot, chance.size)
    here = np.diff(start).astype(np.float64)
    expected = float((chance * here * (here - 1) / 2).sum())
    limit = np.rint(chance * 2.0**32).astype(np.uint64)
    room = int(expected + 6 * expected**0.5) + 16
    while True:
        low, high = np.empty(room, np.int32), np.empty(room, np.int32)
        found = trusting_pairs(key, kind, limit, start, members, *columns, low, high)
        if found <= room:
            return low[:found], high[:found]
        room = found


def _class_slot(school_class: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Return the row of each soldier's class section, -1 for none."""
    return school_class.astype(np.int32) - 1


def _chance(mean: float, others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that gives `mean` ties among `others`, at most 1."""
    return np.minimum(1.0, mean / np.maximum(others, 1e-9))
