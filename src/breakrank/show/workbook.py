"""Tables as sheets of a workbook (XLSX): dates, shares and numbers as such, with heads that stay in view."""

from __future__ import annotations

import datetime as dt
import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.show.extras import require

if TYPE_CHECKING:
    import pandas as pd
    import xlsxwriter

WIDEST = 60
"""Most characters that a column is made wide."""
HEAD = 11
"""Characters that a column is at least made wide, so that heads wrap between words."""

IsShare = Callable[[str, str], bool]
"""Says of the name of a column and the unit of a row whether the number is a share of 0 to 1."""


class Workbook:
    """A workbook under way."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self.book = book
        self._formats = _formats(book)

    def notes(self, title: str, told: Iterable[tuple[str, str]]) -> None:
        """Add the sheet that says what the numbers are, as names and texts."""
        sheet = self.book.add_worksheet("Notes")
        sheet.set_column(0, 0, 30)
        sheet.set_column(1, 1, 110)
        sheet.write_string(0, 0, title, self._formats["title"])
        for row, (name, text) in enumerate(told, 2):
            sheet.write_string(row, 0, name, self._formats["bold"])
            sheet.write_string(row, 1, text, self._formats["long"])

    def sheet(self, title: str, frame: pd.DataFrame, heads: Sequence[str], is_share: IsShare) -> Any:  # noqa: ANN401
        """Add a table under its heads; a column ``unit`` holds the unit of each row's numbers."""
        sheet = self.book.add_worksheet(title)
        columns = [str(c) for c in frame.columns]
        widths = []
        for column, head in enumerate(heads):
            sheet.write_string(0, column, head, self._formats["head"])
            widths.append(max(HEAD, max(map(len, head.split())) + 3))
        sheet.set_row(0, 15 * max(_lines(head, w) for head, w in zip(heads, widths, strict=True)))
        for row, values in enumerate(frame.itertuples(index=False, name=None), 1):
            unit = str(values[columns.index("unit")]) if "unit" in columns else ""
            for column, value in enumerate(values):
                text = self._write(sheet, row, column, value, is_share(columns[column], unit))
                widths[column] = max(widths[column], len(text) + 2)
        for column, width in enumerate(widths):
            sheet.set_column(column, column, min(width, WIDEST))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, max(1, len(frame)), max(0, len(columns) - 1))
        return sheet

    def _write(self, sheet: Any, row: int, column: int, value: object, share: bool) -> str:  # noqa: ANN401
        """Write one cell and return about what it shows; what is no number is left empty."""
        if isinstance(value, dt.date):
            day = dt.datetime(value.year, value.month, value.day)
            sheet.write_datetime(row, column, day, self._formats["day"])
            return "2019-01-01"
        if isinstance(value, str):
            sheet.write_string(row, column, value, self._formats["text"])
            return value
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        number = float(value)  # type: ignore[arg-type]
        if math.isinf(number):
            sheet.write_string(row, column, "never", self._formats["text"])
            return "never"
        kind = "share" if share else "whole" if number == round(number) or abs(number) >= 100 else "number"
        sheet.write_number(row, column, number, self._formats[kind])
        return f"{number:,.0f}"


@contextmanager
def workbook(path: Path | BytesIO, title: str) -> Iterator[Workbook]:
    """Write a workbook to a file or into memory; the same tables give the same bytes.

    Raises
    ------
    UsageError
        where the optional extra ``plan`` is not installed.
    OSError
        if the file cannot be written.
    """
    require("writing XLSX", "xlsxwriter", extra="plan")
    import xlsxwriter

    # what a case calls things is text, even where it looks like a formula or an address
    plainly = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(path, plainly) as book:
        book.set_properties({"title": title, "created": dt.datetime(2000, 1, 1)})
        yield Workbook(book)


def _formats(book: xlsxwriter.Workbook) -> dict[str, Any]:
    kinds = {"head": "General", "text": "General", "whole": "#,##0", "day": "yyyy-mm-dd", "share": "0.0%"}
    found = {name: book.add_format({"num_format": form, "valign": "top"}) for name, form in kinds.items()}
    found["number"] = book.add_format({"num_format": "#,##0.##", "valign": "top"})
    found["head"] = book.add_format({"bold": True, "bottom": 1, "valign": "bottom", "text_wrap": True})
    found["title"] = book.add_format({"bold": True, "font_size": 14})
    found["long"] = book.add_format({"text_wrap": True, "valign": "top"})
    found["bold"] = book.add_format({"bold": True, "valign": "top"})
    return found


def _lines(text: str, width: int) -> int:
    """Return on how many lines a head stands in a column of so many characters."""
    return len(textwrap.wrap(text, width - 2)) or 1
