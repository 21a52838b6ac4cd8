"""``--given``: what of the record runs agree with; by default the worlds that come with a case."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.changed_case import Changed, change, values_of
from breakrank.cli.options import GivenOptions, RunOptions
from breakrank.cli.worlds import made_worlds
from breakrank.errors import UsageError
from breakrank.show.terminal import note

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.worlds import Worlds

NONE = "none"
LEAST = 20
"""Worlds are made of so many at least."""


def given_case(
    case: str,
    options: GivenOptions,
    events: Path | None,
    runs: int,
    where: RunOptions,
    quiet: bool,
    *,
    later: bool = False,
) -> Changed:
    """Return a case with its changes, whose runs are worlds that agree with what is given of the record.

    Worlds that exist are those of the case as it is, and live on with the changes. Worlds that are made are
    those of the changed case; with `later`, what ``--set`` gives is left for other cases. A change that
    undoes the selection of worlds that exist leaves them aside.

    Raises
    ------
    UsageError
        for what is neither a date, nor ``record``, nor a folder of worlds of this case and force.
    """
    from breakrank.questions.compare.compare import undoes_selection

    given = _given(case, options)
    if given == NONE:
        return change(case, options, events, quiet, later=later)
    values = replace(options, parameters="values")
    under = f"given {Path(given).name}"
    if not Path(given).is_dir():
        made = change(case, values, events, quiet, later=later)
        found = made_worlds(made.case, given, max(runs, LEAST), options.seed, where, quiet)
        _doubt(found, quiet)
        return _under(made, found.of(made.case), under)
    made = change(case, replace(values, changes=()), events, quiet)
    found = _read(Path(given), made.case, quiet)
    if not quiet:
        _repeated(found, made.case, runs)
    living, changed = found.of(made.case), {} if later else values_of(options.changes)
    plain = made if events is None else change(case, replace(values, changes=()), None, True)
    if undoes_selection(found.of(plain.case), living.set(changed)):
        if not quiet:
            note(
                "breakrank: the change would undo that runs were selected to match the record, so these runs "
                "were not; `breakrank compare` shows what the change does"
            )
        return change(case, replace(options, given=None), events, quiet)
    if not changed:
        return _under(made, living, under)
    named = replace(made, changes=replace(made.changes, values=changed))
    return _under(named, living.set(changed), under)


def compared_case(
    case: str,
    options: GivenOptions,
    runs: int,
    where: RunOptions,
    quiet: bool,
    acts: Callable[[Changed], dt.date],
) -> Changed:
    """Return the case of a comparison under draws that are valid for it.

    Worlds that agree with the record are asked only of changes that act later, and the posterior, or the
    values of a case without one, of all others. What ``--set`` gives is left for other cases.

    Parameters
    ----------
    acts : gives the first day on which what is compared with a case differs from it.

    Raises
    ------
    UsageError
        as :func:`given_case`.
    """
    from breakrank.questions.condition.condition import day_of

    given = _given(case, options)
    if given != NONE:
        plain = change(case, replace(options, parameters="values"), None, True, later=True)
        if Path(given).is_dir():
            luck = _read(Path(given), plain.case, True).draws.luck
            assert luck is not None
            until = luck.until
        else:
            until = day_of(plain.case, given)
        if acts(plain) > until:
            return given_case(case, options, None, runs, where, quiet, later=True)
    made = change(case, options, None, quiet, later=True)
    from breakrank.questions.compare.compare import unselected

    return replace(made, case=unselected(made.case))


def known_case(
    case: str,
    options: GivenOptions,
    events: Path | None,
    as_of: str,
    runs: int,
    where: RunOptions,
    quiet: bool,
) -> Changed:
    """Return a case as it was known on a day, whose runs are worlds that agree with what was known then.

    What came later is taken out, and said. The worlds are made, or are those of a folder that were told of
    the figures up to that very day.

    Raises
    ------
    UsageError
        for what is no day before the last, or no folder of worlds of that day, this case and force.
    """
    from breakrank.questions.condition.condition import day_of
    from breakrank.runs.as_of import as_known

    made = change(case, replace(options, parameters="values"), events, quiet)
    day = day_of(made.case, as_of)
    then = as_known(made.case, day)
    if options.given is None:
        found = made_worlds(made.case, as_of, max(runs, LEAST), options.seed, where, quiet)
        _doubt(found, quiet)
    else:
        if not Path(options.given).is_dir():
            raise UsageError(
                f"--given {options.given}: with --as-of, a folder of worlds that were told of the figures up "
                "to that day is expected\n  `breakrank forecast --out FOLDER` keeps them."
            )
        found = _read(Path(options.given), made.case, quiet)
        luck = found.draws.luck
        if luck is None or luck.until != day:
            raise UsageError(
                f"the worlds in {options.given} were told of the figures up to "
                f"{'no day' if luck is None else luck.until}, not up to {day}\n  `breakrank forecast --as-of "
                f"{day} --given {options.given} --out FOLDER` goes on with them, if they are earlier."
            )
    if not quiet:
        for line in then.told():
            note(f"breakrank: {line}")
    return _under(replace(made, case=then.case), found.of(then.case), f"as of {day}")


def _given(case: str, options: GivenOptions) -> str:
    """Return what of the record runs agree with; UsageError where parameters are asked for as well."""
    given = options.given or _default(case, options)
    if given != NONE and options.parameters is not None:
        raise UsageError(
            f"--given {given} and --parameters {options.parameters} exclude each other: worlds have "
            "parameters of their own"
        )
    return given


def _default(case: str, options: GivenOptions) -> str:
    """Return the folder of the worlds that come with a case, where they are of the same model and force."""
    from breakrank.runs.cases import worlds_of

    folder = worlds_of(case, options.mechanisms)
    other = options.parameters is not None or "force.strength" in values_of(options.changes)
    return NONE if other or folder is None else str(folder)


def _read(folder: Path, case: Case, quiet: bool) -> Worlds:
    from breakrank.case.worlds import load_worlds
    from breakrank.runs.cases import is_built_in
    from breakrank.runs.versions import ensemble_version

    found = load_worlds(folder, case)
    if not quiet and ensemble_version(found.of(case)):
        whose, remedy = f"in {folder}", "make them again, or use --given none"
        if is_built_in(folder.parent):
            whose, remedy = f"of {case.id}", "they are used as they come"
        note(
            f"breakrank: the worlds {whose} were made with another version of the model, so they may no "
            f"longer agree with the record; {remedy}"
        )
    _doubt(found, quiet)
    return found


def _doubt(found: Worlds, quiet: bool) -> None:
    if found.doubt and not quiet:
        note(f"breakrank: {found.doubt}")


def _repeated(found: Worlds, case: Case, runs: int) -> None:
    """Say where runs are the same worlds again, to the last day."""
    luck, there = found.draws.luck, len(found.draws)
    if luck is not None and luck.until >= case.calendar.end and runs > there:
        note(
            f"breakrank: {case.id} comes with {there:,} worlds that agree with its whole record, so {runs:,} "
            "runs are the same worlds again; ask for fewer runs, or for --given none"
        )


def _under(made: Changed, case: Case, under: str) -> Changed:
    return replace(made, case=case, changes=replace(made.changes, under=under))
