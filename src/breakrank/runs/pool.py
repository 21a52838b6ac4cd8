"""Processes of this machine, shared by any number of studies at once.

A study on the command line starts a pool and ends it. Where questions come one after another, as from a
page, that start would be most of the wait, so the pool stays. Each process has a pipe of its own and a thread
beside it that hands it one order after another: some runs of a study (an *order* small enough that others get
their turn), or one call. What a process made is kept before it takes the next order.

A process can be killed at any moment, in the middle of a message too: its pipe ends, which no other process
notices, and what it still owed says which run it was making. Executors that share one queue cannot be ended
like that: a process ended between the head and the body of a message leaves the reader waiting for ever.
"""

from __future__ import annotations

import pickle
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from breakrank.errors import BreakrankError
from breakrank.runs.cores import available_cores
from breakrank.runs.interrupts import AtOnceError, undisturbed
from breakrank.runs.pool_process import Member
from breakrank.runs.pool_worker import warm
from breakrank.runs.tasks import Call, StudyWork

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.batch import Shift, Stopping, Take

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 5.0
"""Seconds that are waited at most, at the end, for runs that are under way to be finished and kept."""
GRACE = 1.0
"""Seconds that a dropped study has to let go of the run under way; a large force takes longer for a day."""
POLL = 0.05
"""Seconds between two looks at whether a study is still wanted."""
FAREWELL = 5.0
"""Most seconds that are waited for killed processes to be gone."""


class ClosedError(BreakrankError):
    """The pool takes no more orders."""


class Pool:
    """Processes of this machine, started when something is asked of them.

    Parameters
    ----------
    workers : how many; by default one for each core.
    owners : functions and classes that the work is made with. Where one of them stands in the caller's
        script, the processes import that.
    """

    def __init__(self, workers: int | None = None, owners: Sequence[object] = ()) -> None:
        self.size = workers or available_cores()
        self.owners = owners
        self._change = threading.Condition()
        self._works: list[StudyWork] = []
        self._calls: deque[Call] = deque()
        self._closed = False
        self._members: list[Member] = []

    def start(self) -> None:
        """Start the processes, unless they are started already: whatever is asked of them does."""
        with self._change:
            if self._members or self._closed:
                return
            self._members = [Member(self, number) for number in range(self.size)]
            for member in self._members:
                member.start()

    def warm(self, case: Case, seed: int = 0) -> list[Future[None]]:
        """Have each process load the compiled model, or compile its share; the futures tell when it has."""
        self.start()
        found = []
        with self._change:
            for number, member in enumerate(self._members):
                message = pickle.dumps((warm, (case, seed, number)), protocol=5)
                member.own.append(Call(message, Future()))
                found.append(member.own[-1].answer)
            self._change.notify_all()
        return found

    def place(
        self, stop: threading.Event | None = None, settled: Callable[[int], None] | None = None
    ) -> PoolBackend:
        """Return the pool as a place for one study.

        Parameters
        ----------
        stop : once set, the study is interrupted: what is finished is kept, what is under way is dropped.
            Without one it is interrupted by Ctrl-C, which what is under way is finished after.
        settled : called in the study's thread with how many runs more are on the disk.
        """
        return PoolBackend(self, stop, settled)

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a process call a function that it finds by name, after the run under way; return its future.

        Raises
        ------
        ClosedError
            after :meth:`close`.
        """
        self.start()
        message = pickle.dumps((function, args, kwargs), protocol=5)
        answer: Future[R] = Future()
        with self._change:
            if self._closed:
                raise ClosedError("the page is being closed")
            self._calls.append(Call(message, answer))
            self._change.notify_all()
            makes = [member for member in self._members if member.makes is not None]
        if makes and len(makes) == len(self._members):  # nobody is free
            makes[0].make_way()
        return answer

    def close(self, patience: float = PATIENCE) -> None:
        """End the processes; runs under way are kept if they take no longer than `patience` seconds.

        Calls are broken off: nobody waits for their answers any more.
        """
        with self._change:
            self._closed = True
            for work in self._works:
                work.stopped = True
            calls = [*self._calls, *(call for member in self._members for call in member.own)]
            self._calls.clear()
            self._change.notify_all()
        for call in calls:
            call.answer.cancel()
        for member in self._members:
            member.tell_to_stop(None)
        limit = time.monotonic() + patience
        for member in self._members:
            if member.makes is not None:
                member.join(max(0.0, limit - time.monotonic()))
        self.kill()
        limit = time.monotonic() + FAREWELL
        for member in self._members:
            member.join(max(0.0, limit - time.monotonic()))

    def kill(self) -> None:
        """End the processes now; what they had in hand is lost."""
        for member in self._members:
            member.kill()

    def take_on(self, work: StudyWork) -> None:
        """Hand a study's runs to whoever is free, and have the others hand back all but the run under way."""
        self.start()
        with self._change:
            if self._closed:
                work.stopped = True
                return
            self._works.append(work)
            self._change.notify_all()
        for member in self._members:
            member.make_way()

    def take_off(self, work: StudyWork, how: Literal["stop", "drop"] = "drop") -> None:
        """Hand out no more of a study; the runs under way are finished (``"stop"``) or dropped."""
        with self._change:
            work.stopped = True
            if work in self._works:
                self._works.remove(work)
        for member in self._members:
            member.tell_to_stop(work.shift.name, how)

    def break_off(self, work: StudyWork) -> None:
        """End the processes that still make a run of a dropped study, but none that has runs to keep."""
        for member in self._members:
            if member.makes is work and not member.owes:
                member.kill()

    def next(self, own: deque[Call], last: str) -> tuple[StudyWork, tuple[int, ...]] | Call | None:
        """Wait for the next order of a process whose last study was `last`; ``None`` when there are no more.

        What is its own comes before what anyone may do. Of studies, one of which there is nothing to see yet
        comes first, then the one with the fewest processes, then the one whose force is at hand.
        """
        with self._change:
            while True:
                if self._closed:
                    return None
                if own or self._calls:
                    return (own or self._calls).popleft()
                ready = [w for w in self._works if w.ready]
                if ready:
                    work = min(ready, key=lambda w: (w.orders >= self.size, w.busy, w.shift.name != last))
                    return work, work.next(self.size)
                self._change.wait()

    def ended(self, work: StudyWork, back: tuple[int, ...] = ()) -> None:
        """Take note that a process has ended an order, of which it hands something back."""
        with self._change:
            work.ended(back)
            self._change.notify_all()
        with suppress(queue.Full):
            work.told.put_nowait(None)

    def died(self, work: StudyWork, numbers: tuple[int, ...], ended: set[int]) -> None:
        """Take note that a process has died over an order, of which some runs had ended."""
        with self._change:
            gone = work.died(numbers, ended)
        if gone:
            work.told.put(list(gone))
        self.ended(work)

    def idle(self, work: StudyWork) -> bool:
        """Say whether no process has anything of a study in hand, and nothing of it is left to hand out."""
        with self._change:
            return not work.busy and (work.stopped or not work.open)


class PoolBackend:
    """A pool as the place of one study (see :class:`breakrank.runs.backends.Backend`)."""

    def __init__(
        self, pool: Pool, stop: threading.Event | None, settled: Callable[[int], None] | None
    ) -> None:
        self._pool, self._stop, self._settled = pool, stop, settled

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """See :meth:`breakrank.runs.backends.Backend.work`; being stopped is told as a KeyboardInterrupt."""
        work = StudyWork(shift, deque(numbers))
        try:
            with undisturbed():  # interrupted, not all processes would be started, and modules half imported
                self._pool.take_on(work)
                import_what_reads_runs()
            self._take_all(work, take, wanted=True)
        except BaseException:
            try:
                stopping()
                self._pool.take_off(work, "stop" if self._stop is None else "drop")
                self._take_all(work, take, wanted=False)
            except KeyboardInterrupt:
                self._pool.kill()
                raise AtOnceError from None
            raise
        finally:
            self._pool.take_off(work)
            while not self._pool.idle(work):
                with suppress(queue.Empty):
                    work.told.get(timeout=POLL)

    def _take_all(self, work: StudyWork, take: Take, *, wanted: bool) -> None:
        """Pass on what processes bring, until none has anything in hand or what is `wanted` is no more."""
        limit = time.monotonic() + GRACE
        while not self._pool.idle(work):
            if not wanted and self._stop is not None and time.monotonic() > limit:
                self._pool.break_off(work)
            self._take(work, take, POLL)
            if wanted and (work.stopped or (self._stop is not None and self._stop.is_set())):
                raise KeyboardInterrupt
        self._take(work, take, 0)

    def _take(self, work: StudyWork, take: Take, seconds: float) -> None:
        """Pass on what processes have brought since; wait so long for the first of it."""
        told: list[Any] = []
        with suppress(queue.Empty):
            if seconds:
                told += work.told.get(timeout=seconds) or ()
            while True:
                told += work.told.get_nowait() or ()
        ended = [one for one in told if not isinstance(one, int)]
        kept = sum(one for one in told if isinstance(one, int))
        with undisturbed():
            if ended:
                take(ended)
            if kept and self._settled is not None:
                self._settled(kept)


def import_what_reads_runs() -> None:
    """Import the libraries that put runs together; while processes make them, nobody waits for that."""
    import pyarrow.parquet  # noqa: F401
    import xarray

    xarray.Dataset({"any": ((), 0.0)})  # the first one imports the array libraries that are installed
