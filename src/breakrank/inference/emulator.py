"""An emulator of a case's summaries: their mean and spread as a function of the parameters.

Each target is one summary of a simulation (:mod:`breakrank.inference.observed`). A quadratic regression on
the parameters gives its expectation, and the residuals give how runs under one vector of parameters scatter.
So the observed summaries have a normal *synthetic likelihood* (Wood 2010), which costs nothing to evaluate.
The regression is local: simulations whose expected summaries are near the observed ones count most. What the
regression itself does not know widens the likelihood (as in history matching: Craig, Goldstein, Seheult and
Smith 1997; Vernon and others 2010), alike at all parameters: where simulations are few is no evidence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.inference.regression import Array, Ridge, Scale, effective, epanechnikov, scale_of, squash

LEADING = 6
"""Directions of the parameters, those that act most, of which squares and products are features."""
ALWAYS_MET = 0.98
"""Share of simulations that meet a summary exactly, from which it is left out: it can tell nothing."""
NEAR = 0.6
"""Share of the simulations, as an effective number, that the local regression rests on at least.

On a toy with a known posterior, 0.55 and 0.7 leave its mean within a tenth of a standard deviation; 0.4 and
less shrink the slopes, and 0.85 takes in what is curved.
"""
ROWS_A_FEATURE = 3.0
"""Simulations for each feature that it rests on at least, where there are so many."""


@dataclass(frozen=True)
class Features:
    """Features of a regression that is linear in all parameters, and quadratic in the leading directions.

    Attributes
    ----------
    axes : orthonormal directions of which squares and products are taken (p, k).
    """

    axes: Array

    def __call__(self, z: Array) -> Array:
        """Return features (n, p + k (k + 1) / 2) of parameters in z-space (n, p)."""
        along = z @ self.axes
        one, other = np.triu_indices(along.shape[1])
        return np.concatenate([z, along[:, one] * along[:, other]], axis=1)


@dataclass(frozen=True)
class Emulator:
    """Expected summaries, and how they scatter.

    Attributes
    ----------
    features : of the parameters. fit : the regression of scaled summaries on them.
    scale : of the summaries. root : Cholesky factor of the covariance of their residuals (d', d').
    explained : share of the variance of each kept summary that the regression explains, on simulations that
        it has not seen (d',).
    rows : effective number of simulations that it rests on.
    """

    features: Features
    fit: Ridge
    scale: Scale
    root: Array
    explained: Array
    rows: float

    @classmethod
    def of(cls, z: Array, summaries: Array, observed: Array) -> Emulator:
        """Return the emulator that simulations teach, most exact near the observed summaries.

        Parameters
        ----------
        z : parameters of each simulation, standard normal over the prior (n, p).
        summaries : of each, without gaps (n, d). observed : those of the record (d,).
        """
        whole = cls._fitted(z, summaries, np.ones(len(z)))
        away = whole.distance(z, observed)
        features = whole.features(z[:1]).shape[1]
        wanted = min(len(z), int(max(NEAR * len(z), ROWS_A_FEATURE * features)))
        return cls._fitted(z, summaries, epanechnikov(away, wanted))

    @classmethod
    def _fitted(cls, z: Array, summaries: Array, weights: Array) -> Emulator:
        here = weights > 0
        z, weights = z[here], weights[here] * (here.sum() / weights[here].sum())
        scale = scale_of(summaries[here], ALWAYS_MET)
        y = squash(scale(summaries[here]))
        linear = Ridge.of(z, y, weights)
        left, values, _ = np.linalg.svd(linear.coefficients, full_matrices=False)
        features = Features(left[:, : min(LEADING, int((values > 1e-9).sum()))])
        x = features(z)
        fit = Ridge.of(x, y, weights)
        residuals = fit.left_out(x, y, weights)
        rows = effective(weights)
        spread = (weights * residuals.T) @ residuals / weights.sum()
        share = min(0.5, y.shape[1] / rows)
        spread = (1.0 - share) * spread + share * np.diag(np.diag(spread))
        spread = (1.0 + float(weights @ fit.leverage(x) / weights.sum())) * spread
        spread += np.diag(np.full(len(spread), 1e-6))
        middle = weights @ y / weights.sum()
        variance = weights @ (y - middle) ** 2 / weights.sum()
        explained = 1.0 - np.diag(spread) / np.maximum(variance, 1e-12)
        return cls(features, fit, scale, np.linalg.cholesky(spread), explained, rows)

    def distance(self, z: Array, observed: Array) -> Array:
        """Return how far expected summaries lie from observed ones, in standard deviations of a run (n,)."""
        return np.asarray(np.sqrt((self._away(z, observed) ** 2).mean(axis=0)))

    def log_likelihood(self, z: Array, observed: Array) -> Array:
        """Return the logarithm of the synthetic likelihood of observed summaries, up to a constant (n,).

        Parameters
        ----------
        z : parameters (n, p). observed : summaries, one row for all (d,) or a row for each (n, d).
        """
        return np.asarray(-0.5 * (self._away(z, observed) ** 2).sum(axis=0))

    def _away(self, z: Array, observed: Array) -> Array:
        """Return expected less observed summaries in uncorrelated standard deviations of a run (d', n)."""
        away = self.fit(self.features(z)) - squash(self.scale(observed))
        return np.asarray(np.linalg.solve(self.root, away.T), np.float64)

    @property
    def kept(self) -> NDArray[np.int64]:
        """Positions of the summaries that tell anything (d',)."""
        return self.scale.kept
