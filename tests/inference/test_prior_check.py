"""What is told before a calibration: what is asked wrongly, what the prior allows, what contradicts what."""

import datetime as dt
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.inference.observed import Figure, ObservedTargets
from breakrank.inference.question import Calibrate
from breakrank.inference.report import contradiction_sentences, contradictions, prior_check
from breakrank.inference.simulations import Simulations
from tests.inference.test_observed import aim

N = 1000
RNG = np.random.default_rng(5)


def test_a_target_is_allowed_where_a_hundredth_of_the_simulations_agree() -> None:
    few = np.zeros(N)
    few[:9] = 100  # of a thousand, nine agree
    told = (
        (aim(Figure(100, 100, 1, 0.1)), np.exp(RNG.normal(4.6, 2.0, N))),
        (aim(Figure(100, 100, 1, 0.1)), few),
        (aim(Figure(50, np.inf, 1, 0.1), at_least=50), np.full(N, 60.0)),
        (aim(Figure(100, 100, 1, 0.1)), np.full(N, np.nan)),
    )
    prior = Simulations(
        RNG.normal(size=(N, 2)), [c[:, None] for _, c in told], np.arange(N), np.zeros((0, 2))
    )
    targets = ObservedTargets(tuple(one for one, _ in told), dt.date(2019, 1, 1))
    allows, met, less, none, last = prior_check(targets, prior, 3).splitlines()
    assert allows.startswith(
        "The prior allows 2 of 4 targets: at least 1% of 1,000 simulations agree (least:"
    )
    assert met.startswith("At least 95% of simulations meet, which is then no success: ")
    assert met.count(";") == 0
    assert "9 of 1,000 simulations agree. The figure is 100; 90% of simulations give 0, and" in less
    assert none.startswith("breakrank: no simulation of the prior gives a value for “")
    assert "Ctrl-C stops it" in last


@dataclass
class Between:
    """A target that agrees with counts between two numbers."""

    label: str
    low: float
    high: float

    @property
    def target(self) -> Any:
        return SimpleNamespace(label=self.label)

    def agrees(self, counts: np.ndarray) -> np.ndarray:
        return (counts >= self.low) & (counts <= self.high)


def test_what_excludes_each_other_is_named() -> None:
    x = np.linspace(0, 1, 400)
    other = np.random.default_rng(1).random(400)
    targets: Any = [Between("early", 0, 0.3), Between("late", 0.7, 1), Between("apart", 0, 0.3)]
    assert contradictions(targets, [x, x, other]) == [("early", "late")]
    assert contradictions(targets[:2], [x, np.where(x < 0.5, np.nan, x)]) == []  # without an answer
    assert contradictions(targets[:2], [x[::10], x[::10]]) == []  # 3.6 expected: none may be chance
    (sentence,) = contradiction_sentences([("early", "late")])
    assert "none with both of “early” and “late”." in sentence
    assert contradiction_sentences([]) == ()


def test_all_that_is_wrong_is_told_together() -> None:
    with pytest.raises(UsageError) as raised:
        Calibrate(simulations=12, waves=0, members=-1, predictive=3)
    told = str(raised.value)
    assert "simulations must be from 100" in told
    assert "waves must be from 1" in told
    assert "members must be from 0" in told
    assert "predictive must be from 20" in told
    with pytest.raises(UsageError, match="not a text"):
        Calibrate(fixed="fear.on")


def test_the_call_is_told_without_what_goes_without_saying() -> None:
    case = breakrank.load_case("crimea-2014", "point")
    asked = Calibrate(waves=1, members=0, predictive=20, seed=5, fixed=["a", "b"], workers=2)
    assert asked.call(case) == (
        "calibrate('crimea-2014', waves=1, members=0, predictive=20, fixed=['a', 'b'], seed=5)"
    )
