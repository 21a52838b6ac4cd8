"""Files of a comparison: the pages, the workbook and the tables say what the comparison says."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import breakrank
from breakrank.questions.compare.compare import paired
from breakrank.questions.compare.document import Compared, document, pdf, question_and_changes, verdict
from breakrank.questions.compare.workbook import daily, write

if TYPE_CHECKING:
    from breakrank.case import Case


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    case = breakrank.load_case(breakrank.new_case(tmp_path_factory.mktemp("cases") / "made-up", full=True))
    return _compared(case, case.set({"decision.baseline_leave": 4}))


def _compared(case: Case, other: Case) -> Compared:
    before, after = (breakrank.simulate(one, runs=5, seed=3, workers=1) for one in (case, other))
    changes = ("decision.baseline_leave is 4 instead of 0",)
    measures = (*case.catalogue.primary, "serving", "cost")
    return Compared(
        paired(before, after, measures),
        before,
        after,
        "Leaving is easy",
        changes,
        {"serving": "less"},
        "call",
    )


def test_the_pages_say_the_verdict_the_change_and_every_outcome(compared: Compared) -> None:
    said = document(compared)
    made = compared.made
    assert said.finding == ((verdict(made.differences, made.runs), False),)
    assert said.asked == tuple(question_and_changes(compared))
    assert said.asked[-1] == "Changed: decision.baseline_leave is 4 instead of 0."
    money = {d.label for d in made.differences if d.unit == "currency"}
    assert money == {"Cost of the sites"}
    assert [row[0].removesuffix(f", {made.case.currency}") for row in said.table.rows] == [
        d.label for d in made.differences
    ]
    assert {row[0].split(",")[0] for row in said.table.rows if row[0].endswith(made.case.currency)} == money
    verdicts = dict(zip((d.id for d in made.differences), (row[1] for row in said.table.rows), strict=True))
    assert verdicts["serving"] == "less, as expected"
    assert verdicts["regime_holds"] == "no difference"
    assert len(said.main) == 2
    assert said.small
    assert all(one.sentence and one.wide.startswith("<svg") for one in (*said.main, *said.small))


def test_the_pdf_has_two_pages_and_its_text_can_be_read(compared: Compared) -> None:
    pypdf = pytest.importorskip("pypdf")
    made = pdf(compared)
    pages = pypdf.PdfReader(io.BytesIO(made)).pages
    assert len(pages) <= 2
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert "Leaving is easy" in text
    assert all(one.label in text for one in compared.made.differences)
    assert made == pdf(compared), "the same comparison gives the same bytes"


def test_days_are_those_of_the_pairs(compared: Compared) -> None:
    table = daily(compared.before, compared.after)
    last = table[table["date"] == table["date"].max()].set_index("id")
    for one in compared.made.differences:
        if one.id in last.index:
            assert tuple(last.loc[one.id, ["mean", "low", "high"]]) == (one.mean, one.low, one.high), one.id
    assert "median" not in table, "one estimand: the mean of the pairs"
    left = table[table["id"] == "left"]
    assert (np.diff(left["before"]) >= 0).all()
    assert last.loc["left", "after"] > last.loc["left", "before"]


def test_the_workbook_has_both_tables_and_writes_no_formula(compared: Compared, tmp_path: Path) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    write(compared, tmp_path / "one.xlsx")
    write(compared, tmp_path / "two.xlsx")
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()
    book = openpyxl.load_workbook(tmp_path / "one.xlsx")
    assert book.sheetnames == ["Notes", "Last day", "Day by day"]
    rows = list(book["Last day"].values)
    assert rows[0][:2] == ("Outcome (name)", "Outcome")
    assert [row[0] for row in rows[1:]] == [d.id for d in compared.made.differences]
    assert [row[5] for row in rows[1:]] == pytest.approx([d.mean for d in compared.made.differences])
    assert book["Day by day"].max_row == 1 + len(daily(compared.before, compared.after))
