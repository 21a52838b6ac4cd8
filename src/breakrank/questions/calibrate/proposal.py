"""Where a further round of simulations looks: around the posterior so far, along informed directions.

Hundreds of parameters would make importance weights useless. The record informs a few directions of z-space;
the proposal differs from the prior along these alone, so that weights are ratios of densities in a few
dimensions. It is wider than the posterior, and a share of its draws are from the prior. Weights follow the
balance heuristic (Veach and Guibas 1995): prior over the mixture of all rounds, so none exceeds simulations
in all over simulations of the prior.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from breakrank.draws import luck_key, uniform_each
from breakrank.questions.calibrate.free_parameters import Free, purpose
from breakrank.questions.calibrate.inference import Weighted
from breakrank.questions.calibrate.regression import Array

INFLATION = 1.8
"""Variance of the proposal over that of the posterior so far."""
DEFENSIVE = 0.15
"""Share of the draws that are from the prior."""


@dataclass(frozen=True)
class ParameterProposal:
    """Normal along `axes` (p, k) with a `mean` (k,) and the `root` of a covariance (k, k); else the prior."""

    axes: Array
    mean: Array
    root: Array

    @classmethod
    def around(cls, posterior: Weighted, axes: Array) -> ParameterProposal:
        """Return the proposal around a posterior."""
        a = posterior.z @ axes
        mean = posterior.weights @ a
        centred = a - mean
        spread = INFLATION * (posterior.weights * centred.T) @ centred
        values, vectors = np.linalg.eigh(spread)
        spread = (vectors * np.clip(values, 0.02, None)) @ vectors.T  # never a needle
        return cls(axes, mean, np.linalg.cholesky(spread))

    def drawn(self, free: Free, seed: int, what: str, count: int) -> Array:
        """Return draws (count, p): pure functions of seed, purpose, number and parameter."""
        numbers = np.arange(count)
        z = free.drawn(seed, what, numbers)
        key = luck_key(seed, f"calibrate.{what}")
        pick = uniform_each(
            key, purpose("from the prior"), numbers.astype(np.uint32), np.zeros(count, np.int64)
        )
        a = z @ self.axes
        moved = self.mean + a @ self.root.T
        moved[pick < DEFENSIVE] = a[pick < DEFENSIVE]
        return np.asarray(z + (moved - a) @ self.axes.T)

    def ratio(self, z: Array) -> Array:
        """Return its density over the prior's at points of z-space (n,)."""
        a = z @ self.axes
        solved = np.linalg.solve(self.root, (a - self.mean).T).T
        logs = 0.5 * (a * a).sum(1) - 0.5 * (solved * solved).sum(1) - np.log(np.diag(self.root)).sum()
        return np.asarray(DEFENSIVE + (1.0 - DEFENSIVE) * np.exp(np.minimum(logs, 700.0)))

    def as_json(self) -> dict[str, Any]:
        """Return it as plain lists; every bit of every number is in them."""
        return {"axes": self.axes.tolist(), "mean": self.mean.tolist(), "root": self.root.tolist()}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> ParameterProposal:
        """Return what :meth:`as_json` told of."""
        return cls(np.array(told["axes"]), np.array(told["mean"]), np.array(told["root"]))


def importance(z: Array, rounds: Array, proposals: Sequence[ParameterProposal]) -> Array:
    """Return importance weights (n,) of simulations of several rounds, 1 on average over the prior.

    Parameters
    ----------
    z : parameters in z-space (n, p).
    rounds : the round of each, 0 for the prior (n,).
    proposals : of the rounds after the first.
    """
    share = np.bincount(rounds.astype(np.int64), minlength=len(proposals) + 1) / len(rounds)
    mixed = np.full(len(z), share[0])
    for k, proposal in enumerate(proposals, 1):
        mixed += share[k] * proposal.ratio(z)
    return np.asarray(1.0 / mixed)
