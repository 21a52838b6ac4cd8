"""The prior predictive check: what the prior allows of a record, what else, and what it does not."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.inference.observed import Figure, ObservedTarget, ObservedTargets
from breakrank.inference.report import PriorCheck, independent, prior_check
from breakrank.inference.simulations import Simulations
from tests.inference.test_observed import aim

N = 1000
RNG = np.random.default_rng(5)


def checked(*told: tuple[ObservedTarget, NDArray[np.float64]]) -> PriorCheck:
    counts = [c[:, None].astype(float) for _, c in told]
    prior = Simulations(RNG.normal(size=(N, 2)), counts, np.arange(N), np.zeros((0, 2)))
    return prior_check(ObservedTargets(tuple(a for a, _ in told), dt.date(2019, 1, 1)), prior, 3)


@pytest.fixture(scope="module")
def found() -> PriorCheck:
    few = np.zeros(N)
    few[:9] = 100  # of a thousand, nine agree
    return checked(
        (aim(Figure(100, 100, 1, 0.1)), np.exp(RNG.normal(4.6, 2.0, N))),
        (aim(Figure(100, 100, 1, 0.1)), few),
        (aim(Figure(50, np.inf, 1, 0.1), at_least=50), np.full(N, 60.0)),
    )


def test_a_target_is_allowed_where_a_hundredth_of_the_simulations_agree(found: PriorCheck) -> None:
    wide, few, bound = found.targets
    assert wide.allowed
    assert 0.03 < wide.share < 0.15
    assert (few.agreeing, few.answered, few.allowed) == (9, N, False)
    assert bound.share == 1
    assert found.outside == (few,)
    assert 0 < found.p <= 1


def test_figures_that_rise_and_fall_together_are_one() -> None:
    one, other = RNG.normal(size=(2, 5000))
    apart = np.stack([one, other], axis=1)
    assert independent(apart) == pytest.approx(2, abs=0.05)
    assert independent(np.stack([one, np.exp(one), 3 * one], axis=1)) == pytest.approx(1)
    assert independent(np.stack([one, np.exp(one), other, other**3], axis=1)) == pytest.approx(2, abs=0.05)
    assert independent(np.stack([one, np.full(5000, 7.0)], axis=1)) == pytest.approx(1)
    ties = np.round(apart / 5)
    assert independent(ties) == pytest.approx(2, abs=0.05)
    assert independent(np.ones((5, 3))) == 0
