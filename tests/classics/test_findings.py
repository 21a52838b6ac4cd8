"""What the classics find: Kuran's society of ten, Granovetter's riot, and Epstein's outbursts."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank_classics.epstein import OUTBURST, Unrest, civil_violence, sudden_or_gradual
from breakrank_classics.granovetter import NormalCrowd, cascade
from breakrank_classics.kuran import SOCIETY, opposition


def test_ten_people_of_whom_one_opposes_openly() -> None:
    # catches thresholds taken for persons instead of per cent
    society = opposition([0, 20, 20, 30, 40, 50, 60, 70, 80, 100])
    assert society.thresholds == SOCIETY
    assert society.path == (0, 10)


def test_one_threshold_lowered_from_20_to_10_brings_90_per_cent() -> None:
    spark = opposition().after(person=1, threshold=10)
    assert (spark.before.public, spark.after.public) == (10, 90)
    # one further joins in each round, until only the one who needs all to act first is left
    assert spark.after.path == tuple(range(0, 100, 10))


def test_a_society_that_looks_the_same_hardly_moves() -> None:
    # only the third threshold differs, 30 instead of 20; public opposition is 10% in both at first
    society = opposition([0, 20, 30, 30, 40, 50, 60, 70, 80, 100])
    assert society.public == opposition().public
    assert society.after(person=1, threshold=10).after.public == 20


KNOWN = [
    (8, 0.0925),
    (10, 0.7696),
    (11, 1.713),
    (12, 4.021),
    (12.1, 4.553),
    (20, 99.991),
    (40, 96.258),
    (60, 83.538),
]
"""Standard deviation of thresholds with mean 25, and how many of 100 act in the end."""


def last_digit(answer: float) -> float:
    """Return a unit of the last digit that `answer` is given with."""
    return 10.0 ** -len(str(answer).split(".")[1])


def test_thresholds_0_to_99_all_act() -> None:
    # catches a strict comparison (nobody would act) and a cascade that stops a round early
    went = cascade(range(100))
    assert went.path == tuple(range(101))
    assert (went.acting, went.size) == (100, 100)


def test_one_threshold_of_1_made_2_leaves_one_acting() -> None:
    # catches any smoothing over persons: the two crowds differ in one threshold of a hundred
    went = cascade([0, 2, *range(2, 100)])
    assert went.path == (0, 1)


@pytest.mark.parametrize(("sd", "acting"), KNOWN)
def test_a_normal_crowd_comes_to_rest_where_it_should(sd: float, acting: float) -> None:
    assert NormalCrowd(25, sd).acting == pytest.approx(acting, abs=last_digit(acting))


def test_the_crowd_tips_at_a_spread_of_12_2221() -> None:
    # catches a search for the jump that stops early: it is known to four decimals
    tip = NormalCrowd(25).critical
    assert tip.sd == pytest.approx(12.2221, abs=0.00005)
    assert NormalCrowd(25, tip.sd - 1e-6).acting == pytest.approx(6.195, abs=0.001)
    assert NormalCrowd(25, tip.sd - 1e-10).acting == pytest.approx(tip.acting, abs=0.001)
    assert NormalCrowd(25, tip.sd + 1e-6).acting > 99.99


@settings(max_examples=200, deadline=None)
@given(st.floats(-20, 120), st.floats(0.5, 300))
def test_fixed_points_are_fixed_and_alternate_in_stability(mean: float, sd: float) -> None:
    crowd = NormalCrowd(mean, sd)
    points = crowd.fixed_points
    assert len(points) in (1, 3)
    for x in points:
        assert crowd.willing(x) == pytest.approx(x, abs=1e-8 * max(1, crowd.slope))
    # none is missed: between neighbours the map stays on one side of the diagonal
    ends = [0.0, *points, 100.0]
    for i, (low, high) in enumerate(pairwise(ends)):
        for part in range(1, 20):
            x = low + (high - low) * part / 20
            if min(x - low, high - x) > 1e-3:
                assert (crowd.willing(x) > x) == (i % 2 == 0)


thresholds = st.lists(st.integers(-3, 30), min_size=1, max_size=25)


@given(thresholds)
def test_a_cascade_ends_at_the_lowest_number_that_reproduces_itself(given: list[int]) -> None:
    went = cascade(given)
    assert went.willing(went.acting) == went.acting
    assert all(went.willing(k) > k for k in range(went.acting))


@given(thresholds, st.integers(0, 24), st.integers(1, 10))
def test_a_higher_threshold_never_makes_more_act(given: list[int], who: int, more: int) -> None:
    raised = list(given)
    raised[who % len(given)] += more
    assert cascade(raised).acting <= cascade(given).acting


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
