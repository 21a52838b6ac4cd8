"""A plan as one workbook: a sheet for each table, and what the numbers are on the first."""

from __future__ import annotations

import datetime as dt
import math
import textwrap
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.questions.plan.columns import ROW, SHARE, described
from breakrank.questions.plan.persons import by_day
from breakrank.questions.plan.reading_notes import notes
from breakrank.questions.plan.tables import TABLES, told
from breakrank.show.extras import require

if TYPE_CHECKING:
    import pandas as pd
    import xlsxwriter

    from breakrank.questions.plan.data import PlanData

WIDEST = 60
"""Most characters that a column is made wide."""
HEAD = 11
"""Characters that a column is at least made wide, so that heads wrap between words."""
_SHARES = ("share", "assurance")
"""Parts of names of columns whose numbers are shares of 0 to 1."""


def write(plan: PlanData, path: Path | BytesIO) -> None:
    """Write the workbook of a plan to a file or into memory; the same plan gives the same bytes.

    Raises
    ------
    UsageError
        where the optional extra ``plan`` is not installed.
    OSError
        if the file cannot be written.
    """
    require("writing a plan as XLSX", "xlsxwriter", extra="plan")
    import xlsxwriter

    # what a case calls things is text, even where it looks like a formula or an address
    plainly = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(path, plainly) as book:
        title = f"Reception plan: {plan.where.label}"
        book.set_properties({"title": title, "created": dt.datetime(2000, 1, 1)})
        formats = _formats(book)
        frames = told(plan)
        frames.pop("notes")
        _notes(book, formats, plan, frames)
        for name, frame in frames.items():
            _sheet(book, formats, TABLES[name].title, frame)
            if name == "shelter":
                _beds(book, formats, plan)


def _formats(book: xlsxwriter.Workbook) -> dict[str, Any]:
    kinds = {"head": "General", "text": "General", "whole": "#,##0", "day": "yyyy-mm-dd", "share": "0.0%"}
    found = {name: book.add_format({"num_format": form, "valign": "top"}) for name, form in kinds.items()}
    found["number"] = book.add_format({"num_format": "#,##0.##", "valign": "top"})
    found["head"] = book.add_format({"bold": True, "bottom": 1, "valign": "bottom", "text_wrap": True})
    found["title"] = book.add_format({"bold": True, "font_size": 14})
    found["long"] = book.add_format({"text_wrap": True, "valign": "top"})
    found["bold"] = book.add_format({"bold": True, "valign": "top"})
    return found


def _notes(
    book: xlsxwriter.Workbook, formats: dict[str, Any], plan: PlanData, frames: dict[str, pd.DataFrame]
) -> None:
    sheet = book.add_worksheet("Notes")
    sheet.set_column(0, 0, 30)
    sheet.set_column(1, 1, 110)
    sheet.write_string(0, 0, f"Reception plan: {plan.where.label}", formats["title"])
    row = 2
    for name, text in notes(plan):
        sheet.write_string(row, 0, name, formats["bold"])
        sheet.write_string(row, 1, text, formats["long"])
        row += 1
    row += 1
    for name in frames:
        sheet.write_string(row, 0, f"Sheet: {TABLES[name].title}", formats["bold"])
        sheet.write_string(row, 1, TABLES[name].about, formats["long"])
        row += 1


def _sheet(book: xlsxwriter.Workbook, formats: dict[str, Any], title: str, frame: pd.DataFrame) -> Any:  # noqa: ANN401
    sheet = book.add_worksheet(title)
    columns = [str(c) for c in frame.columns]
    units = set(frame["unit"]) if "unit" in columns else set()
    widths = []
    for column, name in enumerate(columns):
        head = _head(name, units)
        sheet.write_string(0, column, head, formats["head"])
        widths.append(max(HEAD, max(map(len, head.split())) + 3))
    sheet.set_row(0, 15 * max(_lines(_head(c, units), w) for c, w in zip(columns, widths, strict=True)))
    for row, values in enumerate(frame.itertuples(index=False, name=None), 1):
        unit = str(values[columns.index("unit")]) if "unit" in columns else ""
        for column, value in enumerate(values):
            text = _write(sheet, row, column, value, columns[column], unit, formats)
            widths[column] = max(widths[column], len(text) + 2)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(width, WIDEST))
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(1, len(frame)), max(0, len(columns) - 1))
    return sheet


def _head(name: str, units: set[str]) -> str:
    """Return the head of a column with its unit, where all rows have the same."""
    one = described(name)
    unit = next(iter(units)) if one.unit == ROW and len(units) == 1 else one.unit
    return f"{one.head}, {unit}" if unit and unit not in _PLAIN else one.head


_PLAIN = (ROW, SHARE, "day")
"""Units that the cells themselves make plain."""


def _lines(text: str, width: int) -> int:
    """Return on how many lines a head stands in a column of so many characters."""
    return len(textwrap.wrap(text, width - 2)) or 1


def _write(
    sheet: Any,  # noqa: ANN401
    row: int,
    column: int,
    value: object,
    name: str,
    unit: str,
    formats: dict[str, Any],
) -> str:
    """Write one cell and return about what it shows; what is no number is left empty."""
    if isinstance(value, dt.date):
        day = dt.datetime(value.year, value.month, value.day)
        sheet.write_datetime(row, column, day, formats["day"])
        return "2019-01-01"
    if isinstance(value, str):
        sheet.write_string(row, column, value, formats["text"])
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    number = float(value)  # type: ignore[arg-type]
    if math.isinf(number):
        sheet.write_string(row, column, "never", formats["text"])
        return "never"
    share = (unit == "share" and name != "staff") or any(part in name for part in _SHARES)
    kind = "share" if share else "whole" if number == round(number) or abs(number) >= 100 else "number"
    sheet.write_number(row, column, number, formats[kind])
    return f"{number:,.0f}"


def _beds(book: xlsxwriter.Workbook, formats: dict[str, Any], plan: PlanData) -> None:
    """Add the need for shelter of the case day by day beside the places, with a chart of the two."""
    import pandas as pd

    days = by_day(plan.base, plan.period)
    need = days[days["quantity"] == "need"]
    offered = days[days["quantity"] == "places_offered"]["median"].to_numpy()
    short = days[days["quantity"] == "short"]["median"].to_numpy()
    columns = ["date", "q05", "q25", "median", "q75", "q95"]
    frame = pd.DataFrame(need[columns].assign(offered_most=offered, without_median=short))
    sheet = _sheet(book, formats, "Need and places", frame)
    chart = book.add_chart({"type": "line"})
    last = len(frame)
    for name, title, colour, dash in (
        ("q95", "Need, 95%", "#8fafcc", "solid"),
        ("median", "Need, median", "#1f5f99", "solid"),
        ("q05", "Need, 5%", "#8fafcc", "solid"),
        ("offered_most", "Places offered", "#3f4b57", "dash"),
    ):
        column = list(frame.columns).index(name)
        chart.add_series(
            {
                "name": title,
                "categories": ["Need and places", 1, 0, last, 0],
                "values": ["Need and places", 1, column, last, column],
                "line": {"color": colour, "width": 1.75, "dash_type": dash},
            }
        )
    chart.set_title({"name": "People who need shelter, and places", "name_font": {"size": 12}})
    chart.set_x_axis({"date_axis": True, "num_format": "d mmm yyyy", "major_gridlines": {"visible": False}})
    chart.set_y_axis({"name": "persons", "num_format": "#,##0", "major_gridlines": {"visible": True}})
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": 820, "height": 380})
    sheet.insert_chart(1, len(frame.columns) + 1, chart)
