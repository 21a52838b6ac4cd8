"""The folder a calibration is kept in: written whole or not at all, read back as it was.

::

    calibration.json   how it was made, and the verdict
    posterior/         draws.csv and about.yaml, ready to be put into the case folder
    tables/            every table as CSV
    report.html        the same for readers
"""

from __future__ import annotations

from pathlib import Path

from breakrank.case.posterior import files_of_posterior
from breakrank.questions.calibrate.data import CalibrationData
from breakrank.questions.calibrate.html import render
from breakrank.results.folder import whole_folder
from breakrank.results.json_files import json_ready, says_format, write_json

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
            "verdict": calibration.verdict,
            "about": calibration.about,
        }
        write_json(staging / NAME, json_ready(told))
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
    names = ("parameters", "targets", "rounds", "directions", "coverage")
    tables = {name: calibration.tables[name].reset_index().to_dict("records") for name in names}
    return json_ready({"verdict": calibration.verdict, **calibration.about, "tables": tables})


def is_calibration(folder: Path) -> bool:
    """Say whether a folder is that of a calibration."""
    return says_format(folder / NAME, "breakrank_calibration")
