"""What a worker does: make runs, hold them until a part of the store is worth writing, write it, tell little.

Where runs are kept in memory, each goes back at once with what is told of it.

Whatever the backend, this is the code that makes and keeps a run.
"""

from __future__ import annotations

import os
import platform
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from breakrank.engine.replicate import Failure
from breakrank.errors import BreakrankError
from breakrank.results.folder import explain
from breakrank.runs.event_logs import NOTHING, Log
from breakrank.runs.identity import code_digest
from breakrank.runs.part import write_part
from breakrank.runs.scenario import Scenario
from breakrank.runs.store import Store
from breakrank.runs.worker import Simulator, event_names, reason, shared_force, whereabouts

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Replicate
    from breakrank.force import Force

LARGEST = 100
"""Most runs in a part."""
HEAVIEST = 64e6
"""Most bytes of runs that a worker holds before it writes them."""
LONGEST = 10.0
"""Most seconds that a finished run is held before it is written, once the next one has ended."""


class Made(NamedTuple):
    """A run was made: its number, how long it took (s), by whom, and how much memory that needs (bytes).

    The run itself comes along where it is kept in memory.
    """

    number: int
    seconds: float
    worker: str
    memory: int
    replicate: Replicate | None = None


class Missed(NamedTuple):
    """A run failed: its number, where, why in one line, and the end of the traceback."""

    number: int
    where: str
    why: str
    trace: str = ""


class Stuck(NamedTuple):
    """What was made cannot be kept, so that going on makes no sense: why."""

    why: str


class Settled(NamedTuple):
    """Everything in hand is on the disk."""


Told = Made | Missed | Stuck | Settled
Take = Callable[[Sequence[Told | Failure]], None]
"""Is told of what came of some runs."""
Stopping = Callable[[], None]
"""Is called before what is under way is waited for."""


@dataclass(frozen=True)
class Shift:
    """A study as a worker needs to know it. Work is numbered: scenario times `stride` plus run.

    Attributes
    ----------
    name : tells this piece of work from any other.
    folder, token : of the store, and what tells it from any other folder of that name; no folder where runs
        are kept in memory.
    scenarios : what is run.
    seed, stride : the seed, and what one scenario's numbers are apart.
    simulator, code : what makes the runs, and the digest that it has to have here too.
    log : the events that are kept.
    """

    name: str
    folder: Path | None
    token: str
    scenarios: tuple[Scenario, ...]
    seed: int
    stride: int
    simulator: Simulator
    code: str
    log: Log = NOTHING

    @property
    def case(self) -> Case:
        """The case that the first scenario is made from."""
        return self.scenarios[0].case

    def attempt(self, number: int, during: AbstractContextManager[object] | None = None) -> Told:
        """Make one run and keep it, at once or with those that follow; an error becomes a record.

        The run, and not its keeping, is made within `during`.
        """
        return _hands(self).attempt(number, during or nullcontext())

    def settle(self) -> Told:
        """Write down what is in hand."""
        return _hands(self).put_down()

    def batch(self, numbers: tuple[int, ...]) -> list[Told]:
        """Make some runs and write them down, unless the study has been stopped meanwhile."""
        hands = _hands(self)
        told: list[Told] = []
        for number in numbers:
            if self.stop.exists():
                break
            told.append(hands.attempt(number, nullcontext()))
            if isinstance(told[-1], Stuck):
                return told
        ended = hands.put_down()
        return [*told, ended] if isinstance(ended, Stuck) else told

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
        self.name = f"{platform.node()}:{os.getpid()}:{threading.get_ident() % 10_000}"
        self._which: int | None = None
        self._case: Case | None = None
        self._force: Force | None = None
        self._unbuilt: tuple[str, str, str] | None = None
        self._held: dict[int, list[tuple[Replicate, float]]] = {}
        self._bytes = 0
        self._since = 0.0
        self._store = None if shift.folder is None else self._checked(shift, shift.folder)

    @staticmethod
    def _checked(shift: Shift, folder: Path) -> Store | Stuck:
        """Return the store, or why this worker would do harm."""
        if code_digest(shift.simulator) != shift.code:
            return Stuck(
                f"the worker on {platform.node()} has another version of the model, or of NumPy or Numba, "
                "than where the study was called, so its runs would be others\n"
                "  Install the same Breakrank with the same lock file everywhere."
            )
        try:
            store = Store(folder, create=False)
        except BreakrankError as error:
            return Stuck(f"the worker on {platform.node()} does not see the store: {error}\n  {_SHARE}")
        if store.token != shift.token:
            return Stuck(f"on {platform.node()}, {folder} is another store\n  {_SHARE}")
        return store

    def attempt(self, number: int, during: AbstractContextManager[object]) -> Told:
        if isinstance(self._store, Stuck):
            return self._store
        which, run = divmod(number, self.shift.stride)
        if which != self._which:
            self._turn_to(which)
        if self._unbuilt is not None:
            return Missed(number, *self._unbuilt)
        assert self._case is not None
        begun = time.perf_counter()
        try:
            log = run in self.shift.log.runs
            with during:
                make = self.shift.simulator.replicate
                made = make(self._case, self._force, self.shift.seed, run, log=log)
            made = self.shift.log.cut(made)
            size = sum(a.nbytes for a in made.series.values())
            size += sum(a.nbytes for a in (made.events or {}).values())
        except Exception as error:
            return Missed(number, *_record(error))
        seconds = time.perf_counter() - begun
        if self._store is None:
            return Made(number, seconds, self.name, resident(), made)
        if not self._held:
            self._since = time.monotonic()
        self._held.setdefault(which, []).append((made, seconds))
        self._bytes += size
        if self._full():
            ended = self.put_down()
            if isinstance(ended, Stuck):
                return ended
        return Made(number, seconds, self.name, resident())

    def _turn_to(self, which: int) -> None:
        self._which = which
        self._unbuilt = self._force = None
        try:
            self._case = self.shift.scenarios[which].made
            self._force = shared_force(self.shift.simulator, self._case, self.shift.seed)
        except Exception as error:
            self._unbuilt = _record(error)

    def _full(self) -> bool:
        waited = time.monotonic() - self._since
        return sum(map(len, self._held.values())) >= LARGEST or self._bytes >= HEAVIEST or waited >= LONGEST

    def put_down(self) -> Stuck | Settled:
        if not self._held:
            return Settled()
        held, self._held, self._bytes = self._held, {}, 0
        for which, kept in held.items():
            stuck = self._write(self.shift.scenarios[which].made, *zip(*kept, strict=True))
            if stuck is not None:
                return stuck
        return Settled()

    def _write(self, case: Case, made: Sequence[Replicate], seconds: Sequence[float]) -> Stuck | None:
        """Write some runs of a scenario as one part, or say why they cannot be kept."""
        assert isinstance(self._store, Store)
        shift = self.shift
        try:
            home = self._store.stored(case, shift.seed, shift.code).folder
            events = event_names(shift.simulator, case)
            write_part(home, case, made, events, shift.log.soldiers, sum(seconds))
        except OSError as error:
            return Stuck(explain(error, self._store.folder))
        except Exception as error:  # a run handed back what no part can hold
            return Stuck(f"runs {made[0].run} to {made[-1].run} cannot be kept: {reason(error)}")
        return None


class _PerWorker(threading.local):
    hands: _Hands | None = None


_kept = _PerWorker()


def _hands(shift: Shift) -> _Hands:
    """Return what this thread has in hand for a study; it works for one at a time."""
    hands = _kept.hands
    if hands is None or hands.shift.name != shift.name:
        hands = _kept.hands = _Hands(shift)
    return hands


def resident() -> int:
    """Return the memory that this process holds, bytes; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


_SHARE = "A study on several machines needs a folder that all of them share under one name."


def _record(error: BaseException) -> tuple[str, str, str]:
    last = "".join(traceback.format_exception(error, limit=-4)).strip()
    return whereabouts(error), reason(error), last[-2000:]
