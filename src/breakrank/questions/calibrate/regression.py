"""Regression for simulations: features, weighted ridge regression whose penalty the data choose, scales.

Everything here is a pure function of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

PENALTIES = tuple(float(x) for x in 10.0 ** np.arange(-4.0, 3.0))
"""Penalties tried, as multiples of the sum of weights."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How far from its middle each summary usually lies.

    Attributes
    ----------
    middle, spread : median and robust standard deviation of each summary (d,).
    kept : positions of the summaries that vary at all (d',).
    """

    middle: Array
    spread: Array
    kept: NDArray[np.int64]

    def __call__(self, s: Array) -> Array:
        """Return summaries (n, d) or (d,) on a common scale, those that vary only (n, d') or (d',)."""
        return np.asarray((s[..., self.kept] - self.middle[self.kept]) / self.spread[self.kept])


def scale_of(s: Array) -> Scale:
    """Return the scale of summaries (n, d).

    The spread is 1.4826 times the median absolute deviation, or where more than half of the values are alike
    the standard deviation. A summary that never varies tells nothing and is left out.
    """
    middle = np.median(s, axis=0)
    spread = 1.4826 * np.median(np.abs(s - middle), axis=0)
    deviation = s.std(axis=0)
    # half or more alike, or a few far out: the standard deviation speaks then
    spread = np.where(spread > 0.05 * deviation, spread, deviation)
    varies = deviation > 1e-12 * (1.0 + np.abs(middle))
    return Scale(middle, np.where(varies, spread, 1.0), np.flatnonzero(varies))


def squashed(x: Array, limit: float = 3.0) -> Array:
    """Return scaled summaries drawn in smoothly beyond `limit`: outliers do not carry a regression."""
    return np.asarray(limit * np.tanh(x / limit))


def features(x: Array) -> Array:
    """Return scaled summaries (n, d) as features (n, 2 d): squashed, and the squares of these."""
    y = squashed(x)
    return np.concatenate([y, y * y / 3.0], axis=-1)


@dataclass(frozen=True, slots=True)
class Fit:
    """A ridge regression of many outputs on one set of features.

    Attributes
    ----------
    intercept (p,), coefficients (f, p) : of centred features.
    centre (f,) : weighted mean of the features.
    leverage (f, f) : maps centred features to what a row adds to its own fit.
    total : sum of weights.
    penalty : as chosen, a multiple of `total`.
    """

    intercept: Array
    coefficients: Array
    centre: Array
    leverage: Array
    total: float
    penalty: float

    def __call__(self, f: Array) -> Array:
        """Return the predicted outputs (n, p) or (p,)."""
        return np.asarray(self.intercept + (f - self.centre) @ self.coefficients)

    def hats(self, f: Array, weights: Array) -> Array:
        """Return how much each row of the fit adds to its own prediction (n,), 0 to 1."""
        centred = f - self.centre
        own = np.einsum("ij,jk,ik->i", centred, self.leverage, centred) + 1.0 / self.total
        return np.asarray(np.clip(weights * own, 0.0, 0.999))


def ridge(f: Array, y: Array, weights: Array, penalty: float | None = None) -> Fit:
    """Return the weighted ridge regression of `y` (n, p) on features `f` (n, q).

    Without a `penalty` the one of :data:`PENALTIES` is taken that predicts best when each row is left out in
    turn (the shortcut of Allen 1974 for linear smoothers), all outputs together.
    """
    total = float(weights.sum())
    centre = weights @ f / total
    mean = weights @ y / total
    x, r = f - centre, y - mean
    root = np.sqrt(weights)[:, None]
    values, vectors = np.linalg.eigh((root * x).T @ (root * x))
    values = np.maximum(values, 0.0)
    turned = vectors.T @ (x.T @ (weights[:, None] * r))
    rotated = x @ vectors

    def made(share: float) -> tuple[Array, Array]:
        down = 1.0 / (values + share * total + 1e-12 * total)
        return down, vectors @ (down[:, None] * turned)

    if penalty is None:
        errors = []
        for share in PENALTIES:
            down, coefficients = made(share)
            own = np.clip(weights * ((rotated * rotated) @ down + 1.0 / total), 0.0, 0.999)
            left = (r - x @ coefficients) / (1.0 - own)[:, None]
            errors.append(float(weights @ (left * left).sum(1)))
        penalty = PENALTIES[int(np.argmin(errors))]
    down, coefficients = made(penalty)
    return Fit(mean, coefficients, centre, (vectors * down) @ vectors.T, total, penalty)


def effective(weights: Array) -> float:
    """Return the effective number of equally weighted draws (Kish 1965); 0 where all weights are 0."""
    top = float(weights.sum()) ** 2
    return top / float(weights @ weights) if top > 0 else 0.0


def ranks(values: Array) -> Array:
    """Return ranks (n,) from 1; equal values share the middle of theirs."""
    _, place, many = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(many) - (many - 1) / 2)[place])


def weighted_quantiles(x: Array, weights: Array, levels: Array) -> Array:
    """Return quantiles (len(levels), p) of weighted draws (n, p); each stands at its middle of weight."""
    out = np.empty((len(levels), x.shape[1]))
    for j in range(x.shape[1]):
        order = np.argsort(x[:, j], kind="stable")
        w = weights[order]
        at = np.cumsum(w) - w / 2
        out[:, j] = np.interp(np.asarray(levels) * w.sum(), at, x[order, j])
    return out
