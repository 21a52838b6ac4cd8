"""Plain and Markdown tables, and the few statistics that figures are given with."""

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


def plain(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in plain text; the first column to the left, the others to the right."""
    width = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [cell.rjust(w) for cell, w in zip(row[1:], width[1:], strict=True)]
        return "  ".join([row[0].ljust(width[0]), *cells]).rstrip()

    rule = "─" * (sum(width) + 2 * (len(width) - 1))
    return "\n".join([line(head), rule, *map(line, rows)])


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; the first column to the left, the others to the right."""
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ruler, *rows))
