"""The naive forecasts: what they are on figures whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.questions.calibrate.reported import DRAWS, Counts, constant_rate, last_value, saturating_curve


def counts(days: list[float], values: list[float], spread: float = 0.02) -> Counts:
    return Counts(np.array(days), np.array(values, float), np.full(len(days), spread))


def test_the_last_value_stays() -> None:
    draws = last_value(counts([3, 6], [100, 400]))
    assert len(draws) == DRAWS
    assert np.median(draws) == pytest.approx(400, rel=0.01)
    assert np.std(np.log(draws)) == pytest.approx(0.02, rel=0.1)


def test_a_constant_rate_goes_on() -> None:
    assert np.median(constant_rate(counts([10], [500]), 20)) == pytest.approx(1000, rel=0.01)
    # of a window only what falls into it
    assert np.median(constant_rate(counts([10], [500]), 20, since=15)) == pytest.approx(250, rel=0.01)


def test_known_rates_spread_the_next_one() -> None:
    steady = constant_rate(counts([1, 2, 3, 4], [100, 200, 300, 400]), 10)
    wild = constant_rate(counts([1, 2, 3, 4], [10, 300, 320, 400]), 10)
    assert np.ptp(steady) < 1
    assert np.ptp(wild) > 500


@pytest.mark.parametrize(("size", "half"), [(1000, 4), (300, 20)])
def test_a_saturating_curve_is_found(size: float, half: float) -> None:
    days = np.arange(1.0, 15.0)
    values = size * -np.expm1(-np.log(2) / half * days)
    draws = saturating_curve(counts(days.tolist(), values.tolist(), 0.01), 60)
    truth = size * -np.expm1(-np.log(2) / half * 60)
    assert np.median(draws) == pytest.approx(truth, rel=0.1)
    low, high = np.quantile(draws, [0.05, 0.95])
    assert low <= truth <= high


def test_one_count_leaves_open_where_a_curve_ends() -> None:
    draws = saturating_curve(counts([6], [567]), 41)
    # between all over within days, and going on for months as it began
    assert np.quantile(draws, 0.02) < 620
    assert np.quantile(draws, 0.98) > 3000


@given(st.floats(1, 1e5), st.floats(1, 100), st.floats(1, 300))
def test_a_curve_lies_between_nothing_more_and_the_same_rate(value: float, day: float, more: float) -> None:
    told = counts([day], [value], 1e-6)
    draws = saturating_curve(told, day + more)
    error = 1e-6 + 3 * 0.5 / value
    assert (draws >= value * (1 - 2 * error)).all()
    assert (draws <= value * (day + more) / day * (1 + 2 * error)).all()


def test_draws_carry_no_luck() -> None:
    told = counts([2, 5], [10, 40])
    assert (saturating_curve(told, 9) == saturating_curve(told, 9)).all()
