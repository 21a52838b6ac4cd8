"""The full cost of assistance: one number, wherever a plan tells it, with the share that is paid for."""

from dataclasses import replace

import numpy as np
import pytest

from breakrank.questions.plan.plan import PlanData
from breakrank.questions.plan.sums import care, full_care, sufficient
from tests.results.guests import GuestCase, answered, guest_plan, plan_of

CASE = GuestCase()


def sums(plan: PlanData) -> tuple[float, float]:
    """Return the full cost at 80% and what is paid for, put together by hand."""
    days, every = slice(plan.period.first, plan.period.last + 1), full_care(plan.base, plan.period)
    gap = every - plan.base.paid[:, days].sum(axis=(1, 2))
    full, gap = (float(np.ceil(sufficient(each, 0.8) - 0.005)) for each in (every, gap))
    return full, full - gap


def test_the_gap_suffices_in_as_many_runs_as_it_says_and_grows_with_the_level() -> None:
    plan = plan_of(CASE, runs=15)
    days = slice(plan.period.first, plan.period.last + 1)
    nobody = full_care(plan.base, plan.period) - plan.base.paid[:, days].sum(axis=(1, 2))
    low, high = care(plan.base, plan.period, (0.5, 0.9))
    assert 0 < low.gap <= high.gap
    for one in (low, high):
        assert (nobody <= one.gap).mean() >= one.level
        assert one.full_cost == one.paid_for + one.gap


@pytest.mark.parametrize("one_change", [False, True])
def test_the_finding_holds_it(one_change: bool) -> None:
    plan = plan_of(CASE, {"twice": replace(CASE, rate=28.0)} if one_change else {}, runs=15)
    full, paid = sums(plan.lead)
    assert full > paid > 0
    told = f"full care costs {full / 1e6:.1f} million dollars, of which {100 * paid / full:.0f}% is paid for."
    answer = answered(plan)
    assert told in answer.finding
    rows = answer.table("costs_at")
    lead = rows[rows["scenario"] == "twice"] if one_change else rows
    assert lead.set_index("level").loc[0.8, ["full_cost", "paid_for", "gap"]].tolist() == [
        full,
        paid,
        full - paid,
    ]
    if one_change:
        side = answer.table("worlds")
        assert side.loc["twice", "full_cost"] == full
        assert (side["gap"] == side["full_cost"] - side["paid_for"]).all()


def test_a_bill_that_stays_open_is_not_paid_for() -> None:
    world = guest_plan().base
    np.testing.assert_allclose(world.paid.sum(axis=2), (world.cost - world.unpaid).sum(axis=2), atol=0.1)
    town = plan_of(CASE, runs=3, at="Bridgetown").base
    assert (town.paid <= town.cost).all()
    short = town.unpaid > 0
    np.testing.assert_allclose(
        town.paid[short] / town.cost[short].clip(1e-9), 1 - town.unpaid[short] / town.billed[short], atol=1e-3
    )
