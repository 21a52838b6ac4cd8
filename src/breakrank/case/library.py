"""The built-in cases, and loading a case by name or by folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from breakrank.case.case import Case
from breakrank.case.changes import naming
from breakrank.case.check_counterfactuals import check_counterfactuals, check_finite_fields
from breakrank.case.check_evidence import check_evidence, check_targets
from breakrank.case.check_fields import check_events, check_fields, check_finite, check_parameters
from breakrank.case.checks import check_command, check_force, check_patterns, check_routes, check_sites
from breakrank.case.content import Loaded, read_folder
from breakrank.case.documents import read_yaml
from breakrank.case.draws import read_draws
from breakrank.case.models_case import FORMAT
from breakrank.case.money import converted
from breakrank.case.posterior import FOLDER, Posterior, read_posterior
from breakrank.case.source import Folder
from breakrank.errors import CaseError, FaultyCaseError, Location, UsageError, gathered, nearest
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


@dataclass(frozen=True)
class Opened:
    """A case, its folder, and the documents it was read from."""

    case: Case
    folder: Path
    loaded: Loaded


Known: TypeAlias = Catalogue | Callable[[tuple[str, ...]], Catalogue]
"""What the model reads, or how to find it for a case that names these mechanisms beside the built-in ones."""


def load_case(name_or_path: str | Path, catalogue: Known) -> Case:
    """Load a built-in case by name, or a case from its folder, and check all of it.

    Parameters
    ----------
    name_or_path : one of :func:`list_cases`, or a folder.
    catalogue : the parameters and fields that the model reads, or a function that returns them for the
        mechanisms that the case names.

    Raises
    ------
    UsageError
        when there is no such case.
    CaseError
        for the first thing in it that cannot be used: file, line, key, what was found and what is expected.
    """
    try:
        return open_case(name_or_path, catalogue).case
    except FaultyCaseError as found:
        first = found.errors[0]
    raise first  # not from within: an error and its context that hold each other cannot be sent to a process


def open_case(name_or_path: str | Path, catalogue: Known) -> Opened:
    """Load a case as :func:`load_case` does, keeping its documents for messages.

    Raises
    ------
    UsageError
        when there is no such case.
    FaultyCaseError
        for all in it that cannot be used, as far as it can be told at once: what files say together is
        checked once each can be read.
    """
    folder = case_folder(name_or_path)
    try:
        return _opened(folder, catalogue)
    except FaultyCaseError as found:
        if _said(folder).get("breakrank") != 1:
            raise
        place, remedy = (
            Location(folder / "case.yaml", key="breakrank"),
            f"Call `breakrank case migrate {folder}`.",
        )
        older = CaseError(f"this case is of format 1, and {FORMAT} is the present one", place, remedy)
        raise FaultyCaseError([older, *found.errors]) from None


def _opened(folder: Path, catalogue: Known) -> Opened:
    with gathered() as found:
        known = _likely(folder, catalogue)
        with found.kept():
            loaded = read_folder(folder)
            known = _known(loaded, catalogue)
            loaded = converted(loaded, known)
            _check(loaded, known)
        with found.kept():
            posterior = _posterior(folder, known)
        with found.kept():
            draws = read_draws(folder, known.parameters)
    case = Case(naming(loaded.content, known), known, None, posterior)
    return Opened(case.with_draws(draws), folder, loaded)


def _likely(folder: Path, catalogue: Known) -> Catalogue:
    """Return the model's inputs with the mechanisms that a case names; of a broken case, those known.

    What stands beside the case is checked against it, though the case may be faulty.
    """
    if isinstance(catalogue, Catalogue):
        return catalogue
    try:
        return catalogue(tuple(name for name in _said(folder)["mechanisms"] if ":" not in name))
    except (UsageError, KeyError, TypeError):
        return catalogue(())


def _said(folder: Path) -> Mapping[str, Any]:
    """Return what case.yaml says, as far as it can be read."""
    try:
        said = read_yaml(Folder(folder).read("case.yaml"), folder / "case.yaml").data
    except CaseError:
        return {}
    return said if isinstance(said, dict) else {}


def _known(loaded: Loaded, catalogue: Known) -> Catalogue:
    """Return the inputs of the model with the mechanisms that a case names; CaseError for an unknown one.

    What a file says imports no module: beside installed packages that offer mechanisms, it may only name
    what the process has imported already.
    """
    named, document = loaded.content.case.mechanisms, loaded.documents["case.yaml"]
    for k, name in enumerate(named):
        module = name.partition(":")[0]
        if module != name and module not in sys.modules:
            remedy = f"Import {module} first, or install a package that offers it."
            raise document.error(("mechanisms", k), f"the mechanism {name!r} is not installed", remedy)
    try:
        known = catalogue if isinstance(catalogue, Catalogue) else catalogue(named)
    except UsageError as error:
        problem, _, remedy = str(error).partition("\n")
        raise document.error(("mechanisms",), problem, remedy.strip()) from None
    if not set(named) <= set(known.mechanisms):
        raise document.error(("mechanisms",), "this case needs mechanisms that the model does not have")
    return known


def _posterior(folder: Path, catalogue: Catalogue) -> Posterior | None:
    path = folder / FOLDER
    if not os.path.lexists(path):
        return None
    if path.is_symlink() or not path.is_dir():
        raise CaseError(
            "this is a link or a file; the posterior of a case is a folder",
            Location(path),
            "Copy the folder into the case, or take it away.",
        )
    return read_posterior(path, catalogue)


def _check(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check a case as a whole; FaultyCaseError as :func:`open_case`."""
    content, documents = loaded.content, loaded.documents
    events, asked = documents["events.yaml"], documents["counterfactuals.yaml"]
    checks: tuple[Callable[[], None], ...] = (
        lambda: check_force(loaded, catalogue),
        lambda: check_command(loaded),
        lambda: check_routes(loaded),
        lambda: check_sites(loaded),
        lambda: check_evidence(loaded),
        lambda: check_fields(loaded, catalogue),
        lambda: check_events(content.events, events, content, catalogue),
        lambda: check_parameters(loaded, catalogue),
        lambda: check_targets(loaded, catalogue),
        lambda: check_patterns(loaded, catalogue),
        lambda: check_counterfactuals(content.counterfactuals, asked, content, catalogue),
    )
    with gathered() as found:
        for check in checks:
            with found.kept():
                check()
    with gathered() as found:
        with found.kept():
            check_finite(content.events, events, content, catalogue)
        check_finite_fields(content.counterfactuals, asked, content, catalogue)
