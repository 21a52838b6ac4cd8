"""Scenarios that share days are kept as those that do not, whoever makes them and in whatever order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import breakrank
from breakrank.engine import parting
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.model import Model
from breakrank.runs.backends import Backend, Cores, Here
from breakrank.runs.carry_out import carry_out
from breakrank.runs.ensemble import result_of
from breakrank.runs.event_logs import Log
from breakrank.runs.scenario import Scenario
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from tests.results.same import assert_same_bits

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results.result import Result

RUNS, LOGS = 5, 2


@pytest.fixture(scope="module")
def pair() -> tuple[Case, Case]:
    case = breakrank.load_case("venezuela-2019", "posterior").set({"force.strength": 800}).until("2019-03-31")
    moved = {
        "id": "later",
        "date": "2019-03-10",
        "title": "Prices fall",
        "about": "A basket costs half of what it did.",
        "assumed": "Invented.",
        "effects": [{"field": "basket", "op": "multiply", "value": 0.5}],
    }
    return case, case.with_events([moved])


def study(*cases: Case) -> Study:
    scenarios = tuple(Scenario(case, f"number {k}") for k, case in enumerate(cases))
    return Study(scenarios, RUNS, 7, log=Log.first(LOGS))


def lived(folder: Path, asked: Study, place: Backend) -> list[Result]:
    store = Store(folder)
    account = carry_out(asked, store, place)
    assert not account.failed
    return [result_of(account, store, asked, k) for k in range(len(asked.scenarios))]


@pytest.fixture(scope="module")
def alone(pair: tuple[Case, Case], tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    return [lived(tmp_path_factory.mktemp("alone"), study(case), Here())[0] for case in pair]


@pytest.mark.parametrize("place", [Here(), Cores(2)], ids=["here", "two workers"])
def test_a_pair_is_what_each_is_alone(
    pair: tuple[Case, Case], alone: list[Result], tmp_path: Path, place: Backend
) -> None:
    for one, other in zip(lived(tmp_path, study(*pair), place), alone, strict=True):
        assert_same_bits(one, other)


@pytest.mark.parametrize("first", [0, 1])
def test_where_one_of_them_is_there_already(
    pair: tuple[Case, Case], alone: list[Result], tmp_path: Path, first: int
) -> None:
    lived(tmp_path, study(pair[first]), Here())
    for one, other in zip(lived(tmp_path, study(*pair), Here()), alone, strict=True):
        assert_same_bits(one, other)


def test_days_are_shared(pair: tuple[Case, Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, open_ = [], parting.Parting.open

    def noted(one: parting.Parting) -> tuple[Run, Observer]:
        opened.append(one.day)
        return open_(one)

    monkeypatch.setattr(parting.Parting, "open", noted)
    lived(tmp_path, study(*pair), Here())
    assert opened == [68] * RUNS


def test_a_scenario_that_cannot_be_prepared_leaves_the_first_alone(
    pair: tuple[Case, Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Model.__init__

    def fail(model: Model, case: Case, *rest: object) -> None:
        if "later" in case.events.ids:
            raise RuntimeError("no model of it")
        made(model, case, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Model, "__init__", fail)
    account = carry_out(study(*pair), Store(tmp_path), Here())
    assert [lost.scenario for lost in account.failed] == ["number 1"] * RUNS
