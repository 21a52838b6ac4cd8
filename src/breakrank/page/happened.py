"""What happened: of the answer to the runs, what the page draws itself, with evidence behind each number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from breakrank.page.numbers import rounded, short
from breakrank.questions.run.headline import leading

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer
    from breakrank.results.result import Result

SPREAD = ("q05", "q25", "median", "q75", "q95")
STRIP = (*SPREAD, "observed_low", "observed_high")
"""Numbers that a strip is made of."""


def drawn_here(result: Result) -> dict[str, Any]:
    """Return the fan of what leads the answer, the strips of what was observed, and what each chart finds.

    Of a fan, ``record`` are the observed figures that count the same. Strips stand in the order of the
    answer's table; a strip is ``None`` of what is answered with yes or no.
    """
    answer = result.answer
    beside = answer["outcomes"].rows if "outcomes" in {table.name for table in answer.tables} else None
    return {
        "fan": _fan(answer, beside, result),
        "outcomes": [] if beside is None else [_strip(row) for _, row in beside.iterrows()],
        "titles": {figure.name: figure.title for figure in answer.figures},
    }


def _fan(answer: Answer, beside: pd.DataFrame | None, result: Result) -> dict[str, Any]:
    """Return the days of what the headline counts; of all who left, where it has no value by day."""
    daily, lead, marks = answer["daily"].rows, leading(result), None
    rows = daily[daily["group"] == "left"]
    label = "Soldiers who left"
    if beside is not None and lead is not None:
        series = beside.set_index("id").loc[lead.id, "series"]
        if series:
            rows = daily[(daily["group"] == "record") & (daily["id"] == series)]
            label, marks = rows["label"].iloc[0], beside[beside["series"] == series]
    unit = rows["unit"].iloc[0]
    return {
        "label": label,
        "unit": unit,
        "runs": result.runs,
        "days": rows["date"].tolist(),
        **{name: rounded(rows[name].to_numpy(), unit == "share") for name in SPREAD},
        "record": [] if marks is None else [_mark(row) for _, row in marks.iterrows()],
    }


def _mark(row: pd.Series) -> dict[str, Any]:
    low, high = (short(row[name]) for name in ("observed_low", "observed_high"))
    return {"target": row["id"], "label": row["label"], "date": row["date"], "low": low, "high": high}


def _strip(row: pd.Series) -> dict[str, Any]:
    told = {"id": row["id"], "date": row["date"]}
    known = math.isfinite(row["low"])
    return told | {"strip": {name: short(row[name]) for name in STRIP} if known else None}
