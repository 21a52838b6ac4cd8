"""Tables in Markdown, and the few statistics that figures are given with."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def median(values: Sequence[float]) -> float:
    """Return the median, nan of nothing."""
    return statistics.median(values) if values else math.nan


def number(value: float, digits: int = 3) -> str:
    """Return a number with `digits` significant digits and thousands separated; a dash for nan."""
    if math.isnan(value):
        return "–"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{places}f}"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; the first column to the left, the others to the right."""
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ruler, *rows))
