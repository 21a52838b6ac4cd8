"""Carrying a study out: find what is finished, make the rest, say what failed; many runs as one result.

How far it is, whoever watches is told.
"""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from breakrank.case.dates import DateLike
from breakrank.engine.replicate import Failure
from breakrank.errors import BreakrankError, UsageError
from breakrank.results.outcomes import check_targets
from breakrank.results.result import Result
from breakrank.runs.backends import WORDS, Cores, choose_backend
from breakrank.runs.batch import Missed, NotKeptError, Shift, Told
from breakrank.runs.cases import as_case
from breakrank.runs.compiling import compilation_told
from breakrank.runs.crew import AtOnceError, Backend, HandingOut
from breakrank.runs.identity import code_digest
from breakrank.runs.store import AnyStore, Aside, MemoryEnsemble, MemoryStore, Store, StoredEnsemble
from breakrank.runs.study import NamedChanges, Scenario, Study, missing
from breakrank.runs.worker import Simulator, standard_simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.model import Named as Mechanisms


class StudyProgress(NamedTuple):
    """How far a study is.

    Attributes
    ----------
    done, failed, total : runs finished (those found in the store counted), failed, and asked for.
    reused : how many of `done` were in the store already.
    rate : runs ended per second; 0 before the first.
    left : seconds to the end at this rate; ``None`` before it is known.
    """

    done: int
    failed: int
    total: int
    reused: int
    rate: float
    left: float | None


Watch = Callable[[StudyProgress], None]
Progress = Callable[[int, int], None]
"""Called with (runs ended, runs asked for)."""


def watch_with(progress: Progress | None) -> Watch | None:
    """Return a watcher of a study that calls `progress` as runs end."""
    if progress is None:
        return None

    def watch(tally: StudyProgress) -> None:
        ended = tally.done + tally.failed
        if ended:
            progress(ended, tally.total)

    return watch


ROUNDS = 3
"""How often runs are made that were lost after they had ended, with the worker that held them."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A run that failed: in which scenario, which run, where and why, and the end of the traceback."""

    scenario: str
    failure: Failure
    trace: str = ""

    def __str__(self) -> str:
        return f"{self.scenario}, {self.failure}"


@dataclass(frozen=True, slots=True)
class Account:
    """What came of a study.

    Attributes
    ----------
    asked : runs it consists of.
    reused : runs that were in the store already.
    made : runs made now.
    failed : runs that failed.
    aside : parts of the store that were found damaged.
    interrupted : whether it was stopped; what is finished is kept.
    seconds : wall time.
    """

    asked: int
    reused: int
    made: int
    failed: tuple[Lost, ...]
    aside: tuple[Aside, ...]
    interrupted: bool
    seconds: float

    @property
    def finished(self) -> int:
        """Number of its runs that are in the store."""
        return self.reused + self.made


def carry_out(
    study: Study,
    store: AnyStore,
    place: Backend | None = None,
    watch: Watch | None = None,
    *,
    stopping: Callable[[], None] | None = None,
    simulator: Simulator | None = None,
) -> Account:
    """Make the runs of a study that its store does not hold yet.

    Parameters
    ----------
    study : what is asked.
    store : where finished runs are, and where more are put.
    place : where runs are made, by default on the cores of this machine.
    watch : called in this process with a :class:`~breakrank.runs.carry_out.StudyProgress` as runs end.
    stopping : called when Ctrl-C has come and what is under way is being finished.
    simulator : what makes the runs; by default the model.

    Raises
    ------
    AtOnceError
        (a KeyboardInterrupt) for a second Ctrl-C, where runs are kept in a folder. Lost then are the batches
        under way, as is that of a worker that is killed: what it had in hand takes some seconds, or is one
        run. What is written stays.
    BreakrankError
        if runs cannot be kept (a full disk, a store that a worker does not see); what had been kept stays.
    """
    work = _Carrying(study, store, simulator or standard_simulator(), watch, stopping)
    interrupted = False
    try:
        with compilation_told():
            work.go(place or Cores())
    except AtOnceError:
        if store.folder is not None:
            raise
        interrupted = True
    except KeyboardInterrupt:
        interrupted = True
    except NotKeptError as error:
        work.write_down()
        raise BreakrankError(f"{error}{work.kept()}") from None
    return work.account(interrupted)


class _Carrying:
    """A study under way."""

    def __init__(
        self,
        study: Study,
        store: AnyStore,
        simulator: Simulator,
        watch: Watch | None,
        stopping: Callable[[], None] | None,
    ) -> None:
        self._begun = self._ready = time.perf_counter()
        self._study = study
        self._store = store
        self._simulator = simulator
        self._stored_ensembles: list[StoredEnsemble | MemoryEnsemble] = [
            store.prepare(one, study, simulator) for one in study.scenarios
        ]
        self._cases = tuple(one.case for one in study.scenarios)
        self._missed: dict[int, Missed] = {}
        self._tried: set[int] = set()
        self._made: set[int] = set()
        self._stopping = stopping
        self._reused = study.size - len(self._missing())
        self._watch = watch

    def go(self, place: Backend) -> None:
        """Make what is missing, and what got lost on the way once more."""
        name = secrets.token_hex(8)
        shift = Shift(
            name,
            self._store.folder,
            self._store.token,
            self._cases,
            self._study.seed,
            self._study.runs,
            self._simulator,
            "" if self._store.folder is None else code_digest(self._simulator),
            self._study.log_runs,
        )
        drawn = all(getattr(case, "draws", None) is not None for case in self._cases)
        for _ in range(ROUNDS):
            todo = self._missing()
            if not todo:
                return
            if drawn:
                todo.sort(key=lambda number: number % self._study.runs)  # so that a run's force is built once
            self._made.difference_update(todo)
            self._tell()
            with place.opened(shift, len(todo)) as crew:
                if not self._made:
                    self._ready = time.perf_counter()  # what was compiled on the way says nothing of a run
                HandingOut(crew, todo, len(self._cases) if drawn else 1, self._take).work(self._stops)
        for number in self._missing():
            self._missed[number] = Missed(number, "the store", f"made {ROUNDS} times, and never kept")

    def _stops(self) -> None:
        if self._stopping is not None and isinstance(sys.exc_info()[1], KeyboardInterrupt):
            self._stopping()

    def _missing(self) -> list[int]:
        digests = [case.digest for case in self._cases]
        finished = {
            digest: stored.finished(range(self._study.runs), self._study.log_runs)
            for digest, stored in zip(digests, self._stored_ensembles, strict=True)
        }
        return missing(digests, self._study.runs, finished, self._missed)

    def _take(self, told: Sequence[Told]) -> None:
        for one in told:
            self._tried.add(one.number)
            if isinstance(one, Missed):
                self._missed[one.number] = one
                continue
            home = self._stored_ensembles[one.number // self._study.runs]
            if one.replicate is not None and isinstance(home, MemoryEnsemble):
                home.keep(one.replicate, one.seconds)
            self._made.add(one.number)
        if told:
            self._tell()

    def _tell(self) -> None:
        if self._watch is None:
            return
        failed, size = len(self._missed), self._study.size
        ended = len(self._made) + failed
        rate = ended / max(time.perf_counter() - self._ready, 1e-9) if ended else 0.0
        left = (size - self._reused - ended) / rate if rate else None
        self._watch(StudyProgress(self._reused + len(self._made), failed, size, self._reused, rate, left))

    def write_down(self) -> None:
        """Note in the store which runs failed, if it can still be written."""
        tried: dict[int, set[int]] = {}
        failed: dict[int, list[tuple[Failure, str]]] = {}
        for number in self._tried | self._missed.keys():
            which, run = divmod(number, self._study.runs)
            tried.setdefault(which, set()).add(run)
            if number in self._missed:
                missed = self._missed[number]
                noted = (Failure(run, missed.where, missed.why), missed.trace)
                failed.setdefault(which, []).append(noted)
        for which, runs in tried.items():
            with suppress(OSError):
                self._stored_ensembles[which].note_failures(failed.get(which, ()), runs)

    def kept(self) -> str:
        """Say how much is kept, for a study that cannot go on."""
        if self._store.folder is None:
            return ""
        done = self._study.size - len(self._missing()) - len(self._missed)
        return (
            f"\n  {done:,} of {self._study.size:,} runs are finished and kept in {self._store.folder}; "
            "the same call goes on from there."
        )

    def account(self, interrupted: bool) -> Account:
        """Return the result."""
        self.write_down()
        open_ = len(self._missing())
        failed = tuple(
            Lost(
                self._study.scenarios[n // self._study.runs].name,
                Failure(n % self._study.runs, m.where, m.why),
                m.trace,
            )
            for n, m in sorted(self._missed.items())
        )
        return Account(
            self._study.size,
            self._reused,
            self._study.size - self._reused - open_ - len(failed),
            failed,
            tuple(aside for stored in self._stored_ensembles for aside in stored.damaged),
            interrupted,
            time.perf_counter() - self._begun,
        )


def simulate(
    case: Case | str | os.PathLike[str],
    runs: int = 100,
    seed: int = 0,
    until: DateLike | None = None,
    workers: int | None = None,
    log_runs: int = 4,
    progress: Progress | None = None,
    *,
    command: str | None = None,
    mechanisms: Mechanisms = (),
    simulator: Simulator | None = None,
) -> Result:
    """Run a case many times and return the labelled result.

    Run number k is a pure function of (case, seed, k): the numbers are the same bits for any number
    of workers, and the first runs of a larger ensemble are the runs of a smaller one.

    Ctrl-C returns the runs finished so far, marked ``interrupted``; before the first is finished it
    is raised. A run that fails is recorded in ``failed`` and the others go on.

    Parameters
    ----------
    case : a case, the name of a built-in one, or the folder of one.
    runs : number of runs, at least 1. A member of an ensemble is run once at most.
    seed : integer from 0 to 2**64 - 1.
    until : last day, inclusive, if earlier than the case's own.
    workers : number of processes, at least 1. By default all cores, unless the time they would
        save after two runs made here is less than it takes to start them. 1 starts none.
    log_runs : the event log is kept for this many first runs (it takes far more room than all series).
    progress : called in this process with (runs ended, runs asked for) as they end.
    command : the call written into the result; by default this one.
    mechanisms : more mechanisms beside the model's own and the case's: names under which installed packages
        offer them, or classes; see :func:`~breakrank.runs.cases.load_case`.
    simulator : what makes the runs; by default the model.

    Returns
    -------
    Result
        ``answer.show()`` prints what the runs come to, ``table()`` is a data frame of it, ``plot()`` a chart,
        ``report("it.html")`` a page; ``data`` is every variable by run and day; ``save(folder)`` keeps all.

    Raises
    ------
    UsageError
        for an argument that makes no sense.
    BreakrankError
        if no run finished; it gives the first reason.
    """
    made = as_case(case, mechanisms)
    made = made if until is None else made.until(until)
    check_targets(made)
    study, store = Study((Scenario(made),), runs, seed, log_runs), MemoryStore()
    account = carry_out(study, store, Cores(workers), watch_with(progress), simulator=simulator)
    result = result_of(account, store, study)
    return replace(result, seconds=account.seconds, command=command or _call(study))


def result_of(account: Account, store: AnyStore, study: Study) -> Result:
    """Return the stored runs of the first scenario of a study.

    Raises
    ------
    KeyboardInterrupt
        if the study was stopped before any run of it was finished.
    BreakrankError
        if no run of it finished.
    """
    case = study.scenarios[0].case
    if account.interrupted and not store.stored(case, study.seed).finished(range(study.runs)):
        raise KeyboardInterrupt
    result = store.result(case, study.seed, study.runs, log_runs=study.log_runs)
    return replace(result, interrupted=account.interrupted, asked=study.runs)


def _call(study: Study) -> str:
    case = study.scenarios[0].case
    until = f', until="{case.calendar.end}"'
    more = f", mechanisms={list(case.mechanisms)}" if case.mechanisms else ""
    asked = f"runs={study.runs}, seed={study.seed}{until}, log_runs={study.log_runs}{more}"
    return f'simulate("{case.id}", {asked})'


class Making:
    """Makes the runs of studies for one question, one after the other; leave its block when it is answered.

    Parameters
    ----------
    folder : store that keeps every finished run; by default none is kept.
    backend, workers : where runs are made; see :func:`~breakrank.runs.backends.choose_backend`.
    progress : called in this process with (runs ended, runs asked for) of each study.
    changes : what was changed of the case, for the names of scenarios.
    command : the call that asks, for what it leaves.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        backend: str | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        changes: NamedChanges | None = None,
        command: str = "",
    ) -> None:
        if folder is None and backend not in (None, *WORDS):
            raise UsageError(
                f"the backend {backend} needs a store, a folder for its workers to keep runs in\n"
                "  Name it with --store FOLDER, in Python with store=."
            )
        self.place = choose_backend(backend, workers)
        self.changes, self.command = changes or NamedChanges(), command
        self.accounts: list[Account] = []
        self.folder = None if folder is None else Path(folder)
        self._progress = progress
        self._forgotten = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Forget the runs that no store was named for; `kind` of error that ends the block, if one does."""
        self._forgotten.close()

    @cached_property
    def store(self) -> Store | None:
        """The store that was named, made where there is none yet."""
        return None if self.folder is None else Store(self.folder)

    def keep(self, only: Collection[str] | None = None) -> AnyStore:
        """Return the store that was named, or one that is forgotten afterwards.

        Parameters
        ----------
        only : variables of the runs that are read; runs with all of them go to a folder on their way.
        """
        if self.store is not None:
            return self.store
        if only is not None:
            return MemoryStore(only)
        return Store(Path(self._forgotten.enter_context(tempfile.TemporaryDirectory())) / "store")

    def carry(
        self, study: Study, store: AnyStore, what: str, /, *, simulator: Simulator | None = None
    ) -> Account:
        """Make the runs of a study that its store does not hold yet.

        Parameters
        ----------
        what : the study in words. simulator : what makes a run, if not the model.
        """
        account = self.made(study, store, what, simulator)
        self.accounts.append(account)
        return account

    def made(self, study: Study, store: AnyStore, what: str, simulator: Simulator | None) -> Account:  # noqa: ARG002
        """Carry a study out."""
        return carry_out(study, store, self.place, watch_with(self._progress), simulator=simulator)

    def remark(self, *remarks: object) -> None:
        """Say something to whoever watches, before the question is answered; nobody does here."""

    @property
    def interrupted(self) -> bool:
        """Whether a study was stopped."""
        return any(one.interrupted for one in self.accounts)

    @property
    def failed(self) -> tuple[str, ...]:
        """Why runs failed, one text each."""
        return tuple(str(lost) for one in self.accounts for lost in one.failed)
