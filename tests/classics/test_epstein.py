"""Civil violence: what Epstein reports of it, and cases that can be worked out."""

from __future__ import annotations

from functools import cache

import numpy as np

from breakrank_classics.epstein import OUTBURST, Unrest, civil_violence, sudden_or_gradual

SEEDS = range(5)


@cache
def usual(seed: int) -> Unrest:
    return civil_violence(seed=seed)


def test_long_calm_is_broken_by_outbursts() -> None:
    # about 10 in 300 steps, near 300 at their height, and next to nobody active otherwise
    runs = [usual(seed) for seed in SEEDS]
    assert 8 <= np.mean([len(run.outbursts) for run in runs]) <= 12
    assert all(6 <= len(run.outbursts) <= 15 for run in runs)
    assert 275 <= np.mean([run.active.max() for run in runs]) <= 375
    assert 200 <= np.median([burst.peak for run in runs for burst in run.outbursts]) <= 325
    medians = [np.median(run.active) for run in runs]
    assert np.mean(medians) < 1
    assert max(medians) <= 1


def test_without_rounding_there_are_none() -> None:
    # the same people, places and luck; catches a floor that is forgotten, or taken of the risk
    for seed in (0, 1):
        assert civil_violence(seed=seed, rounding=False).active.max() < OUTBURST / 2


def test_a_sudden_loss_of_legitimacy_brings_an_outburst_and_the_same_loss_spread_out_does_not() -> None:
    both = [sudden_or_gradual(seed=seed) for seed in SEEDS]
    assert all(max(b.peak for b in one.sudden.outbursts) > 300 for one in both)
    assert all(60 <= one.sudden.outbursts[0].first <= 63 for one in both)
    assert all(one.gradual.active.max() < 25 for one in both)
    # before the loss the two worlds are one: the same luck
    for one in both:
        np.testing.assert_array_equal(one.sudden.active[:60], one.gradual.active[:60])
