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
    """Estimate a case's parameters from its record.

    Every parameter with a prior is free. First the case is simulated with parameters drawn from the priors,
    and a summary of the prior check is printed. Further rounds simulate closer to what agrees with the
    targets. The command prints a verdict and the informed parameters, and leaves a folder with the posterior,
    all tables and a report. The posterior of a case folder is also written into it as posterior/, unless
    --out or --mechanisms is given.

    Simulations are kept: the same call continues after an interruption, even if the process was killed. Other
    calibrations with the same priors reuse them.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    simulations
        Number of simulations in all rounds together.
    rounds
        1 simulates the prior only. Each further round simulates closer to the current posterior, while too
        few simulations are near the record.
    seed
        Random seed. Never choose it for its outcome.
    worlds
        Number of simulations that are treated as the record, to test whether their parameters are recovered.
    predictive
        Number of runs with parameters from the posterior that are compared with the record, two for each
        draw.
    fixed
        Keep a parameter at the case's value. May be given several times.
    store
        Folder that keeps every simulation; by default breakrank-CASE.store in the current directory.
    backend
        What makes the runs: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786.
    workers
        Number of processes; the default is chosen from this machine's cores and the number of runs.
    out
        Result folder; by default breakrank-calibration-CASE-SEED, with a number added if that is taken.
    json
        Print only one JSON object on standard output.
    quiet
        Print only errors.
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
            note(
                f"breakrank: interrupted; finished simulations are kept in {kept.folder}; "
                "the same call continues from there"
            )
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
