"""The game that a commander pictures: its known equilibria, its conditions, and the numbers beneath."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special, stats

from breakrank.mechanisms import regime_change
from breakrank.mechanisms.regime_change import (
    lowest_resting,
    normal_cdf,
    normal_quantile,
    quantile_nearly,
    success_seen,
    threshold_of,
)
from breakrank_classics.morris_shin import RegimeGame
from breakrank_classics.resting import resting_points


def critical(joined: float, undecided: float, belief: float, cost: float, *seen: float) -> float:
    return regime_change.critical(joined, undecided, belief, cost, normal_quantile(cost), *seen)


@given(st.floats(0.01, 0.99), st.floats(0.1, 1000), st.floats(0, 100), st.floats(-1, 2))
def test_the_threshold_is_the_lowest_of_the_classic_game(
    cost: float, private: float, public: float, seen: float
) -> None:
    lowest = RegimeGame(cost, private, public, seen).equilibria[0].strength
    slope = public / math.sqrt(private)
    offset = (public * seen + math.sqrt(public + private) * stats.norm.ppf(cost)) / math.sqrt(private)
    assume(abs(1 - slope * stats.norm.pdf(slope * lowest - offset)) > 1e-4)  # where digits are lost
    assert critical(0.0, 1.0, 1.0, cost, private, seen, public) == pytest.approx(lowest, abs=1e-6)


@given(st.floats(0, 300), st.floats(-400, 400))
def test_the_lowest_resting_point_is_found(slope: float, offset: float) -> None:
    found = lowest_resting(slope, offset)
    assert 0 <= found <= 1
    assert normal_cdf(slope * found - offset) == pytest.approx(found, abs=1e-9)
    lowest = resting_points(slope, offset)[0]
    assume(abs(1 - slope * stats.norm.pdf(slope * lowest - offset)) > 1e-4)
    assert found == pytest.approx(lowest, abs=1e-9)


@pytest.mark.parametrize("slope", [2.0, math.sqrt(2 * math.pi), 3.0, 20.0])
def test_at_the_edge_of_several_equilibria_the_lowest_is_still_a_solution(slope: float) -> None:
    # tangency: shift the curve until the lower pair of solutions melts into one
    reach = math.sqrt(max(0.0, 2 * math.log(slope / math.sqrt(2 * math.pi))))
    touching = float(special.ndtr(-reach))
    for shift in (-1e-6, 1e-6):
        offset = slope * touching + reach + shift
        found = lowest_resting(slope, offset)
        assert normal_cdf(slope * found - offset) == pytest.approx(found, abs=1e-9)
        if slope > 2.6 and shift < 0:
            assert found > touching + 0.1  # hope no longer ends there
        else:
            assert found <= touching + 0.01


def test_the_ends_of_the_ranges() -> None:
    for public in (0.0, 10.0):
        assert critical(0.2, 0.8, 0.5, 0.0, 10.0, 0.5, public) == pytest.approx(0.6)
        assert critical(0.2, 0.8, 0.5, 1.0, 10.0, 0.5, public) == 0.2
        assert critical(0.2, 0.8, 0.0, 0.3, 10.0, 0.5, public) == 0.2
        assert critical(1.0, 0.0, 0.5, 0.3, 10.0, 0.5, public) == 1.0
        assert 0.999 < success_seen(100.0, 0.0, 10.0, 0.0, public) < 1


def test_thresholds_of_losses_and_gains() -> None:
    assert threshold_of(1.0, 3.0) == 0.25
    assert threshold_of(0.0, 2.0) == 0.0
    assert threshold_of(-1.0, 2.0) == 0.0
    assert threshold_of(1.0, 0.0) == 1.0
    assert threshold_of(1.0, -5.0) == 1.0
    assert threshold_of(-1.0, -5.0) == 1.0
    assert threshold_of(0.0, 0.0) == 1.0


def test_the_normal_distribution_to_the_last_digits() -> None:
    for reach, error in ((6, 1e-14), (37, 5e-13)):
        z = np.linspace(-reach, reach, 20_001)
        np.testing.assert_allclose([normal_cdf(v) for v in z], special.ndtr(z), rtol=error)
    p = np.concatenate(
        [np.logspace(-300, -1, 5_000), np.linspace(0.001, 0.999, 9_999), 1 - np.logspace(-15, -1)]
    )
    np.testing.assert_allclose([normal_quantile(v) for v in p], special.ndtri(p), rtol=2e-14, atol=1e-15)
    np.testing.assert_allclose([quantile_nearly(v) for v in p], special.ndtri(p), rtol=1.2e-9, atol=1e-9)
    assert (normal_quantile(0.0), normal_quantile(0.5), normal_quantile(1.0)) == (-math.inf, 0.0, math.inf)
