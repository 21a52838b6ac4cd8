"""Whole numbers in proportion, of numbers that stand in a case."""

from __future__ import annotations

from collections.abc import Sequence


def apportion(total: int, weights: Sequence[float]) -> list[int]:
    """Return whole numbers proportional to `weights` with sum `total`, by largest remainder (Hamilton).

    Ties go to the earlier item. `total` is 0 or more; the weights are 0 or more and not all 0.

    Examples
    --------
    >>> apportion(10, [1, 1, 1])
    [4, 3, 3]
    """
    whole = float(sum(weights))
    exact = [total * (w / whole) for w in weights]
    out = [int(x) for x in exact]
    order = sorted(range(len(out)), key=lambda k: (out[k] - exact[k], k))
    for k in order[: total - sum(out)]:
        out[k] += 1
    return out
