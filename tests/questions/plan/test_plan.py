"""A plan from end to end on made-up runs: scenarios with the same luck, staff, and what cannot be."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest

from breakrank.draws import luck_key
from breakrank.errors import UsageError
from breakrank.questions.plan.asylum import AS_IS
from breakrank.questions.plan.caseworkers import chances, queue_rules, waits
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import check_assurance, check_staff, find_where
from breakrank.questions.plan.texts import least_staff, limits
from breakrank.runs.ensemble import simulate
from tests.results.guests import ENGINE, GuestCase, funded, guest_plan, plan_of

CASE = GuestCase()


def test_the_same_case_as_a_scenario_differs_in_nothing() -> None:
    plan = plan_of(CASE, {"same": CASE}, runs=3)
    for d in plan.differences["same"]:
        assert d.mean == 0, d.id
        assert d.before == d.after


def test_scenarios_share_the_luck_of_the_case() -> None:
    more = {d.id: d for d in guest_plan().differences["twice-as-many"]}
    assert more["arrivals"].more == 1, "in every run"
    assert more["need_peak"].mean > 0
    funds = {d.id: d for d in guest_plan().differences["more-funds"]}
    assert funds["unpaid"].after == 0
    assert funds["unpaid"].less == 1
    assert funds["paid"].mean > 0
    assert [w.id for w in guest_plan().worlds] == ["case", "twice-as-many", "more-funds"]


def test_more_caseworkers_leave_fewer_files_and_shorter_waits() -> None:
    constant = [s for s in guest_plan().staffings[0] if s.staff != AS_IS]
    assert [s.staff for s in constant] == [5, 10, 20, 40]
    for fewer, more in pairwise(constant):
        assert (more.open <= fewer.open).all()
        assert (more.wait <= fewer.wait + 1e-9).all()
        assert (more.decided >= fewer.decided).all()


def test_the_cases_own_staff_stands_beside() -> None:
    as_is, *_ = guest_plan().staffings[0]
    assert as_is.staff == AS_IS
    six = plan_of(CASE, staff=(6,), since="2019-01-01").staffings[0]
    assert np.array_equal(six[0].open, six[1].open), "the case has six all along"


def test_staff_of_a_run_is_the_queue_on_its_requests() -> None:
    plan = plan_of(CASE, runs=2, staff=(7,))
    rules = queue_rules(plan.case)
    assert rules is not None
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
        assert plan.staffings[0][1].wait[k] == pytest.approx(np.nanmean(queue.wait[mine]))
        assert plan.staffings[0][1].open[k, -1] == queue.open_at(plan.period.last + 1)[-1]


def test_a_course_is_made_of_the_variables_that_it_names() -> None:
    result = simulate(cast("Any", CASE), 2, 3, workers=1, log_runs=0, simulator=ENGINE)
    some = result.data[[name for name in result.data.data_vars if name in READ]]
    for at in ("host", "hotel", "embassy-house"):
        where = find_where(cast("Any", CASE), at)
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
    assert {"asylum", "staff"}.isdisjoint(plan.tables())
    none = plan_of(CASE, runs=2, staff=(0,))
    assert np.isinf(none.staffings[0][1].wait).all()
    frame = none.table("staff")
    assert np.isinf(frame[(frame["staff"] == 0) & (frame["quantity"] == "wait")]["median"]).all()


def test_sites_have_no_files_of_their_own() -> None:
    plan = plan_of(CASE, runs=2, at="hotel")
    assert plan.staffings == ()
    assert plan.where.label == "First hotel; Second hotel"
    beside = plan_of(CASE, {"same": CASE}, runs=2, at="hotel").differences["same"]
    assert [d.id for d in beside] == ["need_peak", "need_days", "care", "paid", "unpaid", "serving"]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"assurance": (0,)}, "above 0 and up to 100, not 0"),
        ({"assurance": (50, 101)}, "not 101"),
        ({"assurance": ()}, "no assurance is given: at least one"),
        ({"staff": (-1,)}, "from 0 to 10,000, not -1"),
        ({"staff": (2.5,)}, "not 2.5"),
        ({"runs": 0}, "runs must be from 1"),
        ({"at": "hotl"}, "did you mean 'hotel'"),
        ({"since": "2020-02-01"}, "lies outside the calendar"),
    ],
)
def test_what_makes_no_sense(how: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan_of(CASE, **how)


def test_levels_and_numbers_are_put_in_order() -> None:
    assert check_assurance((95, 50.0, 80)) == (0.5, 0.8, 0.95)
    assert check_staff((20, 5, 5)) == (5, 20)


def test_progress_counts_all_worlds() -> None:
    seen: list[tuple[int, int]] = []
    plan_of(CASE, {"more-funds": funded(CASE, 3.0)}, runs=2, progress=lambda a, b: seen.append((a, b)))
    assert seen[-1] == (4, 4)
    assert [a for a, _ in seen] == sorted(a for a, _ in seen)


def test_the_call_says_how_to_make_it_again() -> None:
    assert guest_plan().command == (
        'plan("made-up-2019", at=\'host\', since="2019-02-01", until="2019-09-30", runs=30, seed=3, '
        "scenarios=['twice-as-many', 'more-funds'])"
    )
    assert plan_of(CASE, runs=1, staff=(3,), assurance=(90,)).command.endswith(
        "runs=1, seed=3, staff=(3,), assurance=(90.0,))"
    )


def test_the_least_staff_is_of_a_period_longer_than_the_rest_of_files() -> None:
    rules = queue_rules(cast(Any, CASE))
    assert rules is not None
    assert rules.first_days == 60
    short = plan_of(CASE, runs=3, since="2019-05-01", until="2019-06-29")
    longer = plan_of(CASE, runs=3, since="2019-05-01", until="2019-06-30")
    assert "is not told for 60 days: nobody may take up a file for 60 days" in limits(short)
    assert "For this period" not in limits(short)
    assert "would keep up" not in least_staff(short)
    assert "For this period, the least staff that keeps up is " in limits(longer)
    as_is = longer.staffings[0][0]
    assert f"{round(float(np.median(as_is.open[:, -1]))):,}" in least_staff(longer)
