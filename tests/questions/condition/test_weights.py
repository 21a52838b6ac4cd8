"""Weights, and which draws are taken by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.questions.calibrate.regression import effective
from breakrank.questions.condition.weights import shares, softening, systematic, worth

LOGS = st.lists(st.floats(-50, 50), min_size=2, max_size=40).map(np.array)


@given(LOGS, st.floats(0, 0.999))
def test_each_is_taken_as_often_as_it_weighs_rounded(logs: Any, start: float) -> None:
    weights = shares(logs)
    for number in (len(weights), 7):
        times = np.bincount(systematic(weights, number, start), minlength=len(weights))
        assert times.sum() == number
        assert (np.abs(times - number * weights) < 1 + 1e-6).all()


@given(LOGS)
def test_weights_are_softened_until_enough_are_left_and_no_further(logs: Any) -> None:
    least = len(logs) / 2
    power = softening(np.zeros(len(logs)), logs, least)
    left = effective(shares(power * logs))
    assert left >= least - 1e-6
    assert power == 1 or left == pytest.approx(least, abs=0.5)


def test_relatives_are_worth_as_much_less_as_they_resemble_each_other() -> None:
    rng = np.random.default_rng(0)
    families = np.repeat(np.arange(25), 4)
    own = rng.normal(size=(100, 300))
    assert worth(own, np.arange(100)) == 100
    assert worth(own, families) == pytest.approx(100, abs=3)
    assert worth(own, np.zeros(100, int)) == 1
    twins = own[:25][families]
    assert worth(twins, families) == pytest.approx(25, abs=1)
    half = (own + twins) / np.sqrt(2)
    assert worth(half, families) == pytest.approx(100 / (1 + 0.5 * 3), abs=3)
