"""A case as the page runs it: as worlds that agree with its record, under its posterior, or at its values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.case.luck import FOLDER
from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.case import Case


def has_worlds(folder: Path, mechanisms: Sequence[str] = ()) -> bool:
    """Return whether a case comes with worlds, and nothing is added to the model that they were made with."""
    return not mechanisms and (folder / FOLDER).is_dir()


def loaded(folder: Path, parameters: str | None, mechanisms: Sequence[str]) -> Case:
    """Return a case whose runs are its worlds, live under its posterior, or have its values.

    Parameters
    ----------
    folder : of the case.
    parameters : ``"worlds"``, ``"posterior"``, ``"values"``; by default the first of these that it has.
    mechanisms : that are added to the model.

    Raises
    ------
    UsageError
        for worlds of a case that comes with none, or of another case.
    """
    from breakrank import load_case
    from breakrank.questions.condition.worlds import read_worlds

    there = has_worlds(folder, mechanisms)
    if parameters == "worlds" and not there:
        raise UsageError("this case comes with no worlds; ask for its posterior or its values")
    if there and parameters in (None, "worlds"):
        case = load_case(folder, "values", mechanisms)
        return read_worlds(folder / FOLDER, case).of(case)
    under = None if parameters is None else "posterior" if parameters == "posterior" else "values"
    return load_case(folder, under, mechanisms)  # type: ignore[arg-type]
