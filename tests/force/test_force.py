"""Strengths come out exactly, columns fit the establishment, and nothing depends on who else is there."""

from __future__ import annotations

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
from breakrank.force.force import Frozen
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
