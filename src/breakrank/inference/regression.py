"""Weighted ridge regression and a Gaussian process whose penalties the data choose, and effective numbers.

Everything here is a pure function of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

PENALTIES = tuple(float(x) for x in 10.0 ** np.arange(-4.0, 2.5, 0.5))
"""Penalties tried, as multiples of the sum of weights."""

WIDTHS = (1.0, 1.5, 2.5, 4.0)
"""Widths tried for the kernel of a Gaussian process, in prior standard deviations of the most relevant
parameter."""
NOISES = (0.1, 0.3, 1.0, 3.0, 10.0, 1e6)
"""Variances of noise tried, as multiples of the process's own; the last leaves nothing to it."""
LIMIT = 5.0
"""Robust standard deviations beyond which scaled summaries are drawn in."""
ALIKE = 1e-6
"""Errors that differ by less, of outputs with a spread of some 1, are alike: of these the smoothest choice is
taken, so that it is the same on machines whose linear algebra differs in the last bits."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How far from its middle each summary usually lies.

    Attributes
    ----------
    middle, spread : median and robust standard deviation of each summary (d,).
    kept : positions of the summaries that vary (d',).
    """

    middle: Array
    spread: Array
    kept: NDArray[np.int64]

    def __call__(self, s: Array) -> Array:
        """Return the summaries that vary, (n, d) or (d,), on a common scale, (n, d') or (d',)."""
        return np.asarray((s[..., self.kept] - self.middle[self.kept]) / self.spread[self.kept])


def scale_of(s: Array, alike: float = 1.0) -> Scale:
    """Return the scale of summaries (n, d).

    The spread is 1.4826 times the median absolute deviation, or where more than half of the values are alike
    the standard deviation. A summary is left out if a share of more than `alike` has the median's very value.
    """
    middle = np.median(s, axis=0)
    spread = 1.4826 * np.median(np.abs(s - middle), axis=0)
    deviation = s.std(axis=0)
    # half or more alike, or a few far out: the standard deviation speaks then
    spread = np.where(spread > 0.05 * deviation, spread, deviation)
    varies = (deviation > 1e-12 * (1.0 + np.abs(middle))) & ((s == middle).mean(axis=0) <= alike)
    return Scale(middle, np.where(varies, spread, 1.0), np.flatnonzero(varies))


def squash(x: Array) -> Array:
    """Return scaled summaries drawn in smoothly beyond :data:`LIMIT`: outliers do not carry a regression."""
    return np.asarray(LIMIT * np.tanh(x / LIMIT))


@dataclass(frozen=True, slots=True)
class Ridge:
    """A ridge regression of several outputs on one set of features, each output with a penalty of its own.

    Attributes
    ----------
    mean (d,), coefficients (q, d) : of centred features. centre (q,) : weighted mean of the features.
    vectors (q, q), values (q,) : eigenvectors and eigenvalues of the features' products.
    penalties (d,) : as chosen, multiples of `total`, the sum of weights.
    """

    mean: Array
    coefficients: Array
    centre: Array
    vectors: Array
    values: Array
    penalties: Array
    total: float

    @classmethod
    def of(cls, x: Array, y: Array, weights: Array) -> Ridge:
        """Return the regression of outputs (n, d) on features (n, q) with weights (n,).

        Of :data:`PENALTIES`, each output takes the one that predicts best when each row is left out in turn
        (the shortcut of Allen 1974 for linear smoothers).
        """
        total = float(weights.sum())
        centre, mean = weights @ x / total, weights @ y / total
        root = np.sqrt(weights)[:, None]
        values, vectors = np.linalg.eigh((root * (x - centre)).T @ (root * (x - centre)))
        values = np.maximum(values, 0.0)
        rotated = (x - centre) @ vectors
        turned = rotated.T @ (weights[:, None] * (y - mean))
        errors = []
        for share in PENALTIES:
            down = 1.0 / (values + share * total)
            own = np.clip(weights * ((rotated * rotated) @ down + 1.0 / total), 0.0, 0.999)
            left = (y - mean - rotated @ (down[:, None] * turned)) / (1.0 - own)[:, None]
            errors.append(weights @ (left * left))
        penalties = np.array(PENALTIES)[last_least(np.array(errors) / total)]
        coefficients = vectors @ (turned / (values[:, None] + penalties * total))
        return cls(mean, coefficients, centre, vectors, values, penalties, total)

    def __call__(self, x: Array) -> Array:
        """Return the predicted outputs (n, d) of features (n, q)."""
        return np.asarray(self.mean + (x - self.centre) @ self.coefficients)

    def leverage(self, x: Array) -> Array:
        """Return the variance of predictions relative to that of residuals, mean over outputs (n,)."""
        rotated = (x - self.centre) @ self.vectors
        down = (self.values[:, None] / (self.values[:, None] + self.penalties * self.total) ** 2).mean(axis=1)
        return np.asarray((rotated * rotated) @ down + 1.0 / self.total)

    def left_out(self, x: Array, y: Array, weights: Array) -> Array:
        """Return residuals (n, d) of rows that were fitted, each from the regression without it."""
        rotated = (x - self.centre) @ self.vectors
        down = 1.0 / (self.values[:, None] + self.penalties * self.total)
        own = np.clip(weights[:, None] * ((rotated * rotated) @ down + 1.0 / self.total), 0.0, 0.999)
        return np.asarray((y - self(x)) / (1.0 - own))


@dataclass(frozen=True, slots=True)
class Smoother:
    """A Gaussian process of what a regression leaves (Rasmussen and Williams 2006).

    All outputs share a kernel.

    Attributes
    ----------
    relevance : of each parameter, 1 of the most relevant (p,). points : parameters of the rows (n, p).
    width : of the kernel. weights : of the rows in a prediction (n, d).
    """

    relevance: Array
    points: Array
    width: float
    weights: Array

    @classmethod
    def of(cls, z: Array, residuals: Array, relevance: Array) -> tuple[Smoother, Array]:
        """Return the process of residuals (n, d) of parameters (n, p), and what it leaves of each row (n, d).

        What it leaves of a row is predicted without it.

        The width is the one of :data:`WIDTHS` with which rows left out are predicted best, each output having
        its own share of noise, of :data:`NOISES`.
        """
        points = z * relevance
        apart = _squares(points, points)
        best = None
        for width in WIDTHS:
            values, vectors = np.linalg.eigh(np.exp(-0.5 * apart / width**2))
            values, turned = np.maximum(values, 0.0), vectors.T @ residuals
            left = np.empty((len(NOISES), *residuals.shape))
            for k, noise in enumerate(NOISES):
                kept = values / (values + noise)
                own = np.minimum((vectors * vectors) @ kept, 0.999)
                left[k] = (residuals - vectors @ (kept[:, None] * turned)) / (1.0 - own)[:, None]
            errors = (left**2).mean(axis=1)
            chosen = last_least(errors)
            total = float(np.log(errors.min(axis=0) + ALIKE).sum())
            if best is None or total < best[0] + ALIKE:
                noises = np.array(NOISES)[chosen]
                weights = vectors @ (turned / (values[:, None] + noises))
                outputs = np.arange(residuals.shape[1])
                best = total, cls(relevance, points, width, weights), left[chosen, :, outputs].T
        assert best is not None
        return best[1], best[2]

    def __call__(self, z: Array) -> Array:
        """Return the predicted residuals (n, d) of parameters (n, p)."""
        apart = _squares(z * self.relevance, self.points)
        return np.asarray(np.exp(-0.5 * apart / self.width**2) @ self.weights)


def last_least(errors: Array) -> Numbers:
    """Return for each column of errors (n, d) the last row whose error is the least, or like it (d,)."""
    alike = errors <= errors.min(axis=0) + ALIKE
    return np.asarray(len(errors) - 1 - np.argmax(alike[::-1], axis=0))


def _squares(one: Array, other: Array) -> Array:
    """Return squared distances between rows (n, m)."""
    apart = (one * one).sum(axis=1)[:, None] + (other * other).sum(axis=1) - 2.0 * one @ other.T
    return np.asarray(np.maximum(apart, 0.0))


def epanechnikov(away: Array, wanted: int) -> Array:
    """Return a kernel of distances (n,), wide enough for a number of effective rows."""
    ordered = np.sort(away)
    low, high = min(wanted, len(ordered)), len(ordered)
    while True:
        width = float(ordered[low - 1]) * (1.0 + 1e-9) + 1e-12
        kernel = np.maximum(1.0 - (away / width) ** 2, 0.0)
        if effective(kernel) >= wanted:
            return kernel
        if low >= high:  # all rows count: the kernel is flattened until enough are effective
            return np.asarray(np.maximum(1.0 - (away / (4.0 * width)) ** 2, 0.0))
        low = min(high, int(low * 1.25) + 1)


def effective(weights: Array) -> float:
    """Return the effective number of equally weighted draws (Kish 1965); 0 where all weights are 0."""
    top = float(weights.sum()) ** 2
    return top / float(weights @ weights) if top > 0 else 0.0
