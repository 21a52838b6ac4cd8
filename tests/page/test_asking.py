"""Questions under way: streamed, shared between tabs, cancelled one by one, and never made twice."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

from tests.page.conftest import Served, Tab


def stored(served: Served, question: dict[str, Any]) -> int:
    from breakrank.page.question import Question
    from breakrank.study.store import Store

    asked = Question(**question)
    shelf = Store(served.desk.folder).shelf(served.desk.made(asked), asked.seed)
    return len(shelf.finished(range(asked.runs)))


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
    from breakrank.page.question import Question

    asked = Question(**question)
    parts = served.desk.store.shelf(served.desk.made(asked), 12).parts()
    assert sum(len(part.runs) for part in parts) == 12


def test_closing_one_stream_cancels_that_question_alone(served: Served) -> None:
    gone, stays = served.question(seed=13, runs=2000), served.question(seed=14, runs=6)
    ends: list[dict[str, Any]] = []
    connection = served.tab().opened("POST", "/api/ask", json.dumps(gone).encode())
    stream = connection.getresponse()
    while json.loads(stream.readline())["type"] != "bands":
        pass
    other = threading.Thread(target=lambda: ends.append(served.tab().post("/api/ask", stays).lines[-1]))
    other.start()
    stream.close()
    connection.close()
    other.join(120)
    assert (ends[0]["type"], ends[0]["runs"]) == ("done", 6)
    kept = stored(served, gone)
    time.sleep(1.0)
    assert 2 <= stored(served, gone) < 2000
    assert kept >= 2


def test_cancelling_in_one_tab_leaves_the_other_its_answer(served: Served) -> None:
    question = served.question(seed=15, runs=30)
    ends: list[dict[str, Any]] = []
    connection = served.tab().opened("POST", "/api/ask", json.dumps(question).encode())
    stream = connection.getresponse()
    assert json.loads(stream.readline())["type"] == "begun"
    other = threading.Thread(target=lambda: ends.append(served.tab().post("/api/ask", question).lines[-1]))
    other.start()
    time.sleep(0.3)
    stream.close()
    connection.close()
    other.join(300)
    assert (ends[0]["type"], ends[0]["runs"]) == ("done", 30)


def test_while_it_is_under_way_it_answers_from_what_is_finished(served: Served) -> None:
    question = served.question(seed=16, runs=2000)
    tab = served.tab()
    connection = tab.opened("POST", "/api/ask", json.dumps(question).encode())
    stream = connection.getresponse()
    key = json.loads(stream.readline())["key"]
    while json.loads(stream.readline())["type"] != "bands":
        pass
    answer = tab.post("/api/series", {"key": key, "question": question, "variable": "exits_rank"})
    assert answer.status == 200
    assert 2 <= answer.data["runs"] < 2000
    early = tab.post("/api/take", {"question": question, "what": "outcomes.csv"})
    assert early.status == 400
    stream.close()
    connection.close()


def test_a_case_that_cannot_be_run_is_told(served: Served, tab: Tab) -> None:
    question = served.question(set={"force.strength": 1})
    lines = tab.post("/api/ask", question)
    assert lines.status in (200, 400, 422)
    if lines.status == 200:
        assert lines.lines[-1]["type"] in ("done", "failed")
