"""What is read from hindcasts of the built-in cases: ``docs/explanation/hindcasts.md``, and the discrepancy.

    python -m benchmarks.hindcasts discrepancy FOLDER

It reads what ``breakrank hindcast --out FOLDER`` wrote for all cases.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import cyclopts
import numpy as np
import pandas as pd

from benchmarks.report import ROOT, markdown
from breakrank.answer.cells import grid
from breakrank.answer.files import load_answer
from breakrank.inference.observed import logit
from breakrank.questions.forecasters import MODEL

app = cyclopts.App(name="hindcasts", help="What is read from hindcasts of the built-in cases.")
STATIC = ROOT / "docs" / "_static"
SCORES = "forecasts.csv"
KEPT = {SCORES: "hindcast.csv", "scores.svg": "hindcast.svg"}
"""Files of a hindcast that the page shows, under the names that they have there."""
NORMAL = 1.4826
"""Standard deviation of normal differences over their median absolute value."""


def blocks(folder: Path) -> dict[str, str]:
    """Return what the page says of a hindcast, and put its chart and its table beside the page."""
    found = load_answer(folder)
    scores = grid(found["summary"], found["summary"].rows)
    days: dict[str, list[str]] = {}
    for one in found["days"].records():
        days.setdefault(one["case"], []).append(f"{one['as_of']} ({one['ess']:.0f})")
    for made, name in KEPT.items():
        shutil.copyfile(folder / made, STATIC / name)
    return {
        "findings": "\n".join(f"- {line}" for line in (found.figures[0].title, *found.notes)),
        "scores": markdown(scores.columns, scores.rows),
        "days": "\n".join(f"- {case}: {', '.join(told)}" for case, told in days.items()),
    }


def one_step_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the error of the model's last forecast of each figure, by case and target.

    It is the difference between the observed figure and the median, on the scale on which figures are
    compared.

    Parameters
    ----------
    rows : of a hindcast, one for each forecaster, figure and day.
    """
    mine = rows[(rows["forecaster"] == MODEL) & (rows["kind"] == "figure")]
    mine = mine.sort_values("as_of").groupby(["case", "target"]).tail(1)
    share = (mine["unit"] == "share").to_numpy()
    observed = ((mine["observed_low"] + mine["observed_high"]) / 2).to_numpy()
    forecast = mine["median"].to_numpy()
    errors = np.where(share, logit(observed) - logit(forecast), np.log1p(observed) - np.log1p(forecast))
    return mine[["case", "target", "as_of", "date"]].assign(error=errors)


@app.command
def discrepancy(folder: Path) -> None:
    """Print the errors of the model's last forecasts, and the discrepancy.

    That is their standard deviation, from their median absolute value:
    :data:`breakrank.inference.observed.DISCREPANCY`. A figure binds parameters no more closely than the model
    has forecast the next one.
    """
    errors = one_step_errors(pd.read_csv(folder / SCORES))
    sys.stdout.write(errors.round(2).to_string(index=False) + "\n")
    size = NORMAL * float(errors["error"].abs().median())
    sys.stdout.write(f"{len(errors)} figures; standard deviation {size:.2f}\n")


if __name__ == "__main__":
    app()
