"""Grievance and preference: what moves them, and the threshold that makes the share opposed."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import FAMILY_SHOCK
from breakrank.mechanisms.grievance import SPARED, grievance_stated, lacks
from breakrank.mechanisms.preference import margins
from tests.engine.hosts import effect
from tests.engine.stage import Stage
from tests.engine.worlds import live, record
from tests.mechanisms.plain import column


@pytest.mark.parametrize("share", [0.001, 0.2, 0.8, 0.999])
@pytest.mark.parametrize("weight", [0.05, 1.0, 6.0])
def test_the_threshold_gives_the_share_opposed_at_the_start(share: float, weight: float) -> None:
    values = {"preference.opposed_at_start": share, "preference.weight": weight}
    stage = Stage(1, values, n=1)
    preference, cells = stage.play["preference"], stage.world.rank_shares
    level = grievance_stated(stage.world) + weight * preference.mean - preference.rents[0]
    z = (level - preference.threshold) / weight
    opposed = sum(
        w * 0.5 * math.erfc(-v / math.sqrt(2)) for w, v in zip(cells.ravel(), z.ravel(), strict=True)
    )
    assert opposed == pytest.approx(share, abs=1e-6)


LEVEL = {"preference.rank_loyalty": 0, "preference.rents_weight": 0, "grievance.hardship_weight": 0}
"""Values under which rank, pay and place move nobody: dispositions alone say who is opposed."""


def first_day(share: float, **values: float) -> tuple[np.ndarray, np.ndarray]:
    """Return everyone's zeal, and how far he is on the opposed side, on a first day when nothing happens."""
    calm = {"grievance.shock_rate": 0, "grievance.injury_weight": 0}
    stage = Stage(5, {"preference.opposed_at_start": share, **calm, **values}, n=20_000)
    for name in ("grievance", "preference"):
        stage.play[name].dawn(stage.run)
    return column(stage, "preference.zeal"), margins(stage.run)


@pytest.mark.parametrize("weight", [0.5, 2.0])
def test_the_more_are_opposed_the_keener_they_are(weight: float) -> None:
    means = []
    for share in (0.02, 0.2, 0.5, 0.8, 0.98):
        zeal, _ = first_day(share, **LEVEL, **{"preference.weight": weight})
        line = NormalDist().inv_cdf(1 - share)
        beyond = NormalDist().pdf(line) / share - line  # mean distance of those above a line, standard normal
        means.append(float(zeal[zeal > 0].mean()) / weight)
        assert means[-1] == pytest.approx(beyond, rel=0.1)
    assert means == sorted(means)


def test_the_line_stays_where_the_case_draws_it_and_better_pay_makes_fewer_opposed() -> None:
    case = record().set({"force.strength": 4_000})
    paid = case.with_events(effect("pay", "multiply", 10))
    shares = []
    for each in (case, paid):
        opposed = live(each.until("2019-01-09")).series["opposed"]
        shares.append(float(opposed[7]))
    assert shares[1] < shares[0] - 0.1


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
