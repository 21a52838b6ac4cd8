"""Proper scores against what defines them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scoringrules
from hypothesis import given
from hypothesis import strategies as st

from breakrank.results.uncertainty import brier, covered, crps, interval

numbers = st.floats(-1e6, 1e6)


@given(st.lists(numbers, min_size=2, max_size=30), numbers)
def test_crps_is_the_fair_one_of_scoringrules(draws: list[float], at: float) -> None:
    theirs = float(scoringrules.crps_ensemble(at, np.array(draws), estimator="fair", backend="numpy"))
    assert crps(np.array(draws), at) == pytest.approx(theirs, rel=1e-9, abs=1e-6)


def test_no_number_gives_no_score() -> None:
    assert math.isnan(crps(np.array([]), 1.0))
    assert math.isnan(crps(np.array([1.0, math.nan]), 1.0))


@given(st.floats(0, 1))
def test_brier_is_least_for_what_one_believes(belief: float) -> None:
    def expected(said: float) -> float:
        return belief * brier(said, True) + (1 - belief) * brier(said, False)

    assert all(expected(belief) <= expected(said) + 1e-12 for said in np.linspace(0, 1, 21))


def test_intervals_are_central_and_meet_ranges() -> None:
    draws = np.arange(101.0)
    assert interval(draws, 0.9) == pytest.approx((5, 95))
    assert covered(draws, 94.9, 200, 0.9)
    assert not covered(draws, 96, 200, 0.9)
