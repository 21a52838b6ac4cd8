"""``breakrank run``: a case goes in; a table, a result folder and a report come out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.changed_case import change
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    Backend,
    Changes,
    Flag,
    Mechanisms,
    Under,
    Whole,
    with_mechanisms,
)
from breakrank.cli.output_folder import refuse_early, unused
from breakrank.cli.progress import watched
from breakrank.cli.studies import carried_out, needs_store
from breakrank.errors import UsageError
from breakrank.show.provenance import noted
from breakrank.show.terminal import hush, note, say, say_json
from breakrank.wording import call

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results import Result
    from breakrank.runs.carry_out import Account
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study

REPORT = "report.html"


def run(
    case: str,
    /,
    *,
    runs: Whole = 100,
    seed: Whole = 0,
    until: str | None = None,
    parameters: Under = None,
    mechanisms: Mechanisms = (),
    changes: Changes = (),
    events: Path | None = None,
    out: Path | None = None,
    workers: Whole | None = None,
    log_runs: Whole = 4,
    store: Path | None = None,
    backend: Backend = None,
    no_result: Flag = False,
    report: Flag = False,
    json: Flag = False,
    quiet: Flag = False,
) -> int:
    """Run a case many times and compare it with the record.

    Prints the median and the 50% and 90% intervals of each main outcome beside the record. Leaves a result
    folder with the labelled data, the event log, and the case exactly as used. Without --json and --quiet, it
    also holds a report.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    runs
        Number of runs, each with its own random draws.
    parameters
        posterior: each run uses parameters drawn from the case's posterior, so that intervals include
        parameter uncertainty. values: each run uses the parameters' values. The default is the posterior, if
        there is one.
    seed
        Random seed: the same case and seed give the same numbers.
    until
        Last day, e.g. 2019-06-30; by default the case's last day.
    changes
        Set a parameter for this run, as NAME=VALUE, e.g. fear.on=0. May be given several times.
    events
        A file in the format of events.yaml. Its events are added, or replace events with the same id.
    out
        Result folder. An earlier result there is replaced; other files are left alone. By default
        breakrank-CASE-SEED in the current directory, with a number added if that exists.
    workers
        Number of processes; the default is chosen from this machine's cores and the number of runs.
    log_runs
        Number of runs whose whole event log is kept, from the first on.
    store
        Folder that keeps every finished run. Runs found there are reused, so that the same call continues
        after an interruption.
    backend
        What makes the runs, with --store: serial, cores, or the address of a Dask scheduler such as
        tcp://10.0.0.5:8786.
    no_result
        Leave the runs in the store and make no result; breakrank export --reduce then computes statistics
        from them. A result holds all of its runs in memory: about 0.34 MB each, or 0.04 MB if there are many.
    report
        Draw the report with --json or --quiet too.
    json
        Print only one JSON object on standard output.
    quiet
        Print only errors.
    """
    from breakrank.results.outcomes import as_json
    from breakrank.results.store import is_result

    made = change(case, changes, events, until, quiet, parameters, mechanisms)
    changed = made.case
    needs_store(store, backend)
    if no_result:
        if store is None:
            raise UsageError("--no-result needs --store FOLDER: without a store, nothing would be saved")
        account, kept, _ = _made(changed, made.name, runs, seed, workers, log_runs, quiet, store, backend)
        return _left(account, kept, runs, quiet)
    folder = out if out is not None else unused(Path(f"breakrank-{changed.id}-{seed}"))
    refuse_early(folder, is_result, "no Breakrank result")
    command = _command(locals(), made.events)
    if store is None:
        result = _simulate(changed, runs, seed, workers, log_runs, command, quiet)
    else:
        result = _studied(changed, made.name, runs, seed, workers, log_runs, command, quiet, store, backend)
    if result.interrupted and not quiet:
        note("saving what has finished, and the report (Ctrl-C again ends without the report)")
    if not _saved(result, folder):
        note(f"breakrank: interrupted; {result.runs} runs are saved in {folder}, without a report")
        return INTERRUPTED
    if json:
        say_json(as_json(result))
    elif not quiet:
        _tell(result, folder)
    if report or not (json or quiet):
        result.report(folder / REPORT)
        if not (json or quiet):
            say(f"Report  {folder / REPORT}")
    if result.failed:
        note(f"breakrank: {len(result.failed)} of {runs} runs failed; the first says: {result.failed[0]}")
    if result.interrupted:
        note(f"breakrank: interrupted; the {result.runs} of {runs} runs that had finished are saved")
        return INTERRUPTED
    return FAILED if result.failed else DONE


def _saved(result: Result, folder: Path) -> bool:
    """Save the result whole; return whether nobody interrupted (a second interrupt breaks it off)."""
    from breakrank.runs.interrupts import undisturbed

    done = False
    try:
        with undisturbed():
            result.save(folder)
            done = True
    except KeyboardInterrupt:
        if not done:
            raise
        return False
    return True


def _tell(result: Result, folder: Path) -> None:
    """Print the table; a reader who closed the pipe does not cost the report."""
    from breakrank.questions.run.terminal import show

    try:
        show(result)
        say()
        say(f"Result  {folder}")
        sys.stdout.flush()
    except BrokenPipeError:
        hush()


def _simulate(
    case: Case,
    runs: int,
    seed: int,
    workers: int | None,
    log_runs: int,
    command: str,
    quiet: bool,
) -> Result:
    from breakrank import simulate

    with watched(f"{case.title}, {runs} run{'s' * (runs != 1)}", quiet) as progress:
        return simulate(
            case,
            runs=runs,
            seed=seed,
            workers=workers,
            log_runs=log_runs,
            progress=progress,
            command=command,
        )


def _studied(
    case: Case,
    name: str,
    runs: int,
    seed: int,
    workers: int | None,
    log_runs: int,
    command: str,
    quiet: bool,
    store: Path,
    backend: str | None,
) -> Result:
    """Return the same result as :func:`_simulate`, its runs made for a store or found there."""
    account, kept, study = _made(case, name, runs, seed, workers, log_runs, quiet, store, backend)
    if account.interrupted and not account.finished:
        raise KeyboardInterrupt
    return kept.result(
        case,
        seed,
        runs,
        log=study.log,
        seconds=account.seconds,
        command=command,
        interrupted=account.interrupted,
    )


def _made(
    case: Case,
    name: str,
    runs: int,
    seed: int,
    workers: int | None,
    log_runs: int,
    quiet: bool,
    store: Path,
    backend: str | None,
) -> tuple[Account, Store, Study]:
    from breakrank.results.outcomes import check_targets
    from breakrank.runs.event_logs import Log
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study

    check_targets(case)
    study = Study((Scenario(case, name),), runs, seed, log=Log.first(min(log_runs, runs)))
    kept = Store(store)
    what = f"{case.title}, {runs} run{'s' * (runs != 1)}"
    return carried_out(study, kept, what, backend, workers, quiet), kept, study


def _left(account: Account, kept: Store, runs: int, quiet: bool) -> int:
    """Say how many runs a store holds that are read into no result."""
    if not quiet:
        say(f"{account.finished:,} of {runs:,} runs are in {kept.folder}")
    if account.interrupted:
        return INTERRUPTED
    return FAILED if account.failed else DONE


def _command(given: dict[str, object], brought: int | None) -> str:
    """Return the call that makes the result again, with a comment on how many events were brought in."""
    parts = ["breakrank", "run", str(given["case"])]
    for name in ("runs", "seed", "until", "events", "log_runs", "parameters"):
        if given[name] is not None:
            parts += [f"--{name.replace('_', '-')}", str(given[name])]
    changes = given["changes"]
    assert isinstance(changes, tuple)
    for value in changes:
        parts += ["--set", value]
    parts += with_mechanisms(given["mechanisms"])
    return call(parts) + ("" if brought is None else noted(brought))
