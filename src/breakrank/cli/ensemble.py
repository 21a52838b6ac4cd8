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
    case: str, options: DatedOptions, runs: int, quiet: bool, *, later: bool = False
) -> Changed:
    """Return a case with its changes, whose runs are the members of an ensemble, where it has any.

    Members are those of the case as it is, and go on with the changes. With `later`, what ``--set`` gives is
    left for other cases. A change that undoes the selection of members leaves them aside: then runs have
    parameters of the posterior, and random numbers of their own.

    Raises
    ------
    UsageError
        for what is no ensemble of this case and force.
    """
    from breakrank.questions.paired import undoes_selection

    folder = _members(case, options)
    if folder is None:
        return change(case, options, quiet, later=later)
    point = replace(options, ensemble="point", changes=())
    made = change(case, point, quiet)
    found = _read(folder, made.case, quiet)
    if not quiet:
        _repeated(found, made.case, runs)
    members, changed = found.of(made.case), {} if later else values_of(options.changes)
    plain = made if options.events is None else change(case, replace(point, events=None), True)
    if undoes_selection(found.of(plain.case), members.set(changed)):
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


def compared_case(
    case: str, options: DatedOptions, runs: int, quiet: bool, acts: Callable[[Changed], dt.date]
) -> Changed:
    """Return the case of a comparison under draws that are valid for it.

    Members are asked only of changes that act after the last figure that selected them. All others are asked
    of parameters of the posterior, or of the values of a case without one. What ``--set`` gives is left for
    other cases.

    Parameters
    ----------
    acts : gives the first day on which what is compared with a case differs from it.

    Raises
    ------
    UsageError
        as :func:`ensemble_case`.
    """
    folder = _members(case, options)
    if folder is not None:
        plain = change(case, replace(options, ensemble="point"), True, later=True)
        luck = _read(folder, plain.case, True).draws.luck
        assert luck is not None
        if acts(plain) > luck.until:
            return ensemble_case(case, options, runs, quiet, later=True)
    return _at_large(case, options, quiet, later=True)


def _members(case: str, options: CaseOptions) -> Path | None:
    """Return the folder of the members that runs are, if they are any.

    Those that come with a case are of its own mechanisms and force.
    """
    from breakrank.runs.cases import members_folder

    named = options.ensemble not in (None, "posterior")
    if not named and "force.strength" in values_of(options.changes):
        return None
    return members_folder(case, options.ensemble, options.mechanisms)


def _at_large(case: str, options: DatedOptions, quiet: bool, *, later: bool = False) -> Changed:
    """Return a case with its changes, under parameters of the posterior in place of selected members."""
    from breakrank.questions.paired import unselected

    made = change(case, options, quiet, later=later)
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
