"""The quantiles over runs that charts, tables and scores show: the median, the 50% and the 90% interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MEDIAN_AND_ENDS = LEVELS[::2]
"""The median between the ends of the 90% interval."""

FEW = 20
"""Below so many runs a spread is shown as the least and the most of them: a 90% interval of, say, four runs
would be drawn between the outer two."""


def median_known(values: NDArray[np.float64], worth: int | None = None) -> tuple[float, float] | None:
    """Return between which two of the values the median of all possible runs lies with 90% confidence.

    Ends are order statistics, whatever the distribution (David and Nagaraja 2003, section 7.1); ``None`` for
    too few values to tell.

    Parameters
    ----------
    worth : as how many independent values they count, at most as many as there are; by default all.

    >>> median_known(np.arange(1.0, 41.0)), median_known(np.arange(4.0))
    ((15.0, 26.0), None)
    >>> median_known(np.arange(1.0, 41.0), 20)
    (11.0, 30.0)
    """
    size = len(values)
    count = size if worth is None else worth
    below = np.cumsum(_chances(count))
    rank = int(np.searchsorted(below, 0.05, side="right"))  # values below the lower end, at most
    if rank < 1:
        return None
    ordered = np.sort(values)
    place = (rank - 1) * size // count
    return float(ordered[place]), float(ordered[size - 1 - place])


def _chances(count: int) -> NDArray[np.float64]:
    """Return the chances that 0, 1, ... of so many values lie below the median."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, count + 1)))])
    chances: NDArray[np.float64] = np.exp(logs[count] - logs - logs[::-1] - count * np.log(2.0))
    return chances
