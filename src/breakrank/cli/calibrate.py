"""``breakrank calibrate``: the posterior ensemble of a case, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import change
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    CaseOptions,
    Events,
    Mechanisms,
    OutputOptions,
    RunOptions,
    Whole,
    call_again,
    refuse_early,
    unused,
)
from breakrank.cli.progress import carried_out
from breakrank.errors import UsageError
from breakrank.show.terminal import note, wrapped

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.ensemble import PosteriorEnsemble
    from breakrank.inference.predictive import PriorCheck
    from breakrank.inference.result import Calibration
    from breakrank.inference.simulations import Carry
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import MemoryStore
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study
    from breakrank.runs.worker import Simulator

Fixed = Annotated[tuple[str, ...], Parameter(name="--fix", negative="", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CalibrationWork:
    """What is assimilated, how much work it is, and what stays fixed.

    Attributes
    ----------
    as_of
        Last day whose publications are used, or all. What came later is taken out of the case.
    simulations
        Number of simulations in all waves together, at least 100.
    waves
        1 simulates the prior only. Each further wave simulates near the observed figures.
    members
        Members of the ensemble: draws of parameters that particle filters condition on single events. 0
        makes none.
    predictive
        Number of runs with parameters from the posterior that are compared with the observed figures, two
        for each draw.
    fixed
        Keep a parameter at the case's value. May be given several times.
    """

    as_of: str = "all"
    simulations: Whole = 1200
    waves: Whole = 3
    members: Whole = 40
    predictive: Whole = 100
    fixed: Fixed = ()


def calibrate(
    case: str,
    /,
    *,
    work: CalibrationWork = CalibrationWork(),
    seed: Whole = 0,
    mechanisms: Mechanisms = (),
    events: Events = None,
    out: Path | None = None,
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Make the posterior ensemble of a case from its observed figures.

    Every parameter with a prior is free. First the case is simulated with parameters drawn from the priors,
    and the prior predictive check is printed. Further waves simulate near the figures. The command prints a
    verdict, the informed parameters and how well each figure is met, and leaves a folder with the posterior,
    the ensemble and all tables. Those of a case folder are also written into it, unless --out, --as-of,
    --events or --mechanisms is given.

    Work is kept: the same call continues after an interruption, even if the process was killed.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    seed
        Random seed. Never choose it for its outcome.
    out
        Result folder; by default breakrank-calibration-CASE-SEED, with a number added if that is taken.
    """
    from breakrank.inference.calibration import calibrate as calibrated
    from breakrank.inference.result import is_calibration
    from breakrank.runs.cases import list_cases

    options = CaseOptions(ensemble="point", mechanisms=mechanisms)
    loaded = change(case, options, events, output.quiet).case
    folder = out if out is not None else unused(Path(f"breakrank-calibration-{loaded.id}-{seed}"))
    refuse_early(folder, is_calibration, "no calibration of Breakrank's")
    command = call_again(
        "calibrate",
        case,
        as_of=None if work.as_of == "all" else work.as_of,
        simulations=work.simulations,
        waves=work.waves,
        members=work.members,
        predictive=work.predictive,
        seed=seed,
        store=where.store,
        fix=work.fixed,
        mechanisms=mechanisms,
        events=events,
    )
    kept = where.opened(loaded.id)
    try:
        found = calibrated(
            loaded,
            as_of=work.as_of,
            simulations=work.simulations,
            waves=work.waves,
            members=work.members,
            predictive=work.predictive,
            seed=seed,
            store=kept,
            fixed=work.fixed,
            command=command,
            carry=watched(loaded, where, output.quiet),
            tell=None if output.quiet else _tell_prior,
        )
    except KeyboardInterrupt:
        note(f"breakrank: interrupted; finished work is kept in {kept.folder}; the same call continues there")
        return INTERRUPTED
    found.save(folder)
    apart = out is not None or events is not None or work.as_of != "all" or mechanisms
    put = folder if apart or case in list_cases() else _put(found, Path(case))
    output.tell(found.as_json, found.answer.show, f"Ensemble  {put}", f"Result    {folder}")
    return FAILED if found.about["failed"] else DONE


def _tell_prior(check: PriorCheck) -> None:
    """Say on standard error what the prior makes of the figures, before anything is fitted."""
    for line in check.told():
        note(wrapped(line))
    for line in check.warnings():
        note(wrapped(f"breakrank: {line}"))
    if check.outside:
        note(wrapped("The calibration continues. Ctrl-C stops it and keeps what has finished.", 2))


def _put(found: Calibration, home: Path) -> Path:
    """Put posterior and ensemble into the case folder, each whole or not at all, and return the folder."""
    from breakrank.case.files import Files
    from breakrank.results.folder import whole_folder

    files = Files(home)
    with files.locked():
        for part, texts in found.files().items():

            def ours(folder: Path, names: frozenset[str] = frozenset(texts)) -> bool:
                return all((folder / name).is_file() for name in names)

            with whole_folder(files.path(part), ours) as staging:
                for name, text in texts.items():
                    (staging / name).write_text(text, "utf-8", newline="\n")
    return home


def ensemble_here(
    case: Case, as_of: str, members: int, seed: int, where: RunOptions, quiet: bool
) -> PosteriorEnsemble:
    """Return the posterior ensemble of a case as of a day, made here."""
    from breakrank.inference.calibration import ensemble_of

    with keeping(case, where, quiet) as (store, carry):
        return ensemble_of(case, as_of, members, seed, store=store, carry=carry)


@contextmanager
def keeping(case: Case, where: RunOptions, quiet: bool) -> Iterator[tuple[Store | None, Carry]]:
    """Give the store of an inference, if one is named, and its carrier; after Ctrl-C say what is kept."""
    try:
        yield None if where.store is None else where.opened(case.id), watched(case, where, quiet)
    except KeyboardInterrupt:
        if where.store is None:
            note("breakrank: nothing is kept; with --store FOLDER, the same call goes on where it stopped")
        else:
            note(f"breakrank: what is finished is kept in {where.store}; the same call goes on from there")
        raise


def watched(case: Case, where: RunOptions, quiet: bool) -> Carry:
    """Return what carries the studies of an inference out, on this machine, under the eyes of the user.

    UsageError for a backend that is on others: filters hold states, which do not travel.
    """
    if where.backend not in (None, "cores", "serial"):
        raise UsageError(f"--backend {where.backend}: ensembles are made on this machine, by cores or serial")
    local = RunOptions(workers=1 if where.backend == "serial" else where.workers)

    def carry(
        study: Study, store: MemoryStore, what: str, /, *, simulator: Simulator | None = None
    ) -> Account:
        about = f"{case.title}, {what}"
        return carried_out(study, store, about, local, quiet, again=True, simulator=simulator)

    return carry
