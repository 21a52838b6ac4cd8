"""What a worker does: make some runs, write them down as parts of the store, and tell little.

Where runs are kept in memory, each goes back with what is told of it. Whatever the backend, this is the code
that makes and keeps a run.
"""

from __future__ import annotations

import platform
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from breakrank.engine.wanted import BrokenOff
from breakrank.errors import BreakrankError
from breakrank.results.files import explain
from breakrank.runs.identity import code_digest
from breakrank.runs.part import write_part
from breakrank.runs.store import Store
from breakrank.runs.worker import Simulator, event_names, reason, shared_force, whereabouts

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Replicate
    from breakrank.force import Force

HEAVIEST = 64e6
"""Bytes of runs from which a batch ends."""


class Made(NamedTuple):
    """A run was made: its number, how long it took (s), and the run itself where it is kept in memory."""

    number: int
    seconds: float
    replicate: Replicate | None = None


class Missed(NamedTuple):
    """A run failed: its number, where, why in one line, and the end of the traceback."""

    number: int
    where: str
    why: str
    trace: str = ""


Told = Made | Missed


class NotKeptError(BreakrankError):
    """What was made cannot be kept, so that going on makes no sense."""


@dataclass(frozen=True)
class Shift:
    """A study as a worker needs to know it. Work is numbered: scenario times `stride` plus run.

    Attributes
    ----------
    name : tells this piece of work from any other.
    folder, token : of the store, and what tells it from any other folder of that name; no folder where runs
        are kept in memory.
    cases : what is run.
    seed, stride : the seed, and what one scenario's numbers are apart.
    simulator, code : what makes the runs, and the digest that it has to have here too.
    log_runs : so many first runs keep their events.
    """

    name: str
    folder: Path | None
    token: str
    cases: tuple[Case, ...]
    seed: int
    stride: int
    simulator: Simulator
    code: str
    log_runs: int = 0

    def batch(
        self,
        numbers: tuple[int, ...],
        stopped: Callable[[], bool],
        make_way: Callable[[], bool] = lambda: False,
    ) -> list[Told]:
        """Make some runs, write them down, and return what came of them; an error of a run becomes a record.

        Parameters
        ----------
        numbers : of the runs. Those of which nothing is told were not made.
        stopped : asked before each run, whether no more are wanted.
        make_way : asked after each run, whether others wait for this worker.

        Raises
        ------
        NotKeptError
            if they cannot be kept.
        """
        hands = _hands(self)
        told: list[Told] = []
        try:
            for number in numbers:
                if stopped() or hands.size >= HEAVIEST or (told and make_way()):
                    break
                told.append(hands.attempt(number))
        except BrokenOff:
            pass
        finally:
            hands.put_down()
        return told

    def dismiss(self) -> None:
        """Let go of the force that this thread holds."""
        _kept.hands = None

    @property
    def stop(self) -> Path:
        """The file that tells workers everywhere to take no more of this study."""
        assert self.folder is not None
        return self.folder / f".stop-{self.name}"


class _Hands:
    """What one thread of a worker has in hand: a force, and finished runs that are not yet written."""

    def __init__(self, shift: Shift) -> None:
        self.shift = shift
        self._which: int | None = None
        self._case: Case | None = None
        self._force: Force | None = None
        self._unbuilt: tuple[str, str, str] | None = None
        self.size = 0
        self._held: dict[int, list[tuple[Replicate, float]]] = {}
        self._store = None if shift.folder is None else self._checked(shift, shift.folder)

    @staticmethod
    def _checked(shift: Shift, folder: Path) -> Store:
        """Return the store, or why this worker would do harm."""
        if code_digest(shift.simulator) != shift.code:
            raise NotKeptError(
                f"the worker on {platform.node()} has another version of the model, or of NumPy or Numba, "
                "than where the study was called, so its runs would be others\n"
                "  Install the same Breakrank with the same lock file everywhere."
            )
        try:
            store = Store(folder, create=False)
        except BreakrankError as error:
            raise NotKeptError(
                f"the worker on {platform.node()} does not see the store: {error}\n  {_SHARE}"
            ) from error
        if store.token != shift.token:
            raise NotKeptError(f"on {platform.node()}, {folder} is another store\n  {_SHARE}")
        return store

    def attempt(self, number: int) -> Told:
        which, run = divmod(number, self.shift.stride)
        if which != self._which:
            self._turn_to(which)
        if self._unbuilt is not None:
            return Missed(number, *self._unbuilt)
        assert self._case is not None
        begun = time.perf_counter()
        try:
            log, make = run < self.shift.log_runs, self.shift.simulator.replicate
            made = make(self._case, self._force, self.shift.seed, run, log=log)
            self.size += sum(a.nbytes for a in made.series.values())
            self.size += sum(a.nbytes for a in (made.events or {}).values())
        except Exception as error:
            return Missed(number, *_record(error))
        seconds = time.perf_counter() - begun
        if self._store is None:
            return Made(number, seconds, made)
        self._held.setdefault(which, []).append((made, seconds))
        return Made(number, seconds)

    def _turn_to(self, which: int) -> None:
        self._which = which
        self._unbuilt = self._force = None
        try:
            self._case = self.shift.cases[which]
            self._force = shared_force(self.shift.simulator, self._case, self.shift.seed)
        except Exception as error:
            self._unbuilt = _record(error)

    def put_down(self) -> None:
        """Write the runs held, each scenario's as one part."""
        held, self._held, self.size = self._held, {}, 0
        for which, kept in held.items():
            self._write(self.shift.cases[which], *zip(*kept, strict=True))

    def _write(self, case: Case, made: Sequence[Replicate], seconds: Sequence[float]) -> None:
        assert self._store is not None
        shift = self.shift
        try:
            home = self._store.stored(case, shift.seed, shift.code).folder
            events = event_names(shift.simulator, case)
            write_part(home, case, made, events, sum(seconds))
        except OSError as error:
            raise NotKeptError(explain(error, self._store.folder)) from error
        except Exception as error:  # a run handed back what no part can hold
            raise NotKeptError(
                f"runs {made[0].run} to {made[-1].run} cannot be kept: {reason(error)}"
            ) from error


class _PerWorker(threading.local):
    hands: _Hands | None = None


_kept = _PerWorker()


def _hands(shift: Shift) -> _Hands:
    """Return what this thread has in hand for a study; it works for one at a time."""
    hands = _kept.hands
    if hands is None or hands.shift.name != shift.name:
        hands = _kept.hands = _Hands(shift)
    return hands


_SHARE = "A study on several machines needs a folder that all of them share under one name."


def _record(error: BaseException) -> tuple[str, str, str]:
    last = "".join(traceback.format_exception(error, limit=-4)).strip()
    return whereabouts(error), reason(error), last[-2000:]
