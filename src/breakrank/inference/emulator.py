"""An emulator of what a case's targets count: mean and covariance as a function of the parameters.

A quadratic regression on the parameters, and a Gaussian process of what it leaves, give the expectation of
each count on the scale of its target (Kennedy and O'Hagan 2001). The rest is how runs under one vector of
parameters scatter, and what the emulator does not know. Integrated over that scatter, the
likelihood of the observed figures is a *synthetic likelihood* (Wood 2010), which costs nothing to evaluate.
The regression is local: simulations whose expected counts are near the observed figures count most. What the
regression itself does not know widens the likelihood (as in history matching: Craig, Goldstein, Seheult and
Smith 1997; Vernon and others 2010), alike at all parameters: where simulations are few is no evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from breakrank.inference.likelihood import likelihood, report_error
from breakrank.inference.observed import Figure, ObservedTarget
from breakrank.inference.regression import (
    Numbers,
    Ridge,
    Scale,
    Smoother,
    effective,
    epanechnikov,
    scale_of,
)
from breakrank.inference.reported import Array

LEADING = 6
"""Directions of the parameters, those that act most, of which squares and products are features."""
ALWAYS_ALIKE = 0.98
"""Share of simulations with the very same count, from which a target is left out: it can tell nothing."""
FARTHEST = 4.0
"""Robust standard deviations from the median at which counts are cut: outliers carry no regression."""
NEAR = 0.6
"""Share of the simulations, as an effective number, that the local regression rests on at least.

On a toy with a known posterior, 0.55 and 0.7 leave its mean within a tenth of a standard deviation; 0.4 and
less shrink the slopes, and 0.85 takes in what is curved.
"""
ROWS_A_FEATURE = 3.0
"""Simulations for each feature that it rests on at least, where there are so many."""
SMOOTHED = 1_200
"""Simulations nearest to the observed figures of which the Gaussian process consists, at most: it takes the
cube of their number."""


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
    """Expected counts, and how they scatter.

    Attributes
    ----------
    features : of the parameters. fit : the regression of scaled counts on them. scale : of the counts.
    smoother : of what the regression leaves.
    targets : those that vary (d'). covariance : of their counts under one vector of parameters (d', d').
    explained : share of the variance of each that the regression explains, on simulations that it has not
        seen (d',).
    rows : effective number of simulations that it rests on.
    """

    features: Features
    fit: Ridge
    smoother: Smoother
    scale: Scale
    targets: tuple[ObservedTarget, ...]
    covariance: Array
    explained: Array
    rows: float

    @classmethod
    def of(cls, z: Array, counts: Array, targets: Sequence[ObservedTarget], shift: Array) -> Emulator:
        """Return the emulator that simulations teach, most exact near the observed figures.

        Parameters
        ----------
        z : parameters of each simulation, standard normal over the prior (n, p).
        counts : of each, on the targets' scales, without gaps (n, d).
        targets : with the observed figures. shift : of these, 0 for the record (d,).
        """
        whole = cls._fitted(z, counts, targets, np.ones(len(z)))
        away = whole.distance(z, shift)
        features = whole.features(z[:1]).shape[1]
        wanted = min(len(z), int(max(NEAR * len(z), ROWS_A_FEATURE * features)))
        return cls._fitted(z, counts, targets, epanechnikov(away, wanted))

    @classmethod
    def _fitted(cls, z: Array, counts: Array, targets: Sequence[ObservedTarget], weights: Array) -> Emulator:
        here = weights > 0
        z, weights = z[here], weights[here] * (here.sum() / weights[here].sum())
        scale = scale_of(counts[here], ALWAYS_ALIKE)
        y = np.clip(scale(counts[here]), -FARTHEST, FARTHEST)
        linear = Ridge.of(z, y, weights)
        axes, values, _ = np.linalg.svd(linear.coefficients, full_matrices=False)
        features = Features(axes[:, : min(LEADING, int((values > 1e-9).sum()))])
        x = features(z)
        fit = Ridge.of(x, y, weights)
        residuals = fit.left_out(x, y, weights)
        acts = np.abs(linear.coefficients).max(axis=1)
        nearest = np.argsort(-weights, kind="stable")[:SMOOTHED]
        smoother, left = Smoother.of(z[nearest], residuals[nearest], acts / max(float(acts.max()), 1e-12))
        residuals[nearest] = left
        rows = effective(weights)
        spread = (weights * residuals.T) @ residuals / weights.sum()
        share = min(0.5, y.shape[1] / rows)
        spread = (1.0 - share) * spread + share * np.diag(np.diag(spread))
        spread = (1.0 + float(weights @ fit.leverage(x) / weights.sum())) * spread
        spread += np.diag(np.full(len(spread), 1e-6))
        middle = weights @ y / weights.sum()
        variance = weights @ (y - middle) ** 2 / weights.sum()
        explained = 1.0 - np.diag(spread) / np.maximum(variance, 1e-12)
        units = scale.spread[scale.kept]
        vary = tuple(targets[k] for k in scale.kept)
        return cls(features, fit, smoother, scale, vary, units[:, None] * spread * units, explained, rows)

    def expected(self, z: Array) -> Array:
        """Return the expected counts under parameters in z-space (n, p), on the targets' scales (n, d')."""
        kept = self.scale.kept
        y = self.fit(self.features(z)) + self.smoother(z)
        return np.asarray(y * self.scale.spread[kept] + self.scale.middle[kept])

    def distance(self, z: Array, shift: Array) -> Array:
        """Return how far expected counts lie from observed figures, in standard deviations of a run (n,)."""
        away = np.zeros((len(z), len(self.targets)))
        for k, (target, y) in enumerate(zip(self.targets, self.expected(z).T, strict=True)):
            move = shift[..., self.scale.kept[k]]
            away[:, k] = np.min([_beyond(target, one, y, move) for one in target.figures], axis=0)
        return np.asarray(np.sqrt((away**2 / np.diag(self.covariance)).mean(axis=1)))

    def log_likelihood(self, z: Array, shift: Array) -> Array:
        """Return the logarithm of the synthetic likelihood of observed figures, up to a constant (n,).

        Figures that are values have a joint normal density. Bounds, ranges, yes or no, and figures in
        conflict have their own likelihood given these, each for itself.

        Parameters
        ----------
        z : parameters (n, p). shift : of the figures, one row for all (d,) or a row for each (n, d).
        """
        expected = self.expected(z)
        shift = np.broadcast_to(shift[..., self.scale.kept], expected.shape)
        away = self._values + shift[:, self._valued] - expected[:, self._valued]
        standard = np.linalg.solve(self._root, away.T)
        log = -0.5 * (standard * standard).sum(axis=0)
        given = expected[:, self._others] + away @ self._gain.T
        for k, j in enumerate(self._others):
            y = np.clip(given[:, k], 0.0, 1.0) if self.targets[j].scale == "plain" else given[:, k]
            log += np.log(likelihood(self.targets[j], y, self._scatter[k], shift[:, j]))
        return np.asarray(log)

    @cached_property
    def _valued(self) -> Numbers:
        """Positions of targets whose figure is one value."""
        return np.flatnonzero([_is_value(target) for target in self.targets])

    @cached_property
    def _others(self) -> Numbers:
        return np.flatnonzero([not _is_value(target) for target in self.targets])

    @cached_property
    def _values(self) -> Array:
        return np.array([self.targets[k].bounds(self.targets[k].figures[0])[0] for k in self._valued])

    @cached_property
    def _reported(self) -> Array:
        """Covariance of reports of the values, errors of the figures included."""
        errors = [report_error(self.targets[k], self.targets[k].figures[0]) for k in self._valued]
        return np.asarray(self.covariance[np.ix_(self._valued, self._valued)] + np.diag(np.square(errors)))

    @cached_property
    def _root(self) -> Array:
        return np.asarray(np.linalg.cholesky(self._reported))

    @cached_property
    def _gain(self) -> Array:
        """Regression of the others' counts on reports of the values."""
        both = self.covariance[np.ix_(self._valued, self._others)]
        return np.asarray(np.linalg.solve(self._reported, both).T)

    @cached_property
    def _scatter(self) -> list[float]:
        """Standard deviation of the others' counts, given reports of the values."""
        both = self.covariance[np.ix_(self._others, self._valued)]
        left = np.diag(self.covariance)[self._others] - (self._gain * both).sum(axis=1)
        return [float(x) for x in np.sqrt(np.maximum(left, 1e-12))]

    @property
    def kept(self) -> Numbers:
        """Positions of the targets that vary (d',)."""
        return self.scale.kept


def _is_value(target: ObservedTarget) -> bool:
    first = target.figures[0]
    return target.scale != "plain" and len(target.figures) == 1 and first.low == first.high


def _beyond(target: ObservedTarget, figure: Figure, y: Array, shift: Array) -> Array:
    """Return how far counts (n,) lie beyond the ends of a figure, moved by a shift."""
    low, high = target.bounds(figure)
    return np.asarray(
        y - np.clip(y, np.where(shift > 0, high, low) + shift, np.where(shift < 0, low, high) + shift)
    )
