"""The table of guests: each soldier who came over to the host, with their household and what becomes of it.

A guest is a soldier who crossed to the host and did not slip away, or was sent across by the services. Their
household are they and the relatives who came along. Rows are never taken out, so that at every dusk everyone
who ever came is in exactly one place (see :data:`STAYS`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import words_among
from breakrank.engine.records import longer
from breakrank.kernel import lean
from breakrank.table import Table, array

# Where a household is at dusk, exclusive.
NOT_PLACED: Final = -1
IN_SITE: Final = 0
PRIVATE_HOME: Final = 1
STREET: Final = 2
SETTLED: Final = 3
WITH_KIN: Final = 4
ELSEWHERE: Final = 5
EXPELLED: Final = 6
BACK: Final = 7
STAYS: Final = ("site", "private", "street", "settled", "kin", "elsewhere", "expelled", "back")

MORALE: Final = 0.8
"""Morale on coming: in Venezuela 2019 there was a welcome, and the government was to fall within weeks."""

IDLE_DAYS: Final = 60
"""Days without anything to do after which idleness is full.

Reports of May 2019 on Venezuela's exiles speak of men worn down after some two months of waiting."""

NO_DECISION: Final = 0
GRANTED: Final = 1
REFUSED: Final = 2


class Guests(Table):
    """One row a household, in the order of coming.

    ``who`` int32 position of the soldier, ``identity`` uint32; ``relatives``, ``children`` uint8 persons
    along, the children counted among the relatives; ``came``, ``registered`` int16 days (-1: not yet).
    Lodging: ``stay`` int8 (see :data:`STAYS`, ``NOT_PLACED`` until the evening), ``site`` int16 (-1 none),
    ``since`` int16 day of coming there, ``left`` bool (has left the sites for good),
    ``served`` bool (their time at a site with a limit is up).
    Asylum: ``spy`` bool (sent by the services), ``double`` bool (national of the host as well), ``filed``
    bool, ``decided`` uint8, ``permit`` bool.
    Life: ``morale`` float64 0 to 1, ``idle`` int16 days without anything to do, ``enlisted`` bool,
    ``quality`` float64 0 to 1 (how they are treated).
    ``here`` int32: the rows of those who are with the host still, in the order of coming.
    Per soldier: ``row`` int32 (their row plus 1, 0 for none).
    ``used`` int64 (2,): rows in use, and how many of ``here``; ``gone`` int32 (2, stay): soldiers and
    relatives who are not in ``here`` any more, by what became of them.
    """

    who: NDArray[np.int32] = array("guest")
    identity: NDArray[np.uint32] = array("guest")
    relatives: NDArray[np.uint8] = array("guest")
    children: NDArray[np.uint8] = array("guest")
    came: NDArray[np.int16] = array("guest")
    registered: NDArray[np.int16] = array("guest")
    stay: NDArray[np.int8] = array("guest")
    site: NDArray[np.int16] = array("guest")
    since: NDArray[np.int16] = array("guest")
    left: NDArray[np.bool_] = array("guest")
    served: NDArray[np.bool_] = array("guest")
    spy: NDArray[np.bool_] = array("guest")
    double: NDArray[np.bool_] = array("guest")
    filed: NDArray[np.bool_] = array("guest")
    decided: NDArray[np.uint8] = array("guest")
    permit: NDArray[np.bool_] = array("guest")
    morale: NDArray[np.float64] = array("guest")
    idle: NDArray[np.int16] = array("guest")
    enlisted: NDArray[np.bool_] = array("guest")
    quality: NDArray[np.float64] = array("guest")
    here: NDArray[np.int32]
    row: NDArray[np.int32]
    used: NDArray[np.int64]
    gone: NDArray[np.int32] = array("person", "stay")


class Exiles(Table):
    """What the challenger and the host see of the exiles: ``enlisted`` int64 (1,), those signed up."""

    enlisted: NDArray[np.int64]


OF_GUEST = Guests.names()[: Guests.names().index("here")]


def no_guests(row: NDArray[np.int32], room: int = 512) -> Guests:
    """Return a table without guests; `row` int32 (soldier,) of zeros becomes the column of that name."""
    columns = {name: np.zeros(room, kind) for name, kind, _ in Guests.declared() if name in OF_GUEST}
    gone = np.zeros((2, len(STAYS)), np.int32)
    return Guests(**columns, here=np.zeros(room, np.int32), row=row, used=np.zeros(2, np.int64), gone=gone)


def with_room(guests: Guests, more: int) -> Guests:
    """Return the table with room for `more` rows (the same table if there is)."""
    room = len(guests.here)
    if guests.used[0] + more > room:
        for name in (*OF_GUEST, "here"):
            setattr(guests, name, longer(getattr(guests, name), 2 * room + more))
    return guests


@lean
def add_guest(g: Guests, i: int, identity: int, day: int, relatives: int, children: int, spy: bool) -> int:
    """Write a new row for soldier i and return it; who comes again takes their old row up."""
    k = int(g.row[i]) - 1
    if k < 0:
        k = int(g.used[0])
        g.used[0] = k + 1
        g.row[i] = k + 1
    else:
        g.gone[0, g.stay[k]] -= 1
        g.gone[1, g.stay[k]] -= g.relatives[k]
    g.here[g.used[1]] = k
    g.used[1] += 1
    g.who[k], g.identity[k] = i, identity
    g.relatives[k], g.children[k] = relatives, children
    g.came[k], g.registered[k] = day, -1
    g.stay[k], g.site[k], g.since[k], g.left[k] = NOT_PLACED, -1, day, False
    g.served[k] = False
    g.spy[k], g.double[k], g.filed[k], g.decided[k] = spy, False, False, NO_DECISION
    g.permit[k] = False
    g.morale[k], g.idle[k], g.enlisted[k], g.quality[k] = MORALE, 0, False, MORALE
    return k


@lean
def in_town(stay: int) -> bool:
    """Return whether someone is with the host still: at a site, in a home, on the street, or settled."""
    return stay <= SETTLED


@lean
def in_care(stay: int) -> bool:
    """Return whether someone is at a site, in a private home or on the street (or not yet anywhere)."""
    return stay <= STREET


@lean
def has_claim(g: Guests, k: int) -> bool:
    """Return whether household k may be helped: its soldier is registered, and asylum was not refused them.

    A permit to stay makes good a refusal.
    """
    return g.registered[k] >= 0 and (g.decided[k] != REFUSED or g.permit[k])


@lean
def enrolled(g: Guests, k: int) -> bool:
    """Return whether household k is in the host's programme: a status, with a bed or without.

    Registering enrols; who moves on, settles down, is refused, has had their time of help or signs up to
    fight is out of it. Whoever only leaves a site stays on the roll.
    """
    out = g.spy[k] or g.enlisted[k] or g.served[k]
    return in_care(g.stay[k]) and has_claim(g, k) and not out


@lean
def let_go(g: Guests) -> None:
    """Take those who are with the host no more off the list of who is here."""
    kept = 0
    for a in range(g.used[1]):
        k = g.here[a]
        stay = g.stay[k]
        if in_town(stay):
            g.here[kept] = k
            kept += 1
        else:
            g.gone[0, stay] += 1
            g.gone[1, stay] += g.relatives[k]
    g.used[1] = kept


@lean
def draws_here(key: np.uint64, name: int, g: Guests, when: int, out: NDArray[np.uint32]) -> None:
    """Write one draw, four words uint32 (4, n), for each of those who are here."""
    words_among(key, name, g.identity, g.here, g.used[1], when, out)
