"""Read a calibration, or a posterior, from its folder."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.case.posterior import read_posterior
from breakrank.errors import BreakrankError, UsageError
from breakrank.model import catalogue
from breakrank.questions.calibrate.data import TABLES
from breakrank.questions.calibrate.folder import FORMAT, NAME, is_calibration
from breakrank.questions.calibrate.result import Calibration
from breakrank.results.json_files import intact

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case.posterior import Posterior


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
    with intact(folder / NAME, "a calibration"):
        told = json.loads((folder / NAME).read_text("utf-8"))
        if told["breakrank_calibration"] != FORMAT:
            raise BreakrankError(
                f"{folder} has calibration format {told['breakrank_calibration']}, "
                f"this Breakrank reads {FORMAT}"
            )
        about = {k: float("nan") if v is None else v for k, v in told["about"].items()}
        verdict = tuple(told["verdict"])
    tables = {name: _table(folder / "tables" / f"{name}.csv") for name in TABLES}
    return Calibration(load_posterior(folder / "posterior"), verdict, about, tables)


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


def _table(path: Path) -> pd.DataFrame:
    import pandas as pd

    with intact(path, "a table of a calibration"):
        return pd.read_csv(path, index_col=0)
