"""What is known of a parameter before and after its case was calibrated, as the page draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.page.numbers import short

if TYPE_CHECKING:
    import numpy.typing as npt

    from breakrank.case import Draws, Prior

LEVELS = np.linspace(0.0, 1.0, 21)
"""Levels of the quantiles that are given."""
BINS = 32
"""Bins of the densities."""
TAIL = 0.005
"""Share of the prior that is left out at either end of the bins, unless the posterior reaches there."""


def spread(prior: Prior | None, draws: Draws | None, name: str) -> dict[str, Any]:
    """Return ``prior`` and ``posterior`` by quantiles, and ``density``: the share of either in the same bins.

    Parameters
    ----------
    draws : those of the case's posterior; ``None`` without one. What was not fitted has no posterior.
    """
    fitted = None
    if draws is not None and name in draws.names:
        fitted = draws.values[:, draws.names.index(name)]
    return {
        "prior": None if prior is None else {"text": repr(prior), "q": _shorted(prior.quantile(LEVELS))},
        "posterior": None if fitted is None else {"q": _shorted(np.quantile(fitted, LEVELS))},
        "density": None if prior is None else _density(prior, fitted),
    }


def _density(prior: Prior, fitted: npt.NDArray[np.float64] | None) -> dict[str, Any] | None:
    low, high = prior.quantile(TAIL), prior.quantile(1 - TAIL)
    if fitted is not None:
        low, high = min(low, float(fitted.min())), max(high, float(fitted.max()))
    if not low < high:
        return None
    edges = np.linspace(low, high, BINS + 1)
    below = np.array([prior.cdf(float(x)) for x in edges])
    after = None if fitted is None else np.histogram(fitted, edges)[0] / fitted.size
    return {
        "edges": _shorted(edges),
        "prior": _shorted(np.diff(below)),
        "posterior": None if after is None else _shorted(after),
    }


def _shorted(values: npt.NDArray[np.float64]) -> list[float | int | None]:
    return [short(float(v)) for v in values]
