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
from pathlib import Path

import numpy as np

from breakrank.case.posterior import files_of_posterior
from breakrank.questions.calibrate.data import CalibrationData
from breakrank.questions.calibrate.html import render
from breakrank.results.folder import whole_folder

FORMAT = 1
"""Version of the folder's layout, under ``breakrank_calibration`` in ``calibration.json``."""
NAME, REPORT = "calibration.json", "report.html"
OWN = frozenset({NAME, REPORT, "posterior", "tables"})
"""What the folder consists of."""


def save(calibration: CalibrationData, folder: Path) -> Path:
    """Write a calibration; see :meth:`~breakrank.questions.calibrate.result.Calibration.save`."""
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


def as_json(calibration: CalibrationData) -> dict[str, object]:
    """Return what is found, ready for JSON."""
    tables = {
        name: plain(calibration.tables[name].reset_index().to_dict("records"))
        for name in ("parameters", "targets", "rounds", "directions", "coverage")
    }
    about = {name: plain(value) for name, value in calibration.about.items()}
    return {"verdict": list(calibration.verdict), **about, "tables": tables}


def is_calibration(folder: Path) -> bool:
    """Say whether a folder is that of a calibration."""
    try:
        return isinstance(json.loads((folder / NAME).read_text("utf-8"))["breakrank_calibration"], int)
    except (OSError, ValueError, KeyError, TypeError):
        return False


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
