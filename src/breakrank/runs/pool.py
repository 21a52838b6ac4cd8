"""Runs on several processes: whatever happens to a worker, every run ends as a replicate or as a record.

Each worker has a pipe to this process and shares nothing with the others: no queue, no lock, no thread
that looks after them. A worker can thus be killed at any moment, in the middle of a message too: its pipe
ends, which no other worker notices, and what it still owed says which run it was making.

Executors that share one queue cannot be ended like that. The standard one, and loky after it, hold both
ends of the queue of results; a worker ended between the head and the body of a message leaves the thread
that reads them waiting for ever, and leaving the executor, or Python, waits for that thread.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import closing, suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any

from breakrank.engine.replicate import Failure
from breakrank.runs.interrupts import AtOnceError, undisturbed
from breakrank.runs.start_process import CONTEXT, start, without_main
from breakrank.runs.worker import Attempts, lost, serve

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    Ended = list[Any]  # what the task answers, or failures
    Take = Callable[[Ended], None]

AHEAD = 2
"""Runs a worker has in hand, the one it makes and the next, so that it need not wait for this process."""
DEATHS = 3
"""Deaths of a worker after which the run that it was making is given up."""
PATIENCE = 12
"""Deaths in a row of workers with nothing beside them, after which everything left is given up."""
FAREWELL = 5.0
"""Most seconds that are waited for workers to end by themselves, and for killed ones to be gone."""


class _GaveUpError(Exception):
    """Workers keep dying whatever they are given."""


def run_pool(
    task: Attempts,
    runs: Sequence[int],
    workers: int,
    take: Take,
    *,
    settling: Callable[[], None] | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> None:
    """Make runs on several processes, handing them to `take` in this process as they finish.

    Every run of `runs` is handed over exactly once, unless an exception (such as Ctrl-C) ends the work;
    the workers are ended with it, and nothing is waited for without limit. Ctrl-C does not come in the
    middle of `take`.

    Parameters
    ----------
    task : what to run; it is sent to each worker once.
    runs : indices of the runs.
    workers : number of processes, at least 1.
    take : receives finished and failed runs, in any order.
    settling : given if workers hold something that they have to put away before they end. It is waited
        for then, after an exception too, before which this is called; another Ctrl-C ends the waiting
        with :class:`~breakrank.runs.interrupts.AtOnceError`.
    meanwhile : what this process does first, while the workers make their first runs.
    """
    pool = _Pool(task, runs, workers, take)
    try:
        _work(pool, meanwhile)
        if settling is not None:
            pool.settle()
    except _GaveUpError:
        pool.end(0)
        where, why = "no place: it was not finished", "workers kept being killed"
        take([Failure(run, where, why) for run in pool.left()])
    except BaseException:
        try:
            if settling is not None:
                settling()
                pool.settle()
        except KeyboardInterrupt:
            raise AtOnceError from None
        finally:
            pool.end(0)
        raise
    else:
        pool.end(FAREWELL)


def _work(pool: _Pool, meanwhile: Callable[[], None] | None) -> None:
    while pool.has_work():
        with undisturbed():
            pool.hand_out()
            if meanwhile is not None:
                meanwhile()
                meanwhile = None
        ready: set[object] = set(wait(pool.sources()))
        with undisturbed():
            pool.collect(ready)


class _Worker:
    """One process, this end of its pipe, and the runs it was given and has not brought back, in order."""

    def __init__(self, task: Attempts, sent: bytes) -> None:
        self.given: deque[int | None] = deque()
        self.pipe: Connection
        self.pipe, theirs = CONTEXT.Pipe()
        # were it ever left behind, Python would kill a daemon on its way out, and wait for any other
        self.process: BaseProcess = CONTEXT.Process(
            target=serve, args=(theirs,), name="breakrank worker", daemon=True
        )
        try:
            with closing(theirs), without_main(task):  # then only the worker holds its end of the pipe
                start(self.process)
            self.pipe.send_bytes(sent)
        except BaseException:
            self.pipe.close()
            raise

    def give(self, run: int | None) -> None:
        """Have it make a run after those it has; with ``None``, put away what it holds."""
        self.given.append(run)
        with suppress(OSError):  # if it is dead, its pipe will say so
            self.pipe.send(run)

    def brought(self) -> tuple[Ended, bool]:
        """Return what it has brought back since, and whether there is more to come."""
        ended: Ended = []
        try:
            while self.pipe.poll():
                message = self.pipe.recv_bytes()
                ended.append(_unpacked(message, self.given.popleft() or 0))
        except (EOFError, OSError):
            return ended, False
        return ended, True


class _Pool:
    """Who makes what, and what is still to be made.

    A run whose worker died is a suspect. It is tried again with no other run under way, which spares
    it if it only fell with another (for want of memory, say) and convicts it if it did not.
    """

    def __init__(self, task: Attempts, runs: Sequence[int], workers: int, take: Take) -> None:
        self._task = task
        self._sent = pickle.dumps(task, protocol=5)
        self._todo = deque(runs)
        self._size = workers
        self._take = take
        self._team: list[_Worker] = []
        self._suspects: deque[int] = deque()
        self._deaths: Counter[int] = Counter()
        self._in_a_row = 0

    def has_work(self) -> bool:
        """Tell whether any run has neither finished nor failed."""
        return bool(self._todo or self._suspects or any(worker.given for worker in self._team))

    def left(self) -> list[int]:
        """Return the runs that have neither finished nor failed."""
        given = (run for worker in self._team for run in worker.given if run is not None)
        return [*self._suspects, *given, *self._todo]

    def sources(self) -> list[Connection | int]:
        """Return what to wait for: messages of workers, and their ends."""
        pipes: list[Connection | int] = [worker.pipe for worker in self._team]
        if sys.platform == "win32":  # where only 63 things can be waited for, and the pipe's end is certain
            return pipes
        return pipes + [worker.process.sentinel for worker in self._team]

    def hand_out(self) -> None:
        """Give every worker enough to do, starting workers as needed."""
        while self._suspects or self._todo:
            if self._suspects and any(worker.given for worker in self._team):
                return
            worker = self._free()
            if worker is None:
                return
            worker.give((self._suspects or self._todo).popleft())

    def _free(self) -> _Worker | None:
        """Return who gets the next run: someone idle, someone new, someone with little in hand, or nobody."""
        least = min(self._team, key=lambda worker: len(worker.given), default=None)
        if least is not None and not least.given:
            return least
        if len(self._team) < self._size:
            return self._hire()
        if least is not None and len(least.given) < AHEAD and len(self._todo) > self._size:
            return least
        return None  # the last runs go to whoever is idle first

    def _hire(self) -> _Worker:
        while True:
            try:
                worker = _Worker(self._task, self._sent)
            except (ConnectionError, EOFError):  # killed before it had listened
                self._count_death()
            else:
                self._team.append(worker)
                return worker

    def collect(self, ready: set[object]) -> None:
        """Take in what the workers that are `ready` brought, and bury the dead."""
        for worker in list(self._team):
            died = worker.process.sentinel in ready
            if died or worker.pipe in ready:
                ended, more = worker.brought()
                if ended:
                    self._in_a_row = 0
                    self._take(ended)
                if died or not more:
                    self._bury(worker)

    def _bury(self, worker: _Worker) -> None:
        self._team.remove(worker)
        _end([worker], 0)
        if not worker.given:
            return
        run = worker.given.popleft()
        self._todo.extendleft(r for r in reversed(worker.given) if r is not None)
        if run is None:  # it was putting away what it held, which was no fault of a run's
            return
        self._deaths[run] += 1
        if self._deaths[run] >= DEATHS:
            self._take([Failure(run, "no place: its worker was killed", f"killed {DEATHS} workers")])
        else:
            self._suspects.appendleft(run)
        if self._deaths[run] > 1:
            self._count_death()

    def _count_death(self) -> None:
        self._in_a_row += 1
        if self._in_a_row >= PATIENCE:
            raise _GaveUpError

    def settle(self) -> None:
        """Have every worker finish what is under way and put away what it holds; a dead one has nothing."""
        for worker in self._team:
            worker.give(None)
        while any(worker.given for worker in self._team):
            ready: set[object] = set(wait(self.sources()))
            with undisturbed():
                self.collect(ready)

    def end(self, patience: float) -> None:
        """End all workers, killing those that are still there after so many seconds."""
        with undisturbed():
            _end(self._team, patience)


def _end(team: Sequence[_Worker], patience: float) -> None:
    for worker in team:
        worker.pipe.close()  # a worker that finds its pipe closed ends by itself
    _wait(team, patience)
    for worker in team:
        worker.process.kill()
    _wait(team, FAREWELL)


def _wait(team: Sequence[_Worker], seconds: float) -> None:
    limit = time.monotonic() + seconds
    for worker in team:
        worker.process.join(max(0.0, limit - time.monotonic()))


def _unpacked(message: bytes, run: int) -> object:
    try:
        ended: object = pickle.loads(message)
    except Exception as error:
        return lost(run, error)
    return ended
