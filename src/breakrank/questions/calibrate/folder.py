"""The folder a calibration is kept in: written whole or not at all, read back as it was.

::

    calibration.json   how it was made, and the verdict
    posterior/         draws.csv and about.yaml, ready to be put into the case folder
    tables/            every table as CSV
    report.html        the same for readers, where the extra ``report`` is installed
"""

from __future__ import annotations

import json
import math
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.posterior import files_of_posterior, read_posterior
from breakrank.errors import BreakrankError, UsageError
from breakrank.model import catalogue
from breakrank.questions.calibrate.html import render
from breakrank.questions.calibrate.result import TABLES, Calibration
from breakrank.results.folder import whole_folder

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case.posterior import Posterior

FORMAT = 1
"""Version of the folder's layout, under ``breakrank_calibration`` in ``calibration.json``."""
NAME, REPORT = "calibration.json", "report.html"
OWN = frozenset({NAME, REPORT, "posterior", "tables"})
"""What the folder consists of."""


def save(calibration: Calibration, folder: Path) -> Path:
    """Write a calibration; see :meth:`Calibration.save`."""
    with whole_folder(folder, is_calibration, OWN) as staging:
        told = {
            "breakrank_calibration": FORMAT,
            "verdict": list(calibration.verdict),
            "about": plain(calibration.about),
        }
        text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False)
        (staging / NAME).write_text(text + "\n", "utf-8", newline="\n")
        (staging / "tables").mkdir()
        for name, frame in calibration.tables.items():
            frame.to_csv(staging / "tables" / f"{name}.csv", lineterminator="\n")
        (staging / "posterior").mkdir()
        for name, text in files_of_posterior(calibration.posterior).items():
            (staging / "posterior" / name).write_text(text, "utf-8", newline="\n")
        (staging / REPORT).write_text(render(calibration), "utf-8", newline="\n")
    return folder


def as_json(calibration: Calibration) -> dict[str, object]:
    """Return what is found, ready for JSON."""
    tables = {
        name: plain(calibration.tables[name].reset_index().to_dict("records"))
        for name in ("parameters", "targets", "rounds", "directions", "coverage")
    }
    about = {name: plain(value) for name, value in calibration.about.items()}
    return {"verdict": list(calibration.verdict), **about, "tables": tables}


def load_calibration(folder: str | PathLike[str]) -> Calibration:
    """Read a calibration from its folder.

    Raises
    ------
    BreakrankError
        if the folder holds none, or one of another format.
    """
    folder = Path(folder)
    if not is_calibration(folder):
        raise BreakrankError(f"{folder} is no calibration of Breakrank's: it has no readable {NAME}")
    told = json.loads((folder / NAME).read_text("utf-8"))
    if told["breakrank_calibration"] != FORMAT:
        raise BreakrankError(
            f"{folder} has calibration format {told['breakrank_calibration']}, this Breakrank reads {FORMAT}"
        )
    try:
        tables = {name: _table(folder / "tables" / f"{name}.csv") for name in TABLES}
    except (OSError, ValueError) as error:
        raise BreakrankError(f"{folder} is incomplete: {error}") from error
    about = {k: float("nan") if v is None else v for k, v in told["about"].items()}
    return Calibration(load_posterior(folder / "posterior"), tuple(told["verdict"]), about, tables)


def load_posterior(folder: str | PathLike[str]) -> Posterior:
    """Read the posterior in a folder: of a calibration, of a case, or anywhere else.

    Raises
    ------
    UsageError
        when there is no such folder.
    CaseError
        for a file that cannot be used, or a parameter that the model does not have.
    """
    if not Path(folder).is_dir():
        raise UsageError(f"there is no folder {folder}")
    return read_posterior(Path(folder), catalogue())


def is_calibration(folder: Path) -> bool:
    """Say whether a folder is that of a calibration."""
    try:
        return isinstance(json.loads((folder / NAME).read_text("utf-8"))["breakrank_calibration"], int)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _table(path: Path) -> pd.DataFrame:
    import pandas as pd

    return pd.read_csv(path, index_col=0)


def plain(value: object) -> object:
    """Return what JSON can hold: no infinite number, and none that is no number."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
