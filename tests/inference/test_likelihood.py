"""The likelihood of a figure is the density of reports that calibration draws; weights are resampled."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.inference.observed import (
    WRONG,
    Counts,
    Figure,
    ObservedTarget,
    constant_rate,
    log_likelihood,
    normalise,
    resample,
    temper,
)
from breakrank.inference.regression import effective
from tests.inference.test_observed import aim

N = 200_000
VALUE = aim(Figure(100, 100, 1, 0.15))
MIXED = aim(Figure(100, 100, 0.8, 0.1), Figure(200, 200, 0.2, 0.1))
LEAST = aim(Figure(50, np.inf, 1, 0.2), at_least=50)
MOST = aim(Figure(-np.inf, 0.3, 1, 0.2), unit="share", at_most=0.3)
RANGE = aim(Figure(50, 100, 1, 0.1), range=[50, 100])


def likelihood(one: ObservedTarget, *counts: float) -> float:
    return float(np.exp(log_likelihood(one, np.array([counts]))[0]))


def reported(one: ObservedTarget, *counts: float) -> float:
    """Return the density (of a bound or range: the chance) of drawn reports where the record is."""
    s = one.summary(np.tile(counts, (N, 1)), 1, "test", np.arange(N))
    if one.figures[0].low != one.figures[0].high:
        return float((s == 0).mean())
    return float((np.abs(s) < 0.01).mean()) / 0.02


@pytest.mark.parametrize("counts", [80.0, 100.0, 115.0])
def test_of_a_value(counts: float) -> None:
    assert likelihood(VALUE, counts) == pytest.approx(reported(VALUE, counts), rel=0.04)


@pytest.mark.parametrize("counts", [95.0, 110.0, 190.0])
def test_of_sources_in_conflict(counts: float) -> None:
    assert likelihood(MIXED, counts) == pytest.approx(reported(MIXED, counts), rel=0.06)


@pytest.mark.parametrize("counts", [45.0, 70.0, 900.0])
def test_of_a_bound(counts: float) -> None:
    assert likelihood(LEAST, counts) == pytest.approx(reported(LEAST, counts), rel=0.02, abs=WRONG)
    assert likelihood(MOST, counts / 1000) == pytest.approx(
        reported(MOST, counts / 1000), rel=0.02, abs=WRONG
    )


@pytest.mark.parametrize("counts", [40.0, 60.0, 75.0, 104.0])
def test_of_a_range(counts: float) -> None:
    width = np.log1p(100) - np.log1p(50)
    assert likelihood(RANGE, counts) * width == pytest.approx(reported(RANGE, counts), rel=0.03, abs=WRONG)


def test_of_a_late_count() -> None:
    assert likelihood(VALUE, 130.0, 100.0, 60.0) == pytest.approx(
        np.mean([likelihood(VALUE, x) for x in (130.0, 100.0, 60.0)])
    )


def test_no_figure_alone_rules_a_run_out_and_nearer_is_likelier() -> None:
    yes = aim(Figure(1, 1, 1, 0.15), unit="1 or 0", value=1)
    assert likelihood(yes, 1.0) == pytest.approx(1 - WRONG)
    assert likelihood(yes, 0.0) == pytest.approx(WRONG)
    for one in (VALUE, MIXED, LEAST, RANGE):
        uprising = log_likelihood(one, np.array([[0.0], [1.0], [5.0], [20.0], [45.0]]))
        assert np.isfinite(uprising).all()
        assert (np.diff(uprising) > 0).all()
    assert np.isfinite(log_likelihood(RANGE, np.array([[np.nan], [1e9]]))).all()


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


def counts(days: list[float], values: list[float], spread: float = 0.02) -> Counts:
    return Counts(np.array(days), np.array(values, float), np.full(len(days), spread))


def test_a_constant_rate_goes_on() -> None:
    assert np.median(constant_rate(counts([10], [500]), 20)) == pytest.approx(1000, rel=0.01)


def test_known_rates_spread_the_next_one() -> None:
    steady = constant_rate(counts([1, 2, 3, 4], [100, 200, 300, 400]), 10)
    wild = constant_rate(counts([1, 2, 3, 4], [10, 300, 320, 400]), 10)
    assert np.ptp(steady) < 1
    assert np.ptp(wild) > 500
