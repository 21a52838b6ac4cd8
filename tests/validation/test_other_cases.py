"""The other built-in cases: one code brings forth a mass defection here and next to nothing there."""

from functools import cache

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.model import kept_force
from breakrank.results.measures import measure
from breakrank.results.result import Result

RUNS = 3
OFFICERS = ("junior_officer", "field_officer", "senior_officer")
OTHERS = ("enlisted", "sergeant")
CRIMEA, EAST_GERMANY, SYRIA = "crimea-2014", "east-germany-1989", "syria-2011"
PHILIPPINES = "philippines-1986"
VENEZUELA = "venezuela-2019"
NOT_CARRIED = {SYRIA: ("cohesion.norm_weight", "cohesion.solidarity_weight")}
"""What is told of the composition of units, and of Venezuela's nothing."""


@cache
def case(name: str) -> Case:
    return breakrank.load_case(name, "point")


@cache
def result(name: str) -> Result:
    return breakrank.simulate(case(name), runs=1 if name == SYRIA else RUNS, seed=3)


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
    assert (measure(data, "uprisings") == 0).all()
    assert (measure(data, "regime_holds") == 1).all()


def test_more_go_once_hungary_lets_them_pass() -> None:
    data = result(EAST_GERMANY).data
    before = measure(data, "left_abroad", "1989-08-10", "1989-07-09").sum()
    after = measure(data, "left_abroad", "1989-10-13", "1989-09-11").sum()
    assert after > before


def share_gone(dim: str, *labels: str) -> float:
    """Return the share of these ranks or branches of Syria's force that left, whatever way."""
    data = result(SYRIA).data
    at = {dim: list(labels)}
    gone = data[f"exits_{dim}"].sel(at).sum(["day", "outcome", dim])
    return float((gone / data[f"fate_{dim}"].sel(at).sum(["fate", dim])).values[0])


def test_an_army_of_conscripts_splits_and_its_core_holds() -> None:
    assert share_gone("branch", "army") > 0.2
    assert share_gone("branch", "core") < share_gone("branch", "army") / 10
    assert share_gone("branch", "security") < share_gone("branch", "core")
    # the record: at most 3,000 of some 55,000 officers, and tens of thousands of the others
    assert share_gone("rank", "general", *OFFICERS) < min(0.055, share_gone("rank", *OTHERS) / 5)
    assert (measure(result(SYRIA).data, "regime_holds") == 1).all()


def test_tens_of_thousands_leave_and_at_most_three_thousand_officers() -> None:
    data = result(SYRIA).data
    gone = data["exits_rank"].sum(["outcome", "run"])
    by_march = gone.sum("rank").sel(day=slice(None, "2012-03-15")).sum("day")
    assert 25_000 < int(by_march) < 66_000
    assert 100 < int(gone.sel(rank=["general", *OFFICERS]).sum()) <= 3_000


def test_most_stay_in_the_country_and_hardly_any_is_of_the_group_that_the_regime_rests_on() -> None:
    data = result(SYRIA).data
    for day in ("2012-03-15", None):
        over, abroad = measure(data, "went_over", day), measure(data, "left_abroad", day)
        assert (over > abroad).all()
        assert (over + measure(data, "quiet_desertion", day) > 2 * abroad).all()
    assert (measure(data, "left_in_group") < measure(data, "left_out_group") / 50).all()


def place_ratio(found: Result) -> float:
    """Return how many times as often soldiers leave in governorates of more fighting, month by month.

    Months are pooled so that each compares its own governorates only (Mantel and Haenszel 1959).
    """
    data, force = found.data.isel(run=0), kept_force(case(SYRIA), 3)
    left = data["exits_state"].resample(day="MS").sum().values
    contact = data["field_contact"].resample(day="MS").mean().values
    there = np.bincount(force.state, minlength=left.shape[1])
    above = below = 0.0
    for gone, here, fought in zip(left, there - left.cumsum(0) + left, contact, strict=True):
        high = fought > fought.mean()
        if high.any():
            above += gone[high].sum() * here[~high].sum() / here.sum()
            below += gone[~high].sum() * here[high].sum() / here.sum()
    return float(above / below)


def test_soldiers_leave_where_there_is_fighting_and_because_of_it() -> None:
    at_peace = breakrank.simulate(case(SYRIA).set({"war.on": 0}), runs=1, seed=3)
    assert place_ratio(at_peace) + 0.5 < place_ratio(result(SYRIA)) < 3


def test_generals_leave_late_and_not_where_rank_alone_makes_loyal() -> None:
    gone = result(SYRIA).data["exits_rank"].sum(["run", "outcome"]).sel(rank="general")
    assert int(gone.sel(day=slice(None, "2011-12-31")).sum()) < 5 < int(gone.sum()) < 100
    carried = {"preference.rank_loyalty": 0.3, "fear.punishment_slope": 0.25}
    held = breakrank.simulate(case(SYRIA).set(carried), runs=1, seed=3).data["exits_rank"]
    assert int(held.sel(rank="general").sum()) <= 2


@pytest.mark.parametrize("name", [CRIMEA, EAST_GERMANY, SYRIA, PHILIPPINES])
def test_what_is_psychological_is_carried_over(name: str) -> None:
    catalogue = case(VENEZUELA).catalogue
    names = [p.name for p in catalogue.parameters.values() if p.scope == "psychological"]
    assert len(names) > 50
    for parameter in names:
        if parameter in NOT_CARRIED.get(name, ()):
            continue
        here, there = case(name).parameters[parameter], case(VENEZUELA).parameters[parameter]
        assert (here.value, here.prior) == (there.value, there.prior), parameter


def test_only_what_is_national_differs_in_the_philippines() -> None:
    first, there = case(PHILIPPINES), case(VENEZUELA)
    for name, parameter in first.catalogue.parameters.items():
        if parameter.scope != "national" and not name.endswith(".on"):
            assert first.parameters[name].value == there.parameters[name].value, name


def test_the_services_of_the_control_arrest_more() -> None:
    control = case(PHILIPPINES).counterfactual("plotters-arrested")
    arrested = [
        measure(breakrank.simulate(one, runs=RUNS, seed=3).data, "arrested")
        for one in (case(PHILIPPINES), control)
    ]
    assert (arrested[0] < arrested[1]).all()
