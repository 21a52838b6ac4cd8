"""What one process does: hold the force once, make runs one after another, turn errors into records."""

from __future__ import annotations

import pickle
import signal
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import breakrank
from breakrank.engine.replicate import Failure, Replicate

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from breakrank.case import Case
    from breakrank.force import Force


class MakeForce(Protocol):
    """Makes the force of a case under a seed."""

    def __call__(self, case: Case, seed: int, /) -> Force:
        """Return the force."""


class MakeRun(Protocol):
    """Makes one run."""

    def __call__(self, case: Case, force: Force | None, seed: int, run: int, /, *, log: bool) -> Replicate:
        """Return run number `run`, with its event log if `log`; with draws, each run makes its own force."""


class Simulator(NamedTuple):
    """The functions an ensemble is made with, and the names of the event codes they log.

    Both functions have to be found by name in another process (no lambdas, no inner functions).
    """

    build: MakeForce
    replicate: MakeRun
    events: tuple[str, ...]


class Attempts(Protocol):
    """What a worker is sent once and then does by number."""

    @property
    def simulator(self) -> Simulator:
        """What makes the runs."""

    @property
    def case(self) -> Case:
        """The case, or the one that all cases are made from."""

    def attempt(self, run: int, /) -> Any:  # noqa: ANN401 (a replicate, or what is told of it)
        """Do the work of that number; an error becomes a record."""

    def settle(self) -> Any:  # noqa: ANN401
        """Put away what is still in hand, and say how that went."""


def standard_simulator() -> Simulator:
    """Return the model as assembled in :mod:`breakrank.model`."""
    from breakrank import model
    from breakrank.engine.codes import EVENTS

    return Simulator(model.build, model.replicate, EVENTS)


def event_names(simulator: Simulator, case: Case) -> tuple[str, ...]:
    """Return what the log of a case's runs can say, in order of code: with the events of added mechanisms."""
    return (*simulator.events, *case.catalogue.events)


def shared_force(simulator: Simulator, case: Case, seed: int) -> Force | None:
    """Return the force that all runs of a case share; ``None`` for a case with draws."""
    return simulator.build(case, seed) if getattr(case, "draws", None) is None else None


@dataclass
class Task:
    """What stays the same from run to run in one process; the force is built at the first run.

    Attributes
    ----------
    case, seed, simulator : as given to the ensemble.
    log_runs : runs below this index keep their event log.
    """

    case: Case
    seed: int
    simulator: Simulator
    log_runs: int
    _force: Force | None = None
    _built: bool = False
    _unbuilt: tuple[str, str] | None = None

    def __reduce__(self) -> tuple[type[Task], tuple[Case, int, Simulator, int]]:
        return Task, (
            self.case,
            self.seed,
            self.simulator,
            self.log_runs,
        )  # each process builds its own force

    def attempt(self, run: int) -> Replicate | Failure:
        """Make one run; an error becomes a :class:`Failure`."""
        if self._unbuilt is not None:
            return Failure(run, *self._unbuilt)
        try:
            if not self._built:
                self._force = shared_force(self.simulator, self.case, self.seed)
                self._built = True
        except Exception as error:
            self._unbuilt = (whereabouts(error), reason(error))
            return Failure(run, *self._unbuilt)
        try:
            return self.simulator.replicate(self.case, self._force, self.seed, run, log=run < self.log_runs)
        except Exception as error:
            return Failure(run, whereabouts(error), reason(error))

    def settle(self) -> None:
        """Do nothing: every run goes back at once."""


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
    callers = {Path(__file__), Path(__file__).with_name("batch.py")}
    mine = [f for f in frames if Path(f.filename).is_relative_to(root) and Path(f.filename) not in callers]
    frame = (mine or list(frames))[-1]
    path = Path(frame.filename)
    name = path.relative_to(root).as_posix() if mine else path.name
    return f"{name}:{frame.lineno} in {frame.name}"


def lost(run: int, error: BaseException) -> Failure:
    """Return the record of a run that was made but could not be brought back."""
    return Failure(run, "on the way back from the worker", reason(error))


def serve(pipe: Connection) -> None:
    """Take a task from the pipe, then do the work whose numbers come, one after another, until it closes.

    What goes back is a pickled answer for each number; to ``None`` instead of a number, that of
    :meth:`Attempts.settle`, which is also called when nobody is there any more. Ctrl-C is the parent's
    to handle.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    task: Attempts | None = None
    with suppress(EOFError, OSError):  # nobody is there any more
        task = _task(pipe.recv_bytes())
        while True:
            run: int | None = pipe.recv()
            pipe.send_bytes(_packed(task.settle() if run is None else task.attempt(run), run or 0))
    if task is not None:
        task.settle()


def _task(message: bytes) -> Attempts:
    try:
        task: Attempts = pickle.loads(message)
    except Exception as error:
        return _Unreadable(reason(error))
    return task


class _Unreadable(Task):
    """Stands in for a task that could not be brought here: every run of it fails."""

    def __init__(self, why: str) -> None:
        self._why = why

    def attempt(self, run: int) -> Failure:
        return Failure(run, "on the way to the worker", self._why)


def _packed(ended: object, run: int) -> bytes:
    try:
        return pickle.dumps(ended, protocol=5)
    except Exception as error:
        return pickle.dumps(lost(run, error), protocol=5)
