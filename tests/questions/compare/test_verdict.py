"""The verdict of a comparison in words, and what of its variance is of the parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from breakrank.questions.compare import verdict
from breakrank.results.paired import Difference, difference


def _one(label: str, apart: list[float]) -> Difference:
    before = np.array([100.0, 900.0, 400.0, 250.0])
    return difference(label, label, "people", before, before + np.array(apart))


def test_it_says_how_many_differ_clearly_and_how_many_would_by_chance() -> None:
    left, registered = _one("Left", [-50, 60, -40, 30]), _one("Registered", [150, 160, 140, 150])
    assert verdict([left, registered], 4).startswith("In 4 pairs of runs 1 of 2 outcomes looked at differ")


def test_the_variance_is_split_into_parameters_and_luck() -> None:
    rng = np.random.default_rng(5)
    shares = []
    for _ in range(200):
        draw = np.repeat(np.arange(60), 2)
        apart = 3.0 * rng.standard_normal(60)[draw] + 2.0 * rng.standard_normal(120)
        d = difference("x", "X", "", np.zeros(120), apart, draw)
        shares.append((d.paired.between, d.paired.within, d.parameters))
    between, within, share = np.mean(shares, axis=0)
    assert between == pytest.approx(9, rel=0.06), "the method of moments has no bias"
    assert within == pytest.approx(4, rel=0.06)
    assert share == pytest.approx(9 / 13, abs=0.03)


def test_pairs_of_uneven_draws_are_split_without_bias() -> None:
    rng = np.random.default_rng(6)
    draw = np.repeat(np.arange(60), [1, 2, 5] * 20)
    found = []
    for _ in range(400):
        apart = 3.0 * rng.standard_normal(60)[draw] + 2.0 * rng.standard_normal(draw.size)
        found.append(difference("x", "X", "", np.zeros(draw.size), apart, draw).paired)
    assert np.mean(found, axis=0) == pytest.approx([9, 4], rel=0.06)


def test_without_draws_that_pairs_share_nothing_is_said_of_the_parameters() -> None:
    apart = np.random.default_rng(3).normal(0, 1, 40)
    assert math.isnan(difference("x", "X", "", np.zeros(40), apart).parameters)
    assert math.isnan(difference("x", "X", "", np.zeros(40), apart, np.arange(40)).parameters)
    few = difference("x", "X", "", np.zeros(18), apart[:18], np.repeat(np.arange(9), 2))
    assert math.isnan(few.parameters)
    enough = difference("x", "X", "", np.zeros(20), apart[:20], np.repeat(np.arange(10), 2))
    assert 0 <= enough.parameters <= 1
    assert enough.draws == 10
