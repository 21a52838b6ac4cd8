"""Moments of decision: the only times at which a soldier's choice is evaluated.

Most come from the calendar of occasions (``engine.calendar``); those that follow from events, such
as having been confided in or being invited along, join on their day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, draw_moments
from breakrank.engine.calendar import Occasions
from breakrank.engine.codes import (
    APPROACHED,
    CONFIDED_TO,
    DUE_APPROACHED,
    DUE_CONFIDED,
    DUE_WAITED,
    DUE_WARNED,
    SERVING,
    WAITED,
    WARNED,
)
from breakrank.engine.records import RunRecords, due
from breakrank.engine.rows import AHEAD, Rows, fetch
from breakrank.engine.run import Now
from breakrank.kernel import kernel, straight
from breakrank.table import Table, array

if TYPE_CHECKING:
    from breakrank.force import Force


_CHOICE = int(decision("engine.choice"))
_AT_ONCE = 2048
OCCASIONS = 16
"""More than there are: draws are named by the day and the occasion."""


class Moment(NamedTuple):
    """One soldier's decision opportunity, as the terms read it.

    Attributes
    ----------
    day : today; `who` their position in the force.
    occasion : why they decide today, a code.
    leader : position of who asks them to come along, -1 nobody.
    rank, unit, state, dependants : of them.
    margin : how far they are on the opposed side, utility units (above 0: privately opposed).
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
    """What no run changes of a soldier; all but their identity lies in their row (``engine.rows``)."""

    identity: NDArray[np.uint32]
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
    _, *names = Soldiers.names()
    columns = {name: rows.column(name, getattr(force, name).dtype) for name in names}
    for first in range(0, force.n, _AT_ONCE):  # by and by, so that each line of memory is fetched once
        for name, column in columns.items():
            column[first : first + _AT_ONCE] = getattr(force, name)[first : first + _AT_ONCE]
    return Soldiers(identity=force.identity, **columns)


class Moments(Table):
    """Today's deciders and what comes of it. Arrays have one entry for each decider.

    ``who`` positions, ascending, each once; ``identity``; ``occasion`` why today, a code; ``leader`` who
    asks them to come along (position, -1 nobody); ``draw`` their luck, from (0, 1); ``margin`` how far they
    are on the opposed side; ``choice`` the option taken, ``count`` (option,) how many took it. Where somebody
    watches: ``terms`` (term, decider) in utility units; ``open`` (option, decider) which options exist for
    whom; ``utility`` and ``chance`` (option, decider).
    """

    who: NDArray[np.int32] = array("decider")
    identity: NDArray[np.uint32] = array("decider")
    occasion: NDArray[np.uint8] = array("decider")
    leader: NDArray[np.int32] = array("decider")
    draw: NDArray[np.float64] = array("decider")
    margin: NDArray[np.float64] = array("decider")
    choice: NDArray[np.uint8] = array("decider")
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
    now: Now,
    soldiers: Soldiers,
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    leader: NDArray[np.int32],
    size: tuple[int, int],
    watched: bool,
    used: Moments | None = None,
) -> Moments:
    """Return moments with room for `size` terms and options; nobody has weighed anything yet.

    Unwatched ones that are not needed any more can be `used` again, which is quicker than new ones.
    """
    if used is None or watched:
        (terms, options), seen = size, len(who) if watched else 0
        used = Moments(
            who,
            np.empty(0, np.uint32),
            occasion,
            leader,
            np.empty(0),
            np.empty(0),
            np.empty(0, np.uint8),
            np.zeros(options, np.int64),
            np.zeros((terms, seen)),
            np.zeros((options, seen), np.bool_),
            np.zeros((options, seen)),
            np.zeros((options, seen)),
        )
    used.hold("decider", len(who))
    _open(now, soldiers, used, who, occasion, leader)
    return used


@straight
@kernel
def _open(
    now: Now,
    soldiers: Soldiers,
    moments: Moments,
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    leader: NDArray[np.int32],
) -> None:
    """Write the deciders, their reasons and leaders, and today's random numbers; nobody has chosen yet.

    Luck is one uniform for each decider, occasion and day.
    """
    n = who.shape[0]
    for j in range(n):
        fetch(soldiers.unit, who[min(j + AHEAD, n - 1)])
        moments.who[j], moments.occasion[j], moments.leader[j] = who[j], occasion[j], leader[j]
        moments.identity[j] = soldiers.identity[who[j]]
        moments.margin[j], moments.choice[j] = 0.0, 0
    draw_moments(now.key, _CHOICE, moments.identity, now.day * OCCASIONS, moments.occasion, moments.draw)
    moments.count[:] = 0


@straight
@kernel
def todays_deciders(
    now: Now, calendar: Occasions, records: RunRecords
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return who of those who serve decides today, ascending, and why: by the calendar and the agenda."""
    first, last = calendar.start[now.day], calendar.start[now.day + 1]
    who, occasion = calendar.who[first:last], calendar.occasion[first:last]
    who, occasion = deciders(who, occasion, due(records, now.day, DUE_CONFIDED), CONFIDED_TO, records.fate)
    for what, why in ((DUE_APPROACHED, APPROACHED), (DUE_WARNED, WARNED), (DUE_WAITED, WAITED)):
        if records.head[now.day, what] >= 0:
            who, occasion = deciders(who, occasion, due(records, now.day, what), why, records.fate)
    return who, occasion


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
