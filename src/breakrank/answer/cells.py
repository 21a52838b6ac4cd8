"""The cells of a table as texts, as every document shows them; and an answer on the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import records
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import NUMBER, Head, labelled, say, say_table, title, width, wrapped
from breakrank.show.words import between, day, interval, mean, number, percent, way
from breakrank.wording import capitalised, listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer, Column, Provenance, Table


@dataclass(frozen=True, slots=True)
class GridTable:
    """A table of texts; columns from `numbers` on hold numbers.

    Columns in `refs` hold numbers of rows of another table, in which they stand in the column `anchor`; those
    in `ends` hold intervals of the numbers before them.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: int = 2
    refs: tuple[int, ...] = ()
    anchor: int | None = None
    ends: tuple[int, ...] = ()


UNCLEAR = "·"
"""Stands for a difference that cannot be told from zero, where only told ones fit."""
TEXTS = ("text", "date", "flag", "refs")
"""Kinds whose columns stand first, aligned to the left."""


Parts = list[tuple[str, GridTable]]
"""The parts of a table: the heading of each, "" where there is only one, and its cells."""
GAP = 2
"""Characters between two columns."""
SHORT = 12
"""Characters of a name, a date or a figure that is not broken."""
LINES = 4
"""Lines of a cell of words beyond which other columns give way to it."""
MOST_TIMES = 1000
"""Factor beyond which none is told: it would be one of rounding."""
MOST_ROWS = 120
"""Rows of a table that documents show; a longer one is left to files and workbooks."""


def pages(answer: Answer) -> Iterator[tuple[Table, Parts, str]]:
    """Yield the tables that documents show, with their parts and what a reader has to know of them.

    Those that pages alone show `folded` come last, however long.
    """
    for table in answer.tables:
        apart = table.by if table.only else ""  # what tells parts apart is not told where one is shown
        shown = [one for one in table.columns if one.shown and one.name != apart]
        if table.detail or table.folded or not shown:
            continue
        table = _without_dots(table)
        some = list(parts(table))
        rows = sum(len(grid.rows) for _, grid in some)
        if not rows:
            yield table, [], "None."
        elif rows > MOST_ROWS:
            yield table, [], f"{rows:,} rows, which stand in files and workbooks alone. {table.note}".strip()
        else:
            yield table, some, table.note


def _without_dots(table: Table) -> Table:
    """Return a table of differences without what no row moves clearly, which its note names then."""
    if not table.across:
        return table
    cell = table.column(table.cell)
    heads = list(dict.fromkeys(table.rows[table.across]))
    clear = {row[table.across] for row in records(table.rows) if _told(cell, row) != UNCLEAR}
    left_out = [str(head) for head in heads if head not in clear]
    if not (clear and left_out):
        return table
    note = f"{table.note} Nothing clearly moves {listed(left_out, 'or')}."
    return replace(table, rows=table.rows[table.rows[table.across].isin(clear)], note=note.strip())


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

    Each begins with the fewest columns of words that tell its rows apart if another one fits beside them, or
    with the first column; what is too wide stands beside the first alone, and rows that are the same then
    stand once. An interval stands beside its number, or names it where both do not fit.

    Parameters
    ----------
    room : characters that stand side by side.
    """
    widths = [each + GAP for each in least(grid, room)]
    apart = _apart(grid, widths, room)
    rest = [k for k in range(len(widths)) if k not in apart]
    while True:
        fits = not rest or sum(widths[k] for k in (*apart, rest[0])) <= room
        first = apart if fits else (0,)
        left = room - sum(widths[k] for k in first)
        taken: list[int] = []
        while rest:
            both = rest[: 1 + (rest[0] + 1 in grid.ends)]
            if left < sum(widths[k] for k in both) or (taken and not fits):
                if taken:
                    break
                both = rest[:1]
            left -= sum(widths[k] for k in both)
            taken += both
            rest = rest[len(both) :]
        chosen = [*first, *taken]
        heads = [grid.columns[k] for k in chosen]
        if taken and taken[0] in grid.ends:
            heads[len(first)] = f"{grid.columns[taken[0] - 1]}, {grid.columns[taken[0]]}"
        rows = [tuple(row[k] for k in chosen) for row in grid.rows]
        rows = rows if first == apart else list(dict.fromkeys(rows))
        yield GridTable(tuple(heads), tuple(rows), sum(k < grid.numbers for k in chosen))
        if not rest:
            return


def _apart(grid: GridTable, widths: Sequence[int], room: int) -> tuple[int, ...]:
    """Return the columns of words that each piece of a table repeats."""
    words = range(1, grid.numbers)
    for more in (some for many in range(len(words) + 1) for some in combinations(words, many)):
        first = (0, *more)
        others = [each for k, each in enumerate(widths) if k not in first]
        told = {tuple(row[k] for k in first) for row in grid.rows}
        if len(told) == len(grid.rows) and sum(widths[k] for k in first) + min(others, default=0) <= room:
            return first
    return (0,)


def least(grid: GridTable, room: int) -> list[int]:
    """Return the characters that each column needs, for no word, number, date or short name to be broken.

    Long texts need so many that they take few lines, within a third of the room.
    """
    widths = []
    for k, (head, *cells) in enumerate(zip(grid.columns, *grid.rows, strict=True)):
        words = k < grid.numbers
        whole = [text for text in cells if not words or len(text) <= SHORT]
        parts = [part for text in (head, *(cells if words else ())) for part in text.split()]
        longest = max(map(len, cells), default=0) if words else 0
        few = min(max(longest // LINES, min(longest, room // 5)), room // 3)
        widths.append(max(map(len, (*parts, *whole)), default=1))
        widths[-1] = max(widths[-1], few)
    return widths


def grid(table: Table, rows: pd.DataFrame) -> GridTable:
    """Return rows of a table as texts: words first, and each interval behind its number."""
    if table.across:
        return _across(table, rows)
    shown = [one for one in table.columns if one.shown and one.name != table.by]
    shown.sort(key=lambda one: one.kind not in TEXTS)
    heads: list[str] = []
    ends: list[int] = []
    for one in shown:
        heads.append(one.label)
        if one.low:
            ends.append(len(heads))
            heads.append(one.interval)
    cells = [tuple(text for one in shown for text in texts(one, row)) for row in records(rows)]
    words = [one for one in shown if one.kind in TEXTS]
    refs = tuple(k for k, one in enumerate(words) if one.kind == "refs")
    anchor = next((k for k, one in enumerate(words) if one.name == table.anchor), None)
    return GridTable(tuple(map(headed, heads)), tuple(cells), len(words), refs, anchor, tuple(ends))


def headed(text: str) -> str:
    """Return a head of a table with a capital; a parameter keeps its name.

    >>> headed("mean diff."), headed("fear.risk_weight")
    ('Mean diff.', 'fear.risk_weight')
    """
    return text if "." in text[:-1].partition(" ")[0] else capitalised(text)


def _across(table: Table, rows: pd.DataFrame) -> GridTable:
    labels = [c for c in table.columns if c.shown and c.name not in (table.by, table.across, table.cell)]
    labels.sort(key=lambda one: one.kind not in TEXTS)
    cell = table.column(table.cell)
    heads = list(dict.fromkeys(rows[table.across]))
    found: dict[tuple[Any, ...], dict[Any, str]] = {}
    for row in records(rows):
        key = tuple(text for one in labels for text in texts(one, row))
        found.setdefault(key, {})[row[table.across]] = _told(cell, row)
    cells = tuple((*key, *(by.get(head, "") for head in heads)) for key, by in found.items())
    heads = [*(one.label for one in labels), *heads]
    words = max(1, sum(one.kind in TEXTS for one in labels))
    return GridTable(tuple(map(capitalised, heads)), cells, words)


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
        if value > MOST_TIMES:
            return "all" if math.isinf(value) else f"over {MOST_TIMES:,}"
        return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"
    return number(value, unit) if column.whole else mean(value, unit, sign=column.signed)


def show(answer: Answer) -> None:
    """Print an answer as wide as the terminal; a table that is wider comes in several."""
    say(title(wrapped(answer.title)))
    if answer.provenance.changed:
        say(wrapped(f"Changed: {answer.provenance.changed}."))
    if answer.provenance.missing:
        say(wrapped(f"Missing: {answer.provenance.missing}."))
    say(wrapped(answer.finding))
    say(wrapped(answer.doubt))
    for table, some, reading in pages(answer):
        say()
        if not some:
            say(title(wrapped(table.title)))
        for heading, grid in some:
            say(title(wrapped(f"{table.title}: {heading}" if heading else table.title)))
            for piece in split(grid, width() - 1):
                say_table(_heads(piece, width() - 1), piece.rows)
        if reading:
            say(wrapped(reading))
    say()
    for note in answer.notes:
        say(labelled("- ", note, 0, 2))
    if answer.evidence:
        say()
        say(title("Evidence"))
    for basis in answer.evidence:
        say(labelled("- ", f"{basis.of}: {basis.says}", 0, 2))
    for line in made(answer.provenance):
        say(wrapped(line))


def made(of: Provenance) -> Iterator[str]:
    """Yield the evidence and provenance of an answer, a line each."""
    yield f"{of.runs_said}, {of.ensemble}."
    if sized := drawn_in_part(of.stands_for):
        yield sized
    if of.failed:
        yield f"{len(of.failed):,} runs failed and are left out; the first: {of.failed[0]}."
    if of.interrupted:
        yield "Interrupted: this is of the runs that had finished."


def _heads(piece: GridTable, room: int) -> list[tuple[str, Head]]:
    """Return the heads of a table with the width of each: what it needs, and what is left of the room.

    Columns that need least have it first, so that a long name does not break short ones.
    """
    widths = least(piece, room)
    columns = zip(piece.columns, *piece.rows, strict=True)
    needs = [max(map(len, column)) - width_of for column, width_of in zip(columns, widths, strict=True)]
    left = max(0, room - sum(each + GAP for each in widths))
    for k in sorted(range(len(widths)), key=needs.__getitem__):
        more = min(left, needs[k])
        widths[k] += more
        left -= more
    looks = [Head(width=each) | (NUMBER if k >= piece.numbers else {}) for k, each in enumerate(widths)]
    return list(zip(piece.columns, looks, strict=True))
