"""Processes of this machine, shared by any number of studies at once: each thread of an executor asks one.

A study on the command line starts a pool and ends it; a page keeps one. What a process made is kept before
it takes the next batch. A process may be killed at any moment, also in the middle of a message: only its own
pipe ends. (Python's ProcessPoolExecutor and loky end all processes with one, and leave them behind when the
caller is killed.)
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from breakrank.engine.wanted import unless
from breakrank.errors import BreakrankError
from breakrank.runs.compiling import CONTEXT, available_cores, compile_part, compiled, start, without_main
from breakrank.runs.crew import Crew, DiedError
from breakrank.runs.identity import code_digest
from breakrank.runs.worker import reason

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from breakrank.case import Case
    from breakrank.runs.batch import Shift, Told

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 5.0
"""Seconds that are waited at most, at the end, for what is under way to be kept."""
GRACE = 1.0
"""Seconds that a cancelled study has to let go of the run under way; a large force takes longer for a day."""
NICE = 2
"""By how much the processes step back behind the one that answers."""
WARM_DAYS = 3
"""Days of the run by which a process loads the compiled model."""
GO, WAY, STOP, DROP = range(4)
"""What a process is told while it has a batch: go on, end it after a run for others who wait, end it after
the run under way, end it in the middle of that."""


class ClosedError(BreakrankError):
    """The pool takes no more orders."""


class Pool:
    """Processes of this machine, started when something is asked of them.

    Parameters
    ----------
    workers : how many; by default one for each core.
    owners : functions and classes that the work is made with. Where one of them stands in the caller's
        script, the processes import that.
    """

    def __init__(self, workers: int | None = None, owners: Sequence[object] = ()) -> None:
        self.size = workers or available_cores()
        self.closed = False
        self._owners = owners
        self._threads = ThreadPoolExecutor(self.size, "breakrank pool")
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._busy: dict[_Process, _Hired | None] = {}
        self._turn = 0

    def place(self, stop: threading.Event | None = None, *, alone: bool = False) -> PoolBackend:
        """Return the pool as a place for one study.

        Parameters
        ----------
        stop : once set, the study is interrupted: what is finished is kept, what is under way is dropped.
            Without one it is interrupted by Ctrl-C, which what is under way is finished after.
        alone : whether the pool ends with the study.
        """
        return PoolBackend(self, stop, alone)

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a process call a function that it finds by name, after the run under way; return its future.

        Raises
        ------
        ClosedError
            after :meth:`close`.
        """
        self.make_way()
        return self.submit(None, _called, function, args, kwargs)

    def warm(self, case: Case, seed: int = 0) -> list[Future[None]]:
        """Have each process load the compiled model, or compile its share; the futures tell when it has."""
        return [self.call(warm, case, seed, number) for number in range(self.size)]

    def make_way(self) -> None:
        """Have batches end after a run, so that whoever comes now gets a turn soon."""
        with self._lock:
            self._turn += 1
            for process in self._busy:
                process.word.value = max(process.word.value, WAY)

    def submit(self, crew: _Hired | None, function: Callable[..., R], *args: Any) -> Future[R]:  # noqa: ANN401
        """Have a process call one of the functions below, for a study if it is one; ClosedError if closed."""
        try:
            return self._threads.submit(self._ask, crew, self._turn, function, args)
        except RuntimeError as error:
            raise ClosedError("the page is being closed") from error

    def tell(self, crew: _Hired, word: int) -> None:
        """Tell the processes that have a batch of a study, and those that will get one."""
        with self._lock:
            crew.word = word
            for process in [one for one, owner in self._busy.items() if owner is crew]:
                process.word.value = word

    def kill(self, crew: _Hired | None = None) -> None:
        """End at once the processes that work for a study, or all; what they had in hand is lost."""
        with self._lock:
            some = [one for one, owner in self._busy.items() if crew is None or owner is crew]
            some += self._idle if crew is None else []
        for process in some:
            process.kill()

    def close(self, patience: float = PATIENCE) -> None:
        """End the processes; studies under way are interrupted, and calls broken off.

        What is finished is kept if that takes no longer than `patience` seconds.
        """
        self.closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for process in self._busy:
                process.word.value = DROP
        limit = time.monotonic() + patience
        while any([*self._busy.values()]) and time.monotonic() < limit:
            time.sleep(0.01)
        self.kill()
        self._threads.shutdown(wait=True)

    def _ask(self, crew: _Hired | None, turn: int, function: Callable[..., R], args: tuple[Any, ...]) -> R:
        """In a thread: have a free process call a function."""
        with self._process(crew) as process:
            if crew is not None:
                with self._lock:
                    process.word.value = max(crew.word, WAY if turn != self._turn else GO)
                args = (None if process.knows is crew else crew.message, *args)
                process.knows = crew
            good, answer = process.ask(pickle.dumps((function, args), protocol=5))
        if good:
            value: R = answer
            return value
        raise answer

    @contextmanager
    def _process(self, crew: _Hired | None) -> Iterator[_Process]:
        """Give a free process, one that knows the study if there is one; it is started if there is none.

        Raises
        ------
        DiedError
            if it ends before it is given back.
        """
        process = self._free(crew)
        try:
            process = process or _Process(self._owners)
            with self._lock:
                self._busy[process] = crew
            if self.closed:
                raise EOFError  # started too late
            yield process
        except (OSError, EOFError) as error:
            if process is not None:
                process.kill()
            raise DiedError("the process that was asked has ended; ask again") from error
        finally:
            with self._lock:
                if process is not None:
                    self._busy.pop(process, None)
                    process.word.value = GO
                    self._idle.append(process)

    def _free(self, crew: _Hired | None) -> _Process | None:
        with self._lock:  # dead ones are forgotten
            self._idle = [one for one in self._idle if one.alive]
            self._idle.sort(key=lambda one: one.knows is crew)
            return self._idle.pop() if self._idle else None


class _Process:
    """One process, and this end of its pipe.

    Attributes
    ----------
    word : what it is told while it has a batch.
    knows : the study that it was sent last.
    """

    def __init__(self, owners: Sequence[object]) -> None:
        self.word = CONTEXT.RawValue("b", GO)
        self.knows: _Hired | None = None
        self._pipe, theirs = CONTEXT.Pipe()
        # a daemon, so that Python ends it on its route rather than wait for it
        self._process = CONTEXT.Process(
            target=serve, args=(theirs, self.word), name="breakrank worker", daemon=True
        )
        try:
            with without_main(*owners):
                start(self._process)
        finally:
            theirs.close()

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.is_alive()

    def ask(self, message: bytes) -> tuple[bool, Any]:
        """Have it call a function, and return whether that went well and what it returned or raised.

        OSError or EOFError if it ends before the answer is there whole.
        """
        self._pipe.send_bytes(message)
        good, answer = pickle.loads(self._pipe.recv_bytes())
        return good, answer

    def kill(self) -> None:
        """End it now."""
        self._process.kill()
        self._process.join(PATIENCE)


class PoolBackend(NamedTuple):
    """A pool as the place of one study (see :class:`breakrank.runs.crew.Backend`)."""

    pool: Pool
    stop: threading.Event | None
    alone: bool

    def opened(self, shift: Shift, runs: int) -> Crew:  # noqa: ARG002
        """See :meth:`breakrank.runs.crew.Backend.opened`; being stopped is told as a KeyboardInterrupt."""
        self.pool.make_way()
        return _Hired(*self, shift)


class _Hired(Crew):
    """The processes of a pool, for one study; see :meth:`Pool.place`."""

    def __init__(self, pool: Pool, stop: threading.Event | None, alone: bool, shift: Shift) -> None:
        self._pool, self._wanted, self._alone = pool, stop, alone
        self.word = GO
        self._sent = 0
        self._overdue = threading.Timer(GRACE, pool.kill, (self,))
        self._overdue.daemon = True
        try:
            self.message = pickle.dumps(shift, protocol=5)
        except Exception as error:
            raise BreakrankError(f"a study cannot be sent to another process: {reason(error)}") from error

    def places(self) -> int:
        if self._pool.closed or (self._wanted is not None and self._wanted.is_set()):
            raise KeyboardInterrupt
        return self._pool.size

    def submit(self, numbers: tuple[int, ...]) -> Future[list[Told]]:
        try:
            answer = self._pool.submit(self, make_runs, numbers)
        except ClosedError:
            raise KeyboardInterrupt from None
        self._sent += 1
        if self._sent == self._pool.size:
            import_what_reads_runs()
        return answer

    def stop(self, flying: Iterable[Future[list[Told]]]) -> None:
        for one in flying:
            one.cancel()  # where it waits for a process
        drop = self._wanted is not None
        self._pool.tell(self, DROP if drop else STOP)
        if drop:
            self._overdue.start()

    def kill(self) -> None:
        self._pool.kill(self)

    def leave(self) -> None:
        self._overdue.cancel()
        if self._alone:
            self._pool.close()


def import_what_reads_runs() -> None:
    """Import the libraries that put runs together; while processes make them, nobody waits for that."""
    import pyarrow.parquet  # noqa: F401
    import xarray

    xarray.Dataset({"any": ((), 0.0)})  # the first one imports the array libraries that are installed


# In the process.


class _Heard:
    """What a process hears while it has a batch: the word it is told, and whether anyone is still there."""

    def __init__(self, pipe: Connection, word: Any) -> None:  # noqa: ANN401 (ctypes)
        self._pipe, self._word = pipe, word
        self.shift: Shift | None = None

    def says(self, least: int) -> bool:
        """Say whether it is told this much; nothing is sent meanwhile, so what comes is the pipe's end."""
        return bool(self._word.value >= least) or self._pipe.poll()


def serve(pipe: Connection, word: Any) -> None:  # noqa: ANN401 (ctypes)
    """Call one function after another, as they come through the pipe, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(NICE)  # whoever is asked to draw what is finished comes first
    heard = _Heard(pipe, word)
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_answered(heard, pipe.recv_bytes()))


def _answered(heard: _Heard, message: bytes) -> bytes:
    try:
        function, args = pickle.loads(message)
        return pickle.dumps((True, function(heard, *args)), protocol=5)
    except Exception as error:
        try:
            return pickle.dumps((False, pickle.loads(pickle.dumps(error, protocol=5))), protocol=5)
        except Exception:
            return pickle.dumps((False, RuntimeError(reason(error))), protocol=5)


def make_runs(heard: _Heard, study: bytes | None, numbers: tuple[int, ...]) -> list[Told]:
    """Make runs of a study, which comes along the first time."""
    if study is not None:
        try:
            heard.shift = pickle.loads(study)
        except Exception as error:
            raise BreakrankError(f"a study cannot be read in another process: {reason(error)}") from error
    assert heard.shift is not None
    with unless(lambda: heard.says(DROP)):
        return heard.shift.batch(numbers, lambda: heard.says(STOP), lambda: heard.says(WAY))


def _called(_: _Heard, function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
    return function(*args, **kwargs)


def warm(case: Case, seed: int, number: int = 0) -> None:
    """Load the compiled model and what writes its runs, by living the first days of a case once.

    Where the model was never compiled, process `number` of several compiles its share of it first.
    """
    from breakrank import model

    code_digest()
    if not compiled():
        compile_part(case, number)
    days = min(WARM_DAYS, case.calendar.days)
    short = case.until(case.calendar.date(days - 1))
    model.replicate(short, None, seed, 0, log=True)
    gc.collect()
    gc.freeze()  # compiled code stays: looking through it for garbage would cost each question some 0.2 s
