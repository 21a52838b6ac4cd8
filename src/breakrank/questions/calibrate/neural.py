"""A neural posterior: a conditional density along the informed directions, learned from the whole bank.

What the regression behind the statistics leaves over is the part a network has to learn: with none of it
learned the posterior is the linear one. Of the spread, skewness and several humps of what is left, given all
summaries, :mod:`~breakrank.questions.calibrate.density` learns what the bank shows, so nothing is local and
nothing depends on a kernel. Across the directions draws are those of the prior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from breakrank.case.normal import normal_quantiles
from breakrank.questions.calibrate.density import Density, learn_density
from breakrank.questions.calibrate.directions import Directions, find_directions
from breakrank.questions.calibrate.inference import Weighted
from breakrank.questions.calibrate.regression import Array, squashed

DRAWS = 2000
"""Equally weighted draws of a posterior; a multiple of the members of a density."""


@dataclass(frozen=True)
class Neural:
    """A learned density, and what is needed to draw from it.

    Attributes
    ----------
    directions : along which the summaries inform.
    density : of what stays unknown along them, in their units, given scaled summaries.
    low, high : the range of the simulations along each direction (k,); no draw lies beyond.
    prior : draws of the prior in z-space (:data:`DRAWS`, p), each column spread evenly.
    picks, noise : what the density is drawn with (:data:`DRAWS`, k), uniform and standard normal.
    """

    directions: Directions
    density: Density
    low: Array
    high: Array
    prior: Array
    picks: Array
    noise: Array

    @property
    def axes(self) -> Array:
        """See :class:`~breakrank.questions.calibrate.inference.Learned`."""
        return self.directions.axes

    def posterior(self, observed: Array) -> Weighted:
        """See :class:`~breakrank.questions.calibrate.inference.Learned`."""
        given = squashed(self.directions.scale(observed))
        left = self.density.drawn(given, self.picks, self.noise)
        a = (self.directions.statistics(observed) + left) * self.directions.unknown
        a = np.clip(a, self.low, self.high)
        z = self.prior + (a - self.prior @ self.axes) @ self.axes.T
        return Weighted(z, np.full(len(z), 1.0 / len(z)))


def neural(z: Array, s: Array, weights: Array) -> Neural:
    """Learn from a bank by a conditional density; see :class:`Neural`.

    The same bank gives the same bits: nothing random here has another source than a fixed key.
    """
    directions = find_directions(z, s, weights)
    a = z @ directions.axes
    left = a / directions.unknown - directions.own
    density = learn_density(left, squashed(directions.scale(s)), weights)
    rng = np.random.default_rng(0x6E657572)
    k = directions.count
    prior, noise = normal_quantiles(_even(rng, z.shape[1])), normal_quantiles(_even(rng, k))
    return Neural(directions, density, a.min(axis=0), a.max(axis=0), prior, _even(rng, k), noise)


def _even(rng: np.random.Generator, columns: int) -> Array:
    """Return numbers between 0 and 1 (DRAWS, columns), each column one per stratum, shuffled."""
    strata = np.tile(np.arange(DRAWS, dtype=np.float64)[:, None], (1, columns))
    return np.asarray((rng.permuted(strata, axis=0) + 0.5) / DRAWS)
