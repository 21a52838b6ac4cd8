"""A plan as charts, document, workbook and folder."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.errors import BreakrankError, UsageError
from breakrank.questions.plan import folder as plan_folder
from breakrank.questions.plan import terminal
from breakrank.questions.plan.document import document, render
from breakrank.questions.plan.drawings import CHARTS, beds
from breakrank.questions.plan.folder import chosen, find_spec, is_plan
from breakrank.questions.plan.reading_notes import too_few
from breakrank.questions.plan.tables import TABLES
from breakrank.questions.plan.text_tables import (
    care_grid,
    cost_grid,
    payers_grid,
    scenario_grid,
    shelter_grid,
    sites_grid,
    staff_grid,
    worlds_grid,
)
from breakrank.questions.plan.texts import finding
from breakrank.show.grid import GridTable
from breakrank.show.look import Look, svg
from breakrank.show.style import DARK, LIGHT, PAGE
from breakrank.show.terminal import WIDEST
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


def test_charts_that_there_are_not() -> None:
    with pytest.raises(UsageError, match="no chart 'bed', did you mean 'beds'"):
        guest_plan().plot("bed")
    with pytest.raises(UsageError, match="theme is 'grey'"):
        guest_plan().plot(theme="grey")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="nothing to draw for 'scenarios'"):
        guest_plan(scenarios=False).plot("scenarios")


def test_the_fan_shows_the_runs_and_the_places() -> None:
    (drawn,) = beds(guest_plan(), Look())
    rows = {name: list(rows) for name, rows in drawn.rows.items()}
    fan = next(r for r in rows.values() if "q95" in r[0] and len(r) == guest_plan().period.days)
    need = guest_plan().base.within("need", guest_plan().period)
    assert fan[100]["median"] == round(float(np.median(need[:, 100])), 1)
    places = next(r for r in rows.values() if set(r[0]) == {"date", "value"})
    open_places = guest_plan().base.offered[0, guest_plan().period.first : guest_plan().period.last + 1]
    assert [r["value"] for r in places] == open_places.tolist()


def test_drawings_carry_no_script_style_or_address() -> None:
    for theme in (LIGHT, DARK, PAGE):
        made = svg(beds(guest_plan(), Look(theme, still=True))[0], theme)
        assert made.startswith("<svg")
        assert "<script" not in made
        assert "style=" not in made
        assert set(re.findall(r"https?://[^\"]+", made)) == {"http://www.w3.org/2000/svg"}
        assert "font-family" not in made
    assert 'fill="var(--ink)"' in svg(beds(guest_plan(), Look(PAGE, still=True))[0], PAGE)
    assert 'font-family="Inter"' in svg(beds(guest_plan(), Look(LIGHT, still=True))[0], LIGHT, "Inter")


# Tables as texts.


def test_texts_say_what_the_tables_say() -> None:
    grid = shelter_grid(guest_plan())
    beds_at = guest_plan().table("shelter")["beds"].tolist()[:3]
    assert grid.rows[0][1:4] == tuple(f"{b:,.0f}" for b in beds_at)
    assert [row[0] for row in grid.rows][:3] == ["Whole period", "Feb 2019", "Mar 2019"]
    assert len(staff_grid(guest_plan()).rows) == 5
    assert staff_grid(guest_plan()).rows[0][0] == "as in the case: 6"
    assert [row[0] for row in payers_grid(guest_plan()).rows] == ["The parish", "The town", "Refugee agency"]
    assert payers_grid(guest_plan()).rows[1][2] == "390, assumed"
    assert payers_grid(guest_plan()).rows[1][3].startswith("2")
    assert payers_grid(guest_plan()).rows[0][2] == "no limit, assumed"
    assert payers_grid(guest_plan(), most=1).rows[0][0] == "The town"
    assert scenario_grid(guest_plan()).columns[-2:] == ("twice-as-many", "more-funds")
    assert len(cost_grid(guest_plan()).columns) == 5
    assert "median" in " ".join(cost_grid(guest_plan()).columns)
    assert [row[0] for row in care_grid(guest_plan()).rows] == [
        "Full cost of assistance",
        "Paid for until money ends",
        "Gap",
        "Bills not covered by assumed funds",
    ]
    assert staff_grid(guest_plan()).columns[-2:] == ("Decided", "Undecided")


def test_a_table_that_is_too_wide_breaks_its_heads_and_loses_no_number(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDEST))
    payers = ("Government of Colombia", "UN refugee agency", "Church and donors", "Help under a memorandum")
    most = "1,029 (1,026 to 1,936)"
    heads = ("Cost, thousand US dollars, medians", *payers, "All payers")
    terminal._print(GridTable(heads, (("Feb 2019", "16", "10", "2.6", "0", most),), 1))
    said = capsys.readouterr().out
    assert most in said
    assert max(map(len, said.splitlines())) <= WIDEST
    assert all(word in said for payer in payers for word in payer.split())


def test_sites_stand_by_town_and_month() -> None:
    grid = sites_grid(guest_plan())
    assert [row[0] for row in grid.rows] == [
        "Parish house, Bridgetown",
        "First hotel, Bridgetown",
        "All in Bridgetown",
        "Second hotel, Río Alto",
    ]
    assert grid.columns[2:] == ("Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep")
    assert grid.rows[3][1:3] == ("200", "closed")
    march = guest_plan().base.inside[:, 59:90, 2].max(axis=1)
    assert grid.rows[3][3].removeprefix("≥") == f"{np.floor(np.median(march) + 0.5):,.0f}"


def test_a_reader_of_long_plans_sees_the_months_of_highest_need() -> None:
    from breakrank.questions.plan.shelter import shelter
    from breakrank.questions.plan.text_tables import MONTHS, kept

    months = shelter(guest_plan().base, guest_plan().period, guest_plan().assurance)[1:]
    many = months * 3
    shown = kept(many)
    assert len(shown) == MONTHS
    assert min(one.beds[-1] for one in shown) >= sorted((m.beds[-1] for m in many), reverse=True)[MONTHS - 1]


def test_waiting_that_never_ends_is_said() -> None:
    plan = plan_of(CASE, runs=2, staff=(0, 5))
    assert staff_grid(plan).rows[1][3:6] == ("never", "never", "0%")


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: plan_of(GuestCase(rate=0.0), runs=2), "shelter from 1 Feb 2019 to 30 Sep 2019, in any run."),
        (lambda: plan_of(bare(), runs=2), "no open sites"),
        (lambda: plan_of(CASE, runs=1), "people need a bed"),
        (
            lambda: plan_of(CASE, runs=2, at="hotel"),
            "the share of its places (92%, 460 of 500 places). ",
        ),
        (
            lambda: plan_of(GuestCase(rate=0.0), runs=2, at="hotel"),
            "Nobody needs shelter from 1 Feb 2019 to 30 Sep 2019, in any run.",
        ),
        (guest_plan, "The town: funds (390,000 dollars, assumed) run out in every run, median 2"),
        (guest_plan, "Dates that follow from assumed sums are no forecast."),
    ],
)
def test_the_finding_in_a_few_sentences(made: Callable[[], Any], says: str) -> None:
    assert says in "".join(text for text, _ in finding(made()))


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


def test_every_chart_has_a_sentence(page: Page) -> None:
    figures = [a for t, a in page.tags if t == "figure"]
    assert len(figures) == 7
    assert all(a["role"] == "img" and str(a["aria-label"]).endswith(".") for a in figures)


def test_same_plan_gives_same_page(text: str) -> None:
    assert render(guest_plan()) == text


@pytest.mark.parametrize("runs", [1, 5])
def test_pages_of_few_runs(runs: int) -> None:
    said = Page(render(plan_of(CASE, runs=runs))).text
    assert ("One run has no spread" if runs == 1 else "the minimum and the maximum of 5 runs") in said
    assert "90% of runs" not in said


def test_pages_of_little() -> None:
    for case, how in ((bare(), {}), (GuestCase(rate=0.0), {}), (CASE, {"at": "hotel"})):
        assert Page(render(plan_of(case, runs=2, **how))).open == []


def test_markup_of_a_case_stays_text() -> None:
    from tests.results.guests import PAYERS

    evil = "<script>alert(1)</script> #set text(red) $x$ \\ *b*"
    hostile = type(PAYERS)(p.model_copy(update={"label": evil}) for p in PAYERS)
    plan = plan_of(GuestCase(payers=hostile, title=evil), runs=2)
    made = render(plan)
    assert "<script" not in made
    assert "&lt;script&gt;" in made


def test_a_document_shows_few_scenarios_and_says_so() -> None:
    plan = plan_of(CASE, {f"same-{k}": CASE for k in range(8)}, runs=1)
    made = document(plan)
    assert [table.columns[2:] for table in made.scenarios] == [
        *[("same-0", "same-1", "same-2")] * 2,
        *[("same-3", "same-4", "same-5")] * 2,
    ]
    assert made.scenarios[1].columns[:2] == ("Difference from the case", "Case")
    assert any("2 more scenarios." in note for note in made.notes)


def test_a_document_says_how_to_make_it_again(page: Page) -> None:
    for words in (
        guest_plan().command,
        "30 runs each, seed 3",
        guest_plan().case.digest[:16],
        "30 runs are too few",
    ):
        assert words in page.text, words
    few = document(plan_of(CASE, runs=19))
    assert ("Too few runs", too_few(guest_plan().assurance, 19)) in few.notices


# Paper.


def test_a_letter_that_no_font_has_is_told_and_no_failure() -> None:
    from breakrank.questions.plan.document import render_pdf as set_on_paper

    case = replace(CASE, title="မြန်မာ 2021")
    with pytest.raises(BreakrankError, match=r"cannot be set on paper.*\n.*take the HTML"):
        set_on_paper(plan_of(case, runs=2))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("much", [True, False])
def test_the_pdf_has_two_pages(paper: str, much: bool) -> None:
    pytest.importorskip("typst")
    from breakrank.questions.plan.document import render_pdf as set_on_paper

    plan = guest_plan() if much else plan_of(bare(rate=0.0), runs=1)
    made = set_on_paper(plan, paper)
    assert made.startswith(b"%PDF")
    assert len(made) < 600_000
    assert set_on_paper(plan, paper) == made


def test_markup_of_a_case_stays_text_on_paper() -> None:
    pytest.importorskip("typst")
    from breakrank.questions.plan.document import render_pdf as set_on_paper

    plan = plan_of(GuestCase(title='#panic("x") $a$ *b* _c_ <d> @e \\ "'), runs=2)
    assert set_on_paper(plan).startswith(b"%PDF")


def test_too_much_for_two_pages_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("typst")
    from breakrank.questions.plan import document as on_paper

    monkeypatch.setattr(on_paper, "PAGES", 1)
    with pytest.raises(BreakrankError, match="too much to say"):
        on_paper.render_pdf(guest_plan(scenarios=False))


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


def test_one_change_leads_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDEST))
    case = GuestCase()
    terminal.show(plan_of(case, {"twice-as-many": replace(case, rate=28.0)}, runs=20))
    said = " ".join(capsys.readouterr().out.split())
    changed = document(plan_of(replace(case, rate=28.0), runs=20))
    beds = next(text for text, stressed in changed.finding if stressed)
    assert "What if: twice-as-many. What follows shows this" in said
    assert f"With the change, enough on every day: {beds}" in said
    assert said.index("With the change") < said.index("Without the change")
    assert " ".join(changed.shelter.rows[0]) in said
    terminal.show(guest_plan(scenarios=False))
    assert "What if:" not in capsys.readouterr().out


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


def test_csv_files_hold_the_tables(tmp_path: Path) -> None:
    import pandas as pd

    guest_plan().save(tmp_path / "plan", ["csv"])
    frame = pd.read_csv(tmp_path / "plan" / "tables" / "summary.csv")
    np.testing.assert_allclose(frame["median"], guest_plan().table("summary")["median"], rtol=1e-9)


def test_charts_as_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = {name: CHARTS[name] for name in ("money", "scenarios")}  # the page draws the others
    monkeypatch.setattr(plan_folder, "CHARTS", some)
    guest_plan(scenarios=False).save(tmp_path / "plan", ["svg"])
    files = sorted((tmp_path / "plan" / "charts").iterdir())
    assert [p.name for p in files] == ["money.svg"]
    assert all(p.read_text("utf-8").startswith("<svg") for p in files)


# Libraries that may not be there.


def test_what_is_missing_is_left_out_or_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    there = find_spec

    def without(name: str) -> Any:
        return None if name in ("typst", "xlsxwriter") else there(name)

    monkeypatch.setattr(plan_folder, "find_spec", without)
    kinds, lacking = chosen(None)
    assert kinds == ("html", "csv")
    assert lacking == "not written: pdf, xlsx; install them with pip install 'breakrank[plan]'"
    with pytest.raises(UsageError, match=r"writing pdf needs typst.*breakrank\[plan\]"):
        guest_plan().save(tmp_path / "plan", ["pdf"])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="no format 'xls', did you mean 'xlsx'"):
        guest_plan().save(tmp_path / "plan", ["xls"])
    with pytest.raises(UsageError, match="paper is 'a5'"):
        guest_plan().save(tmp_path / "plan", ["csv"], paper="a5")  # type: ignore[arg-type]


def test_scenarios_side_by_side() -> None:
    grid = worlds_grid(guest_plan())
    assert grid.columns == ("Side by side", "case", "twice-as-many", "more-funds")
    assert [row[0] for row in grid.rows][:3] == ["Beds at 50%", "Beds at 80%", "Beds at 95%"]
    frame = guest_plan().table("shelter")
    whole = frame[frame["stretch"] == "Whole period"]
    for k, world in enumerate(("case", "twice-as-many", "more-funds"), 1):
        beds = whole[whole["scenario"] == world]["beds"]
        assert [row[k] for row in grid.rows[:3]] == [f"{b:,.0f}" for b in beds]
    town = next(row for row in grid.rows if row[0] == "Assumed funds run out, The town")
    assert town[1].startswith("2")
    assert town[3] == "in no run"
    assert not any("parish" in row[0] for row in grid.rows), "who has no limit cannot run out"
