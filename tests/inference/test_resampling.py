"""Weights, and which draws are taken by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.inference.likelihood import normalise, resample, temper
from breakrank.inference.regression import effective

LOGS = st.lists(st.floats(-50, 50), min_size=2, max_size=40).map(np.array)


@given(LOGS, st.floats(0, 0.999))
def test_each_is_taken_as_often_as_it_weighs_rounded(logs: Any, start: float) -> None:
    weights = normalise(logs)
    for number in (len(weights), 7):
        times = np.bincount(resample(weights, number, start), minlength=len(weights))
        assert times.sum() == number
        assert (np.abs(times - number * weights) < 1 + 1e-6).all()


@given(LOGS)
def test_weights_are_tempered_until_enough_are_left_and_no_further(logs: Any) -> None:
    least = len(logs) / 2
    power = temper(logs, least)
    left = effective(normalise(power * logs))
    assert left >= least - 1e-6
    assert power == 1 or left == pytest.approx(least, abs=0.5)
