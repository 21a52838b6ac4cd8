"""The beta distribution function and its inverse, without a numerical library.

Continued fraction by Lentz's method and the swap to the side where it converges fast, as in DiDonato
and Morris (1992, "Significant digit computation of the incomplete beta function ratios").
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_TINY = 1e-300
_PRECISION = 1e-15
_MOST_STEPS = 20_000
_GRID = 200
"""Points between which the search for many quantiles at once begins."""


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


def beta_quantiles(p: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    """Return :func:`beta_quantile` of an array, all of it at once."""
    flat = np.asarray(p, dtype=np.float64).ravel()
    out = np.where(flat >= 1, 1.0, 0.0)
    open_ = np.flatnonzero((flat > 0) & (flat < 1))
    low, high = np.zeros(open_.size), np.ones(open_.size)
    grid = (1.0 - np.cos(np.pi * np.arange(1, _GRID) / _GRID)) / 2.0  # closer together towards both ends
    x = np.interp(flat[open_], _below(grid, a, b), grid)
    constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(200):
        if not open_.size:
            break
        error = _below(x, a, b) - flat[open_]
        low, high = np.where(error < 0, x, low), np.where(error < 0, high, x)
        slope = np.exp(constant + (a - 1) * np.log(x) + (b - 1) * np.log1p(-x))
        step = np.divide(error, slope, out=np.full_like(x, np.inf), where=slope > 0)
        guess = x - step
        wide = (low > 0) & (high > 4 * low)
        halved = np.where(wide, np.sqrt(low * high), (low + high) / 2)
        guess = np.where((low < guess) & (guess < high), guess, halved)
        done = (np.abs(guess - x) <= 4e-16 * x) | ~((guess > 0) & (guess < 1))
        out[open_[done]] = x[done]
        keep = ~done
        open_, low, high, x = open_[keep], low[keep], high[keep], guess[keep]
    out[open_] = x
    return out.reshape(np.shape(p))


def _below(x: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    """Return :func:`beta_below` of an array strictly between 0 and 1."""
    swap = x > (a + 1) / (a + b + 2)
    out = np.empty_like(x)
    out[swap] = 1.0 - _tails(1 - x[swap], b, a)
    out[~swap] = _tails(x[~swap], a, b)
    return out


def _tails(x: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    """Return :func:`_tail` of an array; the fraction goes on until the slowest has converged."""
    if not x.size:
        return x.copy()
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * np.log(x) + b * np.log1p(-x)
    d = 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / np.where(np.abs(d) > _TINY, d, _TINY)
    c, fraction = np.ones_like(x), d.copy()
    for m in range(1, _MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 + term * d
            c = 1.0 + term / c
            d = 1.0 / np.where(np.abs(d) > _TINY, d, _TINY)
            c = np.where(np.abs(c) > _TINY, c, _TINY)
            change = d * c
            fraction = fraction * change
        if np.all(np.abs(change - 1) < _PRECISION):
            break
    return np.minimum(1.0, np.exp(front) * fraction / a)


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
