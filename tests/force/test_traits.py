from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from breakrank.force import Force, build_force
from breakrank.force.build import academy_classes, household, manned_posts, order_of_battle
from breakrank.force.establishment import Establishment
from breakrank.force.force import BORDER_POST, ESCORT, GUARDS_POLITICIAN, VEHICLE

YEARS = [(0, 4), (1, 20), (0, 12), (12, 22), (20, 28), (26, 35)]


@pytest.fixture(scope="module")
def large(country: Callable[..., Any], key: np.uint64) -> Force:
    return build_force(country(60_000), key)


def test_years_fill_the_range_of_the_rank(large: Force) -> None:
    for rank, (low, high) in enumerate(YEARS):
        years = large.years[large.rank == rank]
        assert (years.min(), years.max()) == (low, high)
        counts = np.bincount(years - low, minlength=high - low + 1)
        expected = years.size / counts.size
        assert ((counts - expected) ** 2 / expected).sum() < 2.5 * counts.size + 10


def test_class_sections_are_small_and_follow_entry_and_school(
    large: Force, country: Callable[..., Any]
) -> None:
    classes = large.classes
    attended = large.school_class > 0
    np.testing.assert_array_equal(attended, large.rank > 0)
    row = large.school_class[attended].astype(int) - 1
    np.testing.assert_array_equal(classes.entry[row], 2019 - large.years[attended].astype(int))
    np.testing.assert_array_equal(classes.school[row], (large.rank[attended] > 1).astype(int))
    size = np.bincount(row, minlength=len(classes))
    assert np.abs(size - classes.expected).max() < 6 * math.sqrt(60)
    assert classes.expected.max() < 60
    assert classes.expected.sum() == pytest.approx(attended.sum())
    table, first = academy_classes(Establishment.of(country(60_000)))
    assert len(table) == len(classes)
    assert (np.diff(first, axis=1) >= 0).all()
    assert first.max() == len(classes)


def test_dependants_grow_with_service_and_average_the_parameter(
    large: Force, country: Callable[..., Any]
) -> None:
    assert large.dependants.mean() == pytest.approx(1.8, abs=0.03)
    mean = (1 - household(Establishment.of(country(60_000)))).sum(axis=1)
    longest = max(high for _, high in YEARS)
    assert mean[0] == pytest.approx(0.4 * mean[longest], rel=1e-6)
    assert np.diff(mean[: longest + 1]) == pytest.approx(
        np.full(longest, (mean[longest] - mean[0]) / longest)
    )
    for years in (0, 10):
        serving = large.dependants[large.years == years]
        assert serving.mean() == pytest.approx(mean[years], rel=0.1)
        assert serving.var() == pytest.approx(mean[years], rel=0.2)


def test_shares_of_access_average_the_parameters(large: Force) -> None:
    n = large.n
    expected = {VEHICLE: 0.06, BORDER_POST: 0.05, ESCORT: 0.02, GUARDS_POLITICIAN: 0.01}
    for flag, share in expected.items():
        assert np.mean(large.access & flag > 0) == pytest.approx(share, abs=5 * (share / n) ** 0.5)
    assert large.kin_abroad.mean() == pytest.approx(0.12, abs=5 * (0.12 / n) ** 0.5)


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
