"""A plan as charts, document, workbook and folder."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from breakrank.errors import BreakrankError, UsageError
from breakrank.questions.plan import formats
from breakrank.questions.plan.document import document, render
from breakrank.questions.plan.drawings import CHARTS
from breakrank.questions.plan.folder import is_plan
from breakrank.questions.plan.tables import TABLES
from breakrank.show.style import DARK, LIGHT
from tests.questions.run.test_report import Page
from tests.results.guests import GuestCase, bare, guest_plan, plan_of
from tests.show.valid import validated

CASE = GuestCase()


@pytest.fixture(scope="module")
def text() -> str:
    return render(guest_plan())


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


# Charts.


@pytest.mark.parametrize("name", [*CHARTS, None])
def test_every_chart_is_valid_light_and_dark(name: str | None) -> None:
    for theme, look in (("light", LIGHT), ("dark", DARK)):
        spec: Any = guest_plan().plot(name, theme=theme)  # type: ignore[arg-type]
        assert validated(spec)["config"]["background"] == look.paper
        assert spec["datasets"]
        assert all(rows for rows in spec["datasets"].values())


# Tables as texts.


# The document.


def test_the_page_is_whole_and_leads_nowhere(page: Page) -> None:
    assert page.open == []
    for tag, attrs in page.tags:
        assert tag not in ("script", "link", "iframe", "img", "a", "form", "object")
        assert not {"src", "href", "style", "onclick"} & attrs.keys()
    policy = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
    assert policy is not None
    assert "default-src 'none'; script-src 'none'" in policy
    for words in (
        "Reception plan: Colombia",
        "1 Feb 2019 to 30 Sep 2019",
        "Sphere Handbook",
        "The town",
    ):
        assert words in page.text


def test_same_plan_gives_same_page(text: str) -> None:
    assert render(guest_plan()) == text


def test_markup_of_a_case_stays_text() -> None:
    from tests.results.guests import PAYERS

    evil = "<script>alert(1)</script> #set text(red) $x$ \\ *b*"
    hostile = type(PAYERS)(p.model_copy(update={"label": evil}) for p in PAYERS)
    plan = plan_of(GuestCase(payers=hostile, title=evil), runs=2)
    made = render(plan)
    assert "<script" not in made
    assert "&lt;script&gt;" in made


# Paper.


def test_a_letter_that_no_font_has_is_told_and_no_failure() -> None:
    from breakrank.questions.plan.pdf import render as set_on_paper

    case = replace(CASE, title="မြန်မာ 2021")
    with pytest.raises(BreakrankError, match=r"cannot be set on paper.*\n.*take the HTML"):
        set_on_paper(plan_of(case, runs=2))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("much", [True, False])
def test_the_pdf_has_two_pages(paper: str, much: bool) -> None:
    pytest.importorskip("typst")
    from breakrank.questions.plan.pdf import render as set_on_paper

    plan = guest_plan() if much else plan_of(bare(rate=0.0), runs=1)
    made = set_on_paper(plan, paper)
    assert made.startswith(b"%PDF")
    assert len(made) < 600_000
    assert set_on_paper(plan, paper) == made


def test_markup_of_a_case_stays_text_on_paper() -> None:
    pytest.importorskip("typst")
    from breakrank.questions.plan.pdf import render as set_on_paper

    plan = plan_of(GuestCase(title='#panic("x") $a$ *b* _c_ <d> @e \\ "'), runs=2)
    assert set_on_paper(plan).startswith(b"%PDF")


def test_one_change_leads_the_document() -> None:
    case = GuestCase()
    plan = plan_of(case, {"twice-as-many": replace(case, rate=28.0)}, runs=20)
    alone = plan_of(replace(case, rate=28.0), runs=20)
    made, changed = document(plan), document(alone)
    said = "".join(text for text, _ in made.finding)
    assert made.notices[0][0] == "What if"
    assert made.notices[0][1].startswith("twice-as-many. Both pages show this")
    beds = next(text for text, stressed in changed.finding if stressed)
    before = next(text for text, stressed in document(plan_of(case, runs=20)).finding if stressed)
    assert said.startswith(f"With the change, enough on every day: {beds}")
    assert f"Without the change, enough on every day: {before}" in said
    assert made.shelter == changed.shelter
    assert made.staff == changed.staff
    assert [one.value for one in made.tiles] == [one.value for one in changed.tiles]
    assert all("without" in one.note for one in made.tiles)
    assert "without: median without the change" in made.beds.wide
    several = document(guest_plan())
    assert all(label != "What if" for label, _ in several.notices)
    assert several.shelter == document(guest_plan(scenarios=False)).shelter


# Workbook and folder.


def test_the_workbook_holds_every_table(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    guest_plan().save(tmp_path / "plan", ["xlsx"])
    book = openpyxl.load_workbook(tmp_path / "plan" / "plan.xlsx")
    titles = [one.title for name, one in TABLES.items() if name != "notes"]
    assert book.sheetnames == ["Notes", *titles[:2], "Need and places", *titles[2:]]
    for name, frame in guest_plan().tables().items():
        if name == "notes":
            continue
        sheet = book[TABLES[name].title]
        assert sheet.max_row == len(frame) + 1, name
        assert sheet.max_column == len(frame.columns), name
        assert sheet.freeze_panes == "A2"
    summary = list(book["Summary"].iter_rows(min_row=2, values_only=True))
    frame = guest_plan().table("summary")
    assert [row[7] for row in summary] == pytest.approx(frame["median"].tolist())
    notes = " ".join(str(c.value) for row in book["Notes"].iter_rows() for c in row if c.value)
    for words in (
        "seed 3",
        "Sphere Handbook 2018",
        "breakrank",
        "Sheet: Beds by assurance",
        "Sheet: Need and places",
    ):
        assert words in notes
    days = book["Need and places"]
    length = guest_plan().period.days
    assert days.max_row == 3 * length + 1
    assert [days.cell(row, 1).value for row in (1, 2, length + 2)] == ["Scenario", "case", "twice-as-many"]
    assert len(days._charts) == 1


def test_text_of_a_case_is_no_formula(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    from tests.results.guests import PAYERS

    hostile = type(PAYERS)(p.model_copy(update={"label": "=1+1"}) for p in PAYERS)
    plan_of(GuestCase(payers=hostile), runs=1).save(tmp_path / "plan", ["xlsx"])
    book = openpyxl.load_workbook(tmp_path / "plan" / "plan.xlsx")
    cells = [c for row in book["Funds"].iter_rows() for c in row]
    assert any(c.value == "=1+1" for c in cells)
    with zipfile.ZipFile(tmp_path / "plan" / "plan.xlsx") as parts:
        assert not any(b"<f>" in parts.read(name) for name in parts.namelist() if "/worksheets/" in name)


def test_the_folder_is_whole_and_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "town"
    written = guest_plan().save(folder, ["html", "csv"])
    assert [p.name for p in written] == ["plan.html", "tables"]
    assert {p.name for p in folder.iterdir()} == {"plan.html", "plan.json", "tables", "case"}
    assert {p.stem for p in (folder / "tables").iterdir()} == set(TABLES)
    assert is_plan(folder)
    told = json.loads((folder / "plan.json").read_text("utf-8"))
    assert told["breakrank_plan"] == 1
    (folder / "mine.txt").write_text("kept")
    guest_plan(scenarios=False).save(folder, ["csv"])
    assert {p.name for p in folder.iterdir()} == {"plan.json", "tables", "case", "mine.txt"}
    assert "scenarios.csv" not in {p.name for p in (folder / "tables").iterdir()}
    assert [p.name for p in tmp_path.iterdir()] == ["town"]


def test_a_strangers_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(BreakrankError, match="left alone"):
        guest_plan().save(tmp_path, ["csv"])
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


# Libraries that may not be there.


def test_what_is_missing_is_left_out_or_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    there = formats.find_spec
    monkeypatch.setattr(formats, "find_spec", lambda n: None if n in ("typst", "xlsxwriter") else there(n))
    kinds, lacking = formats.chosen(None)
    assert kinds == ("html", "csv")
    assert lacking == "not written: pdf, xlsx; install them with pip install 'breakrank[plan]'"
    with pytest.raises(UsageError, match=r"writing pdf needs typst.*breakrank\[plan\]"):
        guest_plan().save(tmp_path / "plan", ["pdf"])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="no format 'xls', did you mean 'xlsx'"):
        guest_plan().save(tmp_path / "plan", ["xls"])
    with pytest.raises(UsageError, match="paper is 'a5'"):
        guest_plan().save(tmp_path / "plan", ["csv"], paper="a5")  # type: ignore[arg-type]
