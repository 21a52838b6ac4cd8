"""The five views as the server answers them: sentences of their own numbers, and files of the same answer."""

import datetime as dt
import io
import json
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

import breakrank
from breakrank.answer.files import FORMAT, MARK, from_json
from breakrank.case.changes import unselected
from breakrank.page import answers
from breakrank.page.background import SHIPPED, Background, BackgroundMaking, shipped
from breakrank.page.question import PageQuestion, composed
from breakrank.page.views import NotYetError, ViewRoutes, current, under
from breakrank.questions.declared import ForecastQuestion
from breakrank.questions.explain import switches
from breakrank.questions.forecast import questions
from breakrank.runs.undated import acting
from tests.answer.made_up import answer
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
    answer = result.whole.answer
    assert (told["finding"], told["doubt"]) == (answer.finding, answer.doubt), "as the report leads"
    assert "fixed assumptions, chance only" in told["doubt"] or "Ranges are those of" in told["doubt"]
    assert told["titles"] == {figure.name: figure.title for figure in answer.figures}
    beside = answer["outcomes"].rows
    assert [row["id"] for row in told["outcomes"]] == beside["id"].tolist()
    (table,) = (one for one in told["tables"] if one["name"] == "outcomes")
    assert len(table["parts"][0]["grid"]["rows"]) == len(beside), "each strip stands in the row of its texts"
    for row, strip in zip(beside.to_dict("records"), told["outcomes"], strict=True):
        if strip["strip"] is not None:
            assert strip["strip"]["median"] == pytest.approx(row["median"], abs=1e-5)
    fan = told["fan"]
    assert fan["record"], "the chart has the observed figures on it"
    daily = answer["daily"].rows
    (same,) = (rows for _, rows in daily.groupby(["group", "id"]) if rows["label"].iloc[0] == fan["label"])
    assert fan["days"] == same["date"].tolist()
    assert np.allclose(fan["median"], same["median"], atol=0.051)
    for mark in fan["record"]:
        assert mark["date"] in fan["days"]


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
    assert told["doubt"].startswith("Mean of 4 pairs of runs, ")
    assert "Without fear" in told["title"]
    for wrong in ({"base": None}, {"question": changed["question"] | {"seed": 9}}):
        assert tab.post("/api/view", changed | wrong).status == 400


def test_a_counterfactual_of_the_case_is_held_against_what_is_expected(tab: Tab, served: Served) -> None:
    question, base = (served.question(until=None, counterfactuals=names) for names in (["no-appeal"], []))
    for one in (question, base):
        assert tab.post("/api/ask", one).lines[-1]["type"] == "done"
    told = shown(tab, view="whatif", question=question, base=base)
    asked = served.page_state.case("small").counterfactuals.named("no-appeal")
    (expected,) = (note for note in told["notes"] if " expected (" in note)
    assert f"less expected ({asked.literature})" in expected
    case = breakrank.load_case("venezuela-2019", "point")
    alone = composed(PageQuestion(case=case.id, counterfactuals=("guarantees",)), case)
    assert alone == case.counterfactuals.named("guarantees")
    more = composed(PageQuestion(case=case.id, counterfactuals=("guarantees",), set={"fear.on": 0}), case)
    assert more is not None
    assert not more.expected, "the literature expects nothing of both"


def test_a_plan_is_of_one_service_level(tab: Tab, busy: dict[str, Any]) -> None:
    told = shown(tab, view="plan", question=busy)
    (beds,) = (int(w.replace(",", "")) for w in [told["finding"].split()[0]])
    assert f"{beds:,} beds at 80%, most " in told["finding"]
    assert "full care costs" in told["finding"]
    assert any("The need is highest about" in note for note in told["notes"])
    assert told["tables"][0]["name"] == "weeks", "the weekly table leads the workbook"
    assert "80%" in told["tables"][0]["title"]
    assert "Beds" in told["tables"][0]["parts"][0]["grid"]["columns"]
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
    place = served.page_state.team.place(threading.Event())
    making = BackgroundMaking(tmp_path / "store", place, lambda *now: told.append(now))
    found = answers.explanation(case, making, 2)
    assert from_json(json.loads(json.dumps(found.as_json()))) == found
    dots = answers.dots(found)
    causes = {(row["kind"], row["id"]) for row in dots}
    assert {("mechanism", one.mechanism) for one in switches(case)} <= causes
    assert {("event", event.id) for event in acting(case)} <= causes
    clear = [row["told"] for row in dots]
    assert clear == sorted(clear, reverse=True)
    assert told[-1][0] == told[-1][1]
    assert "earlier state of the case" in current(found, case.set({"fear.on": 0})).doubt
    assert current(found, case) == found
    stop = threading.Event()
    stop.set()
    stopped = BackgroundMaking(tmp_path / "other", served.page_state.team.place(stop), lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        answers.explanation(case, stopped, 2)


def test_a_long_answer_tells_how_far_it_is_and_is_kept(tmp_path: Path) -> None:
    background, go = Background(tmp_path), threading.Event()

    def make(_: threading.Event, tell: Any) -> dict[str, Any]:
        tell(3, 10, "the runs")
        go.wait(20)
        return {MARK: FORMAT, "answer": 42}

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
    assert background.get("one") == {MARK: FORMAT, "answer": 42}

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
    name, _, view = file.stem.rpartition("-")
    found = shipped(name, view)
    assert found is not None
    assert file.stat().st_size < 60_000
    told = shown(tab, view=view, question={"case": name})
    assert told["finding"] == found.get("shown", found)["finding"]
    assert told[{"why": "dots", "happened": "fan"}.get(view, "figures")]
    if view == "next":
        assert all(one["measure"] for one in told["ahead"] if "median" in one)
        assert all(one["parts"].startswith("model ") for one in told["ahead"] if "model" in one)
        assert told["evidence"], "whoever gets it as a file sees who says the figures that it shows"


@pytest.mark.parametrize("name", breakrank.list_cases())
def test_a_forecast_that_comes_with_breakrank_answers_what_is_asked_today(name: str) -> None:
    found = shipped(name, "next")
    assert found is not None
    case, kept = breakrank.load_case(name), from_json(found)
    asked = {one.label for one in questions(case, dt.date.fromisoformat(answers.usual_day(case)))}
    said = {row["label"] for table in ("counts", "chances") for row in kept[table].records()}
    assert said <= asked, "python tools/kept_answers.py next makes it anew"


def test_a_file_of_a_view_that_nobody_computes_says_so(served: Served, tab: Tab, monkeypatch: Any) -> None:
    asked = {"view": "happened", "question": served.question(seed=4_711), "what": "md"}
    refused = tab.post("/api/share", asked)
    assert refused.status == 400
    assert refused.data["error"].startswith("this view has not been computed\n  Open it")
    under_way = NotYetError({"progress": {"done": 1, "of": 9, "left": None, "what": "runs"}})
    monkeypatch.setattr(ViewRoutes, "_runs", Mock(side_effect=under_way))
    assert tab.post("/api/share", asked).data["error"].startswith("this view is still being computed\n")


@pytest.mark.slow
def test_a_view_that_comes_with_breakrank_stands_until_its_own_runs_are_there(tab: Tab) -> None:
    asked = {"view": "happened", "question": {"case": "crimea-2014"}}
    first = shown(tab, **asked)
    assert "Computed beforehand" in first["doubt"]
    refused = tab.post("/api/share", asked | {"what": "md"})
    assert refused.status == 400
    assert "has not been computed" in refused.data["error"], "no file of other numbers than are shown"
    fewer = {"view": "happened", "question": {"case": "crimea-2014", "runs": 20}}
    assert tab.post("/api/view", fewer).data == {}, "another question"
    assert tab.post("/api/ask", asked["question"]).lines[-1]["type"] == "done"
    then = shown(tab, **asked)
    assert "Computed beforehand" not in then["doubt"]
    assert then.keys() == first.keys()
    if "earlier state" not in first["doubt"]:
        assert (then["finding"], then["fan"]) == (first["finding"], first["fan"])
    assert tab.post("/api/share", asked | {"what": "md"}).status == 200


def test_a_case_of_ones_own_has_no_view_before_its_runs(tab: Tab, served: Served) -> None:
    for view in ("happened", "plan"):
        assert tab.post("/api/view", {"view": view, "question": {"case": served.case}}).data == {}


def test_a_forecast_waits_until_somebody_asks_for_it(tab: Tab, served: Served) -> None:
    told = tab.post("/api/view", {"view": "next", "question": served.question()}).data
    day = told["wait"]["as_of"]
    case = served.page_state.case("small")
    assert str(case.calendar.start) <= day < str(case.calendar.end)
    assert day == answers.usual_day(case)


TABLE = "date,measure,figure,source\r\n2025-05-31,registered,at least 26,the mayor\r\n"


def test_a_forecast_takes_in_figures_beside_the_record(
    tab: Tab, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"view": "next", "question": served.question(), "as_of": "2025-05-31", "observations": TABLE}
    assert tab.post("/api/view", asked).data == {"wait": {"as_of": "2025-05-31"}}
    case = served.page_state.case("small")
    assert answers.next_key(case, "2025-05-31", TABLE) != answers.next_key(case, "2025-05-31")
    questions: list[ForecastQuestion] = []

    def found(question: ForecastQuestion, *_: Any) -> Any:
        questions.append(question)
        return SimpleNamespace(answer=answer())

    monkeypatch.setattr(ForecastQuestion, "answer", found)
    making = BackgroundMaking(tmp_path / "store", served.page_state.team.place(threading.Event()), print)
    file = tmp_path / "kept" / "table.csv"
    assert answers.forecast(case, "2025-05-31", making, file, TABLE) == answer()
    assert file.read_bytes() == TABLE.encode()
    assert making.command == f"breakrank forecast small --as-of 2025-05-31 --observations {file}"
    answers.forecast(case, "2025-05-31", making)
    assert [one.observations for one in questions] == [file, None]


def test_a_table_that_cannot_be_used_is_told_with_its_line(tab: Tab, served: Served) -> None:
    wrong = TABLE.replace("registered", "registred")
    asked = {"view": "next", "question": served.question(), "as_of": "2025-05-31", "observations": wrong}
    for _ in range(200):
        told = tab.post("/api/view", asked | {"go": True})
        if told.status != 200:
            break
        time.sleep(0.05)
    assert told.status == 400
    assert "no measure 'registred', did you mean 'registered'?" in told.data["error"]
    assert ".csv:2" in told.data["error"]


def test_a_view_is_shared_as_files_of_the_same_answer(tab: Tab, changed: dict[str, Any]) -> None:
    marks = {"pdf": b"%PDF", "xlsx": b"PK", "html": b"<!", "json": b"{", "md": b"# "}
    for what, mark in marks.items():
        answer = tab.post("/api/share", changed | {"what": what})
        assert answer.status == 200, answer.data
        assert answer.body.lower().startswith(mark.lower()), what
        assert answer.headers["content-disposition"] == f'attachment; filename="small-whatif.{what}"'
    assert tab.post("/api/share", changed | {"what": "exe"}).status == 400


def test_a_view_under_other_draws_than_what_happened_says_so() -> None:
    case = breakrank.load_case("venezuela-2019")
    told = under(answer(), unselected(case), case)
    assert told.doubt.startswith(answer().doubt)
    assert told.doubt.endswith("so numbers without it are not those of the case as it stands.")
    assert under(answer(), case, case).doubt == answer().doubt
