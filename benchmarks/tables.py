"""Tables in Markdown, and the numbers in them."""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


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


def write_csv(rows: Iterable[Mapping[str, object]], out: Path | None = None) -> None:
    """Write rows of the same names as they come: into a file, or else to standard output."""
    with out.open("w", encoding="utf-8", newline="") if out else sys.stdout as file:
        sheet = None
        for row in rows:
            if sheet is None:
                sheet = csv.DictWriter(file, [*row], lineterminator="\n")
                sheet.writeheader()
            sheet.writerow(row)
            file.flush()
