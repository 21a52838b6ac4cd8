"""The other built-in cases: one code brings forth a mass defection here and next to nothing there."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.results import Result
from breakrank.results.measures import measure

RUNS = 3
OFFICERS = ("junior_officer", "field_officer", "senior_officer")
OTHERS = ("enlisted", "sergeant")
CRIMEA, EAST_GERMANY, VENEZUELA = "crimea-2014", "east-germany-1989", "venezuela-2019"


@cache
def case(name: str) -> Case:
    return breakrank.load_case(name, "values")


@cache
def result(name: str) -> Result:
    return breakrank.simulate(case(name), runs=RUNS, seed=3)


def share_moved(found: Result, ranks: tuple[str, ...]) -> np.ndarray:
    """Return the share of these ranks that moved to the mainland, float64 (run,)."""
    moved = measure(found.data, "registered", by={"rank": ranks})
    there = found.data["fate_rank"].sel(rank=list(ranks)).sum(["fate", "rank"])
    return np.asarray(moved / there.values)


def test_officers_go_ahead_of_other_ranks_and_most_stay() -> None:
    officers = share_moved(result(CRIMEA), OFFICERS)
    others = share_moved(result(CRIMEA), OTHERS)
    assert (officers > others).all()
    assert (officers > 0.25).all()
    assert (officers < 0.5).all()
    assert (others > 0.15).all()
    assert (others < 0.4).all()


def test_the_security_service_goes_least() -> None:
    assert (share_moved(result(CRIMEA), ("security_service",)) < share_moved(result(CRIMEA), OTHERS)).all()


def test_what_they_have_to_lose_at_home_is_why_officers_are_ahead() -> None:
    alike = breakrank.simulate(case(CRIMEA).set({"preference.rents_weight": 0.0}), runs=1, seed=3)
    assert share_moved(alike, OFFICERS)[0] < share_moved(alike, OTHERS)[0]


def test_next_to_nobody_leaves_and_nobody_rises() -> None:
    data = result(EAST_GERMANY).data
    west = measure(data, "left_abroad", "1989-10-13", "1989-07-01")
    assert (west >= 10).all()
    assert (west <= 100).all()
    assert (measure(data, "risings") == 0).all()
    assert (measure(data, "regime_holds") == 1).all()


def test_more_go_once_hungary_lets_them_pass() -> None:
    data = result(EAST_GERMANY).data
    before = measure(data, "left_abroad", "1989-08-10", "1989-07-09").sum()
    after = measure(data, "left_abroad", "1989-10-13", "1989-09-11").sum()
    assert after > before


@pytest.mark.parametrize("name", [CRIMEA, EAST_GERMANY])
def test_what_is_psychological_is_carried_over(name: str) -> None:
    catalogue = case(name).catalogue
    names = [p.name for p in catalogue.parameters.values() if p.scope == "psychological"]
    assert len(names) > 50
    for parameter in names:
        here, there = case(name).parameters[parameter], case(VENEZUELA).parameters[parameter]
        assert (here.value, here.prior) == (there.value, there.prior), parameter


@pytest.mark.parametrize("name", [CRIMEA, EAST_GERMANY])
def test_every_figure_of_the_ledger_is_used(name: str) -> None:
    assert breakrank.check_case(name) == []
