"""Grievance: hardship against the basket, more shocks with scarcity and dependants, orders that fade."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import FAMILY_SHOCK
from breakrank.mechanisms.grievance import SPARED, grievance_stated, lacks
from tests.engine.stage import Stage


def test_more_scarcity_or_dependants_only_add_shocks() -> None:
    def shocks(scarcity: float) -> dict[int, int]:
        stage = Stage(4, {"grievance.shock_rate": 2}, {"scarcity": scarcity}, n=400, days=300)
        found = next(p for p in stage.run.processes if p[2] == FAMILY_SHOCK)[1]
        return {i: int((found == i).sum()) for i in range(400)}

    some, many = shocks(0.3), shocks(0.9)
    assert all(some[i] <= many[i] for i in some)
    assert sum(some.values()) < sum(many.values())
    stage = Stage(4, n=400)
    dependants, spared = stage.force.dependants, stage.world.tier[stage.force.rank] >= SPARED
    assert not any(many[i] for i in range(400) if spared[i])
    by_family = [
        np.mean([many[i] for i in range(400) if dependants[i] == k and not spared[i]]) for k in range(4)
    ]
    assert by_family[0] == 0
    # 300 of 365.25 days at 0.9 x 2 a year for each dependant
    np.testing.assert_allclose(by_family[1:], 1.478 * np.arange(1, 4), rtol=0.15)


def test_nobody_is_ordered_where_no_branch_represses() -> None:
    stage = Stage(2, fields={"protests": 1000})
    for branch in stage.world.case.force.branches:
        branch.repression = 0
    grievance = type(stage.play["grievance"])(stage.world)
    assert not grievance.ordered.any()
    assert not grievance_stated(stage.world).std(axis=0).any()


@pytest.mark.parametrize(("pay", "felt"), [(0, 1.5), (50, 1.0), (100, 0.75), (400, 0.3)])
def test_hardship_falls_with_pay_and_beyond_the_basket(pay: float, felt: float) -> None:
    stage = Stage(3, {"grievance.hardship_weight": 1.5}, {"pay": pay, "basket": 100})
    stage.play["grievance"].dawn(stage.run)
    assert stage.play["grievance"].view.hardship.tolist() == pytest.approx([felt] * 4)


@given(st.floats(0.01, 50), st.floats(0.01, 50), st.floats(0.01, 50), st.floats(1.05, 3))
def test_a_raise_soothes_everyone_and_a_loss_or_others_gain_does_not(
    bought: float, usual: float, custom: float, times: float
) -> None:
    felt = lacks(bought, usual, custom)
    assert lacks(bought * times, usual, custom) < felt
    assert lacks(bought, usual * times, custom) > felt
    assert lacks(bought, usual, custom * times) > felt
    assert lacks(bought, bought, bought) == pytest.approx(1 / (1 + bought), abs=1e-6)
