"""Values that scenarios of one run share are computed once: dates of leave, and everyone's opinions.

The first day draws the whole year's occasions and everyone's disposition. They follow from the luck and a
few arrays, which most changes leave as they are.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.latest: dict[str, tuple[tuple[Any, ...], Any]] = {}


_kept = _PerThread()


def once(name: str, given: tuple[Any, ...], make: Callable[[], T]) -> T:
    """Return ``make(given)``; the last result again if the arguments are the same to the bit.

    Each thread keeps the latest of each `name`. What is given and made must not be changed afterwards.
    """
    kept = _kept.latest.get(name)
    if kept is None or len(kept[0]) != len(given) or not all(map(_same, kept[0], given)):
        kept = _kept.latest[name] = given, make()
    return kept[1]


def _same(a: Any, b: Any) -> bool:  # noqa: ANN401
    if not isinstance(a, np.ndarray):
        return bool(a == b)
    return a is b or ((a.dtype, a.shape) == (b.dtype, b.shape) and a.tobytes() == b.tobytes())
