"""Many runs of one case under one seed, as one labelled result."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from breakrank.case.dates import DateLike
from breakrank.errors import whole_number
from breakrank.results.outcomes import check_targets
from breakrank.results.result import Result
from breakrank.runs.backends import Cores
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.memory_store import AnyStore, MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Log, Study
from breakrank.runs.study_progress import Progress, watch_with
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.model import Named as Mechanisms


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
    runs, seed = whole_number("runs", runs, 1, 2**31 - 1), whole_number("seed", seed, 0, 2**64 - 1)
    log = Log.first(log_runs, runs)
    made = _case(case, until, mechanisms)
    check_targets(made)
    study = Study((Scenario(made),), runs, seed, log=log)
    store = MemoryStore()
    account = carry_out(study, store, Cores(workers), watch_with(progress), simulator=simulator)
    result = result_of(account, store, study)
    return replace(result, seconds=account.seconds, command=command or _call(made, study, log_runs))


def result_of(account: Account, store: AnyStore, study: Study, which: int = 0) -> Result:
    """Return the stored runs of one scenario of a study.

    Raises
    ------
    KeyboardInterrupt
        if the study was stopped before any run of it was finished.
    BreakrankError
        if no run of it finished.
    """
    case = study.cells[which].made
    if account.interrupted and not store.stored(case, study.seed).finished(range(study.runs)):
        raise KeyboardInterrupt
    result = store.result(case, study.seed, study.runs, log=study.log)
    return replace(result, interrupted=account.interrupted)


def _case(case: Case | str | os.PathLike[str], until: DateLike | None, mechanisms: Mechanisms) -> Case:
    case = as_case(case, mechanisms)
    return case if until is None else case.until(until)


def _call(case: Case, study: Study, log_runs: int) -> str:
    until = f', until="{case.calendar.end}"'
    more = f", mechanisms={list(case.mechanisms)}" if case.mechanisms else ""
    asked = f"runs={study.runs}, seed={study.seed}{until}, log_runs={log_runs}{more}"
    return f'simulate("{case.id}", {asked})'
