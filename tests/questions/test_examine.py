"""Verdicts: what an interval says of an expectation."""

import math

import numpy as np
import pytest

from breakrank.case.examination import Expectation
from breakrank.questions.examine import verdict
from breakrank.questions.paired import effect
from breakrank.results.paired import Difference


def seen(low: float, high: float, before: float = 100.0) -> Difference:
    mean = (low + high) / 2
    more, less = (0.0, 0.0) if low == high == 0 else (0.5, 0.5)
    return Difference("", "", "", before, before + mean, mean, low, high, more, less, math.nan, 8, 8)


def expects(sign: str, **band: tuple[float, float]) -> Expectation:
    return Expectation.model_validate({"of": "left_abroad", "sign": sign} | band)


@pytest.mark.parametrize(
    ("sign", "band", "low", "high", "says"),
    [
        ("more", {}, 5, 20, "right"),
        ("less", {}, -20, -5, "right"),
        ("more", {}, -20, -5, "wrong sign"),
        ("more", {}, -5, 9, "no effect shown"),  # an effect of a tenth would have been seen
        ("more", {}, -5, 30, "too few pairs"),
        ("less", {}, -30, 5, "too few pairs"),
        ("more", {"times": (1.5, 3)}, -5, 30, "no effect shown"),  # the band begins at half as much again
        ("more", {"times": (1.5, 3)}, 5, 30, "outside band"),
        ("more", {"times": (1.5, 3)}, 5, 60, "too few pairs"),  # the sign is told, the size is not
        ("more", {"times": (1.5, 3)}, 45, 65, "right"),
        ("less", {"times": (0.2, 0.8)}, -10, -2, "outside band"),
        ("less", {"reaches": (0, 50)}, -65, -45, "right"),
        ("less", {"reaches": (0, 50)}, -40, -30, "outside band"),
        ("same", {"times": (0.8, 1.2)}, -10, 10, "right"),
        ("same", {"times": (0.8, 1.2)}, -10, 30, "too few pairs"),
        ("same", {"times": (0.8, 1.2)}, 25, 30, "outside band"),
        ("no_more", {}, -50, 9, "right"),
        ("no_more", {}, 2, 30, "wrong sign"),
        ("no_less", {}, -9, 50, "right"),
        ("identical", {}, 0, 0, "right"),
        ("identical", {}, -1, 1, "wrong sign"),
        ("more", {}, math.nan, math.nan, "too few pairs"),
    ],
)
def test_verdicts(
    sign: str, band: dict[str, tuple[float, float]], low: float, high: float, says: str
) -> None:
    assert verdict(expects(sign, **band), seen(low, high)) == says


def test_nothing_there_cannot_become_less() -> None:
    assert verdict(expects("less"), seen(0, 0, before=0)) == "too few pairs"
    assert verdict(expects("more"), seen(0, 0, before=0)) == "no effect shown"


def test_pairs_are_those_that_finished_in_both() -> None:
    before, after = np.array([1.0, 2.0, np.nan, 4.0]), np.array([2.0, np.nan, 9.0, 6.0])
    draw = np.arange(4)
    one = effect("left_abroad", before, after, draw)
    assert (one.runs, one.before, one.after, one.mean) == (2, 2.5, 4.0, 1.5)
    assert one.low < 1.5 < one.high


def test_without_pairing_both_spreads_count() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(100, 20, 50)
    draw = np.arange(50)
    paired, apart = (effect("left_abroad", luck, luck + 5, draw, paired=way) for way in (True, False))
    assert paired.mean == pytest.approx(apart.mean) == pytest.approx(5)
    assert paired.high - paired.low < 1e-9 < apart.high - apart.low
    half = 2.009 * math.hypot(*(luck.std(ddof=1) / math.sqrt(50),) * 2)
    assert apart.high - apart.mean == pytest.approx(half, rel=1e-3)
