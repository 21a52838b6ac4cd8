"""Which directions of parameter space the summaries inform, and low-dimensional statistics for them.

Semi-automatic statistics (Fearnhead and Prangle 2012): the parameters are regressed on the summaries, and
what the regression predicts is the statistic. With hundreds of parameters and tens of summaries most
predictions are nearly nothing: the principal directions of the predictions, over the prior, are what the
record can inform.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.calibrate.regression import Array, Fit, Scale, features, ridge, scale_of

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
