"""The tables of scores that answers of hindcasts and forecasts share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from breakrank.answer.answer import Column, Table
from breakrank.questions.hindcast.forecasters import FORECASTERS, POOL
from breakrank.questions.hindcast.scoring import Rows, best, by_case, ratios, summarise
from breakrank.show.words import interval, number

SCORES = (
    "Scores: CRPS in the unit of the figure, Brier (0 to 1) for yes or no and for bounds; lower is better, * "
    "is the best of a row. A range is scored at its middle. The pool is the mixture of the others: "
    "one half the model, one half the rest in equal parts."
)
"""How a table of scores is read."""
SHARE = (
    "CRPS / pool: geometric mean over figures and days at which the two differ, which are not independent."
)


def summary(name: str, title: str, rows: Rows) -> Table:
    """Return a row for each case and forecaster: scores beside the pool's, and coverage."""
    columns = (
        Column(name="case", label="Case", kind="text"),
        Column(name="forecaster", label="Forecaster", kind="text"),
        Column(name="figures", label="Figures", kind="count"),
        Column(name="compared", label="Compared", kind="count"),
        Column(name="crps", label="CRPS / pool", meaning=SHARE),
        Column(name="least", label="Least", shown=False),
        Column(name="most", label="Most", shown=False),
        Column(name="in50", label="In 50%", kind="share", meaning="figures in the 50% interval"),
        Column(name="in90", label="In 90%", kind="share", meaning="figures in the 90% interval"),
        Column(name="chances", label="Yes or no", kind="count"),
        Column(name="brier", label="Brier"),
    )
    order = {who: k for k, who in enumerate(FORECASTERS)}
    found = sorted(summarise(rows), key=lambda one: (one["case"], order[one["forecaster"]]))
    cases = by_case(rows)
    return Table.of(name, title, columns, [one | _ends(cases[one["case"]], one) for one in found])


def _ends(rows: Rows, one: Mapping[str, Any]) -> dict[str, float]:
    beside = ratios(rows, one["forecaster"], POOL)
    return {"least": min(beside, default=math.nan), "most": max(beside, default=math.nan)}


def figures(rows: Rows) -> Table:
    """Return a row for each figure and forecaster: what was observed, what was forecast, and its score."""
    columns = (
        Column(name="label", label="Figure", kind="text"),
        Column(name="observed", label="Observed", kind="text"),
        Column(name="forecaster", label="Forecaster", kind="text"),
        Column(name="median", label="Forecast", low="q05", high="q95", interval="90%"),
        *(Column(name=name, label=name, shown=False) for name in ("q05", "q95")),
        Column(name="chance", label="Chance", kind="share"),
        Column(name="score", label="Score"),
        Column(name="best", label="Best", kind="text"),
    )
    found = []
    for target in dict.fromkeys(row["target"] for row in rows):
        these = [row for row in rows if row["target"] == target]
        winners = best(these)
        found += [
            {
                name: row.get(name, math.nan)
                for name in ("label", "forecaster", "median", "q05", "q95", "score")
            }
            | {
                "observed": observed(row),
                "chance": row["chance"] if row.get("chance") is not None else math.nan,
                "best": "*" if row["forecaster"] in winners else "",
            }
            for row in these
        ]
    return Table.of("figures", "Scores of later figures", columns, found, note=SCORES)


def observed(figure: Mapping[str, Any]) -> str:
    """Return the observed figure in words."""
    low, high = figure["observed_low"], figure["observed_high"]
    if figure["kind"] == "yes or no":
        return "yes" if low > 0 else "no"
    if low == high:
        return number(low)
    if low == float("-inf"):
        return f"at most {number(high)}"
    return f"at least {number(low)}" if high == float("inf") else interval(low, high)
