"""What is read from hindcasts of the built-in cases: a page of scores, the model's discrepancy, pool weights.

    python -m benchmarks.hindcasts page FOLDER           # docs/explanation/hindcasts.md
    python -m benchmarks.hindcasts discrepancy FOLDER
    python -m benchmarks.hindcasts weights FOLDER

Each reads what ``breakrank hindcast --out FOLDER`` wrote for all cases.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cyclopts
import numpy as np
import pandas as pd

import breakrank
from benchmarks.report import ROOT, markdown, processor, shown
from breakrank.answer.answer import Answer
from breakrank.answer.files import load_answer
from breakrank.inference.observed import Array, logit
from breakrank.questions.forecasters import MODEL, PARTS
from breakrank.questions.hindcast import QUANTILES, geometric_mean
from breakrank.results.uncertainty import LEVELS

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
DRAWS = 200
WEIGHTS = np.arange(0.2, 1.0, 0.05)
"""Weights of the model that are tried."""


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


class Scored(NamedTuple):
    """A figure as forecasters see it: the model first.

    Attributes
    ----------
    case : its id. off : mean distance of each forecaster's draws from the figure (n,).
    apart : mean distance of draws of each two forecasters (n, n).
    """

    case: str
    off: Array
    apart: Array

    def crps(self, weight: float) -> float:
        """Return the CRPS of the pool with a weight of the model."""
        n = len(self.off)
        w = np.r_[weight, np.full(n - 1, (1.0 - weight) / (n - 1))]
        return float(w @ self.off - 0.5 * w @ self.apart @ w)

    def ratio(self, weight: float) -> float:
        """Return the CRPS of the pool with a weight of the model, as a share of that with equal weights."""
        return self.crps(weight) / self.crps(1 / len(self.off))


def figures(rows: pd.DataFrame) -> list[Scored]:
    """Return the figures of a hindcast of which the model and others have said something."""
    mine = rows[(rows["kind"] == "figure") & rows["as_of"].notna() & rows["forecaster"].isin(PARTS)]
    at = (np.arange(DRAWS) + 0.5) / DRAWS  # draws come from the quantiles that a hindcast keeps
    found = []
    for (case, _, _), part in mine.groupby(["case", "as_of", "target"]):
        ordered = part.sort_values("forecaster", key=lambda names: names != MODEL, kind="stable")
        if len(ordered) < 2 or ordered["forecaster"].iloc[0] != MODEL:
            continue
        draws = np.array([np.interp(at, LEVELS, q) for q in ordered[list(QUANTILES)].to_numpy(float)])
        middle = float(ordered[["observed_low", "observed_high"]].iloc[0].mean())
        apart = np.abs(draws[:, None, :, None] - draws[None, :, None, :]).mean(axis=(2, 3))
        found.append(Scored(str(case), np.abs(draws - middle).mean(axis=1), apart))
    return found


def by_case(scored: Sequence[Scored], weight: float) -> dict[str, float]:
    """Return the CRPS of each case with a weight of the model, as a share of that with equal weights."""
    cases = sorted({one.case for one in scored})
    return {c: geometric_mean([one.ratio(weight) for one in scored if one.case == c]) for c in cases}


def learned(scored: Sequence[Scored]) -> float:
    """Return the weight of the model with the least CRPS, each case counting the same."""
    return min(WEIGHTS, key=lambda w: geometric_mean(list(by_case(scored, w).values())))


@app.command
def weights(folder: Path) -> None:
    """Print for each case what weight the others give the model in the pool, and scores with it.

    All others share the rest equally. Beside it stand halfway between it and equal weights (Clemen 1989:
    simple averages are hard to beat), and half.
    """
    scored = figures(pd.read_csv(folder / SCORES))
    rows = []
    for case in sorted({one.case for one in scored}):
        own = [one for one in scored if one.case == case]
        weight = learned([one for one in scored if one.case != case])
        equal = float(np.mean([1.0 / len(one.off) for one in scored if one.case != case]))
        tried = (weight, (weight + equal) / 2, 0.5)
        shares = [f"{by_case(own, w)[case]:.2f}" for w in tried]
        rows.append([case, str(len(own)), f"{weight:.2f}", *shares])
    heads = ["case left out", "figures", "weight from the others", "CRPS with it, of equal"]
    sys.stdout.write(markdown([*heads, "halfway", "half"], rows) + "\n")


if __name__ == "__main__":
    app()
