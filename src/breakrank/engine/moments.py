"""Moments of decision: the only times at which a soldier's choice is evaluated.

Most come from the calendar of occasions (``engine.calendar``); those that follow from events, such
as having been confided in or being invited along, join on their day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import SERVING
from breakrank.engine.rows import Rows
from breakrank.kernel import kernel
from breakrank.table import Table, array

if TYPE_CHECKING:
    from breakrank.force import Force


class Moment(NamedTuple):
    """One soldier's moment of decision, as the terms read it.

    Attributes
    ----------
    day : today; `who` his position in the force.
    occasion : why he decides today, a code.
    leader : position of who asks him to come along, -1 nobody.
    rank, unit, state, dependants : of him.
    margin : how far he is on the opposed side, utility units (above 0: privately opposed).
    """

    day: int
    who: int
    occasion: int
    leader: int
    rank: int
    unit: int
    state: int
    dependants: int
    margin: float


class Soldiers(Table):
    """What every moment reads of a soldier and no run changes, in his row (:mod:`breakrank.engine.rows`)."""

    identity: NDArray[np.uint32] = array("soldier", strided=True)
    unit: NDArray[np.int32] = array("soldier", strided=True)
    rank: NDArray[np.uint8] = array("soldier", strided=True)
    state: NDArray[np.uint8] = array("soldier", strided=True)
    dependants: NDArray[np.uint8] = array("soldier", strided=True)
    access: NDArray[np.uint8] = array("soldier", strided=True)
    kin_abroad: NDArray[np.bool_] = array("soldier", strided=True)


class TrustTies(Table):
    """Whom each soldier trusts: ``other[start[i]:start[i + 1]]`` are positions."""

    start: NDArray[np.int64]
    other: NDArray[np.int32]


def soldiers_of(force: Force, rows: Rows) -> Soldiers:
    """Return the soldiers of a force, written into their rows."""
    columns = {name: rows.column(name, getattr(force, name).dtype) for name in Soldiers.names()}
    for name, column in columns.items():
        column[:] = getattr(force, name)
    return Soldiers(**columns)


class Moments(Table):
    """Today's deciders and what comes of it. Arrays have one entry for each decider.

    ``who`` positions, ascending, each once; ``identity``; ``occasion`` why today, a code; ``leader`` who
    asks him to come along (position, -1 nobody); ``draw`` his luck, from (0, 1); ``margin`` how far he is on
    the opposed side; ``choice`` the option taken, ``count`` (option,) how many took it. Where somebody
    watches: ``terms`` (term, decider) in utility units; ``open`` (option, decider) which options exist for
    whom; ``utility`` and ``chance`` (option, decider).
    """

    who: NDArray[np.int32]
    identity: NDArray[np.uint32]
    occasion: NDArray[np.uint8]
    leader: NDArray[np.int32]
    draw: NDArray[np.float64]
    margin: NDArray[np.float64]
    choice: NDArray[np.uint8]
    count: NDArray[np.int64]
    terms: NDArray[np.float64] = array("term", "decider")
    open: NDArray[np.bool_] = array("option", "decider")
    utility: NDArray[np.float64] = array("option", "decider")
    chance: NDArray[np.float64] = array("option", "decider")

    @property
    def n(self) -> int:
        """Return the number of deciders."""
        return len(self.who)

    def took(self, *options: int) -> bool:
        """Return whether anyone took one of these options."""
        count = self.count.tolist()
        return any(count[o] for o in options)


def open_moments(
    soldiers: Soldiers,
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    leader: NDArray[np.int32],
    terms: int,
    options: int,
    watched: bool,
    used: Moments | None = None,
) -> Moments:
    """Return moments of so many `terms` and `options`; nobody has weighed anything yet.

    Unwatched ones that are not needed any more can be `used` again, which is quicker than new ones.
    """
    n = len(who)
    seen = n if watched else 0
    if used is not None and not watched:
        used.who, used.identity, used.occasion, used.leader = who, soldiers.identity[who], occasion, leader
        used.draw, used.margin = np.empty(n), np.empty(n)
        used.choice = np.zeros(n, np.uint8)
        used.count[:] = 0
        return used
    return Moments(
        who,
        soldiers.identity[who],
        occasion,
        leader,
        np.empty(n),
        np.empty(n),
        np.zeros(n, np.uint8),
        np.zeros(options, np.int64),
        np.zeros((terms, seen)),
        np.zeros((options, seen), np.bool_),
        np.zeros((options, seen)),
        np.zeros((options, seen)),
    )


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
