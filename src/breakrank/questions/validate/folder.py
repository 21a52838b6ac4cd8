"""The folder of a validation: tables, and a chart of each hold-out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.questions.validate.chart import forecast_chart
from breakrank.runs.atomic_file import write_files

if TYPE_CHECKING:
    from breakrank.questions.validate.result import Validation

FILES = ("validation.csv", "validation.json")


def save(found: Validation, folder: Path) -> None:
    """Write the tables and charts; whole files only."""
    files = {
        FILES[0]: found.table().to_csv(index=False, lineterminator="\n"),
        FILES[1]: json.dumps(found.as_json(), indent=1, allow_nan=False) + "\n",
    }
    for trial in found.trials:
        if trial.course is not None:
            files[f"forecast-{trial.case}.svg"] = forecast_chart(trial).svg()
    write_files(folder, files)
