"""``--ensemble``: where the parameters, and the random seeds, of runs come from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.changed_case import Changed, change, values_of
from breakrank.cli.options import CaseOptions, DatedOptions
from breakrank.show.terminal import note

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.ensemble import PosteriorEnsemble


def ensemble_case(
    case: str,
    options: DatedOptions,
    runs: int,
    quiet: bool,
    acts_from: Callable[[Case], dt.date] | None = None,
) -> Changed:
    """Return a case with its changes, whose runs are the members of an ensemble, where it has any.

    Members are those of the case as it is, and go on with the changes. A change that undoes the selection of
    members leaves them aside: then runs have parameters of the posterior, and random numbers of their own.

    Parameters
    ----------
    acts_from : of a comparison, gives the first day on which what is compared with a case differs from it.

    Raises
    ------
    UsageError
        for what is no ensemble of this case and force.
    """
    from breakrank.questions.paired import undoes_selection

    folder, point = _members(case, options), replace(options, ensemble="point", changes=())
    if folder is not None and acts_from is not None:
        plain = change(case, point, True).case
        luck = _read(folder, plain, True).draws.luck
        folder = folder if luck is not None and acts_from(plain) > luck.until else None
    if folder is None:
        return _at_large(case, options, quiet)
    made = change(case, point, quiet)
    found = _read(folder, made.case, quiet)
    if not quiet:
        _repeated(found, made.case, runs)
    members, changed = found.of(made.case), values_of(options.changes)
    before = made if options.events is None else change(case, replace(point, events=None), True)
    if undoes_selection(found.of(before.case), members.set(changed)):
        if not quiet:
            note(
                "breakrank: the change acts before the last observed figure, so the members that it selected "
                "are left aside; `breakrank compare` shows what the change does"
            )
        return _at_large(case, options, quiet)
    under = f"ensemble {folder.name}"
    if not changed:
        return _under(made, members, under)
    named = replace(made, changes=replace(made.changes, values=changed))
    return _under(named, members.set(changed), under)


def _members(case: str, options: CaseOptions) -> Path | None:
    """Return the folder of the members that runs are, if they are any.

    Those that come with a case are of its own mechanisms and force.
    """
    from breakrank.runs.cases import members_folder

    named = options.ensemble not in (None, "posterior")
    if not named and "force.strength" in values_of(options.changes):
        return None
    return members_folder(case, options.ensemble, options.mechanisms)


def _at_large(case: str, options: DatedOptions, quiet: bool) -> Changed:
    """Return a case with its changes, under parameters of the posterior in place of selected members."""
    from breakrank.questions.paired import unselected

    made = change(case, options, quiet)
    return replace(made, case=unselected(made.case))


def _read(folder: Path, case: Case, quiet: bool) -> PosteriorEnsemble:
    from breakrank.case.ensemble import load_ensemble
    from breakrank.runs.cases import is_built_in
    from breakrank.runs.identity import ensemble_version

    found = load_ensemble(folder, case)
    if not quiet and ensemble_version(found.of(case)):
        whose, remedy = f"in {folder}", "calibrate again, or use --ensemble point"
        if is_built_in(folder.parent):
            whose, remedy = f"of {case.id}", "it is used as it comes"
        note(
            f"breakrank: the ensemble {whose} was made with another version of the model, so it may no "
            f"longer agree with the observed figures; {remedy}"
        )
    if found.doubt and not quiet:
        note(f"breakrank: {found.doubt}")
    return found


def _repeated(found: PosteriorEnsemble, case: Case, runs: int) -> None:
    """Say where runs are the same members again, to the last day."""
    luck, there = found.draws.luck, len(found)
    if luck is not None and luck.until >= case.calendar.end and runs > there:
        note(
            f"breakrank: the ensemble of {case.id} has {there:,} members up to the last day, so {runs:,} "
            "runs are the same members again; ask for fewer runs"
        )


def _under(made: Changed, case: Case, under: str) -> Changed:
    return replace(made, case=case, changes=replace(made.changes, under=under))
