from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.apportion import apportion
from breakrank.force.spread import spread

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


@given(
    st.floats(0, 1),
    st.lists(st.tuples(st.floats(0.01, 100), st.integers(1, 100_000)), min_size=1, max_size=10),
)
def test_spread_keeps_the_mean_and_the_order(mean: float, groups: list[tuple[float, int]]) -> None:
    odds, sizes = np.array(groups).T
    chance = spread(mean, odds, sizes)
    assert ((chance >= 0) & (chance <= 1)).all()
    assert np.average(chance, weights=sizes) == pytest.approx(mean, abs=1e-9)
    assert (np.diff(chance[np.argsort(odds)]) >= -1e-12).all()


def test_spread_gives_nothing_to_groups_without_odds() -> None:
    assert spread(0.5, [0, 1], [90, 10]).tolist() == [0, 1]
    assert spread(0.5, [0, 0], [90, 10]).tolist() == [0, 0]
