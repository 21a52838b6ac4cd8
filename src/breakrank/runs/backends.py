"""Where runs are made: in this process, on this machine's cores, or on a cluster. The runs are the same.

Runs on many machines, by the scheduler of dask.distributed at an address.

What travels is small: to a worker the study once and then numbers of runs, back a line for each run. The runs
themselves go from the worker straight to the store, so the store has to be a folder that all machines share.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from breakrank.errors import BreakrankError, UsageError, nearest, whole_number
from breakrank.runs.batch import Made, Told
from breakrank.runs.compiling import available_cores, compile_together, prepare
from breakrank.runs.crew import Backend, Crew, held_back
from breakrank.runs.pool import Pool
from breakrank.runs.worker import Simulator, standard_simulator

if TYPE_CHECKING:
    from breakrank.runs.batch import Shift, Told

    _Connection = Any  # a distributed.Client, whose types are not complete
    from breakrank.case import Case


AHEAD = 2
"""Batches for each worker that are under way or wait at it."""
PATIENCE = 60.0
"""Seconds without any worker after which the study gives up."""
CONNECT = 20.0
"""Seconds to reach the scheduler."""
SEEN, UNSEEN = 5.0, 1.0
"""Seconds between two looks at how many workers there are: while there are some, while there are none."""


class Cluster:
    """The workers of a Dask scheduler.

    Parameters
    ----------
    address : such as ``tcp://10.0.0.5:8786``.
    patience : seconds to wait for a worker when there is none.
    """

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        self.address = address
        self.patience = patience

    def opened(self, shift: Shift, runs: int) -> Crew:  # noqa: ARG002
        """See :meth:`breakrank.runs.crew.Backend.opened`."""
        return _Remote(connected(self.address), shift, self.patience)


class _Remote(Crew):
    """The workers that a scheduler has."""

    def __init__(self, client: _Connection, shift: Shift, patience: float) -> None:
        self._client, self._shift, self._patience = client, shift, patience
        self._executor = client.get_executor(pure=False)
        # a task of its own, not scattered data: when all workers that hold it die, it is simply sent again
        self._study = client.submit(_same, shift, key=f"study-{shift.name}", pure=False)
        self._threads = 0
        self._looked = -math.inf
        self._seen = time.monotonic()

    def places(self) -> int:
        now, where = time.monotonic(), f"the scheduler at {self._client.scheduler.address}"
        if self._client.status != "running":
            raise BreakrankError(f"the connection to {where} is lost")
        if now - self._looked >= (SEEN if self._threads else UNSEEN):
            self._looked, self._threads = now, sum(self._client.nthreads().values())
        if self._threads:
            self._seen = now
        elif now - self._seen > self._patience:
            raise BreakrankError(
                f"{where} has had no worker for {self._patience:.0f} s\n"
                f"  Start some with `dask worker {self._client.scheduler.address} --nthreads 1`."
            )
        return AHEAD * self._threads

    def submit(self, numbers: tuple[int, ...]) -> Future[list[Told]]:
        future: Future[list[Told]] = self._executor.submit(_make, self._study, numbers)
        return future

    def stop(self, flying: Iterable[Future[list[Told]]]) -> None:  # noqa: ARG002
        with suppress(OSError):
            self._shift.stop.touch()

    def answers(self) -> bool:
        return self._client.status == "running" and bool(self._client.nthreads())

    def leave(self) -> None:
        with suppress(OSError):
            self._shift.stop.unlink(missing_ok=True)
        with suppress(Exception):
            self._client.close(timeout=5)


def _same(shift: Shift) -> Shift:
    return shift


def _make(shift: Shift, numbers: tuple[int, ...]) -> list[Told]:
    return shift.batch(numbers, shift.stop.exists)


def connected(address: str) -> _Connection:
    """Return a connection to a scheduler.

    Raises
    ------
    BreakrankError
        if dask.distributed is not installed or nobody answers.
    """
    try:
        import distributed
    except ImportError as error:
        raise BreakrankError(
            "a cluster needs dask.distributed, which comes with the extra cluster\n"
            "  Install it with: pip install 'breakrank[cluster]'"
        ) from error
    try:
        return distributed.Client(address, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError, MemoryError) as error:  # another server's words read as a size
        raise BreakrankError(
            f"no scheduler answers at {address} ({type(error).__name__})\n"
            "  Start one with `dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`."
        ) from error


PILOT = 2
"""Runs made in the calling process before it is decided whether a pool is worth its start."""
POOL_START = 2.0
"""Seconds that several processes must save before they are started (about what starting them takes)."""
PACE = 2e-9
"""Seconds that a soldier's day takes, by which it is guessed whether processes will be started."""
WORDS = ("serial", "cores")
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")
"""How addresses of schedulers begin."""


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
        compile_together(shift.cases[0], shift.simulator)
        return _Tried(shift, runs) if self.workers is None else processes(shift, min(self.workers, runs))


def processes(shift: Shift, workers: int) -> Crew:
    """Return processes for one study alone."""
    owners = (shift.simulator.build, shift.simulator.replicate, type(shift.cases[0]))
    return Pool(workers, owners).place(alone=True).opened(shift, workers)


class _Tried(Crew):
    """The calling process for the first runs, and then others for the rest, if they are worth their start."""

    def __init__(self, shift: Shift, runs: int) -> None:
        self._shift, self._left, self._tries = shift, runs - PILOT, PILOT
        self._crew: Crew = _Alone(shift)
        self._guess = guessed(shift.cases[0], shift.simulator)
        foresee(shift.cases[0], shift.simulator, self._left)

    def places(self) -> int:
        return self._crew.places()

    def submit(self, numbers: tuple[int, ...]) -> Future[list[Told]]:
        if not self._tries:
            return self._crew.submit(numbers)
        self._tries -= 1
        answer = self._crew.submit(numbers[:1])
        told = [] if self._tries or answer.exception() else answer.result()
        seconds = sum(one.seconds for one in told if isinstance(one, Made))
        if seconds and saved(max(seconds, self._guess), self._left) >= POOL_START:
            self._crew.leave()
            self._crew = processes(self._shift, min(available_cores(), self._left))
        return answer

    def stop(self, flying: Iterable[Future[list[Told]]]) -> None:
        self._crew.stop(flying)

    def kill(self) -> None:
        self._crew.kill()

    def leave(self) -> None:
        self._crew.leave()


def saved(seconds: float, runs: int) -> float:
    """Return how long all cores save, where each of some runs takes so many seconds."""
    return seconds * runs * (1 - 1 / available_cores())


def guessed(case: Case, simulator: Simulator) -> float:
    """Return the seconds that a run of the model takes, unless it ends early; 0 of another."""
    if simulator != standard_simulator():
        return 0.0
    return case.value("force.strength") * case.calendar.days * PACE


def foresee(case: Case, simulator: Simulator, runs: int) -> None:
    """Have the server of workers load the model while runs are tried here, if so many more will need them."""
    if saved(guessed(case, simulator), runs) >= POOL_START:
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
        return Cores(1)
    if backend.partition("://")[0] in SCHEMES and "://" in backend:
        if workers is not None:
            raise UsageError("a cluster has the workers that were started for it; leave out --workers")

        return Cluster(backend)
    raise UsageError(
        f"no backend {backend!r}{nearest(backend, WORDS)}\n"
        "  Backends are serial, cores, or the address of a scheduler such as tcp://10.0.0.5:8786."
    )
