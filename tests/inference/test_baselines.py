"""The naive forecasts: what they are on figures whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.inference.observed import Counts, constant_rate


def counts(days: list[float], values: list[float], spread: float = 0.02) -> Counts:
    return Counts(np.array(days), np.array(values, float), np.full(len(days), spread))


def test_a_constant_rate_goes_on() -> None:
    assert np.median(constant_rate(counts([10], [500]), 20)) == pytest.approx(1000, rel=0.01)


def test_known_rates_spread_the_next_one() -> None:
    steady = constant_rate(counts([1, 2, 3, 4], [100, 200, 300, 400]), 10)
    wild = constant_rate(counts([1, 2, 3, 4], [10, 300, 320, 400]), 10)
    assert np.ptp(steady) < 1
    assert np.ptp(wild) > 500
