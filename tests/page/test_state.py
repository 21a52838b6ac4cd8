"""What the server has at hand: cases by id, whatever their folders are called; what waits for nothing."""

from __future__ import annotations

import asyncio
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

import breakrank
from breakrank.case.library import LIBRARY
from breakrank.errors import UsageError
from breakrank.page import answers
from breakrank.page import state as desks
from breakrank.page.app import Page
from breakrank.page.case_view import entry
from breakrank.page.question import PageQuestion
from breakrank.page.server import prepare
from breakrank.page.state import PageState
from breakrank.runs.pool import Pool
from tests.page.conftest import Served, Tab


def state_of(folder: Path, tmp_path: Path) -> PageState:
    return PageState(tmp_path / "store", Pool(1), folder)


def test_a_case_goes_by_its_id_and_not_by_its_folder(tmp_path: Path) -> None:
    made = breakrank.new_case(tmp_path / "made-up", full=True)
    folder = made.rename(tmp_path / "My case (2)")
    state = state_of(folder, tmp_path)
    assert state.names == ("made-up", *breakrank.list_cases())
    assert state.first == state.baseline(state.first).case == state.case("made-up").id == "made-up"
    assert state.source("made-up") == str(folder.resolve())
    assert state.made(PageQuestion(case="made-up")).id == "made-up"
    with pytest.raises(UsageError, match="no case 'My case"):
        state.folder_of("My case (2)")


def test_a_changed_copy_of_a_built_in_case_is_what_is_run(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(LIBRARY / "crimea-2014", tmp_path / "mine"))
    file = folder / "case.yaml"
    title = breakrank.load_case("crimea-2014").title
    assert title in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(title, "Another Crimea"), "utf-8")
    state = state_of(folder, tmp_path)
    assert state.first == "crimea-2014"
    assert sorted(state.names) == sorted(breakrank.list_cases())
    assert state.case("crimea-2014").title == "Another Crimea"
    assert state.made(PageQuestion(case="crimea-2014")).title == "Another Crimea"


def test_a_case_file_damaged_while_it_is_served_shuts_nobody_out(tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "made-up", full=True)
    state = state_of(folder, tmp_path)
    page = Page(state)
    before = page.listed()
    (folder / "case.yaml").write_text("id: [", "utf-8")
    assert page.listed() == before
    assert [one["id"] for one in before] == list(state.names)
    state.entry_of = entry
    told = Page(state).listed()
    assert told == [{"id": "made-up", "title": "made-up (damaged)"}, *before[1:]]
    state.close()


def test_members_of_an_ensemble_are_run_once_however_many_runs_are_asked_for(tmp_path: Path) -> None:
    state = PageState(tmp_path / "store", Pool(1))
    case = state.case("venezuela-2019")
    assert case.draws is not None
    members = len(case.draws)
    many = PageQuestion(case="venezuela-2019", runs=members + 60)
    once = PageQuestion(case="venezuela-2019", runs=members)
    assert state.study(many).runs == members
    assert state.key(many) == state.key(once)
    drawn = PageQuestion(case="venezuela-2019", runs=members + 60, parameters="posterior")
    assert state.study(drawn).runs == members + 60


def test_a_second_tab_is_let_in_while_the_first_ones_question_runs_and_is_drawn(
    served: Served, tab: Tab
) -> None:
    drawing, drawn = threading.Event(), threading.Event()
    waited = []

    def draw() -> None:
        drawing.set()
        waited.append(not drawn.wait(20))

    first = threading.Thread(target=lambda: asyncio.run(served.page_state.read(draw)), daemon=True)
    question = served.question(runs=200, seed=91, until=None)
    with tab.asking(question) as told:
        told.until("bands")
        first.start()
        assert drawing.wait(20)
        second = served.tab()
        assert second.get("/").status == 200
        assert second.get("/api/cases").data["first"] == "small"
        assert second.get("/api/cases/small").data["id"] == "small"
        assert second.get("/api/cases/crimea-2014").data["id"] == "crimea-2014"  # which nobody has opened
        assert second.get("/api/geo/small").status == second.get("/api/look").status == 200
        assert second.post("/api/lives", {"question": question, "soldier": 3}).status == 200
        with second.asking(question) as heard:
            assert heard.line()["type"] == "begun"
        drawn.set()
        first.join(20)
    assert waited == [False], "the charts of the first tab were ready before the second was answered"


def test_a_stored_baseline_is_read_before_any_process_starts_and_kept(
    served: Served, tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "BASELINE_RUNS", 2)
    baseline = served.page_state.baseline("small")
    assert tab.post("/api/ask", baseline.model_dump(mode="json")).lines[-1]["type"] == "done"
    did: list[str] = []
    monkeypatch.setattr(Pool, "warm", lambda *_: did.append("processes start"))
    drawn_here = answers.drawn_here

    def read(result: Any) -> Any:
        did.append(f"{result.runs} runs are read")
        return drawn_here(result)

    monkeypatch.setattr(answers, "drawn_here", read)
    again = PageState(served.page_state.folder, Pool(1), served.page_state.folder_of("small"))
    asyncio.run(prepare(again, Page(again)))
    assert did == ["2 runs are read", "processes start"]
    assert again.result(baseline) is again.result(baseline), "what was read is kept"
    again.close()
