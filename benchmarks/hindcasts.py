"""What is read from hindcasts of the built-in cases: a page of scores, and the model's discrepancy.

    python -m benchmarks.hindcasts page FOLDER           # docs/explanation/hindcasts.md
    python -m benchmarks.hindcasts discrepancy FOLDER

Each reads what ``breakrank hindcast --out FOLDER`` wrote for all cases.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import cyclopts
import numpy as np
import pandas as pd

import breakrank
from benchmarks.report import ROOT, markdown, processor, shown
from breakrank.answer.answer import Answer
from breakrank.answer.files import load_answer
from breakrank.inference.observed import logit
from breakrank.questions.forecasters import MODEL

app = cyclopts.App(name="hindcasts", help="What is read from hindcasts of the built-in cases.")
PAGE = ROOT / "docs" / "explanation" / "hindcasts.md"
STATIC = ROOT / "docs" / "_static"
TABLE, CHART = "hindcast.csv", "hindcast.svg"
"""What the page shows beside its words, under the names that it has there."""
SCORES, DRAWN = "forecasts.csv", "scores.svg"
"""The same in the folder of a hindcast."""
INTRODUCTION = """# Hindcasts of the built-in cases

What would have been forecast on each day on which a figure was published, scored on the figures that came
later ([how it is done](../how-to/hindcast.md)). Calibration on the whole record has no part in it.
"""
HEADS = (
    *("case", "forecaster", "figures", "compared", "CRPS / pool"),
    *("in 50%", "in 90%", "yes or no, bounds", "Brier"),
)
READING = """Few figures decide here, and they are of few cases. Where the pool's intervals hold less than
they say, as in Syria, they are too narrow. The ratios of cases left out lie on both sides of 1: **these
results do not show that psychological parameters transfer between countries.** Calibrate a case on its own
record.
"""
EXPLANATION = """"Compared" are the figures at which forecaster and pool differ: at most figures only the
model speaks, and the pool is the model. Below 1 a forecaster is nearer than the pool.
"""
NORMAL = 1.4826
"""Standard deviation of normal differences over their median absolute value."""


def page_of(found: Answer) -> str:
    """Return the page of a hindcast."""

    def score(value: float, form: str) -> str:
        return "" if np.isnan(value) else format(value, form)

    summary = found["summary"].records()
    titles = {one["case"]: breakrank.load_case(one["case"]).title for one in summary}
    rows = [
        (
            *(titles[one["case"]], one["forecaster"], str(one["figures"]), str(one["compared"] or "")),
            *(score(one["crps"], ".2f"), score(one["in50"], ".0%"), score(one["in90"], ".0%")),
            *(str(one["chances"]), score(one["brier"], ".3f")),
        )
        for one in summary
    ]
    days: dict[str, list[str]] = {}
    for one in found["days"].records():
        days.setdefault(one["case"], []).append(f"{one['as_of']} ({one['ess']:.0f})")
    parts = [INTRODUCTION, f"`{shown(found.provenance.command)}`, {processor()}.\n"]
    parts += [f"- {line}" for line in (found.figures[0].title, *found.notes)]
    parts += ["", READING, f"![CRPS of each forecast beside that of the pool](../_static/{CHART})\n"]
    parts += [markdown(HEADS, rows), "", EXPLANATION]
    parts.append("Days, with the effective number of the model's runs:\n")
    parts += [f"- {titles[case]}: {', '.join(told)}" for case, told in days.items()]
    parts.append(f"\nEvery forecast of every figure: {{download}}`{TABLE} <../_static/{TABLE}>`.")
    return "\n".join(parts).rstrip() + "\n"


@app.command
def page(folder: Path) -> None:
    """Write the page, its chart and its table."""
    PAGE.write_text(page_of(load_answer(folder)), encoding="utf-8", newline="\n")
    for made, name in ((SCORES, TABLE), (DRAWN, CHART)):
        shutil.copyfile(folder / made, STATIC / name)


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
