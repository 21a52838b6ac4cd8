"""Tables (CSV) with the line of each row; cells are texts, and numbers are read strictly."""

from __future__ import annotations

import csv
import datetime as dt
import io
from dataclasses import dataclass
from pathlib import Path

from breakrank.case.models_base import read_date
from breakrank.case.scalars import LONGEST_KEY, NumberError, hidden_character, number
from breakrank.case.slip import SlipError
from breakrank.errors import CaseError, Location, gathered, nearest

MOST_ROWS = 100_000
"""Rows a table may have."""


@dataclass(frozen=True)
class CsvRow:
    """One row of a table: its cells by column, and where it stands."""

    cells: dict[str, str]
    file: Path
    line: int

    def place(self, column: str = "") -> Location:
        """Return where the cell of `column` stands."""
        return Location(self.file, self.line, column)

    def number(self, column: str) -> float:
        """Return a cell as a finite number; :class:`~breakrank.errors.CaseError` if it is none."""
        try:
            return number(self.cells[column])
        except NumberError as error:
            raise CaseError(
                str(error), self.place(column), "Write a number such as 0.25, with a decimal point."
            ) from None

    def date(self, column: str) -> dt.date:
        """Return a cell as a date; :class:`~breakrank.errors.CaseError` if it is none."""
        try:
            return read_date(self.cells[column])
        except SlipError as slip:
            raise CaseError(slip.problem, self.place(column), slip.remedy) from None


def read_table(text: str, file: Path, columns: tuple[str, ...]) -> tuple[CsvRow, ...]:
    """Return the rows of a table whose first line names exactly `columns`, in that order.

    Blank lines and lines that start with ``#`` are skipped.

    Raises
    ------
    FaultyCaseError
        with file and line of each, for another header, rows of another length, empty cells, broken quotes,
        no rows.
    """
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[CsvRow] = []
    header: list[str] | None = None
    line = 1
    with gathered() as found:
        try:
            for cells in lines:
                line = lines.line_num
                cells = [c.strip() for c in cells]
                if not any(cells) or cells[0].startswith("#"):
                    continue
                if header is None:
                    header = cells
                    _check_header(header, columns, Location(file, line))
                    continue
                with found.kept():
                    rows.append(_row(cells, columns, file, line))
                if len(rows) > MOST_ROWS:
                    raise CaseError(
                        f"this table has more than {MOST_ROWS:,} rows", Location(file, line), "Aggregate it."
                    )
        except csv.Error as error:
            raise CaseError(
                f"this is not a valid table: {error}", Location(file, max(line, lines.line_num))
            ) from None
        if not rows and not found:
            raise CaseError(
                "this table has no rows",
                Location(file),
                f"Its first line is {','.join(columns)}; rows follow.",
            )
    return tuple(rows)


def _row(cells: list[str], columns: tuple[str, ...], file: Path, line: int) -> CsvRow:
    if len(cells) != len(columns):
        raise CaseError(
            f"this row has {len(cells)} cells and the header {len(columns)}",
            Location(file, line),
            f"Write {','.join(columns)}; put texts that hold a comma in double quotes.",
        )
    row = CsvRow(dict(zip(columns, cells, strict=True)), file, line)
    for column, cell in row.cells.items():
        if not cell:
            raise CaseError("this cell is empty", row.place(column), f"Write the {column}.")
        if len(cell) > LONGEST_KEY or hidden_character(cell):
            problem = "this cell is too long or holds hidden characters"
            raise CaseError(problem, row.place(column), f"Write the {column}.")
    return row


def _check_header(found: list[str], columns: tuple[str, ...], place: Location) -> None:
    if tuple(found) == columns:
        return
    expected = ",".join(columns)
    for column in found:
        if column not in columns:
            raise CaseError(
                f"unknown column {column[:60]!r}{nearest(column, columns)}",
                place,
                f"The first line is {expected}.",
            )
    raise CaseError(
        f"the first line is {','.join(found)[:200]!r}, and {expected!r} is expected",
        place,
        f"Write {expected}.",
    )
