"""An answer as a workbook: a sheet of notes, and one for each table, with numbers as numbers."""

from __future__ import annotations

import datetime as dt
from io import BytesIO
from typing import TYPE_CHECKING, Any

from breakrank.answer.cells import headed, made, texts
from breakrank.show.extras import require
from breakrank.show.words import PER_CENT

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer, Figure, Table


NARROWEST, WIDEST = 11, 60
"""Characters that a column is made wide, at least and at most."""
DAY = "yyyy-mm-dd"
SHARE = "0.0%"
WHOLE = "#,##0"
DECIMAL = "[>=100]#,##0;[<=-100]-#,##0;0.0#"
"""Of columns that hold fractions: numbers from a hundred on are shown without."""
ENDS = ("observed_low", "observed_high")
"""Columns of a range: an infinite end is open, and left empty."""


def workbook(answer: Answer) -> bytes:
    """Return an answer as XLSX; the same answer gives the same bytes.

    Raises
    ------
    UsageError
        where the optional extra ``plan`` is not installed.
    """
    require("writing XLSX", "xlsxwriter", extra="plan")
    import pandas as pd

    file = BytesIO()
    # what a case calls things is text, even where it looks like a formula or an address
    plainly = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    # a full disk would refuse temporary files with an error of the library's own, and leave some of them
    options = plainly | {"in_memory": True}
    with pd.ExcelWriter(
        file,
        engine="xlsxwriter",
        date_format=DAY,
        datetime_format=DAY,
        engine_kwargs={"options": options},
    ) as writer:
        writer.book.set_properties({"title": answer.title, "created": dt.datetime(2000, 1, 1)})
        _add_notes(writer, answer)
        for table in answer.tables:
            sheet = _add_table(writer, table)
            for figure in answer.figures:
                if figure.table == table.name and figure.kind == "lines" and not figure.by:
                    _draw(writer.book, sheet, table, figure)
    return file.getvalue()


def _add_notes(writer: pd.ExcelWriter[Any], answer: Answer) -> None:
    """Add the sheet that says what the numbers are, as names and texts."""
    import pandas as pd

    of, book = answer.provenance, writer.book
    told = [
        ("Finding", answer.finding),
        ("Doubt", answer.doubt),
        *(("Says", note) for note in answer.notes),
        *((f"Evidence: {one.of}", one.says) for one in answer.evidence),
        *((f"Sheet {sheet_name(t)}", ". ".join(filter(None, (t.title, t.note)))) for t in answer.tables),
        *(
            ("Column", f"{t.title}, {column.label}: {column.meaning}")
            for t in answer.tables
            for column in t.columns
            if column.meaning
        ),
        *(("Made", line) for line in made(of)),
        ("Digest of the case", of.digest),
        ("Command", of.command),
        ("Versions", ", ".join(f"{name} {text}" for name, text in of.versions.items())),
    ]
    rows = pd.DataFrame([(name, text) for name, text in told if text])
    rows.to_excel(writer, sheet_name="Notes", startrow=2, header=False, index=False)
    sheet = writer.sheets["Notes"]
    sheet.write_string(0, 0, answer.title, book.add_format({"bold": True, "font_size": 14}))
    sheet.set_column(0, 0, 30, book.add_format({"bold": True, "valign": "top"}))
    sheet.set_column(1, 1, 110, book.add_format({"text_wrap": True, "valign": "top"}))


def _add_table(writer: pd.ExcelWriter[Any], table: Table) -> Any:  # noqa: ANN401 (a sheet has no type)
    """Add a table under its heads; what is no number is left empty, an infinite wait is "never"."""
    frame, book, title = _dated(table), writer.book, sheet_name(table)
    frame.to_excel(
        writer,
        sheet_name=title,
        startrow=1,
        header=False,
        index=False,
        inf_rep="never",
        freeze_panes=(1, 0),
    )
    sheet = writer.sheets[title]
    head = {"bold": True, "bottom": 1, "valign": "bottom", "text_wrap": True}
    titles = heads(table)
    sheet.write_row(0, 0, titles, book.add_format(head))
    sheet.autofilter(0, 0, max(1, len(frame)), max(0, len(titles) - 1))
    share = book.add_format({"num_format": SHARE})
    ends = {end: one for one in table.columns for end in (one.low, one.high) if end}
    for at, (column, title_of) in enumerate(zip(table.columns, titles, strict=True)):
        values, of = frame[column.name], ends.get(column.name, column)
        longest = max((len(value) for value in values if isinstance(value, str)), default=0)
        width = max(NARROWEST, longest + 2, max(map(len, title_of.split())) + 3)
        sheet.set_column(at, at, min(width, WIDEST), book.add_format({"num_format": _form(values)}))
        if values.dtype.kind not in "if":
            continue
        units = frame["unit"].astype(str) if of.unit_in and "unit" in frame else [of.unit] * len(frame)
        for row, (value, unit) in enumerate(zip(values, units, strict=True), 1):
            if (of.kind == "share" or unit in PER_CENT) and abs(value) < float("inf"):
                sheet.write_number(row, at, value, share)
            elif of.kind == "factor" and value == float("inf"):
                sheet.write_string(row, at, texts(column, {column.name: value})[0])
    return sheet


def sheet_name(table: Table) -> str:
    """Return what the sheet of a table is called: its name, since its title may be too long.

    >>> from breakrank.answer.answer import Table
    >>> sheet_name(Table.of("each-event", "Without each event, by the last day", [], []))
    'Each event'
    """
    return table.name.replace("-", " ").replace("_", " ").capitalize()


def _dated(table: Table) -> pd.DataFrame:
    """Return the rows of a table with its days as such; what is no day, or an open end, is left empty."""
    import pandas as pd

    rows = table.rows
    days = [one.name for one in table.columns if one.kind == "date"]
    ends = {name: rows[name].where(rows[name].abs() < float("inf")) for name in ENDS if name in rows}
    return rows.assign(**{name: pd.to_datetime(rows[name]) for name in days}, **ends)


def _draw(book: Any, sheet: Any, table: Table, figure: Figure) -> None:  # noqa: ANN401
    """Add the chart of a figure that has one plot of lines beside its table; its rows follow each other."""
    rows = table.rows
    for name, value in figure.where:
        rows = rows[rows[name] == value]
    names, title = [one.name for one in table.columns], sheet_name(table)
    first, last = int(rows.index[0]) + 1, int(rows.index[-1]) + 1
    chart = book.add_chart({"type": "line"})
    for y in figure.y:
        across, up = names.index(figure.x), names.index(y)
        of = {"categories": [title, first, across, last, across], "values": [title, first, up, last, up]}
        chart.add_series({"name": table.column(y).label, **of})
    chart.set_title({"name": figure.title, "name_font": {"size": 12}})
    chart.set_x_axis({"date_axis": True, "num_format": "d mmm yyyy"})
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": 820, "height": 380})
    sheet.insert_chart(1, len(names) + 1, chart)


def heads(table: Table) -> list[str]:
    """Return the heads of a table's columns, with units."""
    named = [(headed(one.label), one.unit) for one in table.columns]
    plain = ("", "share", *PER_CENT)
    return [label if unit in plain or unit in label else f"{label}, {unit}" for label, unit in named]


def _form(column: pd.Series[Any]) -> str:
    """Return the format of a column's numbers: decimals where some number needs them."""
    if column.dtype.kind not in "if":
        return "General"
    known = column[column.abs() < float("inf")]
    return WHOLE if (known == known.round()).all() else DECIMAL
