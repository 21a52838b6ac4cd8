"""Runs on many machines, by the scheduler of dask.distributed at an address.

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

from breakrank.errors import BreakrankError
from breakrank.runs.crew import Crew

if TYPE_CHECKING:
    from breakrank.runs.batch import Shift, Told

    _Connection = Any  # a distributed.Client, whose types are not complete

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
