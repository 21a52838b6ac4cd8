"""Handing runs out: the one loop that sends batches to whoever makes runs, and takes what comes back.

Whoever makes runs, in this process, in others of this machine or on a cluster, is a :class:`Crew`: it is
handed some numbers and returns a future. A run whose worker dies is made again; the run that kills is named.
Interrupts wait until a run has ended.
"""

from __future__ import annotations

import math
import queue
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Protocol, Self

from breakrank.engine.wanted import interrupt
from breakrank.errors import BreakrankError
from breakrank.runs.batch import Made, Missed, Told
from breakrank.runs.worker import reason

if TYPE_CHECKING:
    from breakrank.runs.batch import Shift


_asked = 0


class AtOnceError(KeyboardInterrupt):
    """A second Ctrl-C came while what was under way was being finished."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back the first Ctrl-C until the block ends; the second breaks it off at once.

    Held back, it comes between two runs, where what has finished can be kept. The second waits for the end of
    the day in a run (see :mod:`breakrank.engine.wanted`). Outside the main thread nothing is held; nor where
    interrupts are ignored, as by a process that was started to run in the background.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    global _asked
    outer, _asked = _asked, 0

    def note(_number: int, _frame: FrameType | None) -> None:
        global _asked
        _asked += 1
        if _asked > 1:
            interrupt()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        # a handler that a host program has set in C cannot be seen from here, nor put back
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
        asked, _asked = _asked, outer
    if asked:
        raise KeyboardInterrupt


def held_back() -> bool:
    """Say whether a Ctrl-C is held back until the end of a block in this process."""
    return _asked > 0


AIM = (0.0, 1.0, 2.0, 4.0)
"""Seconds that the first, second, third and all later batches of a place take; the first is one run, so that
there is something to see soon."""
OFTEN = 100.0
"""Batches in a second at most: with more places, batches grow."""
MOST = 100
"""Runs in a batch at most."""
POLL = 0.05
"""Seconds between two looks at whether the study is still wanted."""
DEATHS = 2
"""Deaths of a worker that has one run alone, after which that is given up."""
GIVEN_UP = 5
"""Runs given up in a row after which everything left is given up."""
LET_GO = 20
"""Batches that may be let go of before the study gives up."""


class DiedError(BreakrankError):
    """The worker that had a batch has died."""


class Crew:
    """Whoever makes the runs of one study; this one is told nothing and is always there."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Forget the study."""

    def places(self) -> int:
        """Return how many batches may be under way at once.

        Raises
        ------
        KeyboardInterrupt
            if nobody wants the study any more.
        BreakrankError
            if nobody is there to make runs, and has not been for long.
        """
        return 1

    def submit(self, numbers: tuple[int, ...]) -> Future[list[Told]]:
        """Have runs made and kept; those of which nothing is told were handed back.

        The future raises DiedError if the worker died, and BreakrankError if runs cannot be kept.
        """
        raise NotImplementedError

    def stop(self, flying: Iterable[Future[list[Told]]]) -> None:
        """Have what is under way, and what waits to be, end soon, with what is finished kept."""

    def answers(self) -> bool:
        """Say whether what is under way may still come."""
        return True

    def kill(self) -> None:
        """End what is under way at once."""


class Backend(Protocol):
    """Where runs are made."""

    def opened(self, shift: Shift, runs: int) -> Crew:
        """Return the crew for a number of runs of a study, until the end of a `with` block."""


class HandingOut:
    """Some runs of a study, from the first batch to the last.

    Runs of a batch whose worker died are suspects. Each is made alone, with nothing else under way: that
    spares a run that only fell with another one, for want of memory say, and convicts the one that kills.

    Parameters
    ----------
    crew : who makes them.
    numbers : of the runs.
    together : runs that are best made by one worker, since they share a force.
    take : told of what came; may raise, which ends it.
    """

    def __init__(
        self, crew: Crew, numbers: Sequence[int], together: int, take: Callable[[Sequence[Told]], None]
    ) -> None:
        self._crew, self._take, self._together = crew, take, together
        self._todo, self._suspects = deque(numbers), deque[int]()
        self._flying: dict[Future[list[Told]], tuple[int, ...]] = {}
        self._landed: queue.SimpleQueue[Future[list[Told]]] = queue.SimpleQueue()
        self._deaths = Counter[int]()
        self._sent = self._timed = self._in_a_row = self._let_go = 0
        self._seconds = 0.0
        self._alone = False

    def work(self, stopping: Callable[[], None]) -> None:
        """Have all of them made.

        Whatever is raised meanwhile, also by Ctrl-C, ends it once what is under way has been taken in;
        `stopping` is called before that is waited for. Another Ctrl-C then raises AtOnceError.
        """
        try:
            while self._todo or self._suspects or self._flying:
                landed = self._hand_out()
                with undisturbed():
                    self._take([one for future in landed for one in self._told(future)])
        except BaseException:
            try:
                stopping()
                self._stop()
            except KeyboardInterrupt:
                self._crew.kill()
                raise AtOnceError from None
            raise

    def _hand_out(self) -> list[Future[list[Told]]]:
        """Send batches to every free place, and return what has landed, waiting a moment for it."""
        places = self._crew.places()
        if not self._flying:
            self._alone = bool(self._suspects)
            if self._alone and places:
                self._send((self._suspects.popleft(),))
        while self._todo and not (self._suspects or self._alone) and len(self._flying) < places:
            self._send(tuple(self._todo.popleft() for _ in range(self._size(places))))
        return self._wait()

    def _size(self, places: int) -> int:
        """Return how many runs the next batch has: as many as take some seconds, fewer towards the end."""
        size = 1
        aim = max(AIM[min(self._sent // places, len(AIM) - 1)], places / OFTEN)
        if self._timed and self._sent >= places:
            size = max(1, min(MOST, int(aim * self._timed / max(self._seconds, 1e-6))))
        if size > self._together:
            size -= size % self._together
        return min(size, math.ceil(len(self._todo) / places))

    def _send(self, numbers: tuple[int, ...]) -> None:
        with undisturbed():  # interrupted, a process would be half started, or a batch forgotten
            future = self._crew.submit(numbers)
            self._flying[future] = numbers
            self._sent += 1
            future.add_done_callback(self._landed.put)

    def _wait(self) -> list[Future[list[Told]]]:
        landed = []
        try:
            landed.append(self._landed.get(timeout=POLL))
            while True:
                landed.append(self._landed.get_nowait())
        except queue.Empty:
            return landed

    def _told(self, future: Future[list[Told]]) -> Sequence[Told]:
        """Return the results of a batch, and note runs to be made again."""
        numbers = self._flying.pop(future)
        try:
            told = future.result()
        except CancelledError:  # a scheduler let go of it
            self._let_go += 1
            if self._let_go > LET_GO:
                raise BreakrankError("whoever makes the runs let go of the study again and again") from None
            self._todo.extendleft(reversed(numbers))
            return ()
        except Exception as error:
            if isinstance(error, BreakrankError) and not isinstance(error, DiedError):
                raise
            return self._lost(numbers, error)
        ended = {one.number for one in told}
        self._todo.extendleft(number for number in reversed(numbers) if number not in ended)
        for one in told:
            if isinstance(one, Made):
                self._in_a_row = 0
                self._timed += 1
                self._seconds += one.seconds
        return told

    def _lost(self, numbers: tuple[int, ...], error: Exception) -> Sequence[Missed]:
        """Suspect the runs of a batch that did not come back; give up one that was alone in it."""
        died = isinstance(error, DiedError)
        self._deaths.update(numbers if self._alone else ())
        if not self._alone or (died and self._deaths[numbers[0]] < DEATHS):
            self._suspects.extend(numbers)
            return ()
        where, why = "on the way to or from the worker", reason(error)
        if died or type(error).__name__ == "KilledWorker":  # distributed's, which has tried several in turn
            where, why = "no place: its worker was killed", f"killed {DEATHS if died else 'several'} workers"
        missed = [Missed(numbers[0], where, why)]
        self._in_a_row += 1
        if self._in_a_row >= GIVEN_UP:
            left = [*self._suspects, *self._todo]
            self._suspects.clear()
            self._todo.clear()
            missed += [Missed(n, where, f"given up, as {GIVEN_UP} others in a row {why}") for n in left]
        return missed

    def _stop(self) -> None:
        """Take in what is still under way; what was lost or handed back stays unmade."""
        self._crew.stop(self._flying)
        while self._flying and self._crew.answers():
            landed = [future for future in self._flying if future.done()]
            for future in landed:
                del self._flying[future]
            kept = [one.result() for one in landed if not one.cancelled() and one.exception() is None]
            with undisturbed():
                self._take([one for told in kept for one in told])
            if not landed:
                time.sleep(POLL / 5)
