"""An answer as a workbook: a sheet of notes, and one for each table, with numbers as numbers."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from breakrank.answer.terminal import made
from breakrank.show import workbook as books
from breakrank.show.words import PER_CENT

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer, Figure, Table


def workbook(answer: Answer) -> bytes:
    """Return an answer as XLSX; the same answer gives the same bytes.

    Raises
    ------
    UsageError
        where the optional extra ``plan`` is not installed.
    """
    file, of = BytesIO(), answer.provenance
    told = [
        ("Finding", answer.finding),
        ("Doubt", answer.doubt),
        *(("Says", note) for note in answer.notes),
        *((f"Evidence: {one.of}", one.says) for one in answer.evidence),
        *(("Reading", f"{t.title}: {t.note}") for t in answer.tables if t.note),
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
    with books.workbook(file, answer.title) as book:
        book.notes(answer.title, [(name, text) for name, text in told if text])
        for table in answer.tables:
            sheet = book.sheet(table.title[: books.LONGEST], _dated(table), heads(table), _shares(table))
            for figure in answer.figures:
                if figure.table == table.name and figure.kind == "lines" and not figure.by:
                    _drawn(book, sheet, table, figure)
    return file.getvalue()


def _dated(table: Table) -> pd.DataFrame:
    """Return the rows of a table with its days as such; what is no day is left empty."""
    import pandas as pd

    days = [one.name for one in table.columns if one.kind == "date"]
    return table.rows.assign(**{name: pd.to_datetime(table.rows[name]) for name in days})


def _drawn(book: books.Workbook, sheet: Any, table: Table, figure: Figure) -> None:  # noqa: ANN401
    """Add the chart of a figure that has one plot of lines beside its table; its rows follow each other."""
    rows = table.rows
    for name, value in figure.where:
        rows = rows[rows[name] == value]
    names, title = [one.name for one in table.columns], table.title[: books.LONGEST]
    first, last = int(rows.index[0]) + 1, int(rows.index[-1]) + 1
    chart = book.book.add_chart({"type": "line"})
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
    """Return what readers see above each column of a table, its unit with it."""
    named = [(one.label, one.unit) for one in table.columns]
    plain = ("", "share", *PER_CENT)
    return [label if unit in plain or unit in label else f"{label}, {unit}" for label, unit in named]


def _shares(table: Table) -> books.IsShare:
    columns = {one.name: one for one in table.columns}
    ends = {end: one for one in table.columns for end in (one.low, one.high) if end}

    def is_share(name: str, unit: str) -> bool:
        one = ends.get(name, columns[name])
        return one.kind == "share" or (unit if one.unit_in else one.unit) in PER_CENT

    return is_share
