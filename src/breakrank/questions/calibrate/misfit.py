"""Whether the record looks like something the model can produce at all.

A posterior exists for any record; it means little where the record lies off everything the model does. The
summaries of the record, which are 0, are compared with those of simulations by their Mahalanobis distance:
the share of simulations that lie further out than the record is the p-value, whatever the distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from breakrank.questions.calibrate.regression import Array, scale_of, squashed


@dataclass(frozen=True, slots=True)
class Misfit:
    """How far out the record lies.

    Attributes
    ----------
    distance : Mahalanobis distance of the record from the simulations.
    typical : median distance of a simulation.
    p : share of simulations at least as far out as the record (counting it as one of them).
    pulls : how far the record lies from the middle of the simulations by each summary, in their own spread
    (d,).
    """

    distance: float
    typical: float
    p: float
    pulls: Array


def misfit(s: Array, observed: Array) -> Misfit:
    """Return how far out observed summaries (d,) lie among simulated ones (n, d)."""
    scale = scale_of(s)
    x, at = squashed(scale(s), 5.0), squashed(scale(observed), 5.0)
    n, d = x.shape
    mean = x.mean(0)
    spread = np.cov(x, rowvar=False).reshape(d, d)
    # towards the diagonal, so that few simulations do not make needles of directions
    share = min(0.5, d / max(n, 1))
    spread = (1.0 - share) * spread + share * np.diag(np.diag(spread)) + 1e-9 * np.eye(d)
    inverse = np.linalg.inv(spread)
    away = np.einsum("ij,jk,ik->i", x - mean, inverse, x - mean)
    own = float((at - mean) @ inverse @ (at - mean))
    pulls = np.zeros(s.shape[1])
    pulls[scale.kept] = (at - mean) / np.sqrt(np.diag(spread))
    p = (1.0 + float((away >= own).sum())) / (n + 1.0)
    return Misfit(float(np.sqrt(own)), float(np.sqrt(np.median(away))), p, pulls)
