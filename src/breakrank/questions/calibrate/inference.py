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
