"""Runs on many machines, by the scheduler of dask.distributed at an address.

What travels is small: to a worker the study once and then numbers of runs, back a line for each run. The runs
themselves go from the worker straight to the store, so the store has to be a folder that all machines share.

Runs go out in batches of some seconds, because a scheduler spends a millisecond or two on each task. No more
batches are under way than keep every worker busy, so that an interrupted study ends soon.
"""

from __future__ import annotations

import math
import queue
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from breakrank.engine.replicate import Failure
from breakrank.errors import BreakrankError
from breakrank.runs.batch import Made, Shift
from breakrank.runs.interrupts import AtOnceError, undisturbed

if TYPE_CHECKING:
    from breakrank.runs.batch import Stopping, Take, Told

    _Connection = Any  # a distributed.Client and a distributed.Future, whose types are not complete
    _Future = Any

BATCH = 8.0
"""Seconds of work in a batch, once it is known how long a run takes."""
OFTEN = 100.0
"""Batches in a second that a scheduler is asked for at most: with more workers, batches grow."""
PILOT = 2
"""Runs in a batch before that."""
MOST = 100
"""Most runs in a batch."""
AHEAD = 2
"""Batches for each worker that are under way or wait at it."""
PATIENCE = 60.0
"""Seconds without any worker after which the study gives up."""
LOST = 20
"""Batches that a scheduler may lose, with workers that die, before the study gives up."""
CONNECT = 20.0
"""Seconds to reach the scheduler."""


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

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """See :meth:`breakrank.runs.backends.Backend.work`."""
        with _client(self.address) as client:
            crew = _Crew(client, shift, numbers, take, self.patience)
            try:
                while crew.has_work():
                    crew.hand_out()
                    crew.collect()
            except BaseException:
                try:
                    stopping()
                    crew.stop()
                except KeyboardInterrupt:
                    raise AtOnceError from None
                raise
            finally:
                with suppress(OSError):
                    shift.stop.unlink(missing_ok=True)


class _Crew:
    """Which batches are under way, and what is still to be made."""

    def __init__(
        self, client: _Connection, shift: Shift, numbers: Sequence[int], take: Take, patience: float
    ) -> None:
        self._client = client
        self._shift = shift
        self._take = take
        self._patience = patience
        self._todo = deque(numbers)
        self._again: deque[tuple[int, ...]] = deque()
        self._suspects: deque[int] = deque()
        self._flying: dict[_Future, tuple[int, ...]] = {}
        self._landed: queue.SimpleQueue[_Future] = queue.SimpleQueue()
        self._seconds: float | None = None
        self._threads = self._lost = 0
        self._looked = self._alone_since = -math.inf
        # a task of its own, not scattered data: when all workers that hold it die, it is simply sent again
        self._study = client.submit(_same, shift, key=f"study-{shift.name}", pure=False)

    def has_work(self) -> bool:
        return bool(self._todo or self._again or self._flying or self._suspects)

    def hand_out(self) -> None:
        """Send batches until every worker has one to go on with.

        Runs of a batch that killed its workers go out one by one at the end, with nothing else under way: a
        scheduler blames all that waits at a worker for its death.
        """
        self._look_around()
        while (self._todo or self._again) and len(self._flying) < AHEAD * self._threads:
            self._send(self._again.popleft() if self._again else self._next())
        if self._suspects and not self._flying and self._threads:
            self._send((self._suspects.popleft(),))

    def _send(self, numbers: tuple[int, ...]) -> None:
        future = self._client.submit(_make, self._study, numbers, pure=False)
        self._flying[future] = numbers
        future.add_done_callback(self._landed.put)

    def _next(self) -> tuple[int, ...]:
        """Return the next runs, as many as take some seconds, fewer towards the end."""
        known = self._seconds
        wanted = max(BATCH, self._threads / OFTEN)
        size = PILOT if known is None else max(1, min(MOST, round(wanted / max(known, 1e-6))))
        if known is not None:
            fair = math.ceil(len(self._todo) / (AHEAD * max(1, self._threads)))
            size = min(size, max(fair, math.ceil(1.0 / max(known, 1e-6))))  # but never less than a second
        return tuple(self._todo.popleft() for _ in range(min(size, len(self._todo))))

    def collect(self) -> None:
        """Wait for a batch to land, and take in all that have."""
        try:
            landed = [self._landed.get(timeout=1.0)]
        except queue.Empty:
            return
        while True:
            try:
                landed.append(self._landed.get_nowait())
            except queue.Empty:
                break
        with undisturbed():
            told = [one for future in landed for one in self._told(future)]
            for one in told:
                if isinstance(one, Made):
                    before = one.seconds if self._seconds is None else self._seconds
                    self._seconds = 0.8 * before + 0.2 * one.seconds
            self._take(told)

    def _told(self, future: _Future) -> list[Told | Failure]:
        """Return what a batch told; if its workers kept dying, have its runs made one by one."""
        numbers = self._flying.pop(future, ())
        if not numbers:
            return []
        if future.status == "finished":
            with suppress(CancelledError):  # its worker died before the answer had come over
                told: list[Told | Failure] = future.result()
                return told
        if future.status in ("cancelled", "lost"):
            self._lost += 1
            if self._lost > LOST or self._client.status != "running":
                raise BreakrankError(f"the scheduler at {self._client.scheduler.address} let go of the study")
            self._again.append(numbers)  # what the store has of it already is the same, to the bit
            return []
        error = future.exception()
        if len(numbers) > 1:
            self._suspects.extend(numbers)
            return []
        killed = type(error).__name__ == "KilledWorker"
        where = "no place: its worker was killed" if killed else "on the way to or from the worker"
        first = str(error).strip().partition("\n")[0]
        why = "killed several workers" if killed else f"{type(error).__name__}: {first}"
        return [Failure(numbers[0], where, why)]

    def _look_around(self) -> None:
        now = time.monotonic()
        if now - self._looked < (5.0 if self._threads else 1.0):
            return
        self._looked = now
        if self._client.status != "running":
            raise BreakrankError(
                f"the connection to the scheduler at {self._client.scheduler.address} is lost"
            )
        self._threads = sum(self._client.nthreads().values())
        if self._threads or self._alone_since == -math.inf:
            self._alone_since = now
        elif now - self._alone_since > self._patience:
            address = self._client.scheduler.address
            raise BreakrankError(
                f"the scheduler at {address} has had no worker for {self._patience:.0f} s\n"
                f"  Start some with `dask worker {address} --nthreads 1`."
            )

    def stop(self) -> None:
        """Have workers everywhere finish the run they are at, keep what they have, and take no more."""
        self._todo.clear()
        self._again.clear()
        self._suspects.clear()
        with suppress(OSError):
            self._shift.stop.touch()
        while self._flying and self._client.status == "running" and self._client.nthreads():
            # asked one by one: what had landed when an error came up is not told a second time
            landed = [future for future in self._flying if future.done()]
            told: list[Told | Failure] = []
            for future in landed:
                del self._flying[future]
                if future.status == "finished":
                    with suppress(CancelledError):
                        told.extend(future.result())
            with undisturbed():
                self._take(told)
            if not landed:
                with suppress(queue.Empty):
                    self._landed.get(timeout=1.0)


def _same(shift: Shift) -> Shift:
    return shift


def _make(shift: Shift, numbers: tuple[int, ...]) -> list[Told]:
    return shift.batch(numbers)


@contextmanager
def _client(address: str) -> Iterator[_Connection]:
    """Give a connection to a scheduler.

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
        client: _Connection = distributed.Client(address, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise BreakrankError(
            f"no scheduler answers at {address} ({type(error).__name__})\n"
            "  Start one with `dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`."
        ) from error
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=5)
