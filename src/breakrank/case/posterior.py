"""The posterior of a case: what calibration left of its priors, kept as draws in a folder of the case.

::

    posterior/draws.csv     a row a draw, all equally likely; a column a parameter
    posterior/about.yaml    what it was fitted to, with which versions and settings, and how well; at its end
                            a SHA-256 of what stands before and of the draws

It is no part of the case's digest: what a run lives under are the draws it is given.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.documents import read_yaml
from breakrank.case.draws import Draws, checked
from breakrank.case.files import table_text, to_yaml, write_folder
from breakrank.case.source import Folder
from breakrank.errors import CaseError, Location, UsageError

if TYPE_CHECKING:
    from breakrank.spec import Catalogue


FOLDER, TABLE, ABOUT = "posterior", "draws.csv", "about.yaml"

SEAL = "checksum: "
"""How the last line of about.yaml begins; what was written before there was one is read without it."""
REMEDY = "Calibrate the case again, or take the folder away."


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """Draws of a case's parameters given its record, all equally likely.

    Attributes
    ----------
    draws : the draws.
    about : what it was fitted to and how, as in about.yaml; ``fitted_to`` is that of
        :func:`~breakrank.case.fitting.fitted_to`.
    """

    draws: Draws
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", MappingProxyType(dict(self.about)))

    def mistaken(self, case: str) -> str:
        """Return why it is not that of the case with this id, in words; empty if it is, or does not say."""
        whose = self.about.get("case", case)
        return "" if whose == case else f"this is the posterior of {whose}, and not of {case}"

    def __repr__(self) -> str:
        made = ", ".join(f"{k} {v}" for k, v in self.about.items() if isinstance(v, str | int | float))
        return f"Posterior: {self.draws!r}\n└── {made or 'nothing is said of how it was made'}"


def read_posterior(path: Path, catalogue: Catalogue) -> Posterior:
    """Return the posterior in a folder.

    Raises
    ------
    CaseError
        for a file that is missing or cannot be used, or parameters that the model does not have.
    """
    folder = Folder(path, (TABLE, ABOUT))
    text, _, sealed = folder.read(ABOUT).partition(f"\n{SEAL}")
    about = read_yaml(text, folder.file(ABOUT)).data
    if not isinstance(about, dict):
        raise CaseError("a mapping is expected", Location(folder.file(ABOUT)), REMEDY)
    table = folder.file(TABLE)
    names, values = _table(folder.read(TABLE), table)
    try:
        found = Posterior(checked(Draws(names, values, shuffled=True), catalogue.parameters), about)
    except UsageError as error:
        raise CaseError(str(error), Location(table), REMEDY) from None
    if sealed and sealed.strip() != seal(f"{text}\n", folder.read(TABLE)):
        problem = "this posterior is not what was written (its checksum differs)"
        raise CaseError(problem, Location(table), REMEDY)
    return found


def _table(text: str, file: Path) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Return the header and the numbers of a table."""
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names = next(lines)
        rows = [[float(cell) for cell in row] for row in lines if row]
        values = np.array(rows, np.float64).reshape(-1, len(names))
    except (csv.Error, ValueError) as error:
        place = Location(file, max(1, lines.line_num))
        raise CaseError(f"this is not a valid table: {error}", place, REMEDY) from None
    return tuple(names), values


def files_of_posterior(posterior: Posterior) -> dict[str, str]:
    """Return the text of both files by name; values have six digits."""
    rows = ([f"{x:.6g}" for x in row] for row in posterior.draws.values.tolist())
    draws, about = table_text(posterior.draws.names, rows), to_yaml(dict(posterior.about))
    return {TABLE: draws, ABOUT: f"{about}{SEAL}{seal(about, draws)}\n"}


def seal(*texts: str) -> str:
    """Return the SHA-256 of the texts of some files."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def write_posterior(posterior: Posterior, folder: Path) -> Path:
    """Write a posterior into a new or empty folder, all or nothing, and return the folder.

    Raises
    ------
    UsageError
        when the folder exists and is not empty, or cannot be written.
    """
    return write_folder(folder, files_of_posterior(posterior))
