"""An answer as a workbook: a sheet of notes, and one for each table, with numbers as numbers."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from breakrank.answer.terminal import made
from breakrank.show import workbook as books
from breakrank.show.words import PER_CENT

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.answer.answer import Answer, Table


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
            book.sheet(table.title[: books.LONGEST], _dated(table), heads(table), _shares(table))
    return file.getvalue()


def _dated(table: Table) -> pd.DataFrame:
    """Return the rows of a table with its days as such; what is no day is left empty."""
    import pandas as pd

    days = [one.name for one in table.columns if one.kind == "date"]
    return table.rows.assign(**{name: pd.to_datetime(table.rows[name]) for name in days})


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
