"""Spreading a mean over unequal groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def spread(mean: float, odds: ArrayLike, sizes: ArrayLike) -> NDArray[np.float64]:
    """Return one probability per group, in proportion to `odds`, none above 1, averaging `mean`.

    Where a group would pass 1 it stays at 1 and the others take up the rest. Groups of odds 0 stay at 0,
    even where `mean` cannot be reached without them.

    Parameters
    ----------
    mean : probability averaged over everybody, 0..1.
    odds : relative probability of each group, shape (k,), 0 or more.
    sizes : people in each group, shape (k,).

    Examples
    --------
    >>> spread(0.5, [4, 1], [100, 100]).tolist()
    [0.8, 0.2]
    >>> spread(0.6, [4, 1], [100, 100]).round(6).tolist()
    [0.96, 0.24]
    >>> spread(0.8, [4, 1], [100, 100]).round(6).tolist()
    [1.0, 0.6]
    """
    w, people = np.asarray(odds, np.float64), np.asarray(sizes, np.float64)
    wanted = mean * float(people.sum())
    full = np.zeros(w.shape, bool)
    while True:
        rest = float((w * people)[~full].sum())
        scale = (wanted - float(people[full].sum())) / rest if rest > 0 else 0.0
        chance = np.where(full, 1.0, w * scale)
        over = chance > 1.0
        if not over.any():
            return chance
        full |= over
