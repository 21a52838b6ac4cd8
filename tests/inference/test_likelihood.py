"""The likelihood of a figure is the density of the reports that calibration draws."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.inference.likelihood import WRONG, log_likelihood
from breakrank.inference.observed import Figure, ObservedTarget
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
