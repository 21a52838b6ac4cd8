"""Folders whose tables cannot be used."""

from __future__ import annotations

from tests.case.conftest import edit
from tests.case.hostile import Hostile, put_link, swap, whole

TABLES = [
    swap(
        "a table elsewhere",
        "force.yaml",
        "file: stations.csv",
        "file: ../stations.csv",
        "inside the case folder",
    ),
    swap(
        "an absolute table", "force.yaml", "file: stations.csv", "file: /etc/passwd", "inside the case folder"
    ),
    swap(
        "a backslash", "force.yaml", "file: stations.csv", r"file: ..\stations.csv", "inside the case folder"
    ),
    swap("a drive", "force.yaml", "file: stations.csv", r"file: 'C:stations.csv'", "inside the case folder"),
    swap(
        "a hidden climb",
        "force.yaml",
        "file: stations.csv",
        "file: evidence/../../x.csv",
        "inside the case folder",
    ),
    swap(
        "a missing table",
        "force.yaml",
        "file: stations.csv",
        "file: station.csv",
        "did you mean 'stations.csv'?",
    ),
    swap("the folder as table", "force.yaml", "file: stations.csv", "file: .", "inside the case folder"),
    swap(
        "a folder as table",
        "force.yaml",
        "file: stations.csv",
        "file: evidence",
        "is a folder",
        blames="evidence",
    ),
    Hostile("a linked table", "pay.csv", lambda f: put_link(f / "pay.csv"), ("link",)),
    swap(
        "another header", "pay.csv", "date,rank,value", "date,rang,value", "unknown column 'rang'", "'rank'?"
    ),
    swap("a short row", "pay.csv", "2025-01-01,sergeant,100", "2025-01-01,sergeant", "2 cells"),
    swap("a long row", "pay.csv", "2025-01-01,sergeant,100", "2025-01-01,sergeant,1,000", "4 cells"),
    swap("an empty cell", "pay.csv", "2025-01-01,sergeant,100", "2025-01-01,sergeant,", "empty", key="value"),
    swap(
        "a word as value", "pay.csv", "sergeant,100", "sergeant,much", "'much' is not a number", key="value"
    ),
    swap("nan as value", "pay.csv", "sergeant,100", "sergeant,nan", "'nan' is not a number"),
    swap("infinity as value", "pay.csv", "sergeant,100", "sergeant,inf", "'inf' is not a number"),
    swap("a value out of range", "pay.csv", "sergeant,100", "sergeant,-100", "out of range"),
    swap(
        "no date", "pay.csv", "2025-01-01,sergeant", "January,sergeant", "'January' is not a date", key="date"
    ),
    swap(
        "an unknown rank",
        "pay.csv",
        "sergeant",
        "sargent",
        "unknown rank 'sargent', did you mean 'sergeant'?",
    ),
    swap("a row twice", "pay.csv", "officer", "sergeant", "there twice (first on line 3)"),
    swap("a rank without rows", "pay.csv", "2025-01-01,officer,180\n", "", "no row for officer", on="date,"),
    whole("a header alone", "pay.csv", "date,rank,value\n", "no rows"),
    whole(
        "an open quote in a table", "pay.csv", 'date,rank,value\n2025-01-01,"officer,1\n', "not a valid table"
    ),
    whole("an empty table", "pay.csv", "", "empty"),
    swap("a hidden character in a cell", "pay.csv", "sergeant,100", "serg\x1beant,100", "hidden characters"),
    swap("an endless cell", "pay.csv", "sergeant,100", "sergeant," + "1" * 300, "too long"),
    swap(
        "an impossible date in a table", "pay.csv", "2025-01-01,sergeant", "2025-02-30,sergeant", "not a date"
    ),
    swap("a station of more than all", "stations.csv", "XX-C,guard,0.2", "XX-C,guard,1.2", "out of range"),
    whole(
        "a table without end",
        "pay.csv",
        "date,rank,value\n" + "2025-01-01,*,1\n" * 100_001,
        "more than 100,000 rows",
    ),
    Hostile(
        "a dimension that the field lacks",
        "fields.yaml",
        lambda f: (
            edit(f, "fields.yaml", "dims: [rank]", "dims: [state]"),
            (f / "pay.csv").write_text("date,state,value\n2025-01-01,*,1\n"),
        ),
        ("no dimension 'state'", "Its dimensions: rank"),
        "dims: [state]",
        "pay.dims",
    ),
]
