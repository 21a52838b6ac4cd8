"""Where runs are made: in this process, on this machine's cores, or on a cluster. The runs are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from breakrank.errors import UsageError, nearest
from breakrank.runs.batch import Made
from breakrank.runs.cluster import Cluster
from breakrank.runs.compiling import compile_together
from breakrank.runs.cores import available_cores
from breakrank.runs.interrupts import AtOnceError, undisturbed
from breakrank.runs.pool import Pool
from breakrank.runs.start_process import prepare
from breakrank.runs.whole_number import whole_number
from breakrank.runs.worker import Simulator, standard_simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Failure
    from breakrank.runs.batch import Shift, Stopping, Take, Told

PILOT = 2
"""Runs made in the calling process before it is decided whether a pool is worth its start."""
POOL_START = 2.0
"""Seconds that several processes must save before they are started (about what starting them takes)."""
PACE = 5e-9
"""Seconds that a soldier's day takes, by which it is guessed whether processes will be started."""
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
        """See :meth:`Backend.work`."""
        try:
            make_here(shift, numbers, take, stopping)
        finally:
            shift.dismiss()


def make_here(shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
    """Make runs in this process, and hold on to the force for more of them."""
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
    with undisturbed():
        take([shift.settle()])


class Cores:
    """On processes of this machine.

    Parameters
    ----------
    workers : how many; by default all cores, unless starting them takes longer than they would save.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = None if workers is None else whole_number("workers", workers, 1, 4096)

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """See :meth:`Backend.work`."""
        todo = list(numbers)
        if self.workers is None:
            todo = self._tried(shift, todo, take, stopping)
        elif self.workers == 1:
            Here().work(shift, todo, take, stopping)
            todo = []
        if not todo:
            return
        compile_together(shift.case, shift.simulator)
        makers = (shift.simulator.build, shift.simulator.replicate, type(shift.case))
        pool = Pool(min(self.workers or available_cores(), len(todo)), makers)
        try:
            pool.place().work(shift, todo, take, stopping)
        finally:
            pool.close()

    @staticmethod
    def _tried(shift: Shift, todo: list[int], take: Take, stopping: Stopping) -> list[int]:
        """Make the first runs here, and the rest unless processes are worth their start; else return it."""
        seconds = 0.0

        def timed(told: Sequence[Told | Failure]) -> None:
            nonlocal seconds
            seconds = next((one.seconds for one in told if isinstance(one, Made)), seconds)
            take(told)

        saved = 1 - 1 / available_cores()
        few = len(todo) if not saved else PILOT
        try:
            if few < len(todo):
                compile_together(shift.case, shift.simulator)
                foresee(shift.case, shift.simulator, len(todo) - few)
            make_here(shift, todo[:few], timed, stopping)
            if seconds * (len(todo) - few) * saved >= POOL_START:
                return todo[few:]
            make_here(shift, todo[few:], take, stopping)
        finally:
            shift.dismiss()
        return []


def foresee(case: Case, simulator: Simulator, runs: int) -> None:
    """Have the server of workers load the model while runs are tried here, if so many more will need them."""
    if simulator != standard_simulator():
        return
    seconds = case.value("force.strength") * case.calendar.days * PACE
    if seconds * runs * (1 - 1 / available_cores()) >= POOL_START:
        prepare()


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
