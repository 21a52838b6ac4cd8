"""Cases checked against the model as assembled: the public way to load, check, list and make them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.case import Case, Warning_


def list_cases() -> tuple[str, ...]:
    """Return the names of the built-in cases, sorted."""
    from breakrank import case

    return case.list_cases()


def load_case(name_or_path: str | Path) -> Case:
    """Load a built-in case by name, or a case from its folder, and check all of it against the model.

    Raises
    ------
    UsageError
        when there is no such case.
    CaseError
        for the first thing in it that cannot be used: file, line, key, what was found and what is expected.
    """
    from breakrank import case, model

    return case.load_case(name_or_path, model.catalogue())


def as_case(case: Case | str | os.PathLike[str]) -> Case:
    """Return a case as it is, or loaded by :func:`load_case` from its name or folder."""
    if isinstance(case, str | os.PathLike):
        return load_case(Path(case) if isinstance(case, os.PathLike) else case)
    return case


def check_case(path: str | Path) -> list[Warning_]:
    """Check a case folder and return what is strange in it: file, line, text and remedy of each.

    Raises
    ------
    CaseError
        for the first thing that cannot be used.
    """
    from breakrank import case, model

    return case.check_case(path, model.catalogue())


def new_case(folder: str | Path) -> Path:
    """Write a commented template of a case that runs into a new or empty folder, and return that folder.

    Raises
    ------
    UsageError
        for a folder whose name is no id of a case, or that is not empty.
    """
    from breakrank import case, model

    return case.new_case(folder, model.catalogue())
