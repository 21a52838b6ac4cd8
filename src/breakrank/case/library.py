"""The built-in cases, and loading a case by name or by folder."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from breakrank.case.case import Case
from breakrank.case.check_command import check_command
from breakrank.case.check_counterfactuals import check_counterfactuals
from breakrank.case.check_evidence import check_evidence, check_targets
from breakrank.case.check_fields import check_events, check_fields
from breakrank.case.check_force import check_force
from breakrank.case.check_parameters import check_parameters
from breakrank.case.check_routes import check_routes
from breakrank.case.check_sites import check_sites
from breakrank.case.content import Loaded, read_folder
from breakrank.case.draws import FILE, read_draws
from breakrank.case.posterior import FOLDER, read_posterior
from breakrank.errors import CaseError, Place, UsageError, nearest
from breakrank.spec import Catalogue

LIBRARY = Path(__file__).parent / "library"
"""Folder of the built-in cases."""


def list_cases() -> tuple[str, ...]:
    """Return the names of the built-in cases, sorted."""
    if not LIBRARY.is_dir():
        return ()
    return tuple(sorted(p.name for p in LIBRARY.iterdir() if (p / "case.yaml").is_file()))


def case_folder(name_or_path: str | Path) -> Path:
    """Return the folder of a built-in case or of a case of the user's.

    A plain word names a built-in case first; anything with a separator is a path.

    Raises
    ------
    UsageError
        when there is neither; names the nearest built-in case.
    """
    text = os.fspath(name_or_path)
    known = list_cases()
    if text in known:
        return LIBRARY / text
    path = Path(text)
    if path.exists() and text:
        return path
    raise UsageError(
        f"there is no built-in case and no folder {text!r}{nearest(text, known)}\n"
        f"  Built-in cases: {', '.join(known) or 'none'}. Or name a folder that holds case.yaml."
    )


def load_case(name_or_path: str | Path, catalogue: Catalogue) -> Case:
    """Load a built-in case by name, or a case from its folder, and check all of it.

    Parameters
    ----------
    name_or_path : one of :func:`list_cases`, or a folder.
    catalogue : the parameters and fields that the model reads.

    Raises
    ------
    UsageError
        when there is no such case.
    CaseError
        for the first thing in it that cannot be used: file, line, key, what was found and what is expected.
    """
    folder = case_folder(name_or_path)
    case = Case(load_checked(folder, catalogue).content, catalogue)
    if (folder / FOLDER).is_dir():
        case = replace(case, posterior=read_posterior(folder / FOLDER, catalogue))
    draws = read_draws(folder)
    if draws is None:
        return case
    try:
        return case.with_draws(draws)
    except UsageError as error:
        raise CaseError(str(error), Place(folder / FILE)) from None


def load_checked(folder: Path, catalogue: Catalogue) -> Loaded:
    """Read a case folder and check it as a whole, keeping the documents for messages.

    Raises
    ------
    CaseError
        as :func:`load_case`.
    """
    loaded = read_folder(folder)
    check_force(loaded, catalogue)
    check_command(loaded)
    check_routes(loaded)
    check_sites(loaded)
    check_evidence(loaded)
    check_fields(loaded, catalogue)
    check_events(loaded.content.events, loaded.documents["events.yaml"], loaded.content, catalogue)
    check_parameters(loaded, catalogue)
    check_targets(loaded)
    asked = loaded.documents["counterfactuals.yaml"]
    check_counterfactuals(loaded.content.counterfactuals, asked, loaded.content, catalogue)
    return loaded
