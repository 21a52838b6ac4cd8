"""The cells of a table as texts, as every document shows them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import records
from breakrank.show.words import between, day, interval, mean, number, percent, way

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer, Column, Table


@dataclass(frozen=True, slots=True)
class GridTable:
    """A table of texts; columns from `numbers` on hold numbers.

    Columns in `refs` hold numbers of rows of another table, in which they stand in the column `anchor`.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: int = 2
    refs: tuple[int, ...] = ()
    anchor: int | None = None


UNCLEAR = "·"
"""Stands for a difference that cannot be told from zero, where only told ones fit."""
TEXTS = ("text", "date", "flag", "refs")
"""Kinds whose columns stand first, aligned to the left."""


Parts = list[tuple[str, GridTable]]
"""The parts of a table: the heading of each, "" where there is only one, and its cells."""
GAP = 2
"""Characters between two columns."""
MOST_ROWS = 120
"""Rows of a table that documents show; a longer one is left to files and workbooks."""


def pages(answer: Answer) -> Iterator[tuple[Table, Parts, str]]:
    """Yield the tables that documents show, with their parts and what a reader has to know of them.

    Those that pages alone show `folded` come last, however long.
    """
    for table in answer.tables:
        if table.detail or table.folded or not any(one.shown for one in table.columns):
            continue
        some = list(parts(table))
        rows = sum(len(grid.rows) for _, grid in some)
        if not rows:
            yield table, [], "None."
        elif rows > MOST_ROWS:
            yield table, [], f"{rows:,} rows, which stand in files and workbooks alone. {table.note}".strip()
        else:
            yield table, some, table.note


def parts(table: Table) -> Iterator[tuple[str, GridTable]]:
    """Yield the parts of a table, one for each value of its `by`."""
    if table.only:
        yield "", grid(table, table.rows[table.rows[table.by] == table.only])
        return
    if not table.by or table.rows[table.by].nunique() < 2:
        yield "", grid(table, table.rows)
        return
    for name, rows in table.rows.groupby(table.by, sort=False):
        yield str(name), grid(table, rows)


def split(grid: GridTable, room: int) -> Iterator[GridTable]:
    """Yield a table in as many pieces as it takes for no number and no word to be broken.

    Each begins with the first column, and only the first piece has the other columns of words.

    Parameters
    ----------
    room : characters that stand side by side.
    """
    columns = list(zip(grid.columns, *grid.rows, strict=True))
    widths = [least(column, k < grid.numbers) + GAP for k, column in enumerate(columns)]
    kept, at = list(range(grid.numbers)), grid.numbers
    while True:
        last, left = at, room - sum(widths[k] for k in kept)
        while last < len(columns) and (last == at or left >= widths[last]):
            left, last = left - widths[last], last + 1
        chosen = [*kept, *range(at, last)]
        rows = tuple(tuple(row[k] for k in chosen) for row in grid.rows)
        yield GridTable(tuple(grid.columns[k] for k in chosen), rows, min(len(kept), grid.numbers))
        if last >= len(columns):
            return
        kept, at = [0], last


def least(column: Sequence[str], words: bool) -> int:
    """Return the characters below which a word of a column would be broken, or any of its numbers."""
    head, *cells = column
    parts = [part for text in (head, *(cells if words else ())) for part in text.split()]
    return max(map(len, (*parts, *(() if words else cells))), default=1)


def grid(table: Table, rows: pd.DataFrame) -> GridTable:
    """Return rows of a table as texts: words first, and each interval behind its number."""
    if table.across:
        return _across(table, rows)
    shown = [one for one in table.columns if one.shown and one.name != table.by]
    shown.sort(key=lambda one: one.kind not in TEXTS)
    heads = [head for one in shown for head in ([one.label, one.interval] if one.low else [one.label])]
    cells = [tuple(text for one in shown for text in texts(one, row)) for row in records(rows)]
    words = [one for one in shown if one.kind in TEXTS]
    refs = tuple(k for k, one in enumerate(words) if one.kind == "refs")
    anchor = next((k for k, one in enumerate(words) if one.name == table.anchor), None)
    return GridTable(tuple(heads), tuple(cells), len(words), refs, anchor)


def _across(table: Table, rows: pd.DataFrame) -> GridTable:
    labels = [c for c in table.columns if c.shown and c.name not in (table.by, table.across, table.cell)]
    cell = table.column(table.cell)
    heads = list(dict.fromkeys(rows[table.across]))
    keys = [one.name for one in labels]
    found: dict[tuple[Any, ...], dict[Any, str]] = {}
    for row in records(rows):
        key = tuple(text for one in labels for text in texts(one, row))
        found.setdefault(key, {})[row[table.across]] = _told(cell, row)
    cells = tuple((*key, *(by.get(head, "") for head in heads)) for key, by in found.items())
    return GridTable((*(one.label for one in labels), *heads), cells, len(keys))


def _told(column: Column, row: Mapping[str, Any]) -> str:
    """Return a difference; a dot where its interval includes zero, and words where there is none."""
    value = row[column.name]
    if not math.isfinite(value):
        return "no runs" if math.isnan(value) else "never"
    if column.low and not (row[column.low] > 0 or row[column.high] < 0):
        return UNCLEAR
    return texts(column, row)[0]


def texts(column: Column, row: Mapping[str, Any]) -> list[str]:
    """Return a value as readers see it, followed by its interval where the column has one."""
    value = row[column.name]
    unit = str(row[column.unit_in]) if column.unit_in else column.unit
    unit = way(unit) if column.whole else unit
    if column.low:
        low, high = row[column.low], row[column.high]
        if math.isnan(value):
            return ["", ""]
        ends = "" if math.isnan(low) else interval(low, high, unit, sign=column.signed)
        return [between(value, low, high, unit, sign=column.signed), ends.removesuffix(" points")]
    return [_text(column, value, unit)]


def _text(column: Column, value: Any, unit: str) -> str:  # noqa: ANN401 (a cell)
    if isinstance(value, float) and math.isnan(value):
        return ""
    if column.kind in ("text", "refs"):
        return str(value)
    if column.kind == "flag":
        return "yes" if value else "no"
    if column.kind == "date":
        return day(value) if value else ""
    if column.kind == "value":
        return f"{value:g}"
    if column.kind == "count":
        return f"{value:,.0f}"
    if column.kind == "share":
        return percent(value)
    if column.kind == "factor":
        return "all" if math.isinf(value) else f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"
    return number(value, unit) if column.whole else mean(value, unit, sign=column.signed)
