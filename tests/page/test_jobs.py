"""Questions under way: streamed, shared between tabs, cancelled one by one, and never made twice."""

from __future__ import annotations

import re
import threading
import time
from typing import Any

from breakrank.page.question import PageQuestion
from breakrank.runs.store import Store
from tests.page.conftest import Served, Tab


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
