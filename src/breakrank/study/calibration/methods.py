"""Methods of inference: what turns a bank of simulations into a posterior for any observed summaries.

A method learns from a bank once and then answers for any observed summaries, which is what calibration
checks need:
they ask for hundreds of posteriors. A neural method has the same two steps. All methods work in z-space,
where the prior is standard normal, so that no draw leaves the range of a prior.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from breakrank.case.normal import normal_quantiles
from breakrank.study.calibration.directions import Directions, find_directions
from breakrank.study.calibration.smooth import Array, effective, ridge, scale_of, squashed

NEIGHBOURS = 100
"""Least effective number of simulations that a posterior is made of."""
SHARE = 0.1
"""Share of the bank that it is made of where that is more."""


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


@dataclass(frozen=True)
class Abc:
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

    def near(self, observed: Array) -> float:
        """Return how many simulations lie within one posterior standard deviation per direction.

        The number is the effective one, after importance weights.
        """
        away = self._distance(observed)
        return effective(np.where(away <= np.sqrt(self.directions.count), self.weights, 0.0))

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


def abc(z: Array, s: Array, weights: Array) -> Abc:
    """Learn from a bank by regression-adjusted ABC; see :class:`Abc`."""
    directions = find_directions(z, s, weights)
    return Abc(z, weights, directions, directions.own)


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
class Linear:
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


def linear(z: Array, s: Array, weights: Array) -> Linear:
    """Learn from a bank by one linear regression; see :class:`Linear`."""
    kept = scale_of(s).kept
    ordered = np.sort(s[:, kept], axis=0)
    x = _scores(s[:, kept], ordered)
    fit = ridge(x, z, weights)
    residual = (z - fit(x)) / np.sqrt(1.0 - fit.hats(x, weights))[:, None]
    residual = residual - weights @ residual / weights.sum()
    # the prior's variance is known to be 1: what the bank's own misses of it would be told as news
    residual /= np.sqrt(weights @ (z - weights @ z / weights.sum()) ** 2 / weights.sum())
    return Linear(z, weights, ordered, kept, residual, fit)


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


METHODS: dict[str, Method] = {"abc": abc, "linear": linear}
"""The methods by name; the first is the default."""
