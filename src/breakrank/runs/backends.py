"""Where runs are made: in this process, on this machine's cores, or on a cluster. The runs are the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from breakrank.errors import UsageError, nearest
from breakrank.runs.cluster import Cluster
from breakrank.runs.compiling import compile_together
from breakrank.runs.cores import available_cores
from breakrank.runs.ensemble import PILOT, POOL_START, foresee, import_what_reads_runs, whole_number
from breakrank.runs.interrupts import AtOnceError, undisturbed
from breakrank.runs.pool import run_pool

if TYPE_CHECKING:
    from breakrank.engine.replicate import Failure
    from breakrank.runs.batch import Shift, Told

    Take = Callable[[Sequence[Told | Failure]], None]
    Stopping = Callable[[], None]

WORDS = ("serial", "cores")
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")
"""How addresses of schedulers begin."""


class Backend(Protocol):
    """Where runs are made."""

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """Make runs and keep them, telling `take` of each as it ends, in any order.

        An exception, also one of `take`'s or Ctrl-C, ends the work after what is under way is finished and
        kept; `stopping` is called before that is waited for, and another Ctrl-C ends it at once, with
        :class:`~breakrank.runs.interrupts.AtOnceError`. When this returns, everything that was told of
        is on the disk, unless its worker was killed.
        """


class Here:
    """In this process, one run after another."""

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """See :meth:`Place.work`."""
        try:
            for number in numbers:
                with undisturbed():
                    told = shift.attempt(number)
                take([told])
        except BaseException:
            try:
                stopping()
                take([shift.settle()])
            except KeyboardInterrupt:
                raise AtOnceError from None
            raise
        else:
            with undisturbed():
                take([shift.settle()])
        finally:
            shift.dismiss()


class Cores:
    """On processes of this machine.

    Parameters
    ----------
    workers : how many; by default all cores, unless starting them takes longer than they would save.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = None if workers is None else whole_number("workers", workers, 1, 4096)

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """See :meth:`Place.work`."""
        todo = list(numbers)
        cores = available_cores()
        if self.workers == 1 or (self.workers is None and cores == 1):
            Here().work(shift, todo, take, stopping)
            return
        compile_together(shift.case, shift.simulator)
        if self.workers is None:
            foresee(shift.case, shift.simulator, len(todo) - PILOT)
            begun = time.perf_counter()
            Here().work(shift, todo[:PILOT], take, stopping)
            seconds = (time.perf_counter() - begun) / PILOT
            todo = todo[PILOT:]
            if seconds * len(todo) * (1 - 1 / cores) < POOL_START:
                Here().work(shift, todo, take, stopping)
                return
        size = min(self.workers or cores, len(todo))
        run_pool(shift, todo, size, take, settling=stopping, meanwhile=import_what_reads_runs)


def choose_backend(backend: str | None = None, workers: int | None = None) -> Backend:
    """Return where runs are made.

    Parameters
    ----------
    backend : ``"serial"``, ``"cores"``, or the address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``.
        By default cores.
    workers : number of processes of this machine; a cluster has as many as were started.

    Raises
    ------
    UsageError
        for anything else.
    """
    if backend is None or backend == "cores":
        return Cores(workers)
    if backend == "serial":
        if workers not in (None, 1):
            raise UsageError(f"the backend serial has one worker, not {workers}")
        return Here()
    if backend.partition("://")[0] in SCHEMES and "://" in backend:
        if workers is not None:
            raise UsageError("a cluster has the workers that were started for it; leave out --workers")

        return Cluster(backend)
    raise UsageError(
        f"no backend {backend!r}{nearest(backend, WORDS)}\n"
        "  Backends are serial, cores, or the address of a scheduler such as tcp://10.0.0.5:8786."
    )
