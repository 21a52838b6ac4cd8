"""Prior distributions of parameters, truncated to the parameter's range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import overload

import numpy as np
from numpy.typing import NDArray

from breakrank.case.beta import beta_below, beta_quantile, beta_quantiles
from breakrank.case.models_parameters import PriorEntry
from breakrank.case.normal import normal_quantiles

_STANDARD = NormalDist()


@dataclass(frozen=True, slots=True)
class Prior:
    """A distribution truncated to [low, high].

    Attributes
    ----------
    distribution : uniform, normal, lognormal, beta or triangular.
    numbers : its numbers: (low, high); (mean, sd); (median, sigma of the logarithm); (a, b), on [0, 1];
        (low, mode, high).
    low, high : the range it is truncated to.

    Examples
    --------
    >>> Prior("uniform", (0.0, 1.0), 0.0, 0.5).median
    0.25
    """

    distribution: str
    numbers: tuple[float, ...]
    low: float
    high: float

    @classmethod
    def of(cls, entry: PriorEntry, low: float, high: float) -> Prior:
        """Return the prior of an entry of a case file, truncated to [low, high]."""
        return cls(entry.distribution, entry.numbers, low, high)

    @property
    def mass(self) -> float:
        """Probability that the distribution has within the range before truncation."""
        floor, ceiling = _ends(self)
        return ceiling - floor

    @property
    def median(self) -> float:
        """The median of the truncated distribution."""
        return self.quantile(0.5)

    def cdf(self, x: float) -> float:
        """Return the probability of at most `x`, 0 to 1."""
        if x <= self.low:
            return 0.0
        if x >= self.high:
            return 1.0
        return min(1.0, max(0.0, (self._below(x) - _ends(self)[0]) / self.mass))

    @overload
    def quantile(self, p: float) -> float: ...
    @overload
    def quantile(self, p: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def quantile(self, p: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """Return the value below which a share `p` of the distribution lies.

        `p` goes from 0 to 1 and is a number or an array; the answer has its shape. A uniform
        draw for `p` gives a draw from the prior.

        Raises
        ------
        ValueError
            when `p` lies outside [0, 1].
        """
        if isinstance(p, np.ndarray):
            return self._quantiles(p)
        if not 0 <= p <= 1:
            raise ValueError(f"a quantile goes from 0 to 1, not {p}")
        if self.low == self.high or p == 0:
            return self._end(self.low)
        if p == 1:
            return self._end(self.high)
        floor, ceiling = _ends(self)
        value = self._inverse(floor + p * (ceiling - floor))
        return min(max(value, self.low), self.high)

    def _quantiles(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quantiles of an array at once; they differ from single ones by rounding alone."""
        wrong = p[~((p >= 0) & (p <= 1))]
        if wrong.size:
            raise ValueError(f"a quantile goes from 0 to 1, not {wrong.flat[0]}")
        if self.low == self.high:
            return np.full(p.shape, self._end(self.low))
        floor, ceiling = _ends(self)
        values = np.clip(self._inverses(floor + p * (ceiling - floor)), self.low, self.high)
        values[p == 0], values[p == 1] = self._end(self.low), self._end(self.high)
        return values

    def _inverses(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return :meth:`_inverse` of an array."""
        first, last = self.numbers[0], self.numbers[-1]
        if self.distribution == "uniform":
            return first + p * (last - first)
        if self.distribution == "triangular":
            return _triangular_quantiles(p, *self.numbers)
        if self.distribution == "beta":
            return beta_quantiles(p, first, last)
        z = normal_quantiles(np.clip(p, 1e-300, 1 - 1e-16))
        if self.distribution == "normal":
            return first + last * z
        return np.exp(math.log(first) + last * z)

    def _end(self, end: float) -> float:
        """Return the end of the range, or of the distribution where that comes first."""
        if self.distribution in ("uniform", "triangular"):
            return min(max(end, self.numbers[0]), self.numbers[-1])
        if self.distribution == "beta":
            return min(max(end, 0.0), 1.0)
        return max(end, 0.0) if self.distribution == "lognormal" else end

    def _below(self, x: float) -> float:
        """Return the probability below `x` before truncation."""
        first, last = self.numbers[0], self.numbers[-1]
        if self.distribution == "uniform":
            return min(1.0, max(0.0, (x - first) / (last - first)))
        if self.distribution == "normal":
            return NormalDist(first, last).cdf(x)
        if self.distribution == "lognormal":
            return _STANDARD.cdf((math.log(x) - math.log(first)) / last) if x > 0 else 0.0
        if self.distribution == "triangular":
            return _triangular_below(x, *self.numbers)
        return beta_below(x, first, last)

    def _inverse(self, p: float) -> float:
        """Return the quantile before truncation; `p` strictly between 0 and 1, or at an end by rounding."""
        first, last = self.numbers[0], self.numbers[-1]
        if self.distribution == "uniform":
            return first + p * (last - first)
        if self.distribution == "triangular":
            return _triangular_quantile(p, *self.numbers)
        if self.distribution == "beta":
            return beta_quantile(p, first, last)
        p = min(max(p, 1e-300), 1 - 1e-16)
        z = _STANDARD.inv_cdf(p)
        if self.distribution == "normal":
            return first + last * z
        return math.exp(math.log(first) + last * z)

    def __repr__(self) -> str:
        inner = ", ".join(f"{x:g}" for x in self.numbers)
        return f"{self.distribution}({inner}) on [{self.low:g}, {self.high:g}]"


@lru_cache(maxsize=4096)
def _ends(prior: Prior) -> tuple[float, float]:
    """Return the probabilities below the ends of the range, before truncation."""
    return prior._below(prior.low), prior._below(prior.high)


def _triangular_below(x: float, low: float, mode: float, high: float) -> float:
    if x <= low:
        return 0.0
    if x >= high:
        return 1.0
    if x <= mode:
        return (x - low) ** 2 / ((high - low) * (mode - low))
    return 1 - (high - x) ** 2 / ((high - low) * (high - mode))


def _triangular_quantile(p: float, low: float, mode: float, high: float) -> float:
    if p <= (mode - low) / (high - low):
        return low + math.sqrt(p * (high - low) * (mode - low))
    return high - math.sqrt((1 - p) * (high - low) * (high - mode))


def _triangular_quantiles(
    p: NDArray[np.float64], low: float, mode: float, high: float
) -> NDArray[np.float64]:
    rising = low + np.sqrt(p * (high - low) * (mode - low))
    falling = high - np.sqrt((1 - p) * (high - low) * (high - mode))
    return np.where(p <= (mode - low) / (high - low), rising, falling)
