"""Sharing whole numbers out in proportion."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def apportion(total: int, weights: ArrayLike) -> NDArray[np.int64]:
    """Share `total` soldiers out by largest remainder (Hamilton), so that the parts add up exactly.

    Parameters
    ----------
    total : soldiers to share out, 0 or more.
    weights : relative sizes, shape (k,), 0 or more, not all 0 unless `total` is 0.

    Returns
    -------
    Whole numbers, shape (k,), each less than 1 from its exact quota. Equal remainders go to the earlier.

    Examples
    --------
    >>> apportion(10, [1, 1, 1]).tolist()
    [4, 3, 3]
    """
    w = np.asarray(weights, np.float64)
    if total == 0:
        return np.zeros(w.shape, np.int64)
    quota = w / w.sum() * total
    parts: NDArray[np.int64] = np.floor(quota).astype(np.int64)
    short = total - int(parts.sum())
    parts[np.argsort(parts - quota, kind="stable")[:short]] += 1
    return parts
