"""An answer on the terminal: its finding and doubt, its tables, and sentences that say more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from breakrank.answer.cells import pages
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import (
    NUMBER,
    Head,
    labelled,
    say,
    say_table,
    title,
    width,
    wrapped,
)

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer, Provenance
    from breakrank.show.grid import GridTable

GAP = 2
"""Columns between two of a table, with their padding."""


def show(answer: Answer) -> None:
    """Print an answer as wide as the terminal; a table that is wider comes in several."""
    say(title(wrapped(answer.title)))
    say(wrapped(answer.finding))
    say(wrapped(answer.doubt))
    for table, some, reading in pages(answer):
        say()
        if not some:
            say(title(wrapped(table.title)))
        for heading, grid in some:
            say(title(wrapped(f"{table.title}: {heading}" if heading else table.title)))
            for heads, rows in pieces(grid, width() - 1):
                say_table(heads, rows)
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
    """Yield what an answer rests on, a line each."""
    yield f"{of.runs:,} runs of each, seed {of.seed}, {of.ensemble}."
    if sized := drawn_in_part(of.stands_for):
        yield sized
    if of.failed:
        yield f"{len(of.failed):,} runs failed and are left out; the first: {of.failed[0]}."
    if of.interrupted:
        yield "Interrupted: this is of the runs that had finished."


def pieces(grid: GridTable, room: int) -> Iterator[tuple[list[tuple[str, Head]], list[tuple[str, ...]]]]:
    """Yield a table in as many pieces as it takes for no number and no word to be broken.

    Each begins with the first column, and only the first piece has the other columns of words. A piece is the
    heads of its columns, each with its layout, and its rows.
    """
    columns = list(zip(grid.columns, *grid.rows, strict=True))
    words = [k < grid.numbers for k in range(len(columns))]
    least = [_least(column, apart) for column, apart in zip(columns, words, strict=True)]
    kept, at = list(range(grid.numbers)), grid.numbers
    while True:
        last, left = at, room - sum(least[k] + GAP for k in kept)
        while last < len(columns) and (last == at or left >= least[last] + GAP):
            left, last = left - least[last] - GAP, last + 1
        chosen = [*kept, *range(at, last)]
        heads = []
        for k in chosen:
            more = min(max(0, left), max(map(len, columns[k])) - least[k])
            left -= more
            look = Head(width=least[k] + more)
            heads.append((grid.columns[k], look if words[k] else look | NUMBER))
        yield heads, [tuple(row[k] for k in chosen) for row in grid.rows]
        if last >= len(columns):
            return
        kept, at = kept[:1], last


def _least(column: tuple[str, ...], words: bool) -> int:
    """Return the width below which a word of a column would be broken, or any of its numbers."""
    head, *cells = column
    parts = [part for text in (head, *(cells if words else ())) for part in text.split()]
    return max(map(len, (*parts, *(() if words else cells))), default=1)
