"""A comparison as tables: all outcomes on the last day, the course day by day, and both as a workbook."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.questions.compare.charts import by_day, left
from breakrank.questions.compare.compare import compared
from breakrank.questions.compare.document import notes, question_and_changes, verdict
from breakrank.results.outcome_names import called
from breakrank.results.paired import difference, pairs_of
from breakrank.results.uncertainty import rows_of
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
    "more": "Pairs with more, share",
    "less": "Pairs with less, share",
    "reduction": "Variance cut by pairing, factor",
    "runs": "Pairs",
    "draws": "Parameter draws",
    "parameters": "Variance due to parameters, share",
    "same_sign": "Pairs with the sign of the mean, share",
    "date": "Day",
    "q05": "Spread over pairs, 5% below",
    "q25": "Spread over pairs, 25% below",
    "q75": "Spread over pairs, 75% below",
    "q95": "Spread over pairs, 95% below",
}
"""What readers see above each column."""
_NUMBERS = ("before", "after", "mean", "low", "high", "q05", "q25", "q75", "q95")
_MEANS = ("before", "after", "mean", "low", "high")
_SHARES = ("more", "less", "parameters", "same_sign")


def daily(before: Result, after: Result) -> pd.DataFrame:
    """Return each outcome by day: means of both sides, of the paired differences, and the spread of these.

    One row an outcome and day, of the runs that finished in both; all who left come first. The interval is
    the 95% interval of the mean difference.
    """
    import pandas as pd

    runs, i, j = pairs_of(before, after)
    draw = rows_of(before.case, before.seed, runs)
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
        each = [difference(name, label, unit, a[:, k], b[:, k], draw) for k in range(len(dates))]
        numbers = {key: [getattr(one, key) for one in each] for key in _MEANS}
        parts.append(part.assign(id=name, label=label, unit=unit, **numbers))
    spread = [name for name in COLUMNS if name != "median"]
    return pd.concat(parts, ignore_index=True)[["id", "label", "unit", "date", *_MEANS, *spread]]


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
        ("Verdict", verdict(made.differences, made.runs)),
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
