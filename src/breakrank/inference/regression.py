"""Weighted ridge regression whose penalties the data choose, scales, and effective numbers.

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


def squash(x: Array, limit: float = 4.0) -> Array:
    """Return scaled summaries drawn in smoothly beyond `limit`: outliers do not carry a regression."""
    return np.asarray(limit * np.tanh(x / limit))


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
        penalties = np.array(PENALTIES)[np.argmin(errors, axis=0)]
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


def epanechnikov(away: Array, wanted: int) -> Array:
    """Return a kernel of distances (n,) wide enough for so many effective rows."""
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


def ranks(x: Array) -> Array:
    """Return ranks (n,), the mean one where values are alike."""
    order = np.sort(x)
    below, upto = np.searchsorted(order, x, side="left"), np.searchsorted(order, x, side="right")
    return np.asarray((below + upto + 1) / 2.0)
