"""Where runs are made: in this process, on this machine's cores, or on a cluster. The runs are the same."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from breakrank.errors import UsageError, nearest
from breakrank.runs.batch import Made, Told
from breakrank.runs.cluster import Cluster
from breakrank.runs.compiling import compile_together
from breakrank.runs.cores import available_cores
from breakrank.runs.crew import Backend, Crew
from breakrank.runs.interrupts import held_back
from breakrank.runs.pool import Pool
from breakrank.runs.start_process import prepare
from breakrank.runs.whole_number import whole_number
from breakrank.runs.worker import Simulator, standard_simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.batch import Shift

PILOT = 2
"""Runs made in the calling process before it is decided whether a pool is worth its start."""
POOL_START = 2.0
"""Seconds that several processes must save before they are started (about what starting them takes)."""
PACE = 5e-9
"""Seconds that a soldier's day takes, by which it is guessed whether processes will be started."""
WORDS = ("serial", "cores")
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")
"""How addresses of schedulers begin."""


class Here:
    """In this process, one run after another."""

    def opened(self, shift: Shift, runs: int) -> Crew:  # noqa: ARG002
        """See :meth:`breakrank.runs.crew.Backend.opened`."""
        return _Alone(shift)


class _Alone(Crew):
    """The calling process: whatever is submitted has been made when that returns."""

    def __init__(self, shift: Shift) -> None:
        self._shift = shift

    def submit(self, numbers: tuple[int, ...]) -> Future[list[Told]]:
        answer: Future[list[Told]] = Future()
        try:
            answer.set_result(self._shift.batch(numbers, held_back))
        except Exception as error:
            answer.set_exception(error)
        return answer

    def leave(self) -> None:
        self._shift.dismiss()


class Cores:
    """On processes of this machine.

    Parameters
    ----------
    workers : how many; by default all cores, unless starting them takes longer than they would save.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = None if workers is None else whole_number("workers", workers, 1, 4096)

    def opened(self, shift: Shift, runs: int) -> Crew:
        """See :meth:`breakrank.runs.crew.Backend.opened`."""
        if self.workers == 1 or (self.workers is None and (runs <= PILOT or available_cores() == 1)):
            return _Alone(shift)
        compile_together(shift.case, shift.simulator)
        return _Tried(shift, runs) if self.workers is None else processes(shift, min(self.workers, runs))


def processes(shift: Shift, workers: int) -> Crew:
    """Return processes for one study alone."""
    owners = (shift.simulator.build, shift.simulator.replicate, type(shift.case))
    return Pool(workers, owners).place(alone=True).opened(shift, workers)


class _Tried(Crew):
    """The calling process for the first runs, and then others for the rest, if they are worth their start."""

    def __init__(self, shift: Shift, runs: int) -> None:
        self._shift, self._left, self._tries = shift, runs - PILOT, PILOT
        self._crew: Crew = _Alone(shift)
        foresee(shift.case, shift.simulator, self._left)

    def places(self) -> int:
        return self._crew.places()

    def submit(self, numbers: tuple[int, ...]) -> Future[list[Told]]:
        if not self._tries:
            return self._crew.submit(numbers)
        self._tries -= 1
        answer = self._crew.submit(numbers[:1])
        told = [] if self._tries or answer.exception() else answer.result()
        seconds = sum(one.seconds for one in told if isinstance(one, Made))
        if seconds * self._left * (1 - 1 / available_cores()) >= POOL_START:
            self._crew.leave()
            self._crew = processes(self._shift, min(available_cores(), self._left))
        return answer

    def stop(self, flying: Iterable[Future[list[Told]]]) -> None:
        self._crew.stop(flying)

    def kill(self) -> None:
        self._crew.kill()

    def leave(self) -> None:
        self._crew.leave()


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
