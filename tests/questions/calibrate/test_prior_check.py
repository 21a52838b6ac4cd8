"""The prior predictive check: what the prior allows of a record, what else, and what it does not."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from breakrank.questions.calibrate.bank import Bank
from breakrank.questions.calibrate.prior_check import PriorCheck, independent, prior_check
from breakrank.questions.calibrate.record import Aim, RecordFigure, TargetRecord
from breakrank.questions.calibrate.verdict import _prior
from tests.questions.calibrate.test_record import aim

N = 1000
RNG = np.random.default_rng(5)


def checked(*told: tuple[Aim, NDArray[np.float64]]) -> PriorCheck:
    counts = [c[:, None].astype(float) for _, c in told]
    bank = Bank(
        RNG.normal(size=(N, 2)), counts, np.zeros(N, np.int64), np.arange(N), np.zeros((0, 2)), ()
    )  # fmt: skip
    return prior_check(TargetRecord(tuple(a for a, _ in told), dt.date(2019, 1, 1)), bank, 3)


@pytest.fixture(scope="module")
def found() -> PriorCheck:
    few = np.zeros(N)
    few[:9] = 100  # of a thousand, nine agree
    return checked(
        (aim(RecordFigure(100, 100, 1, 0.1)), np.exp(RNG.normal(4.6, 2.0, N))),
        (aim(RecordFigure(100, 100, 1, 0.1)), few),
        (aim(RecordFigure(50, np.inf, 1, 0.1), at_least=50), np.full(N, 60.0)),
    )


def test_a_target_is_allowed_where_a_hundredth_of_the_simulations_agree(found: PriorCheck) -> None:
    wide, few, bound = found.targets
    assert wide.allowed
    assert 0.03 < wide.share < 0.15
    assert (few.agreeing, few.answered, few.allowed) == (9, N, False)
    assert bound.share == 1
    assert found.outside == (few,)
    assert 0 < found.p <= 1


def test_it_says_what_else_the_prior_allows(found: PriorCheck) -> None:
    first, second, third = found.told()
    assert "allows 2 of 3 targets: at least 1% of 1,000 simulations agree (least: T, 0.9%)" in first
    assert second.startswith("What else it allows, 90% of simulations: ")
    assert "where the record has 100 (T)" in second
    assert third.startswith("These 3 targets vary like 2.0 independent ones")
    assert third.endswith("which is then no success: T.")
    (warning,) = found.warnings()
    assert "9 of 1,000 simulations agree. The record says 100; 90% of simulations give 0" in warning


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


def test_nobody_answers() -> None:
    found = checked(
        (aim(RecordFigure(2, 2, 1, 0.1), unit="ratio", value=2), np.full(N, np.nan)),
        (aim(RecordFigure(100, 100, 1, 0.1)), np.exp(RNG.normal(4.6, 2.0, N))),
    )
    assert [t.answered for t in found.targets] == [0, N]
    (warning,) = found.warnings()
    assert "no simulation of the prior gives a value for" in warning
    assert len(tuple(found.told())) == 3


def test_the_verdict_names_what_the_prior_does_not_allow() -> None:
    about = {"misfit": {"prior": {"p": 0.25}}}
    targets = pd.DataFrame({"label": ["One", "Two"], "prior_agrees": [0.2, 0.015]})
    assert _prior(about, targets).startswith("The prior allows each target in 1.5% of simulations or more")
    targets["prior_agrees"] = [0.2, np.nan]
    assert _prior(about, targets) == (
        "The prior does not allow 1 of 2 targets: fewer than 1% of its simulations agree with them (Two). "
        "Over all targets, 25% of prior simulations are further from the middle than the record."
    )
