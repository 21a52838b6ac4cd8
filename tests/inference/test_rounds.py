"""Rounds of draws to be filtered: of the emulated posterior, or of the prior where that is too narrow."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from breakrank.inference.ensemble import ENOUGH, Proposal, _filter_in_rounds, log_mixture, log_weights
from breakrank.inference.observed import normalise
from breakrank.inference.posterior import log_normaliser
from breakrank.inference.regression import effective

MEMBERS, ROUNDS = 40, 12
START = dt.date(2025, 1, 1)


def density(z: Any, mean: float, spread: float) -> Any:
    return -0.5 * ((z - mean) / spread) ** 2 - np.log(spread)


def filtered(likelihood: Any, mean: float, spread: float) -> tuple[Any, Proposal, float]:
    """Filter draws of one parameter, of the prior and of an emulated posterior that is normal."""

    def run_filters(z: Any, what: str, batches: Any) -> dict[int, Any]:
        logs = likelihood(z[:, 0])
        return {k: SimpleNamespace(log_evidence=np.array([log])) for k, log in enumerate(logs)}

    case = SimpleNamespace(calendar=SimpleNamespace(start=START))
    work: Any = SimpleNamespace(case=case, until=START, draws=lambda z, *_: z, run_filters=run_filters)
    rng = np.random.default_rng(3)
    both = (rng.normal(mean, spread, MEMBERS * ROUNDS), rng.normal(size=MEMBERS * ROUNDS))
    proposals = [Proposal(z[:, None], density(z, mean, spread) - density(z, 0.0, 1.0)) for z in both]
    return _filter_in_rounds(work, *proposals, MEMBERS)


def weights(found: Any, taken: Proposal, share: float) -> Any:
    return normalise(log_weights(found, log_mixture(taken.log_ratio, share)))


def test_where_the_emulator_is_right_no_round_is_of_the_prior() -> None:
    found, taken, share = filtered(lambda z: density(z, 1.5, 0.5), 1.2, 0.45)
    assert share == 0
    assert effective(weights(found, taken, share)) >= ENOUGH
    assert len(taken.z) == MEMBERS


def test_where_the_emulator_is_too_sure_rounds_are_of_the_prior_and_the_posterior_is_right() -> None:
    found, taken, share = filtered(lambda z: density(z, 1.0, 2.0), 0.9, 0.12)
    w = weights(found, taken, share)
    mean = float(w @ taken.z[:, 0])
    assert share > 0
    assert effective(w) >= ENOUGH
    assert mean == pytest.approx(0.2, abs=0.25)  # of the prior and this likelihood: 1 / (1 + 2 ** 2)
    assert np.sqrt(w @ (taken.z[:, 0] - mean) ** 2) == pytest.approx(0.894, abs=0.15)
    alone = filtered(lambda z: density(z, 1.0, 2.0), 0.9, 0.12)[1].log_ratio[:MEMBERS]
    of_emulator = normalise(np.array([float(found[k].log_evidence.sum()) for k in range(MEMBERS)]) - alone)
    assert float(of_emulator @ taken.z[:MEMBERS, 0]) > 0.6  # its own draws never reach the rest


def test_the_mean_of_a_likelihood_under_the_prior_is_found_where_few_draws_of_the_prior_reach_it() -> None:
    rng, mean, spread = np.random.default_rng(0), np.array([2.0, -1.5, 1.0]), 0.4
    tight = spread**2 / (1 + spread**2)
    prior = rng.normal(size=(2_000, 3))
    posterior = mean / (1 + spread**2) + np.sqrt(tight) * rng.normal(size=(2_000, 3))
    logs = [(-0.5 * ((z - mean) / spread) ** 2).sum(axis=1) for z in (prior, posterior)]
    exact = float((0.5 * np.log(tight) - 0.5 * mean**2 / (1 + spread**2)).sum())
    assert log_normaliser(*logs) == pytest.approx(exact, abs=0.15)
