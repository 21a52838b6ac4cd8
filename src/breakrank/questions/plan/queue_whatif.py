"""What if so many caseworkers decided: the queue for asylum decisions, played again on a run's own requests.

First come, first served, by so many caseworkers, each with one file at a time and exponential work. With
constant staff and requests that come at random this is the queue M/M/c (Erlang 1917; Kendall 1953); it is the
queue of the runs (:mod:`breakrank.mechanisms.asylum_queue`). In the runs a file also closes when its person
moves on or takes a permit. Of that a run tells how many of the open files closed so each day; here each open
file closes with that chance (a queue with impatient customers: Palm 1957), and is laid aside in no time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, uniform_each
from breakrank.errors import UsageError
from breakrank.mechanisms.asylum_queue import take_up

Floats = NDArray[np.float64]

_HOUR = int(decision("queue_whatif.hour"))
_WORK = int(decision("queue_whatif.work"))
_PATIENCE = int(decision("queue_whatif.patience"))


@dataclass(frozen=True, eq=False)
class RecordedQueue:
    """Files with their times, in days from the start of the first day, in the order of request.

    Attributes
    ----------
    asked, ready, begun, done : float64 (file,), when asylum is asked for, when the file can be taken up, when
        a caseworker is free for it, and when it is decided (infinite where never).
    work : float64 (file,), caseworker days of its decision.
    closed : float64 (file,), when it closes without a decision; infinite where it does not.
    """

    asked: Floats
    ready: Floats
    work: Floats
    begun: Floats
    done: Floats
    closed: Floats

    @property
    def wait(self) -> Floats:
        """Days from request to decision; nan for files that close without one."""
        return np.where(np.isfinite(self.closed), np.nan, self.done - self.asked)

    @property
    def ended(self) -> Floats:
        """When the file closes, either way."""
        return np.minimum(self.done, self.closed)

    def open_at(self, days: int) -> NDArray[np.int64]:
        """Return the files open at the end of each of so many days, int64 (days,)."""
        ends = np.arange(1, days + 1)
        came = np.searchsorted(self.asked, ends, side="left")
        return came - np.searchsorted(np.sort(self.ended), ends, side="right")

    def waiting_at(self, day: int) -> int:
        """Return the files that wait for a caseworker when a day begins: nobody has taken them up so far."""
        return int(((self.ready < day) & (self.closed > day) & (self.begun >= day)).sum())


def waits(
    requests_by_day: NDArray[np.integer],
    staff_by_day: NDArray[np.integer],
    effort: float,
    first_days: float,
    key: np.uint64,
    closing: Floats | None = None,
) -> RecordedQueue:
    """Play the queue on the requests of one run.

    Every draw belongs to the number of a request, so that another staff meets the same requests at the
    same hours with the same work and patience. After the last day nobody asks any more and no file closes
    undecided, and the staff of that day works on until all is decided: waits are not cut off by the end of
    the run.

    Parameters
    ----------
    requests_by_day : whole numbers (days,), requests on each day; each comes at an hour of its own.
    staff_by_day : whole numbers (days,), caseworkers.
    effort : mean work of a decision, caseworker days, above 0.
    first_days : days a request rests before anyone takes it up, 0 or more.
    key : of the draws, see :func:`breakrank.draws.luck_key`.
    closing : float64 (days,), chance of each day that an open file closes without a decision; by default
        none.

    Raises
    ------
    UsageError
        for a negative number or an effort of 0.

    Examples
    --------
    >>> from breakrank.draws import luck_key
    >>> queue = waits(np.array([3, 0]), np.array([1, 1]), effort=2.0, first_days=1.0, key=luck_key(1, "run"))
    >>> queue.asked.size, bool((queue.done >= queue.ready).all()), queue.open_at(1).tolist()
    (3, True, [3])
    """
    requests, staff = np.asarray(requests_by_day), np.asarray(staff_by_day)
    if effort <= 0 or first_days < 0 or (requests < 0).any() or (staff < 0).any():
        raise UsageError(
            "the queue needs an effort above 0, and requests, staff and days that are not negative"
        )
    number = np.arange(int(requests.sum()), dtype=np.uint32)
    day = np.repeat(np.arange(len(requests)), requests)
    never = np.zeros(len(number), np.int64)
    asked = day + uniform_each(key, _HOUR, number, never)
    work = -effort * np.log(uniform_each(key, _WORK, number, never))
    closes = np.full(len(number), np.inf)
    if closing is not None:
        closes = _closes(day, -np.log(uniform_each(key, _PATIENCE, number, never)), closing)
    order = np.argsort(asked, kind="stable")
    asked, work, closes = asked[order], work[order], closes[order]
    ready = asked + first_days
    begun, done = serve(ready, work, staff, closes)
    return RecordedQueue(asked, ready, work, begun, done, np.where(closes <= done, closes, np.inf))


def _closes(day: NDArray[np.int64], patience: Floats, closing: Floats) -> Floats:
    """Return when each file closes undecided, if nobody decides it before: at the end of a day, or never.

    The chances of the days add up, as hazards do, from the day of the request on; the file closes when they
    pass its `patience` (exponential with mean 1).
    """
    with np.errstate(divide="ignore"):
        hazard = np.concatenate(([0.0], np.cumsum(-np.log1p(-np.clip(closing, 0.0, 1.0)))))
    hazard = np.minimum(hazard, 1e9)
    at = np.searchsorted(hazard, hazard[day] + patience, side="left")
    return np.where(at < len(hazard), at, np.inf).astype(np.float64)


def chances(
    requests: NDArray[np.integer], decisions: NDArray[np.integer], still: NDArray[np.integer]
) -> Floats:
    """Return each day's chance of an open file to close undecided, from what a run tells of that day.

    Parameters
    ----------
    requests, decisions : whole numbers (days,). still : files open at the end of the day.

    Examples
    --------
    >>> chances(np.array([4, 0, 0]), np.array([0, 1, 0]), np.array([4, 1, 1])).round(2).tolist()
    [0.0, 0.67, 0.0]
    """
    there = np.concatenate(([0], still[:-1])) + requests - decisions
    gone = np.clip(there - still, 0, None)
    share = np.zeros(len(there))
    np.divide(gone, there, out=share, where=there > 0)
    return share


def serve(
    ready: Floats, work: Floats, staff_by_day: NDArray[np.integer], closes: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return when each file is taken up and when it is decided, float64 (file,): first come, first served.

    Parameters
    ----------
    ready : float64 (file,), when it can be taken up, ascending.
    work : float64 (file,), caseworker days that it takes.
    staff_by_day : whole numbers (days,); the last holds for all days after.
    closes : float64 (file,), when it closes if nobody has decided it; from then on it takes no work.
    """
    staff = np.asarray(staff_by_day, dtype=np.int64)
    begun, done = np.full((2, len(ready)), np.inf)
    free = np.zeros(max(1, int(staff.max(initial=0))))
    ready, work = np.ascontiguousarray(ready, np.float64), np.array(work, np.float64)
    lapsing = np.zeros(0) if closes is None else np.unique(closes[np.isfinite(closes)])
    changes = np.unique(np.concatenate((np.flatnonzero(np.diff(staff)) + 1.0, lapsing)))
    begins = np.concatenate(([0.0], changes)) if len(staff) else np.zeros(0)
    first = 0
    for begin, end in zip(begins.tolist(), [*changes.tolist(), np.inf], strict=False):
        if closes is not None:
            work[closes == begin] = 0.0
        today = int(staff[min(int(begin), len(staff) - 1)])
        old, first = first, take_up(ready, work, first, free, today, begin, end, done)
        begun[old:first] = done[old:first] - work[old:first]
    return begun, done
