"""The order of battle: formations, units, and the posts that they man."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from breakrank.force import Force, build_force
from breakrank.force import build as kinds
from breakrank.force.build import manned_posts, order_of_battle, slot_kinds
from breakrank.force.establishment import Establishment
from breakrank.force.force import BORDER_POST


@pytest.fixture(scope="module")
def large(country: Callable[..., Any], key: np.uint64) -> Force:
    return build_force(country(60_000), key)


def test_border_posts_are_manned_by_units_near_a_manned_crossing(large: Force) -> None:
    posted = large.access & BORDER_POST > 0
    assert set(large.state[posted].tolist()) == {0}
    by_unit = np.bincount(large.unit[posted], minlength=len(large.units)) / large.units.size
    assert by_unit[by_unit > 0].mean() > 0.9
    assert np.count_nonzero(by_unit) < np.count_nonzero(large.units.state == 0)


def test_no_crossing_no_post(country: Callable[..., Any], key: np.uint64) -> None:
    case = country()
    case.crossings = []
    assert not (build_force(case, key).access & BORDER_POST).any()
    plan = Establishment.of(country(border_post=1))
    _, units = order_of_battle(plan)
    assert manned_posts(plan, key, units).tolist() == (units.state == 0).astype(float).tolist()


def test_soldiers_stand_in_order_of_battle(force: Force) -> None:
    assert (np.diff(force.unit) >= 0).all()
    assert (np.diff(force.units.formation) >= 0).all()
    assert (np.diff(force.formations.region) >= 0).all()
    np.testing.assert_array_equal(force.state, force.units.state[force.unit])
    np.testing.assert_array_equal(force.branch, force.units.branch[force.unit])
    np.testing.assert_array_equal(force.units.state, force.formations.state[force.units.formation])
    np.testing.assert_array_equal(force.units.branch, force.formations.branch[force.units.formation])
    np.testing.assert_array_equal(np.bincount(force.unit), force.units.size)
    np.testing.assert_array_equal(np.diff(force.unit_start), force.units.size)
    np.testing.assert_array_equal(force.formation, force.units.formation[force.unit])


@pytest.mark.parametrize("strength", [1, 2, 7, 40])
def test_a_small_garrison_is_one_unit(strength: int, country: Callable[..., Any]) -> None:
    plan = Establishment.of(country(strength))
    formations, units = order_of_battle(plan)
    assert len(formations) == len(units) == np.count_nonzero(plan.posted_strength)
    assert units.size.sum() == strength


def test_each_branch_is_commanded_from_one_formation_a_region(country: Callable[..., Any]) -> None:
    plan = Establishment.of(country())
    formations, units = order_of_battle(plan)
    seats = np.unique(units.formation[units.headquarters])
    where = [(formations.region[f], formations.branch[f], formations.state[f]) for f in seats]
    # the capital X-C is state 1 of region 0; region 1 has most of army and guard in X-B, the navy in X-S
    assert sorted(where) == [(0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 0), (1, 2, 3)]


def test_every_unit_has_one_commanding_slot(country: Callable[..., Any]) -> None:
    _, units = order_of_battle(Establishment.of(country()))
    kind = slot_kinds(units)
    command = np.isin(kind, [kinds.COMMANDS_REGION, kinds.COMMANDS_FORMATION, kinds.COMMANDS_UNIT])
    first = np.cumsum(units.size) - units.size
    assert np.flatnonzero(command).tolist() == first.tolist()
    leading = first[np.concatenate(([True], np.diff(units.formation) > 0))]
    assert (kind[leading] != kinds.COMMANDS_UNIT).all()
    assert np.count_nonzero(kind == kinds.COMMANDS_REGION) == 5
    staffed = np.unique(np.repeat(np.arange(len(units)), units.size)[kind == kinds.FORMATION_STAFF])
    assert not units.headquarters[staffed].any()
