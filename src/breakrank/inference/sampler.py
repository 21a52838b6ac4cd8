"""Elliptical slice sampling of a posterior whose prior is standard normal.

Murray, Adams and MacKay (2010): a step draws a second point of the prior, and goes on an ellipse through
both to a point of the slice. It has no step size to tune. All chains move together, one row each. Once they
are warm, the ellipse is drawn from a normal fit to them in place of the prior (Nishihara, Murray and Adams
2014), which mixes where the posterior is much narrower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import purpose
from breakrank.case.prior import normal_quantiles
from breakrank.draws import luck_key, uniform_each
from breakrank.inference.regression import Array, Numbers

LogLikelihood = Callable[[Array, Numbers], Array]
"""Log-likelihoods (n,) of parameters in z-space (n, p), each of the chain of this number (n,)."""


class Chains(NamedTuple):
    """Chains of a sampler: parameters ``z`` (chains, draws, p) and ``log_likelihood`` (chains, draws).

    Both are rounded to :data:`DIGITS`.
    """

    z: Array
    log_likelihood: Array

    @property
    def draws(self) -> Array:
        """All draws, chain after chain (chains x draws, p)."""
        return self.z.reshape(-1, self.z.shape[-1])


class Effort(NamedTuple):
    """How far chains go.

    Attributes
    ----------
    chains : number of them. draws : kept of each, one in ``thin`` steps, after ``burn`` steps.
    adapt : whether the ellipse is fitted to all chains, half-way through these.
    """

    chains: int = 8
    draws: int = 250
    thin: int = 8
    burn: int = 1000
    adapt: bool = True


USUAL = Effort()
"""Of a posterior that is kept."""
SHRINKS = 60
"""Times that a slice is narrowed at most; then the angle is down to some 1e-18."""
DIGITS = 4
"""Digits after the point to which draws are kept. Linear algebra differs in the last bits between machines
and numbers of threads; draws of it do not."""
WIDER = 1.2
"""Standard deviations of the normal fit are taken so many times as wide."""


class Ellipse(NamedTuple):
    """A normal distribution that ellipses are drawn from: ``mean`` (p,), ``root`` of a covariance (p, p)."""

    mean: Array
    root: Array

    @classmethod
    def fitted(cls, z: Array) -> Ellipse:
        """Return the fit to draws (n, p), drawn towards the prior where they are few."""
        n, p = z.shape
        share = min(0.9, p / n + 0.05)
        spread = (1.0 - share) * np.cov(z, rowvar=False).reshape(p, p) + share * np.eye(p)
        return cls((1.0 - share) * z.mean(axis=0), WIDER * np.linalg.cholesky(spread))

    def log_ratio(self, z: Array) -> Array:
        """Return the logarithm of the prior's density over this one's (n,), up to a constant."""
        solved = np.linalg.solve(self.root, (z - self.mean).T)
        return np.asarray(0.5 * (solved * solved).sum(axis=0) - 0.5 * (z * z).sum(axis=1))


def sample_posterior(
    log_likelihood: LogLikelihood, start: Array, seed: int, what: str, effort: Effort = USUAL
) -> Chains:
    """Return chains of the posterior of a log-likelihood under a standard normal prior.

    Parameters
    ----------
    log_likelihood : of rows of parameters, each for a chain.
    start : first points (chains, p). seed, what : name the random numbers.
    effort : how far they go.
    """
    key, p = luck_key(seed, f"chains {what}"), start.shape[1]
    ellipse = Ellipse(np.zeros(p), np.eye(p))
    z, here = start, log_likelihood(start, np.arange(len(start)))
    warm: list[Array] = []
    kept, logs = [], []
    for step in range(effort.burn + effort.thin * effort.draws):
        if effort.adapt and step == effort.burn // 2:
            ellipse = Ellipse.fitted(np.concatenate(warm[len(warm) // 2 :]))
        z, here = _step(log_likelihood, ellipse, z, here, key, step)
        if step < effort.burn // 2:
            warm.append(z)
        if step >= effort.burn and (step - effort.burn) % effort.thin == effort.thin - 1:
            kept.append(z)
            logs.append(here)
    return Chains(np.stack(kept, axis=1).round(DIGITS), np.stack(logs, axis=1).round(DIGITS))


def _step(
    log_likelihood: LogLikelihood, ellipse: Ellipse, z: Array, here: Array, key: np.uint64, step: int
) -> tuple[Array, Array]:
    """Return all chains after a step (chains, p), and their log-likelihood, known before it (chains,)."""
    chains, p = z.shape
    who, one = np.arange(chains * p, dtype=np.uint32), np.arange(chains, dtype=np.uint32)
    centred = z - ellipse.mean
    other = normal_quantiles(_uniform(key, "point", who, step)).reshape(chains, p) @ ellipse.root.T
    moving = np.arange(chains)
    level = here + ellipse.log_ratio(z) + np.log(_uniform(key, "level", one, step))
    angle = 2.0 * np.pi * _uniform(key, "angle", one, step)
    low, high = angle - 2.0 * np.pi, angle.copy()
    z, here = z.copy(), here.copy()
    for shrink in range(SHRINKS):
        turn = angle[moving, None]
        there = ellipse.mean + centred[moving] * np.cos(turn) + other[moving] * np.sin(turn)
        found = log_likelihood(there, moving)
        taken = found + ellipse.log_ratio(there) > level[moving]
        z[moving[taken]], here[moving[taken]] = there[taken], found[taken]
        moving = moving[~taken]
        if not len(moving):
            break
        low[moving] = np.where(angle[moving] < 0, angle[moving], low[moving])
        high[moving] = np.where(angle[moving] >= 0, angle[moving], high[moving])
        u = _uniform(key, f"shrink {shrink}", moving.astype(np.uint32), step)
        angle[moving] = low[moving] + u * (high[moving] - low[moving])
    return z, here


def _uniform(key: np.uint64, what: str, who: NDArray[np.uint32], step: int) -> Array:
    return uniform_each(key, purpose(what), who, np.full(len(who), step, np.int64))
