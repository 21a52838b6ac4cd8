"""Grievance: hardship against the basket, shocks that strike and fade, orders that injure and fade."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.draws import decision, uniforms
from breakrank.engine.codes import EV_SHOCK, FAMILY_SHOCK, SERVING
from breakrank.mechanisms.grievance import grievance_stated
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import NO, column, set_the_mood, shock

seeds = st.integers(0, 2**32)


@settings(max_examples=40, deadline=None)
@given(seeds, st.floats(0, 10), st.floats(0.1, 1000), st.floats(0, 1e4))
def test_orders_agree_with_a_plain_reckoning(seed: int, weight: float, half: float, protests: float) -> None:
    values = {"grievance.injury_weight": weight, "grievance.injury_half": half}
    stage = Stage(seed, values, {"protests": protests}, n=9)
    run, grievance = stage.run, stage.play["grievance"]
    repression = {0: 1.0, 1: 0.25}
    unit_branch = stage.force.units.branch.tolist()
    duty = sum(repression[b] for b in unit_branch)
    per_protest = stage.world["grievance.orders_per_protest"]
    chance = [1 - math.exp(-protests * per_protest * repression[b] / duty) for b in unit_branch]
    keep = math.exp(-1 / stage.world["grievance.injury_memory"])
    orders = [c / (1 - keep) for c in chance]
    np.testing.assert_allclose(grievance.orders, orders, rtol=1e-6, atol=1e-9)
    orders = grievance.orders.tolist()
    for day in range(20):
        run.open_day(day)
        grievance.dawn(run)
        draws = uniforms(run.key, int(decision("grievance.ordered")), 0, NO, day)
        for u, luck in enumerate(draws):
            orders[u] = orders[u] * grievance.keep + (luck < grievance.ordered[day, unit_branch[u]])
            assert grievance.orders[u] == orders[u]
            assert grievance.view.injury[u] == weight * orders[u] / (half + orders[u])


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_terms_agree_with_a_plain_reckoning(seed: int) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    who = stage.some()
    moments = stage.moments(who)
    grievance = stage.play["grievance"]
    stage.weigh(moments, "grievance")
    pay = (10, 40, 90, 150)
    weight = stage.world["grievance.hardship_weight"]
    assert stage.term(moments, "grievance.hardship") == [
        weight * min(max(1 - pay[stage.force.rank[i]] / 100, 0), 1) for i in who
    ]
    assert stage.term(moments, "grievance.shock") == [shock(stage, i) for i in who]
    assert stage.term(moments, "grievance.injury") == [
        float(grievance.view.injury[stage.force.unit[i]]) for i in who
    ]


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_shocks_strike_those_who_serve_on_the_days_of_the_calendar(seed: int) -> None:
    stage = Stage(seed, {"grievance.shock_rate": 5}, {"scarcity": 1}, days=60)
    stage.any_fates(0.7)
    run, grievance = stage.run, stage.play["grievance"]
    calendar = next(p for p in run.processes if p[2] == FAMILY_SHOCK)
    expected, struck = [], {}
    for day, i in sorted(zip(calendar[0].tolist(), calendar[1].tolist(), strict=True)):
        if run.records.fate[i] == SERVING:
            expected.append((day, i, EV_SHOCK, -1, -1, 0.0))
            struck[i] = day
    for day in range(60):
        run.open_day(day)
        grievance.dawn(run)
    assert rows(run.records) == expected
    days = column(stage, "grievance.shock_day")
    assert {i: int(days[i]) for i in range(stage.n) if days[i] >= 0} == struck
    assert all(stage.force.dependants[i] > 0 for i in calendar[1])


def test_more_scarcity_or_dependants_only_add_shocks() -> None:
    def shocks(scarcity: float) -> dict[int, int]:
        stage = Stage(4, {"grievance.shock_rate": 2}, {"scarcity": scarcity}, n=400, days=300)
        found = next(p for p in stage.run.processes if p[2] == FAMILY_SHOCK)[1]
        return {i: int((found == i).sum()) for i in range(400)}

    some, many = shocks(0.3), shocks(0.9)
    assert all(some[i] <= many[i] for i in some)
    assert sum(some.values()) < sum(many.values())
    dependants = Stage(4, n=400).force.dependants
    by_family = [np.mean([many[i] for i in range(400) if dependants[i] == k]) for k in range(4)]
    assert by_family[0] == 0
    # 300 of 365.25 days at 0.9 x 2 a year for each dependant
    np.testing.assert_allclose(by_family[1:], 1.478 * np.arange(1, 4), rtol=0.15)


def test_units_start_with_what_the_first_rate_leaves_in_memory() -> None:
    stage = Stage(1, {"grievance.injury_memory": 50}, {"protests": 5}, n=10, days=400)
    grievance = stage.play["grievance"]
    level = []
    for day in range(400):
        stage.run.open_day(day)
        grievance.dawn(stage.run)
        level.append(grievance.orders.copy())
    # stationary from the first day on: no drift between the halves of a long run
    first, second = np.mean(level[:200], axis=0), np.mean(level[200:], axis=0)
    np.testing.assert_allclose(first, second, rtol=0.35)
    np.testing.assert_allclose(np.mean(level, axis=0), grievance.start, rtol=0.25)


def test_nobody_is_ordered_where_no_branch_represses() -> None:
    stage = Stage(2, fields={"protests": 1000})
    for branch in stage.world.case.force.branches:
        branch.repression = 0
    grievance = type(stage.play["grievance"])(stage.world)
    assert not grievance.ordered.any()
    assert not grievance_stated(stage.world).std(axis=0).any()


def test_off_nothing_is_felt() -> None:
    stage = Stage(3, {"grievance.on": 0})
    grievance = stage.play["grievance"]
    assert not grievance.on
    assert not grievance.view.hardship.any()
    assert not grievance.view.injury.any()
    assert grievance_stated(stage.world).any()  # the line between opposed and loyal is where it was
    assert all(p[2] != FAMILY_SHOCK for p in stage.run.processes)


@pytest.mark.parametrize(("pay", "felt"), [(0, 1.5), (50, 0.75), (100, 0), (400, 0)])
def test_hardship_is_the_part_of_the_basket_that_pay_does_not_buy(pay: float, felt: float) -> None:
    stage = Stage(3, {"grievance.hardship_weight": 1.5}, {"pay": pay, "basket": 100})
    stage.play["grievance"].dawn(stage.run)
    assert stage.play["grievance"].view.hardship.tolist() == pytest.approx([felt] * 4)
