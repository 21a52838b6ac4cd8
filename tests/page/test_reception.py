"""The view Reception: what the page answers is the plan of the command line, on the runs that are there."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

import breakrank
from breakrank.answer.cells import pages
from breakrank.page.question import PageQuestion
from breakrank.page.reception import call_of
from breakrank.page.requests import WantedReception
from breakrank.questions.plan.scope import Period
from breakrank.questions.plan.shelter import weeks
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
    assert answer["runs"] == plan.provenance.runs
    expected = {table.name: parts for table, parts, _ in pages(plan)}
    for section, names in (
        ("beds", ("weeks", "beds")),
        ("needs", ("needs",)),
        ("asylum", ("staff",)),
        ("money", ("costs_at", "funds", "costs")),
    ):
        mine = [[tuple(row) for row in grid["rows"]] for grid in grids(answer, section)]
        assert mine == [list(grid.rows) for name in names for _, grid in expected[name]], section
    assert answer["finding"] == [[plan.finding, True]]
    assert plan.table("beds")["at_80"].iloc[0] > 0


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
    assert [row[0] for row in side_by_side["rows"]] == ["case", "changed"]
    assert differences["rows"][0][0] == "Arrivals"
    assert "decision.baseline_leave is 4 instead of" in answer["more"]


def test_a_period_a_place_and_caseworkers_are_as_asked(tab: Tab, busy: dict[str, Any]) -> None:
    question = busy["question"]
    whole = tab.post("/api/reception", {"question": question}).data
    site = whole["places"][-1]["id"]
    asked = {"since": "2025-01-20", "until": "2025-02-02", "staff": 3}
    answer = tab.post("/api/reception", {"question": question, **asked}).data
    assert (answer["start"], answer["end"]) == ("2025-01-20", "2025-02-02")
    period = Period(dt.date(2025, 1, 20), dt.date(2025, 2, 2), 19, 32)
    assert len(grids(answer, "beds")[0]["rows"]) == len(weeks(period))
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
    assert "2 times as many people come" in answer["more"]
    assert "places, funds and caseworkers of the host stay as they are" in answer["more"]
    side, differences = grids(answer, "changed")
    beds = [float(row[1].replace(",", "")) for row in side["rows"]]
    assert 1.5 < beds[1] / beds[0] < 2.5
    assert differences["rows"][0][0] == "Arrivals"
    plain = tab.post("/api/reception", {"question": question}).data
    told = answer["finding"][0][0]
    assert told.startswith(f"{beds[1]:,.0f} beds at 80% with the change, {beds[0]:,.0f} without; ")
    assert plain["finding"][0][0].startswith(f"{beds[0]:,.0f} beds at 80% ")
    assert answer["sections"][0]["id"] == "changed"
    need = next(one for one in answer["sections"] if one["id"] == "beds")
    assert need["grids"] != next(one for one in plain["sections"] if one["id"] == "beds")["grids"]
    assert "--arrivals 2" in answer["command"]
    case = case_of(served, question)
    same = breakrank.plan(case, runs=question["runs"], seed=question["seed"], workers=1, arrivals=2)
    assert [*same.table("worlds").index] == ["case", "arrivals-2"]
    assert same.table("worlds")["beds"].tolist() == beds
    days = same.table("need")
    usual, crowd = (days[days["scenario"] == one] for one in ("case", "arrivals-2"))
    assert usual["offered"].tolist() == crowd["offered"].tolist()
    funds = same.table("funds").set_index(["scenario", "payer"])["funds"]
    assert funds["case"].equals(funds["arrivals-2"])
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
    assert "station-hotel capacity is 7" in answer["more"]
    assert "--with small-scenario.yaml" in answer["command"]
    wrong = tab.post("/api/ask", mine | {"places": {"station-hotl": 7}})
    assert wrong.status == 400
    assert "station-hotel" in wrong.data["error"]
