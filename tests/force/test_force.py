"""Strengths, ranks and the order of battle come out exactly, and nothing depends on who else is there."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.force_spec import apportion
from breakrank.errors import UsageError
from breakrank.force import Force, build_force
from breakrank.force import build as kinds
from breakrank.force.build import highest, manned_posts, order_of_battle, slot_kinds
from breakrank.force.establishment import Establishment
from breakrank.force.force import BORDER_POST, Frozen
from tests.force.absent import without

WEIGHTS = st.lists(st.floats(0, 1e6), min_size=1, max_size=30).filter(lambda w: sum(w) > 1e-3)


@given(st.integers(0, 10_000_000), WEIGHTS)
def test_parts_add_up_and_stay_within_one_of_the_quota(total: int, weights: list[float]) -> None:
    parts = apportion(total, weights)
    quota = np.array(weights) / sum(weights) * total
    assert parts.sum() == total
    assert (np.abs(parts - quota) < 1 + 1e-6).all()
    assert (parts[np.array(weights) == 0] == 0).all()


def test_equal_remainders_go_to_the_earlier() -> None:
    assert apportion(7, [1, 1, 1, 1]).tolist() == [2, 2, 2, 1]
    assert apportion(0, [0, 0]).tolist() == [0, 0]


def tables(force: Force) -> dict[str, np.ndarray]:
    """Return every array of a force by a dotted name."""
    found = {}
    for name, value in force._items():
        if isinstance(value, Frozen):
            found |= {f"{name}.{inner}": array for inner, array in value._items()}
        elif isinstance(value, np.ndarray):
            found[name] = value
    return found


def assert_same(one: Force, two: Force) -> None:
    assert one.labels == two.labels
    mine, other = tables(one), tables(two)
    for name, array in mine.items():
        assert array.dtype == other[name].dtype, name
        np.testing.assert_array_equal(array, other[name], err_msg=name)


def test_same_case_and_key_give_the_same_bits(
    force: Force, country: Callable[..., Any], key: np.uint64
) -> None:
    assert_same(force, build_force(country(), key))
    other = build_force(country(), np.uint64(int(key) + 1))
    assert not np.array_equal(force.ties.other, other.ties.other)


def test_strengths_are_exact(force: Force) -> None:
    assert force.n == 3000
    assert np.bincount(force.branch).tolist() == [1800, 1050, 150]
    counts = np.zeros((3, 6), int)
    np.add.at(counts, (force.branch, force.rank), 1)
    assert counts.tolist() == [[1080, 540, 108, 45, 18, 9], [315, 630, 63, 26, 11, 5], [75, 52, 15, 4, 3, 1]]
    at = np.zeros((4, 3), int)
    np.add.at(at, (force.state, force.branch), 1)
    assert at.tolist() == [[540, 420, 0], [540, 315, 0], [450, 210, 0], [270, 105, 150]]


def test_columns_are_read_only_and_stay_so_when_sent_to_another_process(force: Force) -> None:
    for one in (force, pickle.loads(pickle.dumps(force))):
        assert not any(array.flags.writeable for array in tables(one).values())
        assert_same(one, force)


@pytest.mark.parametrize("strength", [0, 10_000_001])
def test_sizes_out_of_range_are_refused(strength: int, country: Callable[..., Any], key: np.uint64) -> None:
    with pytest.raises(UsageError, match="1 to 10,000,000"):
        build_force(country(strength), key)


def test_unknown_soldiers_are_named_with_the_range(force: Force) -> None:
    for identity in (-1, 3000):
        with pytest.raises(UsageError, match="identities run from 0 to 2999"):
            without(force, identity)
    assert without(force, 10).position(11) == 10


def test_a_mistyped_attribute_is_an_error(force: Force) -> None:
    with pytest.raises(AttributeError):
        force.ranks  # noqa: B018
    with pytest.raises(AttributeError):
        force.rank = force.branch


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


def test_the_highest_fill_the_room_first() -> None:
    left = np.array([[5, 3, 2], [0, 1, 0], [4, 0, 0]])
    room = np.array([4, 3, 0])
    assert highest(left, room).tolist() == [[0, 2, 2], [0, 1, 0], [0, 0, 0]]


def test_command_follows_rank(country: Callable[..., Any], key: np.uint64) -> None:
    force = build_force(country(60_000), key)
    formation_head = np.concatenate(([True], np.diff(force.units.formation) > 0))
    commander = force.rank[force.leader]
    assert (commander[force.units.headquarters & formation_head] == 5).all()
    assert (commander[formation_head] >= 3).all()
    plain = ~formation_head & ~force.units.headquarters
    assert (commander[plain] == 2).all()  # units of the line are led by lieutenants
    general = force.rank == 5
    assert force.units.headquarters[force.unit[general]].all()
    field = force.rank >= 3
    assert (force.units.headquarters | formation_head)[force.unit[field]].all()


@pytest.mark.parametrize("strength", [1, 5, 30, 3_000])
def test_the_leader_is_the_most_senior_present(
    strength: int, country: Callable[..., Any], key: np.uint64
) -> None:
    force: Force = build_force(country(strength), key)
    for _ in range(3):
        for u, leader in enumerate(force.leader):
            members = np.flatnonzero(force.unit == u).tolist()
            best = max(members, key=lambda i: (force.rank[i], force.years[i], -i), default=-1)
            assert leader == best
        if force.n:
            force = without(force, int(force.identity[force.leader[0]]))
