"""A plan from end to end on made-up runs: scenarios with the same luck, staff, and what cannot be."""

from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from breakrank.draws import luck_key
from breakrank.errors import UsageError
from breakrank.questions.paired import PairedRuns
from breakrank.questions.plan.asylum import AS_IS, caseworkers, chances, queue_rules, waits
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import find_period, find_where
from breakrank.runs.carry_out import simulate
from tests.results.guests import ENGINE, GuestCase, answered, funded, guest_plan, plan_of

CASE = GuestCase()


def test_scenarios_share_the_luck_of_the_case() -> None:
    more = {d.id: d for d in guest_plan().differences["twice-as-many"]}
    assert more["arrivals"].more == 1, "in every run"
    assert more["need_peak"].mean > 0
    funds = {d.id: d for d in guest_plan().differences["more-funds"]}
    assert funds["unpaid"].after == 0
    assert funds["unpaid"].less == 29 / 30
    assert funds["paid"].mean > 0
    assert [w.id for w in guest_plan().worlds] == ["case", "twice-as-many", "more-funds"]


def test_all_sides_are_of_the_runs_that_finished_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interrupt, the numbers side by side are those of pairs, as their differences are."""
    result, fewer = PairedRuns.of_study, {"case": [0, 1, 2, 4, 5], "more-funds": [1, 2, 3, 5]}

    def some(study: Any, store: Any, only: Any = None) -> Any:
        made = result(study, store, only)
        whole = made.result

        def finished(name: str) -> Any:
            found = whole(name)
            kept = next((runs for start, runs in fewer.items() if name.startswith(start)), None)
            return found if kept is None else replace(found, data=found.data.sel(run=kept))

        made.result = finished
        return made

    monkeypatch.setattr(PairedRuns, "of_study", some)
    others = {"twice-as-many": replace(CASE, rate=28.0), "more-funds": funded(CASE, 3.0)}
    plan = plan_of(CASE, others, runs=6)
    assert [world.runs.tolist() for world in plan.worlds] == [[1, 2, 5]] * 3
    assert {one.runs for found in plan.differences.values() for one in found if one.id != "serving"} == {3}
    answer = answered(plan)
    rows = answer.table("scenarios").set_index(["scenario", "figure"])
    peak = rows.loc[("twice-as-many", "need_peak")]
    needs = [w.within("need", plan.period).max(axis=1).mean() for w in plan.worlds[:2]]
    assert [peak["before"], peak["after"]] == needs
    fewer["more-funds"] = [3]
    assert plan_of(CASE, others, runs=6).missing == ("more-funds",)


def test_more_caseworkers_leave_fewer_files_and_shorter_waits() -> None:
    constant = [s for s in guest_plan().staffings[0] if s.staff != AS_IS]
    assert [s.staff for s in constant] == [5, 10, 20, 40]
    for fewer, more in pairwise(constant):
        assert (more.open <= fewer.open).all()
        assert (more.told["wait"] <= fewer.told["wait"] + 1e-9).all()
        assert (more.told["decided"] >= fewer.told["decided"]).all()


def test_staff_of_a_run_is_the_queue_on_its_requests() -> None:
    plan = plan_of(CASE, runs=2, staff=(7,))
    rules = queue_rules(plan.case)
    assert (rules.effort, rules.first_days, set(rules.staff.tolist())) == (4.0, 60.0, {6})
    staff = rules.staff.copy()
    staff[plan.period.first :] = 7
    for k in range(2):
        requests, decided, still = (
            plan.base.persons[name][k].astype(int) for name in ("requests", "decisions", "files_open")
        )
        key = luck_key(3, "plan.asylum", k)
        queue = waits(requests, staff, 4.0, 60.0, key, chances(requests, decided, still))
        mine = (queue.asked >= plan.period.first) & (queue.asked < plan.period.last + 1)
        assert plan.staffings[0][1].told["wait"][k] == pytest.approx(np.nanmean(queue.wait[mine]))
        assert plan.staffings[0][1].open[k, -1] == queue.open_at(plan.period.last + 1)[-1]


def test_staff_knows_nothing_of_a_run_beyond_the_period() -> None:
    world = plan_of(CASE, runs=3).base
    period = find_period(CASE.calendar, None, "2019-06-30")
    closed = world.persons["files_open"].copy()
    closed[:, period.last + 1 :] = 0.0
    other = replace(world, persons={**world.persons, "files_open": closed})
    (mine,), (others,) = (caseworkers([one], period, (7,), 3)[0] for one in (world, other))
    for one, same in zip(mine, others, strict=True):
        for name, told in one.told.items():
            np.testing.assert_array_equal(told, same.told[name], name)


def test_rooms_rented_after_the_period_are_not_told() -> None:
    plan = plan_of(CASE, runs=2)
    rented = np.zeros_like(plan.base.rented)
    rented[:, -1] = 5.0
    plan = replace(plan, worlds=(replace(plan.base, rented=rented),))
    assert plan.rents
    assert not replace(plan, period=find_period(CASE.calendar, None, "2019-06-30")).rents


def test_a_course_is_made_of_the_variables_that_it_names() -> None:
    result = simulate(CASE, 2, 3, workers=1, log_runs=0, simulator=ENGINE)
    some = result.data[[name for name in result.data.data_vars if name in READ]]
    for at in ("host", "hotel", "embassy-house"):
        where = find_where(CASE, at)
        whole, part = (course(replace(result, data=data), where) for data in (result.data, some))
        for each in fields(whole):
            one, other = getattr(whole, each.name), getattr(part, each.name)
            if each.name == "persons":
                assert one.keys() == other.keys()
                assert all(np.array_equal(one[k], other[k]) for k in one)
            elif isinstance(one, np.ndarray):
                assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f"), each.name
            else:
                assert one == other


def test_nobody_decides() -> None:
    off = replace(CASE, settings={**CASE.settings, "asylum.on": 0.0})
    plan = plan_of(off, runs=2)
    assert plan.rules is None
    assert plan.staffings == ()
    assert {"asylum", "staff"}.isdisjoint(table.name for table in answered(plan).tables)
    none = plan_of(CASE, runs=2, staff=(0,))
    assert np.isinf(none.staffings[0][1].told["wait"]).all()
    frame = answered(none).table("staff")
    assert np.isinf(frame[(frame["staff"] == 0) & (frame["quantity"] == "wait")]["median"]).all()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"level": 0}, "from 1 to 100 % of runs, not 0"),
        ({"staff": (-1,)}, "from 0 to 10,000, not -1"),
        ({"since": "2020-02-01"}, "lies outside the calendar"),
    ],
)
def test_what_makes_no_sense(how: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan_of(CASE, **how)


def test_staff_that_is_no_number_is_refused_in_python_too() -> None:
    with pytest.raises(UsageError, match=r"staff is a whole number of caseworkers from 0 to .*, not x"):
        plan_of(CASE, runs=2, staff=(5, "x"))
