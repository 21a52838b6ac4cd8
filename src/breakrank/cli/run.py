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

    Prints each headline outcome as median and 50% and 90% interval beside what the record says, and leaves a
    result folder with the labelled data, the event log, the case exactly as used, and, without --json and
    --quiet, a report.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    runs
        Number of runs, each with other luck.
    parameters
        posterior: runs live under draws of the posterior that comes with the case, so that intervals hold
        what is not known of the parameters; values: under the parameters' values. By default the posterior
        where there is one.
    seed
        Names the world: the same case and seed give the same numbers.
    until
        Last day, e.g. 2019-06-30, if earlier than the case's own.
    changes
        Set a parameter for this run, as NAME=VALUE, e.g. fear.on=0. May be given several times.
    events
        A file in the format of events.yaml; its events are added, or replace those of the same id.
    out
        Result folder. An earlier result there is replaced, anything else left alone. By default
        breakrank-CASE-SEED in the current directory, with a number added if that is taken.
    workers
        Number of processes; by default as many as pay off on this machine's cores.
    log_runs
        For this many first runs keep the whole event log.
    store
        Folder that keeps every finished run: what it holds is not made again, and what an interrupted study
        has finished is there when the same call is made once more.
    backend
        Where runs are made, with --store: serial, cores, or the address of a Dask scheduler such as
        tcp://10.0.0.5:8786.
    no_result
        Leave the runs in the store and read them into no result: breakrank export --reduce then makes
        statistics of them. A result holds all of its runs in memory, some 0.34 MB each, or 0.04 MB where they
        are many.
    report
        Draw the report with --json or --quiet too.
    json
        Print one JSON object on standard output and nothing else there.
    quiet
        Print nothing but errors.
    """
    from breakrank.results.outcomes import as_json
    from breakrank.results.store import is_result

    made = change(case, changes, events, until, quiet, parameters, mechanisms)
    changed = made.case
    needs_store(store, backend)
    if no_result:
        if store is None:
            raise UsageError("--no-result needs --store FOLDER: without either nothing would be left")
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
