"""An answer on the terminal: its finding and doubt, its tables, and sentences that say more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from breakrank.answer.cells import GAP, least, pages, split
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import NUMBER, Head, labelled, say, say_table, title, width, wrapped

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer, Provenance
    from breakrank.answer.cells import GridTable


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
