"""Tables as spreadsheet programs save them: any encoding, separator and layout, or a workbook."""

import datetime as dt
import io
from pathlib import Path

import openpyxl
import pytest

from breakrank.case.tables import CsvTable, read_table
from breakrank.errors import CaseError

FILE = Path("counts.csv")
COLUMNS = ("date", "measure", "figure", "source")
HEAD = "date,measure,figure,source\n"
ROW = "2025-03-10,registered,850,Ministério\n"
CELLS = {"date": "2025-03-10", "measure": "registered", "figure": "850", "source": "Ministério"}


def read(data: bytes | str) -> CsvTable:
    return read_table(data, FILE, COLUMNS)


@pytest.mark.parametrize(
    "data",
    [
        (HEAD + ROW).encode(),
        (HEAD + ROW).encode("utf-8-sig"),
        (HEAD + ROW).encode("utf-16"),
        (HEAD + ROW).encode("utf-16-le"),
        (HEAD + ROW).replace(",", ";").encode(),
        ("sep=;\r\n" + (HEAD + ROW).replace(",", ";")).encode(),
        (HEAD + ROW).replace("\n", "\r").encode(),
        ('DATE,Measure,"Figure",Source\n' + ROW).encode(),
        ("source,figure,measure,date\nMinistério,850,registered,2025-03-10\n").encode(),
        ("\n,,,\n" + HEAD + "#date,#x,#y,#z\n\n" + ROW + ",,,\n").encode(),
        (HEAD.replace("\n", ",\n") + ROW.replace("\n", ",\n")).encode(),
    ],
)
def test_a_table_is_read_whatever_wrote_it(data: bytes) -> None:
    table = read(data)
    assert [row.cells for row in table.rows] == [CELLS]
    assert not table.remarks


def test_windows_1252_is_read_and_told() -> None:
    table = read((HEAD + ROW).encode("cp1252"))
    assert [row.cells for row in table.rows] == [CELLS]
    assert "read as Windows 1252" in str(table.remarks[0])


def test_columns_that_nobody_needs_are_told() -> None:
    table = read("date,measure,figure,notes,source\n2025-03-10,registered,850,by hand,Ministério\n")
    assert [row.cells for row in table.rows] == [CELLS]
    assert "counts.csv:2: 'notes' is not read" in str(table.remarks[0])
    assert not read("date,measure,figure,source,notes\n" + ROW.replace("\n", ",\n")).remarks


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dat,measure,figure,source\n" + ROW, "unknown column 'dat', did you mean 'date'?"),
        ("date,date,measure,figure,source\n" + ROW, "the column 'date' is there twice"),
        (HEAD + "2025-03-10,registered,1,200,a town\n", "5 cells and the header 4"),
        (HEAD + "2025-03-10,registered,850\n", "3 cells and the header 4"),
        (HEAD + ROW + "Source: UNHCR, rounded\n", "2 cells and the header 4"),
        (HEAD + "2025-03-10,,850,a town\n", "this cell is empty"),
        (HEAD, "this table has no rows"),
    ],
)
def test_what_is_no_table_is_refused(text: str, said: str) -> None:
    with pytest.raises(CaseError, match=r"counts\.csv") as raised:
        read(text)
    assert said in str(raised.value)
    assert raised.value.remedy


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(CaseError, match="neither in UTF-8 nor in Windows 1252"):
        read((HEAD + ROW).encode("cp1252").replace(b"\xe9", b"\x81"))
    for data in (b"PK\x03\x04 nothing", b"\xd0\xcf\x11\xe0 of 2003"):
        with pytest.raises(CaseError, match=r"Save it as .xlsx or as CSV"):
            read(data)


def workbook(*rows: tuple[object, ...], formats: tuple[str, ...] = (), sheets: int = 1) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for k, form in enumerate(formats, 2):
        book.active.cell(k, 3).number_format = form
    for k in range(1, sheets):
        book.create_sheet(f"more {k}")
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_workbook_is_read_as_it_shows() -> None:
    values = (850, 0.5, 500, 30, 1200.5, 1.234, "1.200")
    formats = ("General", "0%", '"$"#,##0', '0" days"', "General", "General", "General")
    rows = [(dt.datetime(2025, 3, 10), "registered", value, "herald") for value in values]
    table = read(workbook(("Date", "Measure", "Figure", "Source"), *rows, formats=formats, sheets=2))
    assert [row.cells["date"] for row in table.rows] == ["2025-03-10"] * 7
    shown = ["850", "50%", "500", "30 days", "1200.5", "1.2340", "1.200"]
    assert [row.cells["figure"].lstrip("$") for row in table.rows] == shown
    assert table.rows[2].line == 4
    assert "only the first sheet is read, and not 'more 1'" in str(table.remarks[0])


def numbers(*cells: str, separator: str = ",") -> CsvTable:
    rows = [f'2025-01-01{separator}"{cell}"' for cell in cells]
    return read_table("\n".join([f"date{separator}value", *rows]), FILE, ("date", "value"), "value")


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("0.25", "1e3", "-2.5"), (0.25, 1000, -2.5)),
        (("2.155", "19,47"), (2155, 19.47)),
        (("1.5", "1.200"), (1.5, 1.2)),
        (("1 200,5", "٣"), (1200.5, 3)),
        (("1'200.50", "0.250"), (1200.5, 0.25)),
    ],
)
def test_a_column_of_numbers_is_read_by_the_marks_it_shows(
    cells: tuple[str, ...], values: tuple[float, ...]
) -> None:
    table = numbers(*cells)
    assert tuple(row.number("value") for row in table.rows) == values
    assert not table.remarks


def test_three_decimals_everywhere_are_a_doubt() -> None:
    table = numbers("1.200", "2.450", "3.900")
    assert [row.number("value") for row in table.rows] == [1.2, 2.45, 3.9]
    (remark,) = table.remarks
    assert "counts.csv:2 (value): '1.200' may have thousands or decimals" in str(remark)
    with pytest.raises(CaseError, match=r"can be read as 1.2 or as 1,200"):
        numbers("1.200", "2.450", separator=";")
    with pytest.raises(CaseError, match="can be read"):
        numbers("19.47", "19,47", "1.200", separator=";")
    assert numbers("1,5", "2,25", separator=";").rows[1].number("value") == 2.25
