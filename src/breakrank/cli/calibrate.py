"""``breakrank calibrate``: which parameter values agree with the record, and how far that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    Mechanisms,
    OutputOptions,
    RunOptions,
    Whole,
    call_again,
    refuse_early,
    unused,
)
from breakrank.cli.progress import live, stopping, tell
from breakrank.show.terminal import note, wrapped

if TYPE_CHECKING:
    from breakrank.questions.calibrate.prior_check import PriorCheck
    from breakrank.questions.calibrate.result import Calibration
    from breakrank.runs.carry_out import Account

Fixed = Annotated[tuple[str, ...], Parameter(name="--fix", negative="", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CalibrationWork:
    """How much work it is, and what stays fixed.

    Attributes
    ----------
    simulations
        Number of simulations in all rounds together, at least 100.
    rounds
        1 simulates the prior only. Each further round simulates closer to the current posterior, while too
        few simulations are near the record.
    worlds
        Number of simulations that are treated as the record, to test whether their parameters are recovered;
        at least 20.
    predictive
        Number of runs with parameters from the posterior that are compared with the record, two for each
        draw.
    fixed
        Keep a parameter at the case's value. May be given several times.
    """

    simulations: Whole = 1600
    rounds: Whole = 2
    worlds: Whole = 300
    predictive: Whole = 200
    fixed: Fixed = ()


def calibrate(
    case: str,
    /,
    *,
    work: CalibrationWork = CalibrationWork(),
    seed: Whole = 0,
    mechanisms: Mechanisms = (),
    out: Path | None = None,
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Estimate a case's parameters from its record.

    Every parameter with a prior is free. First the case is simulated with parameters drawn from the priors,
    and a summary of the prior check is printed. Further rounds simulate closer to what agrees with the
    targets. The command prints a verdict and the informed parameters, and leaves a folder with the posterior,
    all tables. The posterior of a case folder is also written into it as posterior/, unless
    --out or --mechanisms is given.

    Simulations are kept: the same call continues after an interruption, even if the process was killed. Other
    calibrations with the same priors reuse them.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    seed
        Random seed. Never choose it for its outcome.
    out
        Result folder; by default breakrank-calibration-CASE-SEED, with a number added if that is taken.
    """
    from breakrank.questions.calibrate.calibrate import calibrate as calibrated
    from breakrank.questions.calibrate.result import as_json, is_calibration
    from breakrank.questions.calibrate.terminal import Across, show
    from breakrank.runs.backends import choose_backend
    from breakrank.runs.cases import list_cases, load_case

    loaded = load_case(case, "values", mechanisms)
    folder = out if out is not None else unused(Path(f"breakrank-calibration-{loaded.id}-{seed}"))
    refuse_early(folder, is_calibration, "no calibration of Breakrank's")
    command = call_again(
        "calibrate",
        case,
        simulations=work.simulations,
        rounds=work.rounds,
        seed=seed,
        worlds=work.worlds,
        predictive=work.predictive,
        store=where.store,
        fix=work.fixed,
        mechanisms=mechanisms,
    )
    kept, quiet = where.opened(loaded.id), output.quiet
    accounts: list[Account] = []

    def said(account: Account) -> None:
        accounts.append(account)
        tell(account, kept, quiet)

    try:
        with live(f"Calibration of {loaded.id}", quiet) as watch:
            across = Across(
                work.simulations + work.predictive,
                choose_backend(where.backend, where.workers),
                watch,
                said,
                None if quiet else stopping,
            )
            found = calibrated(
                loaded,
                simulations=work.simulations,
                rounds=work.rounds,
                seed=seed,
                store=kept,
                worlds=work.worlds,
                predictive=work.predictive,
                fixed=work.fixed,
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
        return INTERRUPTED
    found.save(folder)
    ours = out is None and case not in list_cases() and not mechanisms
    put = _put(found, Path(case)) if ours else folder / "posterior"
    output.tell(
        lambda: as_json(found),
        lambda: show(found),
        f"Posterior  {put}",
        f"Result     {folder}",
    )
    return FAILED if any(account.failed for account in accounts) else DONE


def _tell_prior(told: PriorCheck) -> None:
    """Say on standard error what the prior makes of the record, before anything more is simulated."""
    for line in told.told():
        note(wrapped(line))
    for line in told.warnings():
        note(wrapped(f"breakrank: {line}"))
    if told.outside:
        note(wrapped("The calibration continues. Ctrl-C stops it and keeps what has finished.", 2))


def _put(found: Calibration, home: Path) -> Path:
    """Put the posterior into the case folder, whole or not at all, and return where it is."""
    from breakrank.case.files import Files
    from breakrank.case.posterior import ABOUT, FOLDER, TABLE, files_of_posterior
    from breakrank.results.folder import whole_folder

    def ours(folder: Path) -> bool:
        return (folder / ABOUT).is_file() and (folder / TABLE).is_file()

    files = Files(home)
    with files.locked(), whole_folder(files.path(FOLDER), ours) as staging:
        for name, text in files_of_posterior(found.posterior).items():
            (staging / name).write_text(text, "utf-8", newline="\n")
    return home / FOLDER
