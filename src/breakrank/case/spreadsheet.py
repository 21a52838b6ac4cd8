"""A sheet of Excel as lines of cells, each cell as it is shown: dates as dates, percent as percent."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from pathlib import Path
from typing import Any

from breakrank.errors import CaseError, Location

PACKED = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How Excel's files begin: those of today, and those of before 2007 or with a password."""
MOST_UNPACKED = 100_000_000
"""Bytes that a workbook may have once it is unpacked."""


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
