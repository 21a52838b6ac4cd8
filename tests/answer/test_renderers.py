"""Each renderer once, on one answer: every kind of column, an empty table, a wide one, and what failed."""

import io
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from breakrank.answer.answer import Table
from breakrank.answer.cells import GAP, UNCLEAR, GridTable, least, pages, parts, show, split, texts
from breakrank.answer.charts import drawn_figures
from breakrank.answer.files import RENDERERS
from breakrank.answer.html import fragment, page
from breakrank.errors import UsageError
from breakrank.show.axes import Look
from breakrank.show.style import LIGHT, PAGE
from tests.answer.made_up import EVENTS, answer
from tests.show.valid import validated

FAILED = "1 runs failed and are left out"


def test_every_kind_is_written_as_readers_expect_it() -> None:
    (one, first), (two, second) = parts(answer()["kinds"])
    assert (one, two) == ("one", "two")
    heads = (
        "Outcome",
        "Day",
        "Told",
        "Before",
        "Difference",
        "95% interval",
        "Sign",
        "Factor",
        "Set to",
        "Pairs",
    )
    assert first.columns == heads
    assert first.numbers == 3
    numbers = ("1,285", "+12", "+3 to +21", "97%", "all", "1e-05", "1,200")
    assert first.rows == (("Left <the> country", "1 Mar 2025", "yes", *numbers),)
    assert second.rows[0][3:9] == ("50.0%", "+3 points", "−2 to +8", "50%", "2.3", "6")
    assert texts(answer()["kinds"].column("factor"), {"factor": 5_910_835_299.0}) == ["over 1,000"]
    assert second.rows[1][3:] == ("", "", "", "", "", "", "0")
    ((_, grid),) = parts(answer()["grid"])
    assert grid.columns == ("Without", "X")
    assert grid.rows == (("a", "+5"), ("b", UNCLEAR))


@pytest.mark.parametrize("columns", [40, 80, 110])
def test_the_terminal_breaks_no_number_and_no_word(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    show(answer())
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= columns
    words = printed.split()
    assert {f"{1000 * j + 2:,}" for j in range(1, 14)} <= set(words)
    each = (columns - 1 - len("row-2") - GAP) // (len("13,002") + GAP)
    assert printed.count("row-2") == math.ceil(14 / each), "each piece begins with the name of the row"
    flat = " ".join(words)
    for text in (
        "Forty more leave",
        "An empty table None.",
        FAILED,
        "Interrupted",
        "paragraph 7",
        "A note on",
    ):
        assert text in flat
    assert "Day by day" not in printed


LONG = "Daily rate of leaving for abroad in the month after the closure, against the weeks before"
SEEN = GridTable(
    columns=("Outcome", "Day", "Observed", "Median", "90% of runs"),
    rows=(
        (LONG, "23 Mar 2019", "at least 3", "1,338", "802 to 3,116"),
        ("Registered", "23 Mar 2019", "950 to 1,000", "1,094", "831 to 1,603"),
        ("Registered", "4 Apr 2019", "1,285", "1,162", "915 to 1,783"),
    ),
    numbers=3,
    ends=(4,),
)


@pytest.mark.parametrize("room", [39, 79, 109])
def test_short_texts_are_whole_and_long_ones_take_few_lines(room: int) -> None:
    for piece in split(SEEN, room):
        widths = dict(zip(piece.columns, least(piece, room), strict=True))
        assert sum(each + GAP for each in widths.values()) <= room
        assert widths["Outcome"] >= room // 5
        assert widths.get("Day", 11) >= len("23 Mar 2019")
        assert widths.get("Observed", 12) >= len("950 to 1,000")


def test_pieces_tell_their_rows_apart_and_an_interval_names_its_number() -> None:
    wide, *more = split(SEEN, 79)
    assert (wide.columns, more) == (SEEN.columns, [])
    assert [one.columns for one in split(SEEN, 60)] == [
        ("Outcome", "Day", "Observed"),
        ("Outcome", "Day", "Median", "90% of runs"),
    ]
    assert split_heads(31)[-1] == ("Outcome", "Median, 90% of runs")
    figures = (("Registered", "at least 1.5"), (LONG, "950 to 1,000"))
    each = [(*figure, who, "0.41") for figure in figures for who in ("model, as simulated", "constant rate")]
    scores = GridTable(("Outcome", "Observed", "Forecaster", "CRPS"), tuple(each), numbers=3)
    observed, told = split(scores, 39)
    assert (observed.columns, observed.rows) == (("Outcome", "Observed"), figures), "each row once"
    assert told.columns == ("Outcome", "Forecaster", "CRPS")
    assert len(set(told.rows)) == 4
    (whole,) = split(GridTable(("Outcome",), (("Registered",),), numbers=1), 39)
    assert whole.columns == ("Outcome",)


def test_what_nothing_moves_clearly_is_named_and_takes_no_column() -> None:
    made = answer()
    old = made["grid"]
    dots = old.rows.assign(**{old.across: "y", "l": -1.0, "h": 1.0})
    new = replace(old, rows=pd.concat([old.rows, dots], ignore_index=True))
    shown = {table.name: (table, some) for table, some, _ in pages(replace(made, tables=(new,)))}
    table, ((_, grid),) = shown["grid"]
    assert grid.columns == ("Without", "X")
    assert table.note.endswith("Nothing clearly moves y.")
    ((kept, _, _),) = pages(replace(made, tables=(replace(new, rows=dots),)))
    assert kept.note == old.note, "where nothing moves anything, all is shown"


def split_heads(room: int) -> list[tuple[str, ...]]:
    return [one.columns for one in split(SEEN, room)]


def test_a_page_holds_everything_loads_nothing_and_can_be_read_aloud() -> None:
    text = page(answer())
    assert "<script" not in text
    assert not re.search(r'(?:src|href)="https?:', text)
    assert "&lt;the&gt;" in text
    assert "Small &amp; made up" in text
    assert FAILED in text
    assert 0 < text.index(answer().finding) < text.index("<figure"), "it leads with the finding"
    assert text.count('<figure role="img" aria-label="') == text.count("<figure")
    assert 'lang="en"' in text
    assert text.count("<table>") == text.count("<caption")
    assert text.count('scope="col"') == text.count("<th ")
    assert len(re.findall(r"<h1", text)) == 1
    assert page(answer()) == text


def test_a_notebook_shows_the_same() -> None:
    text = fragment(answer())
    assert answer()._repr_html_() == text
    assert "&lt;the&gt;" in text
    assert text.count("<svg") == text.count('aria-label="')
    for said in ("Forty more leave", FAILED, "One sentence says 3 things."):
        assert said in text


def test_what_is_zero_in_most_runs_gets_no_fan() -> None:
    made = answer()
    table = next(one for one in made.tables if one.name == "daily")
    figure = next(one for one in made.figures if one.name == "fan")
    zero = dict.fromkeys((*figure.y, *figure.inner), 0.0)
    rare = replace(table, rows=table.rows.assign(**zero))
    shown = replace(made, tables=tuple(rare if one is table else one for one in made.tables))
    assert "fan" not in {one.name for one, _ in drawn_figures(shown, Look(LIGHT, still=True))}


def test_events_outside_the_days_of_a_plot_are_not_drawn() -> None:
    made = answer()
    titles = (("2025-02-01", "Before"), ("2025-03-10", "Appeal"), ("2025-06-01", "After"))
    events = [{"date": date, "title": title} for date, title in titles]
    outside = Table.of("events", "Events", EVENTS, events, detail=True)
    tables = tuple(outside if one.name == "events" else one for one in made.tables)
    look = Look(LIGHT, still=True)
    drawn = dict(drawn_figures(replace(made, tables=tables), look, ("fan", "lines")))
    for plots in drawn.values():
        for plot in plots:
            dates = {row["date"] for rows in plot.drawn.rows.values() for row in rows if "date" in row}
            assert "2025-03-10" in dates
            assert not dates & {"2025-02-01", "2025-06-01"}


def test_every_kind_of_figure_is_drawn_on_linear_axes() -> None:
    for theme in (LIGHT, PAGE):
        drawn = {figure.name: plots for figure, plots in drawn_figures(answer(), Look(theme, still=True))}
        assert drawn.keys() == {"fan", "lines", "dots", "bars", "curve", "map"}
        assert len(drawn["fan"]) == 2, "what is zero throughout gets no fan"
        for plots in drawn.values():
            for plot in plots:
                validated(plot.drawn.spec())
                assert plot.sentence
                assert '"log"' not in str(plot.drawn.spec())
    whole = answer().plot()
    titles = [" ".join(block["title"]["text"]) for block in whole["vconcat"]]
    assert titles == [figure.title for figure in answer().figures if figure.name != "nothing"]
    assert answer().plot("dots").svg().startswith("<svg")
    with pytest.raises(UsageError, match="no figure 'dot', did you mean 'dots'"):
        answer().plot("dot")


@pytest.mark.parametrize("suffix", sorted(RENDERERS))
def test_every_file_is_the_same_again(suffix: str, tmp_path: Path) -> None:
    one, two = (answer().write(tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two"))
    assert one == two
    assert one


def test_other_names_of_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"'answer.doc' is no name for an answer; it must end with .html, .pdf"
    ):
        answer().write(tmp_path / "answer.doc")


def test_a_pdf_can_be_read_as_text() -> None:
    pypdf = pytest.importorskip("pypdf")
    pages = pypdf.PdfReader(io.BytesIO(RENDERERS[".pdf"](answer()))).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    for said in ("Forty more leave", "Left <the> country", "A wide table", FAILED, "paragraph 7"):
        assert said in text


def test_a_workbook_needs_no_temporary_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    assert RENDERERS[".xlsx"](answer()).startswith(b"PK")


def test_a_workbook_has_a_sheet_a_table_and_no_formula() -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(io.BytesIO(RENDERERS[".xlsx"](answer())))
    assert book.sheetnames == ["Notes", *(table.name.capitalize() for table in answer().tables)]
    rows = list(book["Kinds"].values)
    assert rows[0][:4] == ("Group", "Outcome", "Unit", "Day")
    assert rows[3][1] == "=SUM(A1)"
    assert book["Kinds"].cell(4, 2).data_type == "s"
    assert rows[1][6] == 12
    assert rows[1][10] == "all"
    assert book["Kinds"].cell(3, 7).number_format == "0.0%"
    assert book["Kinds"].cell(2, 4).is_date
    for table in answer().tables:
        sheet = book[table.name.capitalize()]
        assert (sheet.max_row, sheet.max_column) == (len(table.rows) + 1, len(table.columns)), table.name
        assert sheet.freeze_panes == "A2"
    assert len(book["Daily"]._charts) == 1
    notes = {row[0]: row[1] for row in book["Notes"].values}
    assert notes["Finding"] == answer().finding
    assert FAILED in " ".join(str(row[1]) for row in book["Notes"].values)


def test_markdown_keeps_its_tables_whole_and_parquet_its_types() -> None:
    text = RENDERERS[".md"](answer()).decode()
    lines = text.splitlines()
    assert lines[0] == "# Small & made up"
    assert "| Regime / holds |" in text
    assert "`breakrank ask small --seed 3`" in text
    frame = pd.read_parquet(io.BytesIO(RENDERERS[".parquet"](answer())))
    pd.testing.assert_frame_equal(frame.astype(answer().tables[0].rows.dtypes), answer()["kinds"].rows)
    assert (frame["mean"].dtype, frame["told"].dtype, frame["pairs"].dtype) == ("float64", "bool", "int64")


def test_each_piece_of_a_table_of_numbers_alone_begins_with_its_first_column() -> None:
    table = GridTable(("share", "one", "two"), (("50%", "1" * 9, "2" * 9),), 0)
    pieces = list(split(table, 20))
    assert [one.columns for one in pieces] == [("share", "one"), ("share", "two")]
    assert [one.numbers for one in pieces] == [0, 0]
