"""Scores of forecasts as rows of a table, and what follows from them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.questions.calibrate.reported import ends
from breakrank.questions.hindcast.figures import kind_of
from breakrank.questions.hindcast.forecasters import BASELINES, MODEL, PARTS, POOL, Prediction
from breakrank.results.outcomes import known_from
from breakrank.results.quantiles import LEVELS
from breakrank.results.scores import brier, covered, crps

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case, Target

QUANTILES = ("q05", "q25", "median", "q75", "q95")
GOOD = 1e-3
"""Share of a score below which another is as good."""


def score_rows(
    question: Target, case: Case, day: dt.date | None, said: Mapping[str, Prediction]
) -> list[dict[str, Any]]:
    """Return a row for each forecaster of a figure: what it said, and its score.

    A figure is scored by the CRPS in its unit, a range at its middle; a bound and a yes or no by the Brier
    score, from the chance of what was observed.
    """
    low, high = ends(question)
    kind = kind_of(question)
    about = {
        "case": case.id,
        "as_of": "" if day is None else str(day),
        "target": question.id,
        "label": question.label,
        "unit": question.unit,
        "date": str(question.date),
        "known_on": str(known_from(question, case) or ""),
        "kind": kind,
        "observed_low": low,
        "observed_high": high,
    }
    rows = []
    for name, one in said.items():
        row: dict[str, Any] = {**about, "forecaster": name, "chance": None, "in50": None, "in90": None}
        row |= dict.fromkeys(QUANTILES)
        if isinstance(one, np.ndarray):
            row |= dict(zip(QUANTILES, np.quantile(one, LEVELS).tolist(), strict=True))
        if kind == "figure":
            x = np.asarray(one)
            row |= {"score_kind": "CRPS", "score": crps(x, (low + high) / 2)}
            row |= {f"in{level}": covered(x, low, high, level / 100) for level in (50, 90)}
        else:
            if kind == "bound":
                chance = float(((one >= low) & (one <= high)).mean())  # type: ignore[union-attr]
            else:
                chance = float(one) if low > 0 else 1.0 - float(one)
            row |= {"score_kind": "Brier", "score": brier(chance, True), "chance": chance}
        rows.append(row)
    return rows


def best(figure: pd.DataFrame) -> list[str]:
    """Return the forecasters with the lowest score at one figure; several where they are as good."""
    least = figure["score"].min()
    return list(figure.loc[figure["score"] <= least * (1 + GOOD) + 1e-9, "forecaster"])


def ratio(table: pd.DataFrame, one: str, other: str) -> tuple[float, int]:
    """Return the CRPS of a forecaster as a share of another's, and at how many figures both have one.

    It is the geometric mean over figures; those where either is exact are left out. Not a number where there
    is none.
    """
    figures = table[table["score_kind"] == "CRPS"]
    wide = figures.pivot_table("score", ["case", "as_of", "target"], "forecaster", dropna=False)
    if one not in wide or other not in wide:
        return np.nan, 0
    both = wide[(wide[one] > 0) & (wide[other] > 0)]
    return (float(np.exp(np.log(both[one] / both[other]).mean())), len(both)) if len(both) else (np.nan, 0)


def summarise(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a row for each case and forecaster: scores beside the pool's, and coverage.

    ``figures`` scored by CRPS, ``crps`` as a share of the pool's (geometric mean), ``in50`` and ``in90`` as
    shares of them; ``chances`` scored by Brier, ``brier`` their mean.
    """
    rows = []
    for (case, name), part in table.groupby(["case", "forecaster"], sort=False):
        counts, chances = (part[part["score_kind"] == kind] for kind in ("CRPS", "Brier"))
        rows.append(
            {
                "case": case,
                "forecaster": name,
                "figures": len(counts),
                "crps": ratio(table[table["case"] == case], name, POOL)[0],
                "in50": counts["in50"].mean() if len(counts) else np.nan,
                "in90": counts["in90"].mean() if len(counts) else np.nan,
                "chances": len(chances),
                "brier": chances["score"].mean(),
            }
        )
    return rows


def verdict(table: pd.DataFrame, parts: Collection[str] = PARTS) -> Iterator[str]:
    """Yield what follows from scores, in sentences; who carries the forecasts comes first."""
    beside = {name: ratio(table, MODEL, name) for name in BASELINES}
    ahead = {name: (share, n) for name, (share, n) in beside.items() if share > 1}
    if ahead:
        name = max(ahead, key=lambda one: ahead[one][0])
        share, n = ahead[name]
        yield (
            f"A baseline carries these forecasts: the CRPS of the model is {share:.2f} of that of the {name} "
            f"(geometric mean, {n} figures)."
        )
    elif any(n for _, n in beside.values()):
        yield "No baseline is nearer than the model, as a geometric mean of CRPS."
    for name in parts:
        share, n = ratio(table, POOL, name)
        if n:
            yield f"The CRPS of the pool is {share:.2f} of that of the {name} ({n} figures)."
    pool = table[(table["forecaster"] == POOL) & (table["score_kind"] == "CRPS")]
    if len(pool):
        met = ", ".join(f"{level}%: {int(pool[f'in{level}'].sum())}" for level in (50, 90))
        yield f"Intervals of the pool that hold the figure, of {len(pool)}: {met}."
