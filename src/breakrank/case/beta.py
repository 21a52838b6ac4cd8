"""The beta distribution function and its inverse, without a numerical library.

Continued fraction by Lentz's method and the swap to the side where it converges fast, as in DiDonato
and Morris (1992, "Significant digit computation of the incomplete beta function ratios").
"""

from __future__ import annotations

import math

_TINY = 1e-300
_PRECISION = 1e-15
_MOST_STEPS = 20_000


def beta_below(x: float, a: float, b: float) -> float:
    """Return the probability that a beta(a, b) variable is at most `x`; `a` and `b` above 0."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _tail(1 - x, b, a)
    return _tail(x, a, b)


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the value that a beta(a, b) variable does not pass with probability `p`, 0 to 1."""
    if p <= 0:
        return 0.0
    if p >= 1:
        return 1.0
    low, high, x = 0.0, 1.0, a / (a + b)
    constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(200):
        error = beta_below(x, a, b) - p
        if error < 0:
            low = x
        else:
            high = x
        slope = math.exp(constant + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        step = error / slope if slope > 0 else math.inf
        guess = x - step
        if not low < guess < high:  # Newton leaves the bracket: halve it, by ratio where it spans decades
            guess = math.sqrt(low * high) if low > 0 and high > 4 * low else (low + high) / 2
        if abs(guess - x) <= 4e-16 * x or not 0 < guess < 1:
            break
        x = guess
    return x


def _tail(x: float, a: float, b: float) -> float:
    """Return the distribution function where its continued fraction converges fast."""
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    fraction = d
    for m in range(1, _MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for term in (even, odd):
            d = 1.0 + term * d
            c = 1.0 + term / c
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            change = d * c
            fraction *= change
        if abs(change - 1) < _PRECISION:
            break
    return min(1.0, math.exp(front) * fraction / a)
