"""What a method of inference is: it learns from a bank once, and then answers for any observed summaries.

Calibration checks ask for hundreds of posteriors. All methods work in z-space, where the prior is standard
normal, so that no draw leaves the range of a prior.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from breakrank.questions.calibrate.regression import Array, effective


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


def apart(z: Array, axes: Array, fresh: Array) -> Array:
    """Return draws (n, p) in which copies of a row differ: across the axes each has a draw of the prior.

    Along the axes a copy stays as it is. Across them the posterior is the prior, so a fresh value says as
    much as the one that was simulated, and more rows tell more of it.

    Parameters
    ----------
    z : draws, some of them alike. axes : orthonormal directions that are informed (p, k).
    fresh : draws of the prior (n, p).
    """
    _, first = np.unique(z, axis=0, return_index=True)
    moved = np.delete(fresh - z, first, axis=0)
    out = z.copy()
    out[np.setdiff1d(np.arange(len(z)), first)] += moved - (moved @ axes) @ axes.T
    return out
