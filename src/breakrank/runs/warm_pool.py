"""Processes that stand ready: started once, warm, and shared by any number of studies at once.

A study on the command line starts its workers and ends them. Where questions come one after another, as from
a page, that start would be most of the wait. Here each process has a thread beside it that hands it one order
after another: some runs of a study (an *order* small enough that others get their turn), or one call. What
a process made is on the disk before it takes the next order.
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
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from breakrank.errors import BreakrankError
from breakrank.runs.cores import available_cores
from breakrank.runs.tasks import Call, StudyWork
from breakrank.runs.warm_process import Member
from breakrank.runs.warm_worker import warm

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.backends import Stopping, Take
    from breakrank.runs.batch import Shift

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 5.0
"""Seconds that are waited at most, at the end, for runs that are under way to be finished and kept."""


class ClosedError(BreakrankError):
    """The team takes no more orders."""


class Team:
    """Processes of this machine that stand ready.

    Parameters
    ----------
    workers : how many; by default one for each core.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.size = workers or available_cores()
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

    def place(self, stop: threading.Event, settled: Callable[[int], None] | None = None) -> Standing:
        """Return the team as a place for one study.

        Parameters
        ----------
        stop : once set, the study is interrupted: what is finished is kept, what is under way is dropped.
        settled : called in the study's thread with how many runs more are on the disk.
        """
        return Standing(self, stop, settled)

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

    def take_off(self, work: StudyWork) -> None:
        """Hand out no more of a study; whoever makes runs of it breaks off the one under way."""
        with self._change:
            work.stopped = True
            if work in self._works:
                self._works.remove(work)
        for member in self._members:
            member.let_go(work)

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
                waiting = [w for w in self._works if w.open and not w.stopped]
                if waiting:
                    work = min(waiting, key=lambda w: (w.orders >= self.size, w.busy, w.shift.name != last))
                    work.busy += 1
                    return work, work.next(self.size)
                self._change.wait()

    def ended(self, work: StudyWork, lost: tuple[int, ...] = (), rest: tuple[int, ...] = ()) -> None:
        """Count that a process has ended an order but for the `rest`, or died and `lost` these runs."""
        with self._change:
            work.busy -= 1
            work.todo.extendleft(reversed(rest))
            if lost:
                work.lost(lost)
            self._change.notify_all()
        work.told.put(None)

    def idle(self, work: StudyWork) -> bool:
        """Say whether no process has anything of a study in hand, and nothing of it is left to hand out."""
        with self._change:
            return not work.busy and (work.stopped or not work.open)


class Standing:
    """A team as the place of one study (see :class:`breakrank.runs.backends.Place`)."""

    def __init__(self, team: Team, stop: threading.Event, settled: Callable[[int], None] | None) -> None:
        self._team, self._stop, self._settled = team, stop, settled

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """See :meth:`breakrank.runs.backends.Place.work`; being stopped is told as a KeyboardInterrupt."""
        work = StudyWork(shift, deque(numbers))
        self._team.take_on(work)
        try:
            while not self._team.idle(work):
                self._take(work, take)
                if self._stop.is_set() or work.stopped:
                    raise KeyboardInterrupt
            self._take(work, take, wait=False)
        except BaseException:
            stopping()
            raise
        finally:
            self._team.take_off(work)
            while not self._team.idle(work):
                with suppress(queue.Empty):
                    work.told.get(timeout=0.05)

    def _take(self, work: StudyWork, take: Take, wait: bool = True) -> None:
        """Pass on what processes have brought since; wait a little for it."""
        told: list[Any] = []
        with suppress(queue.Empty):
            while True:
                told += work.told.get(timeout=0.05 if wait and not told else 0) or ()
        ended = [one for one in told if not isinstance(one, int)]
        kept = sum(one for one in told if isinstance(one, int))
        if ended:
            take(ended)
        if kept and self._settled is not None:
            self._settled(kept)
