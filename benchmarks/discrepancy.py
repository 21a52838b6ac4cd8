"""The discrepancy of the model, from its errors in forecasting the next figure.

``python benchmarks/discrepancy.py FOLDER`` reads a result of ``breakrank hindcast``. Of each figure it takes
the model's last forecast before it was published, and the difference between the observed figure and the
median on the scale on which figures are compared. The standard deviation of these differences, from their
median absolute value, is :data:`breakrank.inference.observed.DISCREPANCY`: a figure binds parameters no more
closely than the model has forecast the next one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cyclopts
import numpy as np
import pandas as pd

from breakrank.inference.observed import logit
from breakrank.questions.forecasters import MODEL

NORMAL = 1.4826
"""Standard deviation of normal differences over their median absolute value."""


def one_step_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the error of the model's last forecast of each figure, by case and target.

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


def main(folder: Path) -> None:
    """Print each error in the result of a hindcast, and the discrepancy."""
    errors = one_step_errors(pd.read_csv(folder / "hindcast.csv"))
    sys.stdout.write(errors.round(2).to_string(index=False) + "\n")
    size = NORMAL * float(errors["error"].abs().median())
    sys.stdout.write(f"{len(errors)} figures; standard deviation {size:.2f}\n")


if __name__ == "__main__":
    cyclopts.run(main)
