"""What waits for nothing: a case for no chart of another tab, and the first look for no process."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from breakrank.page import answers
from breakrank.page import state as desks
from breakrank.page.app import Page
from breakrank.page.server import prepare
from breakrank.page.state import PageState
from breakrank.runs.pool import Pool
from tests.page.conftest import Served, Tab


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
