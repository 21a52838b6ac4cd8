"""What the server has at hand, and questions under way: streamed, shared, cancelled, and never made twice."""

import asyncio
import re
import shutil
import threading
import time
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
from breakrank.runs.store import Store
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


def stored(served: Served, question: dict[str, Any]) -> int:
    asked = PageQuestion(**question)
    stored = Store(served.page_state.folder).stored(served.page_state.made(asked), asked.seed)
    return len(stored.finished(range(asked.runs)))


def settled(served: Served, question: dict[str, Any]) -> int:
    """Return how many runs are on the disk once the thread that carries the question out has ended."""
    key = served.page_state.key(PageQuestion(**question))
    for thread in threading.enumerate():
        if thread.name == f"breakrank {key[:8]}":
            thread.join(60)
            assert not thread.is_alive()
    return stored(served, question)


def test_a_question_is_told_from_begin_to_end(served: Served, tab: Tab) -> None:
    question = served.question(seed=11, runs=5)
    lines = tab.post("/api/ask", question).lines
    assert lines[0] == {"type": "begun", "key": lines[-1]["key"], "of": 5}
    assert {line["type"] for line in lines} == {"begun", "progress", "bands", "done"}
    assert [line["done"] for line in lines if line["type"] == "progress"] == sorted(
        line["done"] for line in lines if line["type"] == "progress"
    )
    assert (lines[-1]["runs"], lines[-1]["failed"], lines[-1]["reused"]) == (5, 0, 0)
    bands = [line for line in lines if line["type"] == "bands"]
    assert 2 <= bands[0]["done"] <= 5
    again = tab.post("/api/ask", question).lines
    assert (again[-1]["type"], again[-1]["reused"]) == ("done", 5)


def test_the_same_question_of_two_tabs_is_computed_once(served: Served) -> None:
    question = served.question(seed=12, runs=12)
    ends: list[dict[str, Any]] = []

    def ask() -> None:
        ends.append(served.tab().post("/api/ask", question).lines[-1])

    tabs = [threading.Thread(target=ask) for _ in range(2)]
    for one in tabs:
        one.start()
    for one in tabs:
        one.join()
    assert [end["type"] for end in ends] == ["done", "done"]
    assert ends[0]["key"] == ends[1]["key"]
    asked = PageQuestion(**question)
    parts = served.page_state.store.stored(served.page_state.made(asked), 12).parts()
    assert sum(len(part.runs) for part in parts) == 12


def test_closing_one_stream_cancels_that_question_alone(served: Served) -> None:
    gone, stays = served.question(seed=13, runs=2000), served.question(seed=14, runs=6)
    ends: list[dict[str, Any]] = []
    other = threading.Thread(target=lambda: ends.append(served.tab().post("/api/ask", stays).lines[-1]))
    with served.tab().asking(gone) as stream:
        stream.until("bands")
        other.start()
    other.join(120)
    assert (ends[0]["type"], ends[0]["runs"]) == ("done", 6)
    kept = settled(served, gone)
    assert 2 <= kept < 2000
    time.sleep(0.5)
    assert stored(served, gone) == kept, "a question that nobody listens to goes on"


def test_while_it_is_under_way_it_answers_from_what_is_finished(served: Served) -> None:
    question = served.question(seed=16, runs=2000)
    tab = served.tab()
    with tab.asking(question) as stream:
        stream.until("bands")
        answer = tab.post("/api/map", {"question": question})
        assert answer.status == 200
        assert 2 <= answer.data["runs"] < 2000
        pair = {"view": "whatif", "question": question, "base": question}
        early = tab.post("/api/view", pair)
        assert early.status == 400
        for view in ("happened", "plan"):
            part = tab.post("/api/view", {"view": view, "question": question}).data
            assert re.match(r"So far, of \d+ of 2000 runs: [A-Z0-9]", part["finding"]), part["finding"]


def test_all_parts_of_a_question_under_way_are_of_the_same_runs(served: Served) -> None:
    question = served.question(seed=17, runs=2000)
    tab = served.tab()
    with tab.asking(question) as stream:
        key = stream.until("begun")["key"]
        stream.until("bands")
        of_map = tab.post("/api/map", {"question": question})
        assert of_map.status == 200
        first, announced = of_map.data["runs"], served.page_state._under_way[key]
        while stored(served, question) == first:
            stream.until("progress")
        view = tab.post("/api/view", {"view": "happened", "question": question})
        assert view.data["fan"]["runs"] == first or served.page_state._under_way[key] != announced
