"""Scores of forecasts as rows of a table, and what follows from them."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.inference.reported import ends
from breakrank.questions.hindcast.figures import kind_of
from breakrank.questions.hindcast.forecasters import BASELINES, MODEL, PARTS, POOL, Prediction
from breakrank.results.outcomes import known_from
from breakrank.results.uncertainty import LEVELS, brier, covered, crps

if TYPE_CHECKING:
    from breakrank.case import Case, Target

Rows = Sequence[Mapping[str, Any]]
"""A row for each forecaster, figure and day, as :func:`score_rows` makes them."""
QUANTILES = ("q05", "q25", "median", "q75", "q95")
GOOD = 1e-3
"""Share of a score below which another is as good."""


def score_rows(
    question: Target, case: Case, day: dt.date | None, predicted: Mapping[str, Prediction]
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
    for name, one in predicted.items():
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


def best(figure: Rows) -> list[str]:
    """Return the forecasters with the lowest score at one figure; several where they are as good."""
    least = min(row["score"] for row in figure)
    return [row["forecaster"] for row in figure if row["score"] <= least * (1 + GOOD) + 1e-9]


def ratios(rows: Rows, one: str, other: str) -> list[float]:
    """Return the CRPS of a forecaster as a share of another's, for each figure and day.

    Those where either is exact are left out, and those where both are one forecast, as where the pool has a
    single part.
    """
    scores: dict[str, dict[tuple[str, ...], float]] = {one: {}, other: {}}
    for row in rows:
        if row["score_kind"] == "CRPS" and row["score"] > 0 and row["forecaster"] in scores:
            scores[row["forecaster"]][row["case"], row["as_of"], row["target"]] = row["score"]
    both = [(score, scores[other][at]) for at, score in scores[one].items() if at in scores[other]]
    return [mine / its for mine, its in both if mine != its]


def by_case(rows: Rows) -> dict[str, Rows]:
    """Return the rows of each case, in their order."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["case"], []).append(row)
    return dict(found)


def geometric_mean(shares: Sequence[float]) -> float:
    """Return the geometric mean of shares above 0; not a number where there is none."""
    return float(np.exp(np.log(shares).mean())) if shares else math.nan


def summarise(rows: Rows) -> list[dict[str, Any]]:
    """Return a row for each case and forecaster: scores beside the pool's, and coverage.

    ``figures`` scored by CRPS, ``in50`` and ``in90`` as shares of them; at those that are ``compared``, the
    ``crps`` as a share of the pool's (geometric mean); ``chances`` scored by Brier, ``brier`` their mean.
    """
    parts: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        parts.setdefault((row["case"], row["forecaster"]), []).append(row)
    cases, out = by_case(rows), []
    for (case, name), part in parts.items():
        counts = [row for row in part if row["score_kind"] == "CRPS"]
        chances = [row["score"] for row in part if row["score_kind"] == "Brier"]
        beside = ratios(cases[case], name, POOL)
        out.append(
            {
                "case": case,
                "forecaster": name,
                "figures": len(counts),
                "compared": len(beside),
                "crps": geometric_mean(beside),
                "in50": _mean([row["in50"] for row in counts]),
                "in90": _mean([row["in90"] for row in counts]),
                "chances": len(chances),
                "brier": _mean(chances),
            }
        )
    return out


def _figures(found: Sequence[float]) -> str:
    return f"{len(found)} figure{'s' * (len(found) != 1)}"


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _nearer(rows: Rows) -> tuple[str, Sequence[float]]:
    """Return the baseline that is nearest beside the model, and the model's CRPS as shares of its CRPS."""
    beside = {name: found for name in BASELINES if (found := ratios(rows, MODEL, name))}
    return max(beside.items(), key=lambda one: geometric_mean(one[1]), default=("", ()))


def verdict(rows: Rows) -> Iterator[str]:
    """Yield conclusions from scores in sentences; a baseline that is nearer than the model comes first."""
    beside = {case: _nearer(part) for case, part in by_case(rows).items()}
    nearer = {case: one for case, one in beside.items() if geometric_mean(one[1]) > 1}
    for case, (name, found) in nearer.items():
        yield (
            f"A baseline carries the forecasts of {case}: the CRPS of the model is "
            f"{geometric_mean(found):.2f} of that of the {name} (geometric mean, {_figures(found)})."
        )
    if not nearer and any(found for _, found in beside.values()):
        yield "No baseline is nearer than the model, as a geometric mean of CRPS."
    elif rows and not nearer:
        yield "No figure had been counted before, so no baseline forecasts one."
    for name in PARTS:
        if found := ratios(rows, POOL, name):
            share = geometric_mean(found)
            yield f"The CRPS of the pool is {share:.2f} of that of the {name} ({_figures(found)})."
    pool = [row for row in rows if row["forecaster"] == POOL and row["score_kind"] == "CRPS"]
    if pool:
        met = ", ".join(f"{level}%: {sum(row[f'in{level}'] for row in pool)}" for level in (50, 90))
        yield f"Intervals of the pool that hold the figure, of {len(pool)}: {met}."
