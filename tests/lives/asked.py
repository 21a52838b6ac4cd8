"""The shipped patterns, asked one at a time of lives made by hand."""

from __future__ import annotations

import numpy as np

from breakrank.case.models_patterns import shipped
from breakrank.lives.query import Column, Lives, Mask, points, whose

PATTERNS = {p.id: p for p in shipped()}


def counted(lives: Lives, name: str) -> Mask:
    """Return whose lives a shipped pattern counts."""
    where = PATTERNS[name].where
    assert where is not None
    return whose(lives, where)


def preferred(lives: Lives, name: str) -> Column:
    """Return one more than the points of those counted, 0 for all others."""
    return np.where(counted(lives, name), 1 + points(lives, PATTERNS[name]), 0)
