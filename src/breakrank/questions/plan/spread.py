"""Spreads over runs, and quantities that suffice in a share of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from breakrank.results.uncertainty import FEW, LEVELS

Row = dict[str, Any]
"""A row of a table, by column."""

COLUMNS = ("q05", "q25", "median", "q75", "q95")
"""Columns of quantiles over runs, linear between runs (Hyndman and Fan 1996, type 7).

Of few runs the ends are the least and the most, as in every answer.
"""


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of one number over the runs that have one; nan where none has."""

    q05: float
    q25: float
    median: float
    q75: float
    q95: float
    runs: int

    @property
    def row(self) -> dict[str, float]:
        """The quantiles as columns of a table."""
        return {name: getattr(self, name) for name in COLUMNS}


def spread(values: npt.ArrayLike) -> Spread:
    """Return the spread of one number per run, those that are none left out.

    >>> few = spread([1.0, 2.0, float("nan"), 3.0])
    >>> few.q05, few.median, few.q95, few.runs
    (1.0, 2.0, 3.0, 3)
    """
    array = np.asarray(values, dtype=np.float64)
    finite = array[np.isfinite(array)]
    if not finite.size:
        return Spread(*(math.nan,) * 5, 0)
    low, *middle, high = LEVELS
    levels = (0.0, *middle, 1.0) if finite.size < FEW else (low, *middle, high)
    q05, q25, median, q75, q95 = (float(q) for q in np.quantile(finite, levels))
    return Spread(q05, q25, median, q75, q95, int(finite.size))


def sufficient(values: npt.ArrayLike, level: float) -> float:
    """Return the least of the values that is enough in at least so large a share of the runs.

    It is the value of a run, never one between two: what is claimed to suffice did suffice in so many.

    >>> sufficient(range(1, 101), 0.95), sufficient([40, 10, 30, 20], 0.5), sufficient([7], 0.95)
    (95.0, 20.0, 7.0)
    """
    return float(sufficient_each(np.asarray(values, dtype=np.float64)[:, None], level)[0])


def sufficient_each(values: npt.NDArray[np.float64], level: float) -> npt.NDArray[np.float64]:
    """Return :func:`sufficient` of each column: `values` is (run, column), what is returned (column,)."""
    needed = math.ceil(level * len(values) - 1e-9)
    return np.asarray(np.sort(values, axis=0)[max(needed, 1) - 1], dtype=np.float64)


def at(level: float) -> str:
    """Return the name of the column of a service level.

    >>> at(0.8), at(0.995)
    ('at_80', 'at_99.5')
    """
    return f"at_{100 * level:g}"
