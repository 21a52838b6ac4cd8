"""Formulas that several mechanisms share, for compiled code."""

from __future__ import annotations

import math

import numpy as np

from breakrank.kernel import kernel, lean

ROOT_2PI = math.sqrt(2 * math.pi)

# Acklam's rational approximation to the normal quantile: relative error 1.15e-9
_A = (-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.3577518672690, -30.66479806614716)
_A0 = 2.506628277459239
_B = (-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572)
_C = (-7.784894002430293e-3, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968)
_C0 = 2.938163982698783
_D = (7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416)
_TAIL = 0.02425


@kernel
def normal_cdf(z: float) -> float:
    """Return the standard normal distribution function Φ(z), to 1e-14 of its size (beyond ±6: 5e-13)."""
    return math.erfc(-z / math.sqrt(2)) / 2


@kernel
def quantile_nearly(p: float) -> float:
    """Return Φ⁻¹(p) for p in (0, 1) by P. J. Acklam's rational approximation, to 1.15e-9 of its size."""
    low = min(p, 1.0 - p)
    if low < _TAIL:
        t = math.sqrt(-2 * math.log(low))
        top = ((((_C[0] * t + _C[1]) * t + _C[2]) * t + _C[3]) * t + _C[4]) * t + _C0
        z = top / ((((_D[0] * t + _D[1]) * t + _D[2]) * t + _D[3]) * t + 1.0)
    else:
        t = low - 1 / 2
        s = t * t
        top = ((((_A[0] * s + _A[1]) * s + _A[2]) * s + _A[3]) * s + _A[4]) * s + _A0
        z = top * t / (((((_B[0] * s + _B[1]) * s + _B[2]) * s + _B[3]) * s + _B[4]) * s + 1.0)
    return z if 2 * p <= 1 else -z


@kernel
def normal_quantile(p: float) -> float:
    """Return Φ⁻¹(p) for p in [0, 1], −inf and inf at the ends, to 2e-14 of its size from 1e-300 up.

    An approximation and one step of Halley's method. The upper half mirrors the lower, where Φ loses no
    digits.
    """
    if p <= 0.0:
        return -math.inf
    if p >= 1.0:
        return math.inf
    low = min(p, 1.0 - p)
    z = quantile_nearly(low)
    step = (normal_cdf(z) - low) * ROOT_2PI * math.exp(z * z / 2)
    z -= step / (1.0 + z * step / 2)
    return z if 2 * p <= 1 else -z


@lean
def logistic(log_odds: float) -> float:
    """Return the chance, 0 to 1, of which these are the log-odds."""
    return 1.0 / (1.0 + np.exp(-log_odds))


@lean
def share_noticed(size: float, half: float) -> float:
    """Return how far `size` people (0 or more) are noticed, 0 to 1; `half` people (above 0) are by half."""
    return size / (half + size)
