"""``breakrank calibrate``: which parameter values agree with the record, and how far that can be trusted."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.options import DONE, FAILED, INTERRUPTED, Backend, Flag, Mechanisms, Whole, with_mechanisms
from breakrank.cli.output_folder import refuse_early, unused
from breakrank.cli.study_progress import live
from breakrank.show.terminal import hush, note, say, say_json, wrapped
from breakrank.wording import call

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.calibrate.prior_check import PriorCheck
    from breakrank.questions.calibrate.result import Calibration
    from breakrank.runs.carry_out import Account

Fixed = Annotated[tuple[str, ...], Parameter(name="--fix", negative="", show_default=False)]


def calibrate(
    case: str,
    /,
    *,
    simulations: Whole = 1600,
    rounds: Whole = 2,
    seed: Whole = 0,
    worlds: Whole = 300,
    predictive: Whole = 200,
    fixed: Fixed = (),
    mechanisms: Mechanisms = (),
    store: Path | None = None,
    backend: Backend = None,
    workers: Whole | None = None,
    out: Path | None = None,
    json: Flag = False,
    quiet: Flag = False,
) -> int:
    """Find which values of a case's parameters agree with its record.

    Every parameter with a prior is free. The case is simulated under draws from the priors; what they allow
    of the record, and what else, is told then. Then it is simulated closer around what agrees with the
    targets. Prints a verdict and what the evidence informs, and leaves a folder with the posterior, all
    tables and a report. The posterior of a case folder is also put into it, as
    posterior/, unless --out or --mechanisms is given.

    Simulations are kept: what was interrupted goes on when the same call is made again, even after the
    process was killed, and other questions about the same priors make none again.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    simulations
        In all rounds together.
    rounds
        1 simulates the prior only; each more looks closer around the posterior so far, while there are too
        few simulations near the record.
    seed
        Names the draws. It is a nuisance: never choose it for its outcome.
    worlds
        Simulations that are treated as the record, to see whether their truth is found again.
    predictive
        Runs under the posterior that are compared with the record, two to a draw.
    fixed
        Keep a parameter at the case's value. May be given several times.
    store
        Folder that keeps every simulation; by default breakrank-CASE.store in the current directory.
    backend
        Where runs are made: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786.
    workers
        Number of processes; by default as many as pay off on this machine's cores.
    out
        Result folder; by default breakrank-calibration-CASE-SEED, with a number added if that is taken.
    json
        Print one JSON object on standard output and nothing else there.
    quiet
        Print nothing but errors.
    """
    from breakrank.questions.calibrate.folder import is_calibration
    from breakrank.runs.cases import list_cases, load_case

    loaded = load_case(case, "values", mechanisms)
    folder = out if out is not None else unused(Path(f"breakrank-calibration-{loaded.id}-{seed}"))
    refuse_early(folder, is_calibration, "no calibration of Breakrank's")
    command = _command(locals())
    found, failed = _found(
        loaded,
        simulations,
        rounds,
        seed,
        worlds,
        predictive,
        fixed,
        store,
        backend,
        workers,
        command,
        quiet,
    )
    if found is None:
        return INTERRUPTED
    found.save(folder)
    ours = out is None and case not in list_cases() and not mechanisms
    kept = _put(found, Path(case)) if ours else folder / "posterior"
    if json:
        say_json(_as_json(found))
    elif not quiet:
        _tell(found, folder, kept)
    return FAILED if failed else DONE


def _found(
    case: Case,
    simulations: int,
    rounds: int,
    seed: int,
    worlds: int,
    predictive: int,
    fixed: tuple[str, ...],
    store: Path | None,
    backend: str | None,
    workers: int | None,
    command: str,
    quiet: bool,
) -> tuple[Calibration | None, bool]:
    """Return the calibration, ``None`` if it was interrupted, and whether simulations failed."""
    from breakrank.cli.studies import stopping, tell
    from breakrank.questions.calibrate.calibrate import calibrate as calibrated
    from breakrank.questions.calibrate.progress import Across
    from breakrank.questions.calibrate.stored_proposals import default_store
    from breakrank.runs.backends import choose_backend
    from breakrank.runs.store import Store

    kept = Store(store if store is not None else default_store(case.id))
    accounts: list[Account] = []

    def said(account: Account) -> None:
        accounts.append(account)
        tell(account, kept, quiet)

    try:
        with live(f"Calibration of {case.id}", quiet) as watch:
            across = Across(
                simulations + predictive,
                choose_backend(backend, workers),
                watch,
                said,
                None if quiet else stopping,
            )
            found = calibrated(
                case,
                simulations=simulations,
                rounds=rounds,
                seed=seed,
                store=kept,
                worlds=worlds,
                predictive=predictive,
                fixed=fixed,
                command=command,
                carry=across,
                tell=None if quiet else _tell_prior,
            )
    except KeyboardInterrupt:
        if not accounts or not accounts[-1].interrupted:
            note(f"breakrank: interrupted; what has finished is kept in {kept.folder}; the same call goes on")
        return None, False
    return found, any(account.failed for account in accounts)


def _tell_prior(told: PriorCheck) -> None:
    """Say on standard error what the prior makes of the record, before anything more is simulated."""
    for line in told.told():
        note(wrapped(line))
    for line in told.warnings():
        note(wrapped(f"breakrank: {line}"))
    if told.outside:
        note(wrapped("It goes on all the same; Ctrl-C stops it, and what is made is kept.", 2))


def _put(found: Calibration, home: Path) -> Path:
    """Put the posterior into the case folder, whole or not at all, and return where it is."""
    from breakrank.case.posterior import ABOUT, FOLDER, TABLE, files_of_posterior
    from breakrank.results.folder import whole_folder

    def ours(folder: Path) -> bool:
        return (folder / ABOUT).is_file() and (folder / TABLE).is_file()

    with whole_folder(home / FOLDER, ours) as staging:
        for name, text in files_of_posterior(found.posterior).items():
            (staging / name).write_text(text, "utf-8", newline="\n")
    return home / FOLDER


def _tell(found: Calibration, folder: Path, kept: Path) -> None:
    """Print the verdict and tables; a reader who closed the pipe does not cost the files."""
    from breakrank.questions.calibrate.terminal import show

    try:
        show(found)
        say(f"Posterior  {kept}")
        say(f"Result     {folder}")
        sys.stdout.flush()
    except BrokenPipeError:
        hush()


def _as_json(found: Calibration) -> dict[str, object]:
    from breakrank.questions.calibrate.folder import plain

    tables = {
        name: plain(found.tables[name].reset_index().to_dict("records"))
        for name in ("parameters", "targets", "rounds", "directions", "coverage")
    }
    about = {name: plain(value) for name, value in found.about.items()}
    return {"verdict": list(found.verdict), **about, "tables": tables}


def _command(given: dict[str, object]) -> str:
    """Return the call that makes the calibration again."""
    parts = ["breakrank", "calibrate", str(given["case"])]
    for name in ("simulations", "rounds", "seed", "worlds", "predictive", "store"):
        if given[name] is not None:
            parts += [f"--{name}", str(given[name])]
    fixed = given["fixed"]
    assert isinstance(fixed, tuple)
    for name in fixed:
        parts += ["--fix", str(name)]
    parts += with_mechanisms(given["mechanisms"])
    return call(parts)
