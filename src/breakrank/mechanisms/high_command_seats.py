"""What comes to the offices of the high command day by day, as steps of tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import SERVING
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now
from breakrank.kernel import lean
from breakrank.mechanisms.high_command_choice import Command
from breakrank.table import Table, array


class Seats(Table):
    """What comes to the positions, by day, and how many take each stance.

    ``offer`` (day, 2) guarantees and sanctions; ``named`` (day, position) in sanctions; ``moments`` (day,
    position) at which holders ask themselves where they stand; ``vacant`` whether a position is.
    """

    offer: NDArray[np.float64] = array("day", "offer")
    named: NDArray[np.bool_] = array("day", "position")
    moments: NDArray[np.bool_] = array("day", "position")
    stances: NDArray[np.int32]
    vacant: bool


@lean
def make_offers(now: Now, s: Seats, c: Command, records: RunRecords) -> bool:
    """What is offered and threatened today; who is gone is replaced by a loyal holder."""
    c.offer[0], c.offer[1] = s.offer[now.day, 0], s.offer[now.day, 1]
    gone = s.vacant
    for q in range(c.holder.shape[0]):
        c.named[q] = s.named[now.day, q]
        gone = gone or records.fate[c.holder[q]] != SERVING
    return gone


@lean
def anyone_asks_himself(now: Now, s: Seats) -> bool:
    """Holders ask themselves where they stand; where enough of them waver, a pact is tried."""
    return s.moments[now.day].any()


@lean
def count_stances(s: Seats, c: Command) -> None:
    """Count positions by stance."""
    s.stances[:] = 0
    for q in range(c.stance.shape[0]):
        s.stances[c.stance[q]] += 1
