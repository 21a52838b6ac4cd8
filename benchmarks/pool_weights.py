"""What weight the model deserves in the pool: learned from the hindcasts of some cases, tried on another.

``python benchmarks/pool_weights.py FOLDER`` reads a result of ``breakrank hindcast``. The weight of the model
that gives the least CRPS is learned from all cases but one, each case counting the same; all others share the
rest equally. Halfway between it and equal weights (Clemen 1989: simple averages are hard to beat),
and with half for every case, the pool is scored on the case left out, beside the pool of equal weights. Draws
come from the quantiles that a hindcast keeps.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    ROOT = Path(__file__).resolve().parents[1]
    sys.path[0:1] = [str(ROOT), str(ROOT / "src")]

import cyclopts
import numpy as np
import pandas as pd

from benchmarks.tables import markdown
from breakrank.inference.observed import Array
from breakrank.questions.forecasters import MODEL, PARTS
from breakrank.questions.hindcast import QUANTILES, geometric_mean
from breakrank.results.uncertainty import LEVELS

DRAWS = 200
WEIGHTS = np.arange(0.2, 1.0, 0.05)
"""Weights of the model that are tried."""


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
        """Return the CRPS of the pool with a weight of the model; below 0: equal weights."""
        n = len(self.off)
        w = np.full(n, 1.0 / n) if weight < 0 else np.r_[weight, np.full(n - 1, (1.0 - weight) / (n - 1))]
        return float(w @ self.off - 0.5 * w @ self.apart @ w)

    def ratio(self, weight: float) -> float:
        """Return the CRPS of the pool with a weight of the model, as a share of that with equal weights."""
        return self.crps(weight) / self.crps(-1.0)


def figures(rows: pd.DataFrame) -> list[Scored]:
    """Return the figures of a hindcast of which the model and others have said something."""
    mine = rows[(rows["kind"] == "figure") & rows["as_of"].notna() & rows["forecaster"].isin(PARTS)]
    at = (np.arange(DRAWS) + 0.5) / DRAWS
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


def main(folder: Path) -> None:
    """Print for each case in the result of a hindcast the weight that the others give, and scores with it."""
    scored = figures(pd.read_csv(folder / "hindcast.csv"))
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
    cyclopts.run(main)
