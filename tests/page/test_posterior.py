"""Questions about a case that was calibrated: its runs live under draws, and what is set is drawn no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.page.downloads import python
from breakrank.page.question import PageQuestion
from tests.page.conftest import Served, Tab

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
    return breakrank.load_case(CASE, "posterior")


def test_the_posterior_is_the_default_as_on_the_command_line(served: Served, plain: breakrank.Case) -> None:
    assert plain.draws is not None
    wanted = plain.set(STRENGTH).until("2019-03-10").digest
    assert made(served).digest == made(served, parameters="posterior").digest == wanted
    values = made(served, parameters="values")
    assert values.draws is None
    assert values.digest != wanted


def test_what_is_set_is_fixed_over_all_draws_and_nothing_else(served: Served, plain: breakrank.Case) -> None:
    assert plain.draws is not None
    name, other = plain.draws.names[3], plain.draws.names[7]
    value = plain.parameters[name].low
    fixed = made(served, set=STRENGTH | {name: value})
    free = made(served)
    assert fixed.draws is not None
    assert {*plain.draws.names} - {*fixed.draws.names} == {name} | (STRENGTH.keys() & {*plain.draws.names})
    lived = [fixed.drawn(0, run) for run in range(40)]
    assert {one.value(name) for one in lived} == {value}
    assert len({one.value(other) for one in lived}) > 30
    assert [one.value(other) for one in lived] == [free.drawn(0, run).value(other) for run in range(40)]


def test_the_case_shows_what_is_known_before_and_after(tab: Tab, plain: breakrank.Case) -> None:
    shown = tab.get(f"/api/cases/{CASE}").data
    assert shown["parameters"] == {
        "default": "worlds",
        "choices": ["worlds", "posterior", "values"],
        "worlds": 100,
        "most": 100,
        "selected_until": "2019-12-31",
    }
    assert shown["baseline"]["parameters"] is None
    assert plain.draws is not None
    drawn = {p["name"]: p for m in shown["mechanisms"] for p in m["parameters"] if p["posterior"]}
    assert drawn.keys() == {*plain.draws.names}
    for name, one in drawn.items():
        column = plain.draws.values[:, plain.draws.names.index(name)]
        assert one["posterior"]["q"][10] == pytest.approx(np.median(column), rel=1e-4, abs=1e-6)
        density = one["density"]
        assert len(density["edges"]) == 33
        assert density["edges"] == sorted(density["edges"])
        assert sum(density["posterior"]) == pytest.approx(1, abs=1e-4)
        assert 0.98 < sum(density["prior"]) < 1.0001


def test_a_comparison_pairs_runs_under_the_same_draws(tab: Tab, served: Served) -> None:
    change = {"set": STRENGTH | {"fear.on": 0}}
    for question in (asked(), asked(**change), asked(parameters="values")):
        assert tab.post("/api/ask", question).lines[-1]["type"] == "done"
    told = tab.post("/api/compare", {"base": asked(), "other": asked(**change)}).data
    known = breakrank.compare(made(served), made(served, **change), runs=4, seed=2, workers=1)
    assert [d["mean"] for d in told["differences"]] == pytest.approx([d.mean for d in known.differences])
    assert [d["runs"] for d in told["differences"]] == [4] * len(told["differences"])
    mixed = tab.post("/api/compare", {"base": asked(), "other": asked(parameters="values")})
    assert mixed.status == 400
    assert "draws" in mixed.data["error"]


def test_an_answer_says_what_its_bands_hold(tab: Tab) -> None:
    for parameters, said in ((None, "parameter uncertainty"), ("values", "chance only")):
        question = asked(parameters=parameters)
        assert tab.post("/api/ask", question).lines[-1]["type"] == "done"
        assert said in tab.post("/api/figures", {"question": question, "names": ["left"]}).data["holds"]


def test_a_life_and_a_program_are_of_the_run_as_it_was_lived(tab: Tab, served: Served) -> None:
    from breakrank.lives.trace import trace

    told = tab.post("/api/lives", {"question": asked(), "run": 3, "soldier": 5}).data
    known = trace(made(served), 5, SMALL["seed"], 3)
    assert told["soldier"]["post"] == known.soldier.post()
    program = tab.post("/api/take", {"question": asked(), "what": "python"}).body.decode()
    names: dict[str, Any] = {}
    exec(program.partition("result =")[0], names)  # what a user would do with it
    assert names["case"].digest == made(served).digest


def test_the_record_stands_at_what_it_counts(tab: Tab, served: Served) -> None:
    from breakrank.results.measure_table import MEASURES

    question = asked(until=None, runs=2)
    assert tab.post("/api/ask", question).lines[-1]["type"] == "done"
    case = made(served, until=None, runs=2)
    kinds = {one.id: MEASURES[one.measure].kind for one in case.targets}
    found = {}
    for cumulative, kind in ((True, "total"), (False, "level")):
        for variable in ("registered", "cost", "arrived_soldiers", "regime_holds"):
            if cumulative and variable == "regime_holds":
                continue
            wanted = {"question": question, "variable": variable, "cumulative": cumulative}
            record = tab.post("/api/series", wanted).data["record"]
            assert {kinds[one["target"]] for one in record} <= {kind}
            found[kind] = found.get(kind, 0) + len(record)
    assert found["total"] > 0


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
        "most": 100,
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
    with pytest.raises(UsageError, match="comes with no worlds"):
        state.case("crimea-2014", "worlds")
    program = python(asked, made, "venezuela-2019")
    space: dict[str, Any] = {}
    exec(program.partition("result =")[0], space)  # it checks the digest of its case itself
    assert space["case"].digest == made.digest
