"""Folders whose tables cannot be used."""

from __future__ import annotations

from tests.case.conftest import edit
from tests.case.hostile import Hostile, put_link, swap, whole

TABLES = [
    swap("a table elsewhere", "force.yaml", "file: stations.csv", "file: ../stations.csv",
         "inside the case folder"),
    swap("a hidden climb", "force.yaml", "file: stations.csv", "file: evidence/../../x.csv",
         "inside the case folder"),
    swap("a missing table", "force.yaml", "file: stations.csv", "file: station.csv",
         "did you mean 'stations.csv'?"),
    Hostile("a linked table", "pay.csv", lambda f: put_link(f / "pay.csv"), ("link",)),
    swap("another header", "pay.csv", "date,rank,value", "date,rang,value", "unknown column 'rang'",
         "'rank'?"),
    swap("a short row", "pay.csv", "2025-01-01,sergeant,100", "2025-01-01,sergeant", "2 cells"),
    swap("nan as value", "pay.csv", "sergeant,100", "sergeant,nan", "'nan' is not a number"),
    swap("an unknown rank", "pay.csv", "sergeant", "sargent",
         "unknown rank 'sargent', did you mean 'sergeant'?"),
    swap("a row twice", "pay.csv", "officer", "sergeant", "there twice (first on line 3)"),
    swap("a rank without rows", "pay.csv", "2025-01-01,officer,180\n", "", "no row for officer", on="date,"),
    whole("an open quote in a table", "pay.csv", 'date,rank,value\n2025-01-01,"officer,1\n',
          "not a valid table"),
    swap("an endless cell", "pay.csv", "sergeant,100", "sergeant," + "1" * 300, "too long"),
    whole("a table without end", "pay.csv", "date,rank,value\n" + "2025-01-01,*,1\n" * 100_001,
          "more than 100,000 rows"),
    Hostile("a dimension that the field lacks", "fields.yaml",
            lambda f: (
                edit(f, "fields.yaml", "dims: [rank]", "dims: [state]"),
                (f / "pay.csv").write_text("date,state,value\n2025-01-01,*,1\n"),
            ), ("no dimension 'state'", "Its dimensions: rank"), "dims: [state]", "pay.dims"),
]  # fmt: skip
