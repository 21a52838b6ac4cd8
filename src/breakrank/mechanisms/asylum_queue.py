"""The queue for asylum decisions: first come, first served, by so many caseworkers.

With a constant staff, requests that come at random and work that is exponential this is the queue M/M/c
(Erlang 1917; Kendall 1953); nothing in it needs the staff to be constant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.columns import longer
from breakrank.kernel import lean
from breakrank.table import Table


class Queue(Table):
    """Requests in the order in which they were made.

    ``rows`` int32 rows of the table of guests; ``asked``, ``ready`` and ``done`` float64 times in days, of
    the request, from when it can be taken up, and of the decision (infinite before anyone took it up);
    ``work`` float64 caseworker days; ``closed`` bool, decided or lapsed.
    """

    rows: NDArray[np.int32]
    asked: NDArray[np.float64]
    ready: NDArray[np.float64]
    work: NDArray[np.float64]
    done: NDArray[np.float64]
    closed: NDArray[np.bool_]


def no_files(room: int = 512) -> Queue:
    """Return columns with room for so many requests."""
    asked, ready, work, done = np.zeros((4, room))
    return Queue(np.zeros(room, np.int32), asked, ready, work, done, np.zeros(room, np.bool_))


def with_room(queue: Queue, files: int) -> Queue:
    """Return the columns with room for `files` requests or more (the same columns if there is)."""
    if files <= len(queue.rows):
        return queue
    for name in Queue.names():
        setattr(queue, name, longer(getattr(queue, name), 2 * files))
    return queue


@lean
def take_up(
    ready: NDArray[np.float64],
    work: NDArray[np.float64],
    first: int,
    free: NDArray[np.float64],
    staff: int,
    since: float,
    until: float,
    done: NDArray[np.float64],
) -> int:
    """Let `staff` caseworkers take up files from `first` on, one after the other, as long as they can start.

    Parameters
    ----------
    ready : float64 (file,), time in days from which a file can be taken up, ascending.
    work : float64 (file,), caseworker days that its decision takes.
    first : the first file that nobody has taken up.
    free : float64 (caseworkers at most,), when each is free; changed.
    staff : caseworkers at work between `since` and `until` (the first so many of `free`).
    since, until : times in days; nobody starts before `since`, and what cannot start before `until` waits.
    done : float64 (file,), time of the decision; written for each file taken up.

    Returns
    -------
    int
        the first file that still waits.
    """
    for k in range(first, ready.shape[0]):
        if staff <= 0:
            return k
        soonest = 0
        for s in range(1, staff):
            if free[s] < free[soonest]:
                soonest = s
        start = max(ready[k], free[soonest], since)
        if start >= until:
            return k
        done[k] = start + work[k]
        free[soonest] = done[k]
    return int(ready.shape[0])
