"""Questions about a case that was calibrated: its runs live under draws, and what is set is drawn no more."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.page.question import PageQuestion, WantedView
from breakrank.page.scenario_file import python
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
