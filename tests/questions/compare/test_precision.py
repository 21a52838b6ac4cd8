"""How many runs a precision needs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.case import Draws
from breakrank.questions.compare import needed
from breakrank.results.paired import Difference, difference, student

RNG = np.random.default_rng(3)


def test_so_many_runs_give_that_interval() -> None:
    luck = RNG.normal(0, 10, 400)
    before, after = 100 + luck, 103 + luck + RNG.normal(0, 4, 400)
    d = difference("x", "X", "soldiers", before, after)
    found = needed(d, 0.5)
    sd = float((after - before).std(ddof=1))
    assert student(found.pairs - 1) * sd / found.pairs**0.5 <= 0.5
    assert student(found.pairs - 2) * sd / (found.pairs - 1) ** 0.5 > 0.5 * 0.99
    assert found.unpaired is not None
    assert found.unpaired / found.pairs == pytest.approx(d.reduction, rel=0.02)
    again = needed(d, d.high - d.mean)
    assert again.pairs == 400, "the width that there is needs the runs that there were"


N, EACH = 256, 2
DRAWS = Draws(("fear.risk_weight",), np.linspace(0, 1, N)[:, None], EACH)


def pairs_of(runs: int, between: float, within: float, seed: int = 4) -> Difference:
    """Return a difference with these standard deviations, of runs under draws as a case has them."""
    rng = np.random.default_rng(seed)
    draw: NDArray[np.int64] = (np.arange(runs) // EACH) % N
    apart = 1 + between * rng.standard_normal(N)[draw] + within * rng.standard_normal(runs)
    return difference("x", "X", "soldiers", np.zeros(runs), apart, draw)


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
    apart = RNG.normal(0, 1, 40)
    assert math.isnan(difference("x", "X", "", np.zeros(40), apart).parameters)
    assert math.isnan(difference("x", "X", "", np.zeros(40), apart, np.arange(40)).parameters)
    few = difference("x", "X", "", np.zeros(18), apart[:18], np.repeat(np.arange(9), 2))
    assert math.isnan(few.parameters)
    enough = difference("x", "X", "", np.zeros(20), apart[:20], np.repeat(np.arange(10), 2))
    assert 0 <= enough.parameters <= 1
    assert enough.draws == 10


def test_more_runs_of_the_same_draws_tell_no_more_about_the_parameters() -> None:
    d = pairs_of(200, between=1.0, within=0.5)
    without = needed(d, 0.1)
    assert without.pairs is not None
    assert without.pairs > N * EACH, "as if there were draws without end"
    found = needed(d, 0.1, DRAWS)
    assert (found.pairs, found.unpaired) == (None, None)
    assert found.floor == pytest.approx(student(N - 1) * (d.paired.between / N) ** 0.5)
    assert found.floor > 0.1


@pytest.mark.parametrize("half_width", [0.3, 0.12, 0.085])
def test_what_is_needed_of_draws_that_come_again_gives_that_interval(half_width: float) -> None:
    pilot = pairs_of(400, between=0.3, within=1.2)
    found = needed(pilot, half_width, DRAWS)
    assert found.pairs is not None
    assert (found.pairs > N * EACH) == (half_width < 0.1), "some take each draw once, some more"
    widths = []
    for seed in range(40):
        d = pairs_of(found.pairs, between=0.3, within=1.2, seed=100 + seed)
        widths.append((d.high - d.low) / 2)
    assert np.mean(widths) == pytest.approx(half_width, rel=0.12), "as well as a pilot of 400 can tell"
