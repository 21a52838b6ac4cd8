"""Methods of inference: regression-adjusted ABC, and one linear regression that it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from breakrank.case.prior import normal_quantiles
from breakrank.questions.calibrate.regression import (
    Array,
    Fit,
    Scale,
    effective,
    features,
    ridge,
    scale_of,
    squashed,
)


@dataclass(frozen=True, slots=True)
class Weighted:
    """Weighted draws of a posterior: `z` (m, p) and `weights` (m,) that add up to 1."""

    z: Array
    weights: Array

    @property
    def effective(self) -> float:
        """Effective number of draws."""
        return effective(self.weights)

    @property
    def mean(self) -> Array:
        """Posterior mean in z-space (p,)."""
        return np.asarray(self.weights @ self.z)

    @property
    def variance(self) -> Array:
        """Posterior variance in z-space (p,), unbiased for so many effective draws; the prior's is 1."""
        n = self.effective
        spread = self.weights @ (self.z - self.mean) ** 2
        return np.asarray(spread * n / max(n - 1.0, 1.0))


class Learned(Protocol):
    """What a method has learned from a bank."""

    @property
    def axes(self) -> Array:
        """Orthonormal directions of z-space that are informed (p, k); along all others it keeps the prior."""

    def posterior(self, observed: Array) -> Weighted:
        """Return the posterior for observed summaries (d,)."""


Method = Callable[[Array, Array, Array], Learned]
"""Learns from parameters in z-space (n, p), simulated summaries (n, d) and importance weights (n,)."""


MOST = 12
"""Most directions that are kept."""
LEAST = 0.08
"""Share of a direction's prior variance that summaries have to explain for it to be kept."""


@dataclass(frozen=True, slots=True)
class Directions:
    """What the summaries inform.

    Attributes
    ----------
    axes : orthonormal directions of z-space (p, k), best informed first.
    explained : share of the prior variance along each that the summaries explain, on simulations that the
        regression has not seen (k,), 0 to 1.
    scale, fit : of the summaries, and the regression behind the statistics.
    own : statistics of the simulations that were learned from, each from a regression without it (n, k): its
        own would know part of its truth already, which those of a record do not.
    """

    axes: Array
    explained: Array
    scale: Scale
    fit: Fit
    own: Array

    @property
    def count(self) -> int:
        """How many directions there are."""
        return int(self.axes.shape[1])

    def statistics(self, s: Array) -> Array:
        """Return the statistics (n, k) or (k,) of summaries (n, d) or (d,): expected places along the axes.

        They are in units of what stays unknown along each axis, so that a distance of 1 is one posterior
        standard deviation, on average over the prior.
        """
        predicted = self.fit(features(self.scale(s)))
        return np.asarray(predicted @ self.axes / self.unknown)

    @property
    def unknown(self) -> Array:
        """What stays unknown along each axis, as a standard deviation in z-space (k,)."""
        return _unknown(self.explained)


def find_directions(z: Array, s: Array, weights: Array) -> Directions:
    """Return the directions of z-space that summaries inform.

    Parameters
    ----------
    z : parameters of each simulation, standard normal over the prior (n, p).
    s : summaries (n, d).
    weights : importance weights (n,), above or equal to 0.
    """
    scale = scale_of(s)
    f = features(scale(s))
    fit = ridge(f, z, weights)
    total = float(weights.sum())
    fitted = fit(f)
    left = z - (z - fitted) / (1.0 - fit.hats(f, weights))[:, None]  # without the row's own pull
    mean = weights @ fitted / total
    centred = (fitted - mean) * np.sqrt(weights)[:, None]
    _, vectors = np.linalg.eigh(centred.T @ centred / total)
    axes = vectors[:, ::-1][:, : min(MOST, f.shape[1], z.shape[1])]
    explained = _explained(z @ axes, left @ axes, weights)
    kept = np.flatnonzero(explained > LEAST)
    if not kept.size:
        kept = np.array([int(np.argmax(explained))])
    kept = kept[np.argsort(-explained[kept], kind="stable")]
    axes = _signed(axes[:, kept])
    explained = explained[kept]
    return Directions(axes, explained, scale, fit, left @ axes / _unknown(explained))


def _unknown(explained: Array) -> Array:
    """Return what stays unknown along axes, as standard deviations (k,)."""
    return np.sqrt(np.maximum(1.0 - explained, 0.05))


def _explained(y: Array, predicted: Array, weights: Array) -> Array:
    """Return the share of variance that predictions explain (k,), not below 0."""
    mean = weights @ y / weights.sum()
    error = weights @ ((y - predicted) ** 2)
    return np.asarray(np.clip(1.0 - error / (weights @ ((y - mean) ** 2)), 0.0, 1.0))


def _signed(axes: Array) -> Array:
    """Return axes with a definite sign: the largest entry of each is positive."""
    top: NDArray[np.int64] = np.argmax(np.abs(axes), axis=0)
    return np.asarray(axes * np.sign(axes[top, np.arange(axes.shape[1])]))


NEIGHBOURS = 100
"""Least effective number of simulations that a posterior is made of."""
SHARE = 0.1
"""Share of the bank that it is made of where that is more."""


@dataclass(frozen=True)
class AbcPosterior:
    """Regression-adjusted approximate Bayesian computation.

    The simulations nearest to the observed summaries, by semi-automatic statistics, are weighted by an
    Epanechnikov kernel and moved along the informed directions to where a local linear regression expects
    them for the observed summaries (Beaumont, Zhang and Balding 2002). What stays of them is scaled for the
    freedom the regression used up. Across those directions they keep the values they were simulated with.
    """

    z: Array
    weights: Array
    directions: Directions
    statistics: Array

    @property
    def axes(self) -> Array:
        """See :class:`Learned`."""
        return self.directions.axes

    def posterior(self, observed: Array) -> Weighted:
        """See :class:`Learned`."""
        away = self._distance(observed)
        kernel = epanechnikov(away, self.weights, max(NEIGHBOURS, int(SHARE * len(away))))
        taken = np.flatnonzero(kernel > 0)
        weights = kernel[taken] / kernel[taken].sum()
        x = self.statistics[taken] - self.directions.statistics(observed)
        a = self.z[taken] @ self.axes
        fit = ridge(x, a, weights * len(taken), 1e-6)
        residual = a - fit(x)
        # each row pulled the line towards itself; so much is given back
        residual /= np.sqrt(1.0 - fit.hats(x, weights * len(taken)))[:, None]
        moved = fit(np.zeros(x.shape[1])) + residual
        return Weighted(self.z[taken] + (moved - a) @ self.axes.T, weights)

    def _distance(self, observed: Array) -> Array:
        return np.asarray(np.linalg.norm(self.statistics - self.directions.statistics(observed), axis=1))


def abc(z: Array, s: Array, weights: Array) -> AbcPosterior:
    """Learn from a bank by regression-adjusted ABC; see :class:`AbcPosterior`."""
    directions = find_directions(z, s, weights)
    return AbcPosterior(z, weights, directions, directions.own)


def epanechnikov(away: Array, weights: Array, wanted: int) -> Array:
    """Return importance weights (n,) times a kernel of distances wide enough for so many effective draws."""
    usable = np.flatnonzero(weights > 0)
    order = usable[np.argsort(away[usable], kind="stable")]
    low, high = min(wanted, len(order)), len(order)
    while True:
        width = float(away[order[low - 1]]) * (1.0 + 1e-9) + 1e-12
        kernel = np.where(away < width, weights * (1.0 - (away / width) ** 2), 0.0)
        if low >= high or effective(kernel) >= wanted:
            return kernel
        low = min(high, int(low * 1.25) + 1)


@dataclass(frozen=True)
class LinearPosterior:
    """A linear-Gaussian posterior, as an ensemble Kalman update has it, on normal scores of the summaries.

    It has no kernel and no directions: all simulations are moved by one regression of the parameters on the
    ranks of the summaries. It is wrong where the model is far from linear, in other ways than ABC is.
    """

    z: Array
    weights: Array
    sorted: Array
    kept: NDArray[np.int64]
    residual: Array
    fitted: Callable[[Array], Array]

    @property
    def axes(self) -> Array:
        """See :class:`Learned`."""
        return np.eye(self.z.shape[1])

    def posterior(self, observed: Array) -> Weighted:
        """See :class:`Learned`."""
        mean = self.fitted(_scores(observed[None, self.kept], self.sorted)[0])
        return Weighted(mean + self.residual, self.weights / self.weights.sum())


def linear(z: Array, s: Array, weights: Array) -> LinearPosterior:
    """Learn from a bank by one linear regression; see :class:`LinearPosterior`."""
    kept = scale_of(s).kept
    ordered = np.sort(s[:, kept], axis=0)
    x = _scores(s[:, kept], ordered)
    fit = ridge(x, z, weights)
    residual = (z - fit(x)) / np.sqrt(1.0 - fit.hats(x, weights))[:, None]
    residual = residual - weights @ residual / weights.sum()
    # the prior's variance is known to be 1: what the bank's own misses of it would be told as news
    residual /= np.sqrt(weights @ (z - weights @ z / weights.sum()) ** 2 / weights.sum())
    return LinearPosterior(z, weights, ordered, kept, residual, fit)


def _scores(s: Array, ordered: Array) -> Array:
    """Return normal scores of summaries (m, d) among sorted ones (n, d): quantiles of their mid-ranks."""
    n = len(ordered)
    out = np.empty(s.shape)
    for j in range(s.shape[1]):
        below = np.searchsorted(ordered[:, j], s[:, j], side="left")
        upto = np.searchsorted(ordered[:, j], s[:, j], side="right")
        middle = (below + upto).astype(np.float64) / 2.0
        out[:, j] = normal_quantiles((middle + 0.5) / (n + 1.0))
    return squashed(out)
