"""The five views as the server answers them: sentences of their own numbers, and files of the same answer."""

from __future__ import annotations

import io
import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import breakrank
from breakrank.page import ahead, why
from breakrank.page.background import SHIPPED, Background, read
from breakrank.page.question import PageQuestion
from breakrank.questions.explain.explain import switches
from breakrank.runs.store import Store
from tests.page.conftest import Served, Tab, case_of

MOST_WORDS = 25


@pytest.fixture(scope="module")
def changed(served: Served, answered: dict[str, Any]) -> dict[str, Any]:
    """Return a what-if that was asked, with its unchanged side."""
    other = answered["question"] | {"set": {"fear.on": 0}}
    assert served.tab().post("/api/ask", other).lines[-1]["type"] == "done"
    return {"view": "whatif", "question": other, "base": answered["question"]}


@pytest.fixture(scope="module")
def busy(served: Served) -> dict[str, Any]:
    """Return a question to which many come, that was asked."""
    question = served.question(set={"decision.baseline_leave": 4.0}, until="2025-03-15")
    assert served.tab().post("/api/ask", question).lines[-1]["type"] == "done"
    return question


def shown(tab: Tab, **asked: Any) -> dict[str, Any]:
    """Return a view, which opens with one sentence, one chart and one line of doubt."""
    answer = tab.post("/api/view", asked)
    assert answer.status == 200, answer.data
    told: dict[str, Any] = answer.data
    assert 0 < len(told["finding"].split()) <= MOST_WORDS, told["finding"]
    assert "\n" not in told["doubt"]
    assert told["doubt"]
    return told


def test_what_happened_tells_the_runs_numbers_with_what_was_observed(
    tab: Tab, served: Served, answered: dict[str, Any]
) -> None:
    question = answered["question"] | {"until": "2025-05-15"}
    assert tab.post("/api/ask", question).lines[-1]["type"] == "done"
    told = shown(tab, view="happened", question=question)
    case = case_of(served, question)
    result = breakrank.simulate(case, runs=question["runs"], seed=question["seed"], workers=1)
    left = float(np.median(result.whole.data["exits_rank"].sum(["outcome", "rank", "day"])))
    assert f"{left:,.0f} of {case.force.strength:,} left" in told["finding"]
    assert "A simulation of what was reported" in told["doubt"]
    assert "fixed assumptions, chance only" in told["doubt"], "the template is not calibrated"
    assert told["fan"]["record"], "the chart has the observed figures on it"
    assert {row["id"] for row in told["outcomes"]} == {o.id for o in result.outcomes()}
    assert any(row["strip"] for row in told["outcomes"])


def test_a_what_if_is_the_mean_paired_difference_and_the_regime_comes_first(
    tab: Tab, served: Served, changed: dict[str, Any]
) -> None:
    told = shown(tab, **changed)
    before, after = (case_of(served, changed[side]) for side in ("base", "question"))
    known = breakrank.compare(before, after, runs=4, seed=1, workers=1).table()
    kept = pd.read_csv(io.BytesIO(tab.post("/api/share", changed | {"what": "csv"}).body)).set_index("id")
    assert kept.index[0] == "regime_holds"
    for name in known.index:
        assert kept.loc[name, "mean"] == pytest.approx(known.loc[name, "mean"]), name
    assert told["finding"].startswith("The regime survives ")
    assert told["doubt"].startswith("Mean of 4 pairs of runs.")
    assert "Without fear" in told["title"]
    for wrong in ({"base": None}, {"question": changed["question"] | {"seed": 9}}):
        assert tab.post("/api/view", changed | wrong).status == 400


def test_a_plan_is_of_one_service_level(tab: Tab, busy: dict[str, Any]) -> None:
    told = shown(tab, view="plan", question=busy)
    (beds,) = (int(w.replace(",", "")) for w in [told["finding"].split()[0]])
    assert f"{beds:,} beds at 80%, from " in told["finding"]
    assert "full care costs" in told["finding"]
    assert "The peak comes about" in told["doubt"]
    assert told["tables"][0]["name"] == "weekly", "the weekly table leads the workbook"
    columns = told["tables"][0]["parts"][0]["grid"]["columns"]
    assert "beds needed at 80%" in columns
    most = shown(tab, view="plan", question=busy, level=95.0)
    assert int(most["finding"].split()[0].replace(",", "")) >= beds
    later = shown(tab, view="plan", question=busy, since="2025-02-01", until="2025-02-14")
    assert (later["start"], later["end"]) == ("2025-02-01", "2025-02-14")
    for wrong, said in (
        ({"place": "Atlantis"}, "has no place 'Atlantis'"),
        ({"since": "2030-01-01"}, "2030"),
    ):
        refused = tab.post("/api/view", {"view": "plan", "question": busy, **wrong})
        assert refused.status == 400
        assert said in refused.data["error"]
        assert "finding" not in refused.data


def test_twice_as_many_need_about_twice_the_beds(tab: Tab, busy: dict[str, Any]) -> None:
    many = busy | {"arrivals": 2.0}
    assert tab.post("/api/ask", many).lines[-1]["type"] == "done"
    one, two = (
        int(shown(tab, view="plan", question=q)["finding"].split()[0].replace(",", "")) for q in (busy, many)
    )
    assert 1.5 * one <= two <= 2.5 * one


def test_why_takes_everything_away_in_the_background_and_keeps_it(
    tab: Tab, served: Served, tmp_path: Path
) -> None:
    case = served.page_state.case("small").until("2025-01-20")
    told: list[tuple[int, int, str]] = []
    store = Store(tmp_path / "store")
    found = why.computed(
        case, store, served.page_state.team.place, threading.Event(), lambda *now: told.append(now), 2
    )
    causes = {(row["kind"], row["id"]) for row in found["rows"]}
    assert {("mechanism", one.mechanism) for one in switches(case)} <= causes
    assert {("event", event.id) for event in case.events} <= causes
    assert told[-1][0] == told[-1][1] == 2 * (1 + len(causes))
    answer = why.answer(case, json.loads(json.dumps(found)))
    assert len(answer.finding.split()) <= MOST_WORDS
    stale = why.answer(case, found | {"digest": "another"})
    assert "earlier state of the case" in stale.doubt
    stop = threading.Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        why.computed(case, Store(tmp_path / "other"), served.page_state.team.place, stop, lambda *_: None, 2)


def test_a_long_answer_tells_how_far_it_is_and_is_kept(tmp_path: Path) -> None:
    background, go = Background(tmp_path), threading.Event()

    def make(_: threading.Event, tell: Any) -> dict[str, Any]:
        tell(3, 10, "the runs")
        go.wait(20)
        return {"answer": 42}

    assert background.get("one") is None
    for _ in range(200):
        progress = background.ask("one", make)["progress"]
        if progress["done"]:
            break
        time.sleep(0.02)
    assert (progress["done"], progress["of"], progress["what"]) == (3, 10, "the runs")
    go.set()
    for _ in range(200):
        if background.get("one"):
            break
        time.sleep(0.02)
    assert background.get("one") == {"answer": 42}

    def fail(_: threading.Event, __: Any) -> dict[str, Any]:
        raise ValueError("no such luck")

    for _ in range(200):
        told = background.ask("two", fail)
        if "error" in told:
            break
        time.sleep(0.02)
    assert told == {"error": "ValueError: no such luck"}


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.json")), ids=lambda file: file.stem)
def test_an_answer_that_comes_with_breakrank_opens_at_once(tab: Tab, file: Path) -> None:
    found = read(file)
    assert found is not None
    assert file.stat().st_size < 50_000
    name, _, view = file.stem.rpartition("-")
    told = shown(tab, view=view, question={"case": name})
    assert told["figures"]
    if view == "why":
        assert len(told["dots"]) == len(found["rows"])


def test_a_forecast_waits_until_somebody_asks_for_it(tab: Tab, served: Served) -> None:
    told = tab.post("/api/view", {"view": "next", "question": served.question()}).data
    day = told["wait"]["as_of"]
    case = served.page_state.case("small")
    assert str(case.calendar.start) <= day < str(case.calendar.end)
    assert day == ahead.usual_day(case)


def test_a_view_is_shared_as_files_of_the_same_answer(tab: Tab, changed: dict[str, Any]) -> None:
    marks = {"pdf": b"%PDF", "xlsx": b"PK", "html": b"<!", "json": b"{", "md": b"# "}
    for what, mark in marks.items():
        answer = tab.post("/api/share", changed | {"what": what})
        assert answer.status == 200, answer.data
        assert answer.body.lower().startswith(mark.lower()), what
        assert answer.headers["content-disposition"] == f'attachment; filename="small-whatif.{what}"'
    assert tab.post("/api/share", changed | {"what": "exe"}).status == 400


def test_a_switch_is_named_in_words() -> None:
    question = PageQuestion(case="small", set={"fear.on": 0.0})
    case = breakrank.load_case("crimea-2014", "point")
    assert question.called(case) == "Without fear"
