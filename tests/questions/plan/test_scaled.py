"""A plan for a force of another size: places, funds and caseworkers are those that the model gives it."""

from __future__ import annotations

import numpy as np

import breakrank
from breakrank.questions.plan.course import course
from breakrank.questions.plan.plan import queue_rules
from breakrank.questions.plan.scope import find_where
from breakrank.questions.plan.shelter import lodgings
from breakrank.runs.ensemble import simulate


def test_nobody_is_in_a_place_and_nothing_is_paid_that_is_not_there() -> None:
    case = breakrank.load_case("venezuela-2019", "point")
    larger = case.set({"force.strength": 2 * case.content.force.strength.value}).until("2019-06-30")
    result = simulate(larger, runs=2, workers=1)
    world = course(result, find_where(larger))
    for one in lodgings(world):
        if one.admits != "permit":
            assert (one.inside.max(axis=0) <= one.places).all(), one.id
    assert max(float(one.inside.max()) for one in lodgings(world)) > 300, "more than the case's largest site"
    paid = np.cumsum(world.cost - world.unpaid, axis=1)
    assert (paid <= world.funds + 1.0).all()
    plain, rules = queue_rules(case), queue_rules(larger)
    assert plain is not None
    assert rules is not None
    assert (rules.staff >= plain.staff[: len(rules.staff)]).all()
    assert rules.staff.max() == plain.staff.max(), "a plan is for the whole force, drawn twice over here"
