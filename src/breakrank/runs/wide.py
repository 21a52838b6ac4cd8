"""A wide prior around a value that nothing is known of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from breakrank.spec import Parameter

END = 1.64
"""Standard deviations from the median of a normal distribution to its upper twentieth."""
WIDEST = 2.0
"""Widest standard deviation of a logarithm: nine of ten draws lie within a factor of 27."""


def wide(declared: Parameter, value: float, known: Sequence[float] = ()) -> dict[str, Any] | None:
    """Return a wide prior around a value of a parameter; ``None`` where it is 0 or an end.

    A share of a tenth or more gets a beta distribution of that mean, as wide as one with a single peak can
    be, and no wider than four observations make it. Anything else gets a lognormal one. The standard
    deviation of its logarithm is 1 (nine of ten draws lie within a factor of 5), or what it takes for the
    known values to lie within nine of ten draws, at most :data:`WIDEST`. A triangular prior that the model
    declares reaches beyond the known values.
    """
    if declared.prior is not None and declared.prior[0] == "triangular":
        least, _, most = declared.prior[1:]
        named = {
            "low": max(declared.low, min(least, value / 2, *(k / 2 for k in known))),
            "mode": value,
            "high": min(declared.high, max(most, 2 * value, *(2 * k for k in known))),
        }
        return {"distribution": "triangular", **named}
    if not max(0.0, declared.low) < value < declared.high:
        return None
    if declared.high <= 1 and value >= 0.1:
        weight = max(4.0, 1 / value, 1 / (1 - value))
        return {"distribution": "beta", "a": rounded(weight * value), "b": rounded(weight * (1 - value))}
    far = max((abs(math.log(k / value)) / END for k in known if k > 0), default=0.0)
    return {"distribution": "lognormal", "median": value, "sigma": rounded(min(WIDEST, max(1.0, far)))}


def rounded(value: float) -> float:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}")
