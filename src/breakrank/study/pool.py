"""Runs on several processes: whatever happens to a worker, every run ends as a replicate or as a record.

The standard pool gives up everything that is pending when one worker is killed (out of memory, say).
Here the runs that were under way are then tried again one at a time in a worker of their own, which
tells the culprit from the bystanders; a run that was there at three deaths becomes a failed record.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import BaseContext

from breakrank.engine.replicate import Failure, Replicate
from breakrank.study.worker import Task, begin, reason, run_batch

Finished = list[Replicate | Failure]
Take = Callable[[Finished], None]

BATCH = 4
"""Most runs handed to a worker at once: few enough that an interruption loses little."""
DEATHS = 3
"""Deaths of a worker after which the run that was there is given up."""
PATIENCE = 12
"""Deaths in a row, without one run finished in between, after which everything left is given up."""

_SPAWNING = threading.Lock()


class _GaveUpError(Exception):
    """Workers keep dying whatever they are given."""


def run_pool(task: Task, runs: Sequence[int], workers: int, take: Take) -> None:
    """Make runs on several processes, handing them to `take` in this process as they finish.

    Every run of `runs` is handed over exactly once, unless an exception (such as Ctrl-C) ends the work;
    the workers are ended with it.

    Parameters
    ----------
    task : what to run; it is sent to each worker once.
    runs : indices of the runs.
    workers : number of processes, at least 1.
    take : receives batches of finished and failed runs, in any order.
    """
    size = max(1, min(BATCH, len(runs) // (4 * workers)))
    todo = deque([list(runs[k : k + size]) for k in range(0, len(runs), size)])
    suspects: deque[int] = deque()
    try:
        while todo:
            _drain(task, todo, workers, suspects, take)
            _one_by_one(task, suspects, take)
    except _GaveUpError:
        left = [*suspects, *(run for batch in todo for run in batch)]
        take([Failure(run, "no place: it was not finished", "workers kept being killed") for run in left])


def _drain(task: Task, todo: deque[list[int]], workers: int, suspects: deque[int], take: Take) -> None:
    """Work batches off until none is left or the pool breaks; then `suspects` says what was under way."""
    underway: dict[Future[Finished], list[int]] = {}
    with _pool(task, workers) as submit:
        try:
            while (todo or underway) and not suspects:
                while todo and len(underway) < 2 * workers:
                    underway[submit(todo[0])] = todo[0]
                    todo.popleft()
                done, _ = wait(underway, return_when=FIRST_COMPLETED)
                for future in done:
                    _settle(future, underway.pop(future), suspects, take)
        except BrokenProcessPool:  # on submitting: the batch in hand is still first in `todo`
            pass
        finally:
            for future, batch in underway.items():
                if future.done():
                    _settle(future, batch, suspects, take)
                else:
                    suspects.extend(batch)


def _settle(future: Future[Finished], batch: list[int], suspects: deque[int], take: Take) -> None:
    """Hand over what a finished batch brought, or note its runs as suspects."""
    try:
        finished = future.result()
    except BrokenProcessPool:
        suspects.extend(batch)
    except Exception as error:
        take([Failure(run, "on the way back from the worker", reason(error)) for run in batch])
    else:
        take(finished)


def _one_by_one(task: Task, suspects: deque[int], take: Take) -> None:
    """Work off runs that were there when a worker died, each alone."""
    deaths = dict.fromkeys(suspects, 1)
    in_a_row = 0
    while suspects:
        with _pool(task, 1) as submit:
            while suspects:
                run = suspects[0]
                try:
                    finished = submit([run]).result()
                except BrokenProcessPool:
                    deaths[run] += 1
                    in_a_row += 1
                    if deaths[run] >= DEATHS:
                        suspects.popleft()
                        take([Failure(run, "no place: its worker was killed", f"killed {DEATHS} workers")])
                    if in_a_row >= PATIENCE:
                        raise _GaveUpError from None
                    break
                suspects.popleft()
                in_a_row = 0
                take(finished)


@contextmanager
def _pool(task: Task, workers: int) -> Iterator[Callable[[list[int]], Future[Finished]]]:
    """Give a function that submits a batch to a fresh pool; its processes end with the block."""
    executor = ProcessPoolExecutor(workers, mp_context=_context(), initializer=begin, initargs=(task,))

    def submit(batch: list[int]) -> Future[Finished]:
        with _without_main(task):
            return executor.submit(run_batch, batch)

    try:
        yield submit
    except BaseException:
        # no public way to end the workers at once before Python 3.14
        for process in list((executor._processes or {}).values()):
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _context() -> BaseContext:
    """Return how processes start: from a server that has imported the model, where forking is safe.

    The server runs no kernel and no thread, so what it forks is clean; elsewhere each is started afresh.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["breakrank.model"])
    return context


@contextmanager
def _without_main(task: Task) -> Iterator[None]:
    """Start processes without importing the caller's script in them again.

    Workers need nothing from it, and a script that is not guarded by ``if __name__ == "__main__"``
    would start its study once more in each of them.
    """
    main = sys.modules["__main__"]
    owners = (task.engine.build, task.engine.replicate, type(task.case))
    if any(getattr(o, "__module__", None) == "__main__" for o in owners):
        yield
        return
    with _SPAWNING:
        kept = {name: main.__dict__.get(name) for name in ("__spec__", "__file__")}
        absent = [name for name in kept if name not in main.__dict__]
        main.__dict__.update(dict.fromkeys(kept))
        try:
            yield
        finally:
            main.__dict__.update(kept)
            for name in absent:
                del main.__dict__[name]
