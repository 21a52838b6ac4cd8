"""Lives made by hand, and the shipped patterns asked one at a time of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from breakrank.case import Case
from breakrank.case.models_patterns import shipped
from breakrank.engine.codes import SERVING, TRAVELLING
from breakrank.force import Force
from breakrank.lives import stories
from breakrank.lives.stories import Column, Lives, Mask, points

NOBODY = 0xFFFFFFFF
PATTERNS = {p.id: p for p in shipped()}


def counted(lives: Lives, name: str) -> Mask:
    """Return whose lives a shipped pattern counts."""
    where = PATTERNS[name].where
    assert where is not None
    return stories.whose(lives, where)


def preferred(lives: Lives, name: str) -> Column:
    """Return one more than the points of those counted, 0 for all others."""
    return np.where(counted(lives, name), 1 + points(lives, PATTERNS[name]), 0)


def with_log(case: Case, force: Force, log: dict[str, Any], gone: Sequence[int] = ()) -> Lives:
    """Return a run with a log, in which all stay opposed, and serve at its end but for those gone."""
    fate = np.full(force.n, SERVING, np.uint8)
    fate[list(gone)] = TRAVELLING
    everyone = np.ones(force.n, np.bool_)
    occasion = np.full(force.n, -1, np.int8)
    return Lives(case, force, log, np.zeros(force.n, np.int32), occasion, everyone, fate, everyone.copy())


def whose(mask: Mask) -> list[int]:
    """Return the positions of those in a mask."""
    return np.flatnonzero(mask).tolist()
