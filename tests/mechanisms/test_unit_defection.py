"""Units that go over whole: the essence of Yemen in March 2011, the signs, and what must hold."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank import Case, Result, load_case, simulate
from breakrank.engine import codes
from breakrank.mechanisms.civil_war.cohesion import Units
from breakrank.mechanisms.civil_war.unit_defection import NOT_FOLLOWED
from breakrank.model import Model, build
from breakrank.results.measures import measure
from tests.mechanisms import files
from tests.mechanisms.yemen import WITHOUT_THE_GENERAL, settled, write_yemen, yemen

RUNS, SEED = 6, 1
FEARLESS = {"unit_defection.known": 0, "unit_defection.baseline": 3}
"""Values under which commanders try it whatever their men think."""
GENERAL = np.datetime64("2011-03-21")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return yemen(tmp_path_factory.mktemp("cases") / "yemen")


@pytest.fixture(scope="module")
def result(case: Case) -> Result:
    return changed(case)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Return the country in which no general is heard, and all believe in the challenger as much.

    To take a unit over is less rare there, so that there is as much to see without him.
    """
    folder = write_yemen(tmp_path_factory.mktemp("cases") / "yemen")
    files.write(folder, {"events.yaml": WITHOUT_THE_GENERAL})
    case = settled(load_case(folder)).set({"unit_defection.baseline": 10})
    return case.with_events([event("credibility", 0.75)])


def event(field: str, value: float, op: str = "set", date: str = "2011-03-18", **more: Any) -> dict[str, Any]:
    effect = {"field": field, "op": op, "value": value, **more}
    told = {"id": f"of-{field}", "date": date, "title": "Other", "assumed": "For a test."}
    return {**told, "effects": [effect]}


CALLS = event("commanders_called", 0.5, date="2011-03-21", until="2011-03-25")


def changed(case: Case, runs: int = RUNS, **values: float) -> Result:
    return simulate(
        case.set({k.replace("__", "."): v for k, v in values.items()}), runs=runs, seed=SEED, workers=1
    )


def over(result: Result, **by: Any) -> float:
    return float(measure(result.data, "units_over", by=by or None).mean())


def total(result: Result, name: str, **by: Any) -> float:
    return float(measure(result.data, name, by=by or None).mean())


def test_half_of_an_army_goes_over_by_brigade_after_its_general_and_stays(result: Result) -> None:
    data = result.data
    assert 20 < over(result, branch="division") < 40  # of 50
    assert over(result, branch="guard") < 0.5
    assert over(result, branch="line") < 2
    by_day = data["units_over_branch"].sel(branch="division").mean("run")
    assert by_day.where(by_day["day"] <= GENERAL, 0).sum() == 0
    assert by_day.where(by_day["day"] <= GENERAL + np.timedelta64(7, "D"), 0).sum() > 0.8 * by_day.sum()
    stay = data["units_with_opposition"].sum("state")
    assert (stay.isel(day=-1) == data["units_over_state"].sum(["day", "state"])).all()
    assert total(result, "opposition") > 0.9 * total(result, "went_over")


def test_without_its_general_nobody_does(case: Case, quiet: Case) -> None:
    assert over(changed(case, unit_defection__on=0)) == 0
    hardly = quiet.with_events([event("credibility", 0.3)])
    assert over(changed(hardly)) < 0.5


def test_more_who_are_opposed_take_more_units_over(case: Case, result: Result) -> None:
    found = [over(changed(case, preference__opposed_at_start=share)) for share in (0.3, 0.45)]
    assert 2 * found[0] < found[1] < over(result)


def test_men_who_do_not_follow_stop_more_of_those_who_do_not_know_them(quiet: Case) -> None:
    called, failed = quiet.with_events([CALLS]), {}
    for authority in (1.0, -2.0):
        for known in (0.0, 1.0):
            one = changed(called, unit_defection__authority=authority, unit_defection__known=known)
            tries = over(one) + total(one, "units_not_followed")
            failed[authority, known] = total(one, "units_not_followed") / tries
    assert failed[1.0, 0.0] < 0.1 < 0.2 < failed[-2.0, 0.0]
    assert failed[-2.0, 1.0] < failed[-2.0, 0.0]


def test_a_commander_who_is_not_followed_is_taken_runs_or_surrenders_and_his_men_stay(quiet: Case) -> None:
    case = quiet.with_events([CALLS]).set({**FEARLESS, "unit_defection.authority": -8})
    model = Model(case, build(case, SEED))
    found = model.replicate(SEED, 0, log=True)
    log = found.events
    no = np.flatnonzero(log["event"] == model.world.event(NOT_FOLLOWED))
    assert len(no) > 10
    assert len(no) > 5 * found.series["units_over_state"].sum()
    for k in no:
        mine = (log["soldier"] == log["soldier"][k]) & (log["day"] == log["day"][k])
        after = set(log["event"][mine & (np.arange(len(mine)) > k)].tolist())
        assert after & {codes.EV_ARRESTED, codes.EV_DESERTED, codes.EV_LEFT, codes.EV_SURRENDERED}


def test_those_around_carry_commanders_along_within_days_and_near_by(quiet: Case) -> None:
    alone = changed(quiet, 10, unit_defection__around_weight=0, unit_defection__hears=0)
    together = changed(quiet, 10)
    assert over(together) > 2 * over(alone)

    def most_in_a_week(result: Result) -> float:
        daily = result.data["units_over_state"].sum("state")
        week = daily.rolling(day=7, min_periods=1).sum().max("day")
        return float((week.sum() / daily.sum()).values)

    def other_state_the_same_week(result: Result) -> float:
        daily = result.data["units_over_state"]
        return float((daily.sel(state="XX-B").sum() / daily.sum()).values)

    assert most_in_a_week(together) > 0.5
    fewer_hear = changed(quiet, 10, unit_defection__around_weight=0)
    assert over(together) > over(fewer_hear) > over(alone)
    assert other_state_the_same_week(together) < other_state_the_same_week(alone)


def test_a_unit_of_the_group_that_the_regime_rests_on_hardly_ever_goes(case: Case) -> None:
    like = {"states": ["XX-A", "XX-B"], "branches": ["guard"]}
    all_called = case.with_events([CALLS, event("credibility", 0.95), event("opinion", 1.2, "add", **like)])
    tied = over(changed(all_called), branch="guard")
    untied = over(changed(all_called, composition__on=0), branch="guard")
    assert untied > 5
    assert tied < 0.25 * untied


def test_under_a_closer_watch_fewer_go(quiet: Case) -> None:
    start = "2011-02-01"
    loose, usual, close = (
        over(changed(quiet.with_events([event("surveillance", x, "multiply", date=start)])))
        for x in (0.3, 1.0, 3.0)
    )
    assert loose > usual > 1.5 * close


def test_switched_off_and_out_of_reach_are_the_same(case: Case) -> None:
    uncalled = case.with_events([event("commanders_called", 0, date="2011-03-21")])
    never = {"unit_defection.baseline": 30, "unit_defection.around_weight": 0, "unit_defection.men_weight": 0}
    off, unreached = (changed(uncalled.set(v), 2).data for v in ({"unit_defection.on": 0}, never))
    for name, series in off.data_vars.items():
        np.testing.assert_array_equal(series.values, unreached[name].values, err_msg=str(name))
    assert changed(case.set({"opposition.on": 0}), 2).data["units_over_state"].sum() == 0


def test_a_case_need_not_name_cohesion(tmp_path: Path) -> None:
    case = load_case(files.change(write_yemen(tmp_path / "yemen"), "case.yaml", " cohesion,", ""))
    model = Model(case, build(case, SEED))
    run = model.started(SEED, 0, False)
    model.days.begin(run)
    assert not run.view(Units).norm.any()
