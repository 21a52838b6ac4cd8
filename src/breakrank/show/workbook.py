"""Tables as sheets of a workbook (XLSX): dates, shares and numbers as such, with heads that stay in view."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.show.extras import require

if TYPE_CHECKING:
    import pandas as pd

NARROWEST, WIDEST = 11, 60
"""Characters that a column is made wide, at least and at most."""
LONGEST = 31
"""Characters that the name of a sheet may have."""
DAY = "yyyy-mm-dd"
SHARE = "0.0%"
WHOLE = "#,##0"
DECIMAL = "[>=100]#,##0;[<=-100]-#,##0;0.0#"
"""Of columns that hold fractions: numbers from a hundred on are shown without."""

IsShare = Callable[[str, str], bool]
"""Says of the name of a column and the unit of a row whether the number is a share of 0 to 1."""


class Workbook:
    """A workbook under way."""

    def __init__(self, writer: pd.ExcelWriter[Any]) -> None:
        self._writer = writer
        self.book: Any = writer.book

    def notes(self, title: str, told: Iterable[tuple[str, str]]) -> None:
        """Add the sheet that says what the numbers are, as names and texts."""
        import pandas as pd

        pd.DataFrame(list(told)).to_excel(
            self._writer, sheet_name="Notes", startrow=2, header=False, index=False
        )
        sheet = self._writer.sheets["Notes"]
        sheet.write_string(0, 0, title, self.book.add_format({"bold": True, "font_size": 14}))
        sheet.set_column(0, 0, 30, self.book.add_format({"bold": True, "valign": "top"}))
        sheet.set_column(1, 1, 110, self.book.add_format({"text_wrap": True, "valign": "top"}))

    def sheet(self, title: str, frame: pd.DataFrame, heads: Sequence[str], is_share: IsShare) -> Any:  # noqa: ANN401
        """Add a table under its heads; a column ``unit`` holds the unit of each row's numbers.

        What is no number is left empty; an infinite number is "never".
        """
        frame.to_excel(
            self._writer,
            sheet_name=title,
            startrow=1,
            header=False,
            index=False,
            inf_rep="never",
            freeze_panes=(1, 0),
        )
        sheet = self._writer.sheets[title]
        head = {"bold": True, "bottom": 1, "valign": "bottom", "text_wrap": True}
        sheet.write_row(0, 0, heads, self.book.add_format(head))
        sheet.autofilter(0, 0, max(1, len(frame)), max(0, len(heads) - 1))
        share = self.book.add_format({"num_format": SHARE})
        units = frame["unit"].astype(str) if "unit" in frame else [""] * len(frame)
        for at, (name, title_of) in enumerate(zip(frame.columns, heads, strict=True)):
            column = frame[name]
            longest = max((len(value) for value in column if isinstance(value, str)), default=0)
            width = max(NARROWEST, longest + 2, max(map(len, title_of.split())) + 3)
            sheet.set_column(at, at, min(width, WIDEST), self.book.add_format({"num_format": _form(column)}))
            if column.dtype.kind not in "if":
                continue
            for row, (value, unit) in enumerate(zip(column, units, strict=True), 1):
                if is_share(str(name), unit) and abs(value) < float("inf"):
                    sheet.write_number(row, at, value, share)
        return sheet


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
    import pandas as pd

    # what a case calls things is text, even where it looks like a formula or an address
    plainly = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with pd.ExcelWriter(
        path,
        engine="xlsxwriter",
        date_format=DAY,
        datetime_format=DAY,
        engine_kwargs={"options": plainly},
    ) as writer:
        writer.book.set_properties({"title": title, "created": dt.datetime(2000, 1, 1)})
        yield Workbook(writer)


def _form(column: pd.Series[Any]) -> str:
    """Return the format of a column's numbers: decimals where some number needs them."""
    if column.dtype.kind not in "if":
        return "General"
    known = column[column.abs() < float("inf")]
    return WHOLE if (known == known.round()).all() else DECIMAL
