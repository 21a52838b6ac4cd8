"""Weights, steps and resampling."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.luck import LuckPath
from breakrank.questions.calibrate.regression import effective
from breakrank.questions.condition.particles import Particles, shares, step_to, systematic

LOGS = st.lists(st.floats(-50, 50), min_size=2, max_size=40).map(np.array)


@given(LOGS, st.floats(0, 0.999))
def test_each_is_taken_as_often_as_it_weighs_rounded(logs: Any, start: float) -> None:
    weights = shares(logs)
    times = np.bincount(systematic(weights, start), minlength=len(weights))
    assert times.sum() == len(weights)
    assert (np.abs(times - len(weights) * weights) < 1 + 1e-6).all()


@given(LOGS)
def test_a_step_leaves_enough(more: Any) -> None:
    n = len(more)
    part = step_to(np.zeros(n), more, n / 2, 1.0)
    assert 0 < part <= 1
    assert effective(shares(part * more)) >= n / 2 - 1e-6
    if part < 1:
        assert effective(shares((part + 1e-3) * more)) < n / 2 + 0.5


def test_copies_part_on_the_day_and_the_first_stays() -> None:
    date = dt.date(2019, 3, 1)
    one = Particles.begun(np.zeros((3, 2))).taken(np.array([0, 0, 2]))
    assert one.distinct == 2
    parted = one.apart(date, 10)
    assert parted.paths == (LuckPath(0), LuckPath(0).branched(date, 11), LuckPath(2))
    assert parted.distinct == 3
    assert parted.roots.tolist() == [0, 0, 2]
