"""The view Reception: what the page answers is the plan of the command line, on the runs that are there."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from breakrank.questions.plan.text_tables import (
    care_grid,
    needs_grid,
    payers_grid,
    shelter_grid,
    staff_grid,
    worlds_grid,
)

import breakrank
from breakrank.page.question import PageQuestion
from breakrank.page.reception import call_of
from breakrank.page.requests import WantedReception
from breakrank.questions.plan.scope import Period, weeks
from tests.page.conftest import Served, Tab, case_of


@pytest.fixture(scope="module")
def busy(served: Served) -> dict[str, Any]:
    """Return a question under which many come, that was asked and answered, with its key."""
    question = served.question() | {"set": {"decision.baseline_leave": 4}}
    lines = served.tab().post("/api/ask", question).lines
    assert lines[-1]["type"] == "done", lines[-1]
    return {"key": lines[-1]["key"], "question": question}


@pytest.fixture(scope="module")
def plan(served: Served, busy: dict[str, Any]) -> Any:
    """Return the plan of the same runs, made without the page."""
    question = busy["question"]
    case = case_of(served, question)
    return breakrank.plan(case, runs=question["runs"], seed=question["seed"], workers=1)


def grids(answer: dict[str, Any], section: str) -> list[dict[str, Any]]:
    (found,) = [one for one in answer["sections"] if one["id"] == section]
    return list(found["grids"])


def test_it_is_the_plan_of_the_same_runs(tab: Tab, busy: dict[str, Any], plan: Any) -> None:
    said = tab.post("/api/reception", {"question": busy["question"]})
    assert said.status == 200
    answer = said.data
    assert answer["runs"] == plan.runs
    by_week = shelter_grid(plan, weeks, 60)
    assert [tuple(row) for row in grids(answer, "beds")[0]["rows"]] == list(by_week.rows)
    assert [tuple(row) for row in grids(answer, "needs")[0]["rows"]] == list(needs_grid(plan).rows)
    assert [tuple(row) for row in grids(answer, "asylum")[0]["rows"]] == list(staff_grid(plan).rows)
    for grid, expected in zip(grids(answer, "money"), (care_grid(plan), payers_grid(plan)), strict=False):
        assert [tuple(row) for row in grid["rows"]] == list(expected.rows)
    cost = plan.assistance()
    told = {one["label"]: (one["value"], one["note"]) for one in answer["tiles"]}
    assert told[f"Full cost of assistance at 80% assurance, {plan.case.currency}"] == (
        f"{cost.full:,}",
        f"paid for until money ends: {cost.paid:,}; gap {cost.gap:,}",
    )
    assert f"{cost.full:,} {plan.case.currency}" in [text for text, _ in answer["finding"]]
    beds = [one["value"] for one in answer["tiles"] if one["label"].startswith("Beds that suffice")]
    assert beds == [*by_week.rows[0][1:4]]
    assert float(beds[-1].replace(",", "")) > 0


def test_a_changed_side_stands_beside_the_case_with_the_same_luck(
    tab: Tab, served: Served, answered: dict[str, Any], busy: dict[str, Any]
) -> None:
    answer = tab.post("/api/reception", {"question": answered["question"], "beside": busy["question"]}).data
    hues = {
        one["id"]: str([panel["spec"] for panel in one["panels"]])
        for one in answer["sections"]
        if one["panels"]
    }
    assert hues["beds"].count("var(--baseline)") == 0, "the changed side leads, in its own hue"
    assert "var(--counterfactual-text)" in hues["beds"]
    assert "var(--baseline)" in hues["changed"]
    side_by_side, differences = grids(answer, "changed")
    assert side_by_side["columns"] == ["Side by side", "case", "changed"]
    assert differences["rows"][0][0] == "Arrivals"
    assert "decision.baseline_leave is 4 instead of" in next(
        one["note"] for one in answer["sections"] if one["id"] == "changed"
    )


def test_a_period_a_place_and_caseworkers_are_as_asked(tab: Tab, busy: dict[str, Any]) -> None:
    question = busy["question"]
    whole = tab.post("/api/reception", {"question": question}).data
    site = whole["places"][-1]["id"]
    asked = {"since": "2025-01-20", "until": "2025-02-02", "staff": 3}
    answer = tab.post("/api/reception", {"question": question, **asked}).data
    assert (answer["start"], answer["end"]) == ("2025-01-20", "2025-02-02")
    period = Period(dt.date(2025, 1, 20), dt.date(2025, 2, 2), 19, 32)
    assert [row[0] for row in grids(answer, "beds")[0]["rows"]][1:] == [w.label for w in weeks(period)]
    assert [row[0] for row in grids(answer, "asylum")[0]["rows"]][1:] == ["3"]
    there = tab.post("/api/reception", {"question": question, "place": site}).data
    assert "asylum" not in [one["id"] for one in there["sections"]]
    for wrong, said in (
        ({"place": "Atlantis"}, "has no place 'Atlantis'"),
        ({"since": "2025-03-01", "until": "2025-02-01"}, "lies outside the calendar"),
        ({"staff": -1}, "staff"),
    ):
        refused = tab.post("/api/reception", {"question": question, **wrong})
        assert refused.status == 400
        assert said in refused.data["error"]


def test_the_call_says_everything_that_was_asked(tab: Tab, served: Served) -> None:
    """Who makes the plan again by the printed call gets the same one: no change is left out of it."""
    base = served.question(set={"force.strength": 1500.0})
    beside = {**base, "counterfactuals": ["no-appeal"]}
    case = served.page_state.made(PageQuestion(**served.question()))

    def said(**more: Any) -> str:
        return call_of(WantedReception(question=base, **more), case, "my small")

    assert said() == ("breakrank plan 'my small' --runs 4 --seed 1 --set force.strength=1500 --to 2025-02-15")
    assert said(beside=beside, staff=2, since="2025-02-01", place="Riverton").endswith(
        "--set force.strength=1500 --with no-appeal --place Riverton --from 2025-02-01 --to 2025-02-15 "
        "--staff 2"
    )
    altered = {**beside, "set": {**base["set"], "fear.on": 0.0}}
    assert "--with small-scenario.yaml" in said(beside=altered)
    assert (
        tab.post("/api/take", {"question": altered, "what": "scenario.yaml"})
        .headers["content-disposition"]
        .endswith('"small-scenario.yaml"')
    )


def test_twice_as_many_come_to_the_same_host(tab: Tab, served: Served, busy: dict[str, Any]) -> None:
    """Need doubles but for what crowding does; places and sums stay those of the case."""
    many = busy["question"] | {"arrivals": 2.0}
    assert tab.post("/api/ask", many).lines[-1]["type"] == "done"
    question = busy["question"]
    answer = tab.post("/api/reception", {"question": question, "beside": many}).data
    (section,) = [one for one in answer["sections"] if one["id"] == "changed"]
    assert "2 times as many people come" in section["note"]
    assert "places, funds and caseworkers of the host stay as they are" in section["note"]
    side, differences = section["grids"]
    beds = [float(text.replace(",", "")) for text in side["rows"][2][1:]]
    assert 1.5 < beds[1] / beds[0] < 2.5
    assert differences["rows"][0][0] == "Arrivals"
    plain = tab.post("/api/reception", {"question": question}).data
    assert "".join(text for text, _ in answer["finding"]).startswith("With the change, enough on every day: ")
    assert answer["beside"].startswith("Without it, enough on every day: ")
    assert plain["beside"] == ""
    was = {one["label"]: one["value"] for one in plain["tiles"]}
    first = answer["tiles"][0]
    assert first["note"] == f"{was[first['label']]} without the change"
    assert first["value"] == side["rows"][0][2], "the change leads"
    assert answer["sections"][0]["id"] == "changed"
    need = next(one for one in answer["sections"] if one["id"] == "beds")
    assert need["grids"] != next(one for one in plain["sections"] if one["id"] == "beds")["grids"]
    assert "--arrivals 2" in answer["command"]
    case = case_of(served, question)
    same = breakrank.plan(case, runs=question["runs"], seed=question["seed"], workers=1, arrivals=2)
    crowd, usual = same.worlds[1], same.base
    assert [(w.id, w.times) for w in same.worlds] == [("case", 1.0), ("arrivals-2", 2.0)]
    assert (crowd.offered == usual.offered).all()
    assert (crowd.funds == usual.funds).all()
    rows = [tuple(row) for row in side["rows"]]
    assert rows == [tuple(row) for row in worlds_grid(same).rows]
    refused = tab.post("/api/reception", {"question": question | {"arrivals": 99.0}})
    assert refused.status == 400


def test_places_and_sums_of_the_planner_are_run_and_taken_away(
    tab: Tab, served: Served, answered: dict[str, Any]
) -> None:
    mine = answered["question"] | {"places": {"station-hotel": 7}, "funds": {"parish": 500.0}}
    case = case_of(served, mine)
    assert case.sites.named("station-hotel").capacity == 7
    assert [fund.amount for fund in case.payers.named("parish").funds or ()] == [500]
    assert tab.post("/api/ask", mine).lines[-1]["type"] == "done"
    answer = tab.post("/api/reception", {"question": answered["question"], "beside": mine}).data
    (note,) = [one["note"] for one in answer["sections"] if one["id"] == "changed"]
    assert "station-hotel capacity is 7" in note
    assert "--with small-scenario.yaml" in answer["command"]
    wrong = tab.post("/api/ask", mine | {"places": {"station-hotl": 7}})
    assert wrong.status == 400
    assert "station-hotel" in wrong.data["error"]
