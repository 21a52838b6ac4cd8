"""What one process does: hold the force once, make runs one after another, turn errors into records."""

from __future__ import annotations

import pickle
import signal
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import breakrank
from breakrank.engine.replicate import Failure, Replicate

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from breakrank.case import Case
    from breakrank.force import Force


class Build(Protocol):
    """Makes the force of a case under a seed."""

    def __call__(self, case: Case, seed: int, /) -> Force:
        """Return the force."""


class Run(Protocol):
    """Makes one run."""

    def __call__(self, case: Case, force: Force, seed: int, run: int, /, *, log: bool) -> Replicate:
        """Return run number `run`, with its event log if `log`."""


class Engine(NamedTuple):
    """The functions an ensemble is made with, and the names of the event codes they log.

    Both functions have to be found by name in another process (no lambdas, no inner functions).
    """

    build: Build
    replicate: Run
    events: tuple[str, ...]


def standard_engine() -> Engine:
    """Return the model as assembled in :mod:`breakrank.model`."""
    from breakrank import model
    from breakrank.engine.codes import EVENTS

    return Engine(model.build, model.replicate, EVENTS)


@dataclass
class Task:
    """What stays the same from run to run in one process; the force is built at the first run.

    Attributes
    ----------
    case, seed, engine : as given to the ensemble.
    log_runs : runs below this index keep their event log.
    """

    case: Case
    seed: int
    engine: Engine
    log_runs: int
    _force: Force | None = None
    _unbuilt: tuple[str, str] | None = None

    def __reduce__(self) -> tuple[type[Task], tuple[Case, int, Engine, int]]:
        return Task, (self.case, self.seed, self.engine, self.log_runs)  # each process builds its own force

    def attempt(self, run: int) -> Replicate | Failure:
        """Make one run; an error becomes a :class:`Failure`."""
        if self._unbuilt is not None:
            return Failure(run, *self._unbuilt)
        try:
            if self._force is None:
                self._force = self.engine.build(self.case, self.seed)
        except Exception as error:
            self._unbuilt = (whereabouts(error), reason(error))
            return Failure(run, *self._unbuilt)
        try:
            return self.engine.replicate(self.case, self._force, self.seed, run, log=run < self.log_runs)
        except Exception as error:
            return Failure(run, whereabouts(error), reason(error))


def reason(error: BaseException) -> str:
    """Return an error in one line."""
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def whereabouts(error: BaseException) -> str:
    """Return file, line and function of the innermost frame in this package, or else of the innermost."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "an unknown place"
    root = Path(breakrank.__file__).parent
    mine = [f for f in frames if Path(f.filename).is_relative_to(root) and Path(f.filename) != Path(__file__)]
    frame = (mine or list(frames))[-1]
    path = Path(frame.filename)
    name = path.relative_to(root).as_posix() if mine else path.name
    return f"{name}:{frame.lineno} in {frame.name}"


def lost(run: int, error: BaseException) -> Failure:
    """Return the record of a run that was made but could not be brought back."""
    return Failure(run, "on the way back from the worker", reason(error))


def serve(pipe: Connection) -> None:
    """Take a task from the pipe, then make the runs whose numbers come, one after another, until it closes.

    What goes back is a pickled replicate or failure for each number. Ctrl-C is the parent's to handle.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):  # nobody is there any more
        attempt = _attempt(pipe.recv_bytes())
        while True:
            run: int = pipe.recv()
            pipe.send_bytes(_packed(attempt(run), run))


def _attempt(message: bytes) -> Callable[[int], Replicate | Failure]:
    try:
        task: Task = pickle.loads(message)
    except Exception as error:
        why = reason(error)
        return lambda run: Failure(run, "on the way to the worker", why)
    return task.attempt


def _packed(ended: Replicate | Failure, run: int) -> bytes:
    try:
        return pickle.dumps(ended, protocol=5)
    except Exception as error:
        return pickle.dumps(lost(run, error), protocol=5)
