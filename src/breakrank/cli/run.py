"""``breakrank run``: a case goes in; a table, a result folder and a report come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import ensemble_case, tell_apart
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    DatedOptions,
    Flag,
    OutputOptions,
    RunOptions,
    Whole,
    places_of,
    put,
)
from breakrank.errors import UsageError
from breakrank.show.terminal import note, say, say_saved
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Account, Making
    from breakrank.runs.store import AnyStore
    from breakrank.runs.study import Study

REPORT = "report.html"
RUNS = 100
"""Runs where no number is given."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SaveOptions:
    """What is saved.

    Attributes
    ----------
    out
        Result folder, or a file that ends in .html, .pdf, .xlsx, .md, .json, .csv or .parquet. May be given
        several times. An earlier result there is replaced; other files are left alone. By default
        breakrank-CASE-SEED in the current directory, with a number added if that exists.
    log_runs
        Number of runs whose whole event log is kept, from the first on.
    no_result
        Leave the runs in the store and make no result; breakrank export --reduce then computes statistics
        from them. A result holds all of its runs in memory: about 0.34 MB each.
    """

    out: Annotated[tuple[Path, ...], Parameter(negative="", show_default=False)] = ()
    log_runs: Whole = 4
    no_result: Flag = False


def run(
    case: str,
    /,
    *,
    runs: Whole | None = None,
    saved: SaveOptions = SaveOptions(),
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Run a case many times and compare it with the record.

    Prints the median and the 50% and 90% intervals of each main outcome beside the record. Leaves a result
    folder with the labelled data, the event log, and the case exactly as used. Without --json and --quiet, it
    also holds a report; with them, --out report.html writes one.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    runs
        Number of runs, each with its own random draws: 100, or each member of an ensemble once.
    """
    from breakrank.answer.files import RENDERERS
    from breakrank.cli.progress import WatchedMaking
    from breakrank.results.result import as_json, is_result
    from breakrank.runs.carry_out import result_of
    from breakrank.runs.study import Scenario, Study

    tell_apart([case], output.quiet)
    made = ensemble_case(case, options, output.quiet)
    changed, seed = made.case, options.seed
    study = Study((Scenario(changed, made.name),), RUNS if runs is None else runs, seed, saved.log_runs)
    once = study.runs
    if runs is not None and once < runs and not output.quiet:
        note(
            f"breakrank: {once} runs instead of {runs:,}: the ensemble has {once} members, each run once\n"
            "  For more, take other parameters with --ensemble prior or point, or make more members with\n"
            "  `breakrank calibrate --members`."
        )
    making = WatchedMaking(where.store, where, made.changes, "", output.quiet)
    if saved.no_result:
        if where.store is None:
            raise UsageError("--no-result needs --store FOLDER: without a store, nothing would be saved")
        if saved.out:
            raise UsageError("--no-result leaves the runs in the store: there is nothing for --out")
        account, kept = _made(study, making)
        return _left(account, kept, study, output)
    usual = Path(f"breakrank-{changed.id}-{seed}")
    places = places_of(saved.out, usual, is_result, "no Breakrank result")
    folders = [place for place in places if place.suffix not in RENDERERS]
    command = options.call("run", case, runs=once, log_runs=saved.log_runs)
    account, kept = _made(study, making)
    found = result_of(account, kept, study)
    result = replace(found, seconds=account.seconds, command=command, changed=made.besides)
    if result.interrupted and not output.quiet:
        note("saving what has finished, and the report (Ctrl-C again ends without the report)")
    if not _saved(result, places):
        note(f"breakrank: interrupted; {result.runs} runs are saved in {places[0]}, without a report")
        return INTERRUPTED
    output.tell(lambda: as_json(result), result.answer.show, "", *(f"Result  {place}" for place in places))
    for folder in folders if output.talks else ():
        result.report(folder / REPORT)
        say_saved(f"Report  {folder / REPORT}")
    if result.interrupted:
        note(f"breakrank: interrupted; the {result.runs} of {once} runs that had finished are saved")
        return INTERRUPTED
    return FAILED if result.failed else DONE


def _saved(result: Result, places: Sequence[Path]) -> bool:
    """Save the result whole; return whether nobody interrupted (a second interrupt breaks it off)."""
    from breakrank.runs.crew import undisturbed

    done = False
    try:
        with undisturbed():
            # the answer is put together only where a file asks for it
            put(places, lambda place: result.answer.write(place), result.save)  # noqa: PLW0108
            done = True
    except KeyboardInterrupt:
        if not done:
            raise
        return False
    return True


def _made(study: Study, making: Making) -> tuple[Account, AnyStore]:
    from breakrank.results.outcomes import check_targets
    from breakrank.runs.store import MemoryStore

    case, kept = study.scenarios[0].case, making.store or MemoryStore()
    check_targets(case)
    return making.carry(study, kept, f"{case.title}, {counted(study.runs, 'run')}"), kept


def _left(account: Account, kept: AnyStore, study: Study, output: OutputOptions) -> int:
    """Say how many runs a store holds that are read into no result, and what is doubtful of them."""
    from breakrank.results.uncertainty import doubts
    from breakrank.runs.identity import ensemble_version

    case, runs = study.scenarios[0].case, study.runs
    why = doubts(case, ensemble_version(case))
    said = {"store": str(kept.folder), "finished": account.finished, "runs": runs, "doubts": why}
    lines = (f"{account.finished:,} of {runs:,} runs are in {kept.folder}", *why)
    output.tell(lambda: said, lambda: say("\n".join(lines)))
    if account.interrupted:
        return INTERRUPTED
    return FAILED if account.failed else DONE
