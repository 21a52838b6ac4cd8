"""Where a further round of simulations looks: around the posterior so far, along informed directions.

Hundreds of parameters would make importance weights useless. The record informs a few directions of z-space;
the proposal differs from the prior along these alone, so that weights are ratios of densities in a few
dimensions. It is wider than the posterior, and a share of its draws are from the prior. Weights follow the
balance heuristic (Veach and Guibas 1995): prior over the mixture of all rounds, so none exceeds simulations
in all over simulations of the prior.

A proposal follows from the simulations before it; another machine may round the last digit differently and so
make another one. So it is written down once, and what goes on after an interruption goes on with the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from breakrank.case.free_parameters import Free, purpose
from breakrank.draws import luck_key, uniform_each
from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.methods import Weighted
from breakrank.questions.calibrate.regression import Array
from breakrank.results.folder import explain
from breakrank.results.json_files import UNREADABLE
from breakrank.runs.atomic_file import write_whole

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


def identity(*parts: str | int | float) -> str:
    """Return a short name of everything that a proposal follows from."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def kept_proposal(store: Path, name: str, number: int) -> ParameterProposal | None:
    """Return the proposal of a round that was begun before; ``None`` if none was."""
    try:
        told: dict[str, Any] = json.loads(_path(store, name, number).read_text("utf-8"))
        return ParameterProposal.from_json(told)
    except UNREADABLE:
        return None


def keep_proposal(store: Path, name: str, number: int, proposal: ParameterProposal) -> None:
    """Write the proposal of a round into the store; BreakrankError if the disk refuses."""
    path = _path(store, name, number)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(proposal.as_json()) + "\n")
    except OSError as error:
        raise BreakrankError(explain(error, path)) from error


def _path(store: Path, name: str, number: int) -> Path:
    return store / "calibrations" / name / f"round-{number}.json"
