"""Tables with the line of each row, as people save them: CSV with any separator, or a sheet of Excel.

Cells are texts. Numbers are read strictly, by the marks that their column shows.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from breakrank.case.cells import column_mark, is_open, readings, settled, typed
from breakrank.case.dates import NEAR, check_near, read_date
from breakrank.case.source import decoded
from breakrank.case.values import LONGEST_KEY, Bounds, NumberError, SlipError, hidden_character, number
from breakrank.errors import CaseError, Location, gathered, nearest
from breakrank.wording import listed

MOST_ROWS = 100_000
"""Rows a table may have."""
SEPARATORS = ",;\t|"
"""What may stand between cells; of two that fit alike the first is taken."""
PACKED = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How Excel's files begin: those of today, and those of before 2007 or with a password."""
MOST_UNPACKED = 100_000_000
"""Bytes that a workbook may have once it is unpacked."""
_QUOTES = "Put texts that hold a separator in double quotes, and # before a line that is no row."


@dataclass(frozen=True, slots=True)
class Warning_:  # noqa: N801 (a warning of ours, not an exception)
    """Something strange that can be used: in which file, line and column, what, and what to do about it.

    The line is ``None`` where it concerns a whole file, and the file where it concerns the whole case.
    """

    file: Path | None
    line: int | None
    text: str
    remedy: str
    column: str = ""

    @property
    def place(self) -> Location:
        """Where it stands."""
        return Location(self.file, self.line, self.column)

    def __str__(self) -> str:
        where = "" if self.file is None else f"{self.place}: "
        return f"{where}{self.text}\n  {self.remedy}"


@dataclass(frozen=True)
class CsvRow:
    """One row of a table: its cells by column, and where it stands."""

    cells: dict[str, str]
    file: Path
    line: int
    heads: Mapping[str, str] = field(default_factory=dict)
    """What the file calls columns that have another name here."""

    def place(self, column: str = "") -> Location:
        """Return where the cell of `column` stands."""
        return Location(self.file, self.line, self.heads.get(column, column))

    def check_id(self, column: str, known: Sequence[str]) -> None:
        """Raise a CaseError that names the nearest id when a cell holds none of those known."""
        if (name := self.cells[column]) not in known:
            problem = f"unknown {column} {name!r}{nearest(name, known)}"
            raise CaseError(problem, self.place(column), f"Known: {', '.join(known)}.")

    def number(self, column: str) -> float:
        """Return a cell as a finite number; :class:`~breakrank.errors.CaseError` if it is none."""
        try:
            return number(self.cells[column])
        except NumberError as error:
            raise CaseError(
                str(error), self.place(column), "Write a number such as 0.25, with a decimal point."
            ) from None

    def date(self, column: str, calendar: Bounds | None = None) -> dt.date:
        """Return a cell as a date near a calendar; :class:`~breakrank.errors.CaseError` if it is none."""
        try:
            return check_near(read_date(self.cells[column]), calendar, NEAR)
        except SlipError as slip:
            raise CaseError(slip.problem, self.place(column), slip.remedy) from None


@dataclass(frozen=True)
class CsvTable:
    """The rows of a table, and what to know of it.

    ``mark`` is the decimal mark of numbers that can be read in two ways, as its separator has it: "." with
    commas, and "" where it tells nothing.
    """

    rows: tuple[CsvRow, ...]
    remarks: tuple[Warning_, ...]
    mark: str


def read_table(
    data: bytes | str,
    file: Path,
    columns: tuple[str, ...],
    numbers: str = "",
    optional: tuple[str, ...] = (),
) -> CsvTable:
    """Return the rows of a table whose first line names `columns`, in any order and any letters.

    It may name `optional` ones too.

    Blank lines and lines that start with ``#`` are skipped; of other columns it is remarked that they are not
    read. Marks of thousands, and decimal commas, are taken out of the column `numbers`.

    Raises
    ------
    FaultyCaseError
        with file and line of each, for columns that are missing, rows of another length, empty cells, broken
        quotes, numbers that can be read in two ways, no rows.
    """
    remarks: list[Warning_] = []
    lines: Iterable[tuple[int, list[str]]]
    if isinstance(data, bytes) and is_workbook(data):
        lines, others = sheet_lines(data, file)
        separator = ","
        if others:
            text = f"only the first sheet is read, and not {listed([repr(name) for name in others])}"
            remarks.append(Warning_(file, None, text, "Put what belongs together into one sheet."))
    else:
        text, told = (data, ()) if isinstance(data, str) else decoded(data)
        remedy = "Save it as UTF-8 if letters are wrong."
        remarks += [Warning_(file, None, f"this table is {what}", remedy) for what in told]
        lines, separator = _split(text, file, columns)
    with gathered() as found:
        rows, unread = _rows(lines, file, columns, found, optional)
        if unread:
            text = f"{listed([repr(name) for name in unread])} {'are' if len(unread) > 1 else 'is'} not read"
            first = rows[0].line if rows else 1
            remarks.append(Warning_(file, first, text, f"This table is read for {listed(columns)}."))
        if not rows and not found:
            raise CaseError(
                "this table has no rows",
                Location(file),
                f"Its first line is {','.join(columns)}; rows follow.",
            )
    mark = "." if separator == "," else ""
    if numbers:
        rows = _in_plain_digits(rows, numbers, mark, remarks)
    return CsvTable(tuple(rows), tuple(remarks), mark)


def _split(text: str, file: Path, columns: tuple[str, ...]) -> tuple[Iterator[tuple[int, list[str]]], str]:
    """Return lines with their cells, and what separates these: what names most columns in the first."""
    told = re.match(r"sep=([^\r\n])(?=\r|\n)", text, re.IGNORECASE)  # as Excel writes it
    if told:
        text = text[told.end() :]
        return _cells(text, told.group(1), file), told.group(1)

    def named(separator: str) -> int:
        with suppress(CaseError):
            names = next((c for _, c in _cells(text, separator, file) if _is_row(c)), [])
            return len({_name(c) for c in names} & {*map(_name, columns)})
        return 0

    best = max(SEPARATORS, key=named)
    return _cells(text, best, file), best


def _cells(text: str, separator: str, file: Path) -> Iterator[tuple[int, list[str]]]:
    lines = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
    line = 1
    try:
        for cells in lines:
            yield line, [c.strip() for c in cells]
            line = lines.line_num + 1
    except csv.Error as error:
        raise CaseError(f"this is not a valid table: {error}", Location(file, line)) from None


def _is_row(cells: Sequence[str]) -> bool:
    return any(cells) and not cells[0].startswith("#")


def _name(cell: str) -> str:
    return typed(cell).casefold()


def _rows(
    lines: Iterable[tuple[int, list[str]]],
    file: Path,
    columns: tuple[str, ...],
    found: list[CaseError],
    optional: tuple[str, ...],
) -> tuple[list[CsvRow], list[str]]:
    """Return the rows, and the names of columns that hold something and are not read."""
    rows: list[CsvRow] = []
    header: list[str] | None = None
    at: dict[str, int] = {}
    unread: dict[str, None] = {}
    for line, cells in lines:
        if not _is_row(cells):
            continue
        if header is None:
            header = cells
            columns += tuple(c for c in optional if _name(c) in map(_name, header))
            at = _positions(header, columns, Location(file, line))
            continue
        try:
            rows.append(_row(cells, header, at, file, line))
        except CaseError as error:
            found.append(error)
        others = [k for k, cell in enumerate(cells[: len(header)]) if cell and k not in at.values()]
        unread |= dict.fromkeys(header[k] for k in others if header[k])
        if len(rows) > MOST_ROWS:
            raise CaseError(
                f"this table has more than {MOST_ROWS:,} rows", Location(file, line), "Aggregate it."
            )
    return rows, list(unread)


def _positions(header: list[str], columns: tuple[str, ...], place: Location) -> dict[str, int]:
    """Return where each column stands; CaseError where one is missing or there twice."""
    names, expected = [_name(c) for c in header], ",".join(columns)
    missing = [c for c in columns if _name(c) not in names]
    unknown = [c for c in header if c and _name(c) not in map(_name, columns)]
    if missing and unknown:
        raise CaseError(
            f"unknown column {unknown[0][:60]!r}{nearest(unknown[0], missing)}",
            place,
            f"The first line is {expected}.",
        )
    if missing:
        raise CaseError(
            f"the first line is {','.join(header)[:200]!r}, and {expected!r} is expected",
            place,
            f"Write {expected}.",
        )
    for column in columns:
        if names.count(_name(column)) > 1:
            raise CaseError(f"the column {column!r} is there twice", place, "Keep one of them.")
    return {column: names.index(_name(column)) for column in columns}


def _row(cells: list[str], header: list[str], at: dict[str, int], file: Path, line: int) -> CsvRow:
    nameless = [k for k, cell in enumerate(cells) if cell and (k >= len(header) or not header[k])]
    if len(cells) <= max(at.values()) or nameless:
        raise CaseError(
            f"this row has {len(cells)} cells and the header {len([c for c in header if c])}",
            Location(file, line),
            f"Write {','.join(at)}. {_QUOTES}",
        )
    row = CsvRow({column: cells[k] for column, k in at.items()}, file, line)
    for column, cell in row.cells.items():
        if not cell:
            raise CaseError("this cell is empty", row.place(column), f"Write the {column}.")
        if len(cell) > LONGEST_KEY or hidden_character(cell):
            problem = "this cell is too long or holds hidden characters"
            raise CaseError(problem, row.place(column), f"Write the {column}.")
        if "\ufffd" in cell:
            problem = "this cell is written neither in UTF-8 nor in Windows 1252"
            raise CaseError(problem, row.place(column), "Save the table again with the encoding UTF-8.")
    return row


def _in_plain_digits(rows: Sequence[CsvRow], column: str, mark: str, remarks: list[Warning_]) -> list[CsvRow]:
    """Return rows with the numbers of a column in plain digits; a doubt is remarked where they are open."""
    found = [readings(typed(row.cells[column])) for row in rows]
    shown = column_mark(found)
    out = []
    with gathered() as wrong:
        for row, one in zip(rows, found, strict=True):
            with wrong.kept():
                try:
                    plain = settled(row.cells[column], one, shown or mark) if one else row.cells[column]
                except SlipError as slip:
                    raise CaseError(slip.problem, row.place(column), slip.remedy) from None
                out.append(replace(row, cells={**row.cells, column: plain}))
    doubt = None if shown else next((k for k, one in enumerate(found) if is_open(one)), None)
    if doubt is not None:
        text = f"{rows[doubt].cells[column]!r} may have thousands or decimals, and no other value tells"
        remedy = (
            f"It is read as {float(found[doubt][mark]):,.15g}. Leave the mark out, or the zeros at its end."
        )
        remarks.append(Warning_(rows[doubt].file, rows[doubt].line, text, remedy, column))
    return out


def is_workbook(data: bytes) -> bool:
    """Return whether bytes are a file of a spreadsheet program, or another archive, and no text."""
    return data.startswith(PACKED)


def sheet_lines(data: bytes, file: Path) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """Return the lines of the first sheet that is shown, by number, and the names of the other sheets.

    Raises
    ------
    CaseError
        for what is no workbook of Excel (.xlsx), and where openpyxl is not installed.
    """
    try:
        import openpyxl  # half a second, and an optional extra
    except ImportError:
        raise CaseError(
            "a sheet of Excel needs openpyxl, which is not installed",
            Location(file),
            "Save the sheet as CSV, or install it with pip install 'breakrank[tables]'.",
        ) from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_UNPACKED:
                raise ValueError
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        shown = next(sheet for sheet in book.worksheets if sheet.sheet_state == "visible")
        shown.reset_dimensions()
        lines = [(k, [_shown(cell) for cell in row]) for k, row in enumerate(shown.iter_rows(), 1)]
    except Exception:  # openpyxl raises whatever a broken file makes it stumble over
        raise CaseError(
            "this is no workbook of Excel that can be read", Location(file), "Save it as .xlsx or as CSV."
        ) from None
    return lines, [sheet.title for sheet in book.worksheets if sheet is not shown]


def _shown(cell: Any) -> str:  # noqa: ANN401 (openpyxl has no types)
    """Return the text of a cell, with the unit that its format shows."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        value = value.date()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value).strip()
    form = re.sub(r"\[\$-[^\]]*\]", "", cell.number_format or "")
    money = re.search(r"\[\$([^-\]]+)|([$€£])", form)
    plain = f"{value * 100:.12g}%" if "%" in form else f"{value:.15g}"
    if re.fullmatch(r"-?\d+\.\d{3}", plain):
        plain += "0"  # a number is no text: its point groups no thousands
    words = "".join(re.findall(r'"([^"]*)"', form.split(";")[0]))
    return f"{money.group(1) or money.group(2)}{plain}" if money else f"{plain}{words}"
