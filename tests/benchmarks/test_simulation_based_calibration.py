"""The band holds what is uniform and nothing else, and the ranks of a toy's true values lie in it."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.simulation_based_calibration import coverage, inside_band, ranks, report, simulate
from breakrank.inference.calibration import published_targets, work_on
from breakrank.inference.particle_filter import FILTER
from breakrank.inference.posterior import FELT, felt
from breakrank.runs.carry_out import Making
from tests.inference.toys import TOY, TRUST, WEIGHT, toy_case


def test_the_band_holds_a_uniform_sample_and_none_that_leans_or_is_too_narrow() -> None:
    uniform = (np.arange(200) + 0.5) / 200
    assert inside_band(uniform)
    assert not inside_band(uniform**1.4)
    assert not inside_band(0.5 + 0.8 * (uniform - 0.5))
    outside = sum(not inside_band(np.random.default_rng(k).random(50)) for k in range(1, 41))
    assert outside <= 4  # of 40 at 1%: more has a probability of 5e-5


def test_coverage_counts_central_intervals() -> None:
    places = np.array([0.05, 0.3, 0.5, 0.7, 0.96])
    assert coverage(places, 0.5) == (0.6, pytest.approx(np.sqrt(0.05)))
    assert coverage(places, 0.9)[0] == 0.8


@pytest.mark.thorough
def test_the_ranks_of_a_toys_true_values_are_uniform(tmp_path: Path) -> None:
    case = toy_case(tmp_path)
    targets = published_targets(case, None)
    assert targets is not None
    end = case.calendar.end
    work = work_on(case, targets, end, 3, None, Making(backend="serial").carry, (TOY, FILTER))
    simulations = simulate(work, 300)
    chosen = np.flatnonzero(felt(work, simulations) < FELT)
    assert {work.free.names[k] for k in chosen} == {WEIGHT, TRUST}
    places = ranks(work, simulations, 40)[:, chosen]
    assert inside_band(places.ravel())
    half, error = coverage(places.ravel(), 0.5)
    assert abs(half - 0.5) < 4 * error
    table = report([work.free.names[k] for k in chosen], places)
    assert "all together | 80 |" in table
    assert table.count("| yes |") == 3
