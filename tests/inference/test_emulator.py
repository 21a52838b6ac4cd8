"""The emulator and the sampler find a posterior that is known, and say how far they can be trusted."""

import os
import platform
from typing import Any

import numpy as np
import pytest
from arviz_stats.base import array_stats

from breakrank.inference.observed import Figure
from breakrank.inference.posterior import Chains, Effort, Emulator, sample_posterior
from breakrank.inference.regression import Ridge, effective, epanechnikov
from tests.cli.conftest import environment
from tests.inference.test_observed import aim
from tests.inference.toys import Gaussian
from tests.programs import python

EFFORT = Effort(chains=4, draws=250, thin=4, burn=150)


def emulate(z: Any, s: Any, observed: Any) -> Emulator:
    """Return the emulator of summaries, each a target that was observed exactly, as far from 0."""
    return Emulator.of(z, s, [aim(Figure(0, 0, 1, 0.0))] * s.shape[1], observed)


def chains_of(emulator: Emulator, observed: Any, p: int, effort: Effort = EFFORT) -> Chains:
    return sample_posterior(
        lambda z, _: emulator.log_likelihood(z, observed), np.zeros((effort.chains, p)), 3, "test", effort
    )


def test_chains_find_the_posterior_of_a_linear_gaussian_model() -> None:
    toy = Gaussian.of(12, 8, 0.5, 1)
    z, s = toy.drawn(1200, 2)
    truth, observed = toy.drawn(1, 5)
    found = chains_of(emulate(z, s, observed[0]), observed[0], 12)
    exact, sd = toy.gain @ observed[0], np.sqrt(toy.variance)
    assert found.draws.mean(0) == pytest.approx(exact, abs=0.25)
    assert found.draws.std(0) == pytest.approx(sd, rel=0.2)
    assert array_stats.rhat(found.z, chain_axis=0, draw_axis=1, method="rank").max() < 1.05
    assert array_stats.ess(found.z, chain_axis=0, draw_axis=1, method="bulk").min() > 100
    assert truth.shape == (1, 12)


def test_a_curved_expectation_is_followed() -> None:
    """The first parameter acts by its square: both roots are found, and the sign stays open."""
    rng = np.random.default_rng(4)

    def simulate(z: Any) -> Any:
        return np.stack([z[:, 0] ** 2, z[:, 1]], axis=1) + 0.2 * rng.normal(size=(len(z), 2))

    z = rng.normal(size=(1000, 2))
    observed = np.array([1.0, 0.5])
    found = chains_of(emulate(z, simulate(z), observed), observed, 2)
    assert np.abs(found.draws[:, 0]).mean() == pytest.approx(1.0, abs=0.15)
    assert found.draws[:, 1].mean() == pytest.approx(0.5, abs=0.1)


def test_parameters_that_do_nothing_keep_their_prior() -> None:
    """Few simulations at an end of a prior are no evidence against it."""
    toy = Gaussian.of(30, 10, 0.5, 1)
    z, s = toy.drawn(400, 2)
    found = chains_of(emulate(z, s, np.zeros(10)), np.zeros(10), 30).draws
    idle = np.flatnonzero((toy.A == 0).all(axis=0))
    assert len(idle) > 10
    assert found[:, idle].std(axis=0).mean() == pytest.approx(1.0, abs=0.07)


def test_predictions_are_less_certain_far_from_simulations() -> None:
    toy = Gaussian.of(6, 4, 0.5, 1)
    z, s = toy.drawn(200, 2)
    emulator = emulate(z, s, s[0])
    near, far = emulator.fit.leverage(emulator.features(np.stack([np.zeros(6), np.full(6, 4.0)])))
    assert far > 5 * near


def test_a_target_of_which_all_count_the_same_is_left_out() -> None:
    toy = Gaussian.of(6, 4, 0.5, 1)
    z, s = toy.drawn(300, 2)
    s[:, 2] = 0.0
    s[:3, 2] = 1.0
    assert emulate(z, s, np.zeros(4)).scale.kept.tolist() == [0, 1, 3]


def test_each_output_has_a_penalty_of_its_own_and_residuals_are_those_without_the_row() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 10))
    y = np.stack([x[:, 0] * 3 + 0.1 * rng.normal(size=120), rng.normal(size=120)], axis=1)
    weights = rng.uniform(0.5, 1.5, 120)
    fit = Ridge.of(x, y, weights)
    assert fit.penalties[0] < fit.penalties[1]
    left = fit.left_out(x, y, weights)
    assert (np.abs(left) >= np.abs(y - fit(x)) - 1e-12).all()
    assert left[:, 0].std() == pytest.approx(0.1, rel=0.2)


@pytest.mark.parametrize("wanted", [10, 60, 100])
def test_a_kernel_is_wide_enough(wanted: int) -> None:
    away = np.abs(np.random.default_rng(1).normal(size=100))
    kernel = epanechnikov(away, wanted)
    assert effective(kernel) >= 0.9 * wanted
    assert (np.diff(kernel[np.argsort(away)]) <= 0).all()


CORES = ("Prescott", "1"), ("Haswell", "1"), ("Haswell", "2"), ("SkylakeX", "2")
DRAW = """
import hashlib, sys
import numpy as np
import breakrank
from breakrank.inference.calibration import published_targets
from breakrank.inference.posterior import Emulator
from breakrank.inference.posterior import Effort, sample_posterior

targets = published_targets(breakrank.load_case("crimea-2014", "point"), None)
few, many, d = 20, 60, len(targets.targets)
rng = np.random.default_rng(7)
for rows in (few, many):
    z = rng.normal(size=(rows, 30))
    counts = 2.0 + 0.3 * z @ rng.normal(size=(30, d)) + 0.2 * rng.normal(size=(rows, d))
    counts[:, ::4] = np.maximum(counts[:, ::4].round(), 0.0)
    counts[:, 1] = counts[:, 2]
    emulator = Emulator.of(z, counts, targets.targets, targets.observed)
    chains = sample_posterior(
        lambda at, _: emulator.log_likelihood(at, targets.observed),
        np.zeros((8, 30)), 0, "same", Effort(chains=8, draws=20, thin=3, burn=100),
    )
    print(hashlib.sha256(chains.z.tobytes() + chains.log_likelihood.tobytes()).hexdigest())
"""


@pytest.mark.thorough
@pytest.mark.skipif(platform.machine() != "x86_64", reason="instruction sets of another architecture")
def test_the_same_draws_with_every_instruction_set_and_number_of_threads() -> None:
    found = set()
    for core, threads in CORES:
        asked = {"OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": threads}
        found.add(python("-c", DRAW, env={**environment(), **asked}))
    assert len(found) == 1
    assert os.linesep.join(found).strip()
