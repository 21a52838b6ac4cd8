"""A comparison as tables: all outcomes on the last day, the course day by day, and both as a workbook."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.compare.charts import by_day, left
from breakrank.questions.compare.chosen import caution, settled
from breakrank.questions.compare.compare import compared
from breakrank.questions.compare.document import notes, question_and_changes
from breakrank.questions.compare.verdict import verdict
from breakrank.results.outcome_names import called
from breakrank.results.paired import pairs_of
from breakrank.results.whole_force import in_steps
from breakrank.show.tables import COLUMNS, quantiles, stepped
from breakrank.show.words import PER_CENT
from breakrank.show.workbook import workbook

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.compare.document import Compared
    from breakrank.results import Result

HEADS = {
    "id": "Outcome (name)",
    "label": "Outcome",
    "unit": "Unit",
    "before": "Case, mean",
    "after": "Changed, mean",
    "mean": "Difference, mean of pairs",
    "low": "95% interval of the mean, from",
    "high": "95% interval of the mean, to",
    "median": "Difference, median pair",
    "more": "Pairs with more, share",
    "less": "Pairs with less, share",
    "reduction": "Variance cut by pairing, factor",
    "runs": "Pairs",
    "draws": "Parameter draws",
    "parameters": "Variance due to parameters, share",
    "same_sign": "Pairs with the sign of the mean, share",
    "date": "Day",
    "case": "Case, median",
    "changed": "Changed, median",
    "q05": "Difference, 5% of pairs below",
    "q25": "Difference, 25% of pairs below",
    "q75": "Difference, 75% of pairs below",
    "q95": "Difference, 95% of pairs below",
}
"""What readers see above each column."""
_NUMBERS = ("before", "after", "mean", "low", "high", "median", "case", "changed", "q05", "q25", "q75", "q95")
_SHARES = ("more", "less", "parameters", "same_sign")


def daily(before: Result, after: Result) -> pd.DataFrame:
    """Return each outcome by day: medians of both sides, and quantiles of the paired differences.

    One row an outcome and day, of the runs that finished in both; all who left come first.
    """
    import pandas as pd

    _, i, j = pairs_of(before, after)
    dates, stands_for = before.data["day"].values, before.case.stands_for
    found = [("left", "All who left", "soldiers", left(before)[i], left(after)[j])]
    for name in compared(before.case):
        one, other = by_day(before, name), by_day(after, name)
        if one is not None and other is not None:
            found.append((name, called(name), one[2], one[0][i], other[0][j]))
    parts = []
    for name, label, unit, a, b in found:
        part = stepped(quantiles(b - a, dates), stands_for, unit)
        part["date"] = part["date"].dt.date
        medians = [in_steps(np.median(one, axis=0), stands_for, unit) for one in (a, b)]
        parts.append(part.assign(id=name, label=label, unit=unit, case=medians[0], changed=medians[1]))
    return pd.concat(parts, ignore_index=True)[["id", "label", "unit", "date", "case", "changed", *COLUMNS]]


def write(one: Compared, path: Path | BytesIO) -> None:
    """Write the workbook of a comparison; the same comparison gives the same bytes.

    Raises
    ------
    UsageError, OSError
        as :func:`~breakrank.show.workbook.workbook`.
    """
    made = one.made
    title = f"Comparison: {made.case.title}, {one.title}"
    told = [
        ("Verdict", verdict(made.differences, made.runs, settled(one.before))),
        *([("Chosen runs", said)] if (said := caution(one.before.case)) else []),
        *(("Asked", text) for text in question_and_changes(one)),
        ("Pairs of runs", f"{made.runs:,}"),
        ("Seed", str(made.seed)),
        ("Digest of the case", made.case.digest),
        ("Digest of the changed case", made.other.digest),
        *(("Reading", text) for text in notes(one)),
        ("Command", one.command),
        ("Versions", ", ".join(f"{name} {text}" for name, text in one.before.versions.items())),
    ]
    with workbook(path, title) as book:
        book.notes(title, [(name, text) for name, text in told if text])
        frames = {"Last day": made.table().reset_index(), "Day by day": daily(one.before, one.after)}
        for name, frame in frames.items():
            book.sheet(name, frame, [HEADS[str(c)] for c in frame.columns], _is_share)


def _is_share(column: str, unit: str) -> bool:
    return column in _SHARES or (unit in PER_CENT and column in _NUMBERS)
