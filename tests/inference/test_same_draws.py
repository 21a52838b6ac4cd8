"""Draws of an emulated posterior are the same for every instruction set and number of threads."""

from __future__ import annotations

import os
import platform

import pytest

from tests.cli.conftest import environment
from tests.programs import python

CORES = ("Prescott", "Haswell", "SkylakeX")
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
    for core in CORES:
        for threads in (1, 2):
            asked = {"OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": str(threads)}
            found.add(python("-c", DRAW, env={**environment(), **asked}))
    assert len(found) == 1
    assert os.linesep.join(found).strip()
