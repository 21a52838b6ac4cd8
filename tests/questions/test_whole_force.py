"""Two outputs of one case say the same counts, though its runs draw a part of the force."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.questions.paired import PairedRuns, Reading, by_day
from breakrank.questions.plan.course import course
from breakrank.questions.plan.scope import find_where
from breakrank.questions.run.headline import more
from breakrank.results.measures import in_steps, measure
from breakrank.results.result import load_result
from breakrank.show.tables import leaving
from breakrank.show.words import people

DRAWN = 16_000
EACH = 10.0


@pytest.fixture(scope="module")
def case() -> breakrank.Case:
    plain = breakrank.load_case("venezuela-2019", "point").until("2019-03-31")
    return plain.set({"force.strength": DRAWN, "decision.baseline_leave": 4})


@pytest.fixture(scope="module")
def result(case: breakrank.Case) -> breakrank.Result:
    return breakrank.simulate(case, runs=3, seed=1, workers=1)


@pytest.fixture(scope="module")
def other(case: breakrank.Case) -> breakrank.Result:
    return breakrank.simulate(case.set({"fear.on": 0}), runs=3, seed=1, workers=1)


def test_people_and_money_are_in_proportion_and_nothing_else(result: breakrank.Result) -> None:
    whole = result.whole
    assert whole.whole is whole
    for name in ("registered", "fates", "arrived_relatives", "cost", "files_open", "site_soldiers"):
        assert whole.data[name].values == pytest.approx(EACH * result.data[name].values), name
    for name in ("plots", "uprisings", "opposed", "tension", "files_wait", "regime_holds", "command"):
        assert whole.data[name].identical(result.data[name]), name
    assert whole.data["fates"].isel(day=0).sum("fate").values.tolist() == [160_000.0] * 3


def test_all_who_left_are_one_number(result: breakrank.Result, other: breakrank.Result) -> None:
    median = float(np.median(measure(result.whole.data, "left")))
    assert median >= 100
    assert median == EACH * float(np.median(result.data["exits_rank"].sum(["day", "outcome", "rank"])))
    assert leaving(result.whole)[0].last.median == in_steps(median, EACH)
    assert people(median) in more(result)[0]
    days = by_day(result, "left")
    assert days[:, -1] == pytest.approx(measure(result.whole.data, "left"))
    pairs = PairedRuns.of_results(result, other)
    assert pairs.read("before", Reading("left")) == pytest.approx(measure(result.whole.data, "left"))
    made = {n: pairs.difference("before", "after", n) for n in ("left", "cost", "plots_founded")}
    assert made["left"].before == pytest.approx(float(measure(result.whole.data, "left").mean()))
    assert made["cost"].before == pytest.approx(
        EACH * float(result.data["cost"].sum(["day", "payer"]).mean())
    )
    assert made["plots_founded"].before == pytest.approx(float(result.data["founded"].sum("day").mean()))


def test_a_plan_counts_the_people_whom_the_outcomes_count(result: breakrank.Result) -> None:
    every = course(result, find_where(result.case))
    assert (every.persons["in_sites"][:, -1] <= measure(result.whole.data, "persons_in_sites") + 1e-6).all()
    assert (every.persons["in_sites"] <= every.places).all()
    assert every.serving == pytest.approx(measure(result.whole.data, "serving"))
    assert (every.hosted % EACH == 0).all()


def test_a_folder_keeps_what_was_simulated_and_reads_as_the_whole(
    result: breakrank.Result, tmp_path: Path
) -> None:
    result.save(tmp_path / "kept")
    about: Any = json.loads((tmp_path / "kept" / "result.json").read_text("utf-8"))
    assert about["stands_for"] == EACH
    again = load_result(tmp_path / "kept")
    assert again.data["fates"].identical(result.data["fates"])
    assert again.whole.data["fates"].identical(result.whole.data["fates"])
    told: Any = json.loads((tmp_path / "kept" / "outcomes.json").read_text("utf-8"))
    medians = {name: one["median"] for name, one in told["outcomes"].items()}
    assert medians["left_abroad"] == next(o.median for o in result.outcomes() if o.id == "left_abroad")
