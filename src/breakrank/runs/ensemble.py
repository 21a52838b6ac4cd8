"""Many runs of one case under one seed, as one labelled result."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import os
import platform
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

import breakrank
from breakrank import plugins
from breakrank.engine.replicate import Failure, Replicate
from breakrank.errors import BreakrankError, UsageError
from breakrank.results.collect import Collector
from breakrank.results.outcomes import check_targets
from breakrank.results.result import Result
from breakrank.runs.cases import as_case
from breakrank.runs.compiling import compile_together
from breakrank.runs.cores import available_cores
from breakrank.runs.interrupts import undisturbed
from breakrank.runs.pool import run_pool
from breakrank.runs.start_process import prepare
from breakrank.runs.worker import Simulator, Task, event_names, standard_simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.model import Named as Mechanisms

Progress = Callable[[int, int], None]

PILOT = 2
"""Runs made in the calling process before it is decided whether a pool is worth its start."""
POOL_START = 2.0
"""Seconds that several processes must save before they are started (about what starting them takes)."""
PACE = 5e-9
"""Seconds that a soldier's day takes, by which it is guessed whether processes will be started."""


def simulate(
    case: Case | str | os.PathLike[str],
    runs: int = 100,
    seed: int = 0,
    until: dt.date | str | None = None,
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
    runs : number of runs, at least 1.
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

    Raises
    ------
    UsageError
        for an argument that makes no sense.
    BreakrankError
        if no run finished; it gives the first reason.
    """
    begun = time.perf_counter()
    runs = whole_number("runs", runs, 1, 2**31 - 1)
    seed = whole_number("seed", seed, 0, 2**64 - 1)
    log_runs = whole_number("log_runs", log_runs, 0, 2**31 - 1)
    if workers is not None:
        workers = whole_number("workers", workers, 1, 4096)
    case = _case(case, until, mechanisms)
    check_targets(case)
    task = Task(case, seed, simulator or standard_simulator(), log_runs)
    ledger = _Ledger(Collector(case, runs, event_names(task.simulator, case)), runs, progress)
    interrupted = False
    try:
        _work(task, runs, workers, ledger.take)
    except KeyboardInterrupt:
        if not ledger.collector.done.any():
            raise
        interrupted = True
    if not ledger.collector.done.any():
        raise BreakrankError(f"none of {runs} runs finished; the first says: {min(ledger.failed, key=_run)}")
    return Result(
        data=ledger.collector.dataset(),
        case=case,
        seed=seed,
        seconds=time.perf_counter() - begun,
        command=command or _call(case, runs, seed, log_runs),
        versions=versions(case),
        events=ledger.collector.events(),
        failed=tuple(sorted(ledger.failed, key=_run)),
        interrupted=interrupted,
    )


def shifted(progress: Progress, done: int, every: int) -> Progress:
    """Return progress for one ensemble of several: `done` runs ended before it, of `every` run of all."""
    return lambda ended, _: progress(done + ended, every)


class _Ledger:
    """Takes in what ends, whichever way, and tells how far the work is."""

    def __init__(self, collector: Collector, runs: int, progress: Progress | None) -> None:
        self.collector = collector
        self.failed: list[Failure] = []
        self._runs = runs
        self._ended = 0
        self._progress = progress

    def take(self, ended: list[Replicate | Failure]) -> None:
        for one in ended:
            if isinstance(one, Failure):
                self.failed.append(one)
            else:
                self.collector.add(one)
        self._ended += len(ended)
        if self._progress is not None:
            self._progress(self._ended, self._runs)


def _work(
    task: Task, runs: int, workers: int | None, take: Callable[[list[Replicate | Failure]], None]
) -> None:
    """Make all runs, here or in a pool."""
    cores = available_cores()
    here = runs if workers == 1 or (cores == 1 and workers is None) else 0 if workers else min(PILOT, runs)
    if here < runs:
        compile_together(task.case, task.simulator)
        if workers is None:
            foresee(task.case, task.simulator, runs - here)
    seconds = 0.0
    for run in range(here):
        started = time.perf_counter()
        with undisturbed():
            ended = task.attempt(run)
        take([ended])
        seconds = time.perf_counter() - started
    if here == runs:
        return
    if workers is None and seconds * (runs - here) * (1 - 1 / cores) < POOL_START:
        for run in range(here, runs):
            with undisturbed():
                ended = task.attempt(run)
            take([ended])
        return
    run_pool(
        task, range(here, runs), min(workers or cores, runs - here), take, meanwhile=import_what_reads_runs
    )


def foresee(case: Case, simulator: Simulator, runs: int) -> None:
    """Have the server of workers load the model while runs are tried here, if so many more will need them."""
    if simulator != standard_simulator():
        return
    seconds = case.value("force.strength") * case.calendar.days * PACE
    if seconds * runs * (1 - 1 / available_cores()) >= POOL_START:
        prepare()


def import_what_reads_runs() -> None:
    """Import the libraries that put runs together; while workers make them, nobody waits for that."""
    import pyarrow.parquet  # noqa: F401
    import xarray

    xarray.Dataset({"any": ((), 0.0)})  # the first one imports the array libraries that are installed


def versions(case: Case) -> dict[str, str]:
    """Return the versions and the platform that a result of a case is made with."""
    added = [f"{name} ({_offered_by(name)})" for name in case.mechanisms]
    more = {"mechanisms": f"{', '.join(added)}; source {case.catalogue.code[:12]}"} if added else {}
    return {
        "breakrank": breakrank.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": importlib.metadata.version("numba"),
        "platform": platform.platform(),
        **more,
    }


def _offered_by(mechanism: str) -> str:
    dist = plugins.distribution(mechanism)
    return "not installed" if dist is None else f"{dist.name} {dist.version}"


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`; UsageError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise UsageError(f"{name} must be a whole number, not {value!r}")
    if not low <= value <= high:
        raise UsageError(f"{name} must be from {low} to {high}, not {value}")
    return int(value)


def _case(case: Case | str | os.PathLike[str], until: dt.date | str | None, mechanisms: Mechanisms) -> Case:
    case = as_case(case, mechanisms)
    if until is None:
        return case
    if isinstance(until, str):
        try:
            until = dt.date.fromisoformat(until)
        except ValueError:
            raise UsageError(f"until must be a date like {case.calendar.end}, not {until!r}") from None
    return case.until(until)


def _call(case: Case, runs: int, seed: int, log_runs: int) -> str:
    until = f', until="{case.calendar.end}"'
    more = f", mechanisms={list(case.mechanisms)}" if case.mechanisms else ""
    return f'simulate("{case.id}", runs={runs}, seed={seed}{until}, log_runs={log_runs}{more})'


def _run(failure: Failure) -> int:
    return failure.run
