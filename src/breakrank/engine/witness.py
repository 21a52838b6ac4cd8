"""The witness keeps, for chosen soldiers, what weighed at each of their decision opportunities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.moments import Moments
from breakrank.engine.run import Run


@dataclass(frozen=True, slots=True)
class Testimony:
    """One decision opportunity of one soldier: terms by row, utilities, chances and the option taken.

    ``margin`` says how far they were on the opposed side (> 0: privately opposed), ``leader`` who asked
    them to come along (position, -1: nobody).
    """

    day: int
    soldier: int
    occasion: int
    margin: float
    leader: int
    terms: NDArray[np.float64]
    utility: NDArray[np.float64]
    chance: NDArray[np.float64]
    choice: int


class Witness:
    """Records the moments of the soldiers with the given positions, and how everyone ended.

    Attributes
    ----------
    seen : testimonies in the order of the days.
    fate : uint8 (soldier,) on the last day; ``margin`` float64 (soldier,) on the opposed side then.
    """

    def __init__(self, positions: Iterable[int]) -> None:
        self.watched = np.array(sorted(set(positions)), np.int32)
        self.seen: list[Testimony] = []
        self.fate: NDArray[np.uint8] = np.empty(0, np.uint8)
        self.margin: NDArray[np.float64] = np.empty(0)

    def see(self, run: Run, moments: Moments) -> None:
        """Keep the moments of those watched."""
        at = np.searchsorted(moments.who, self.watched)
        for position, j in zip(self.watched, at, strict=True):
            if j < moments.n and moments.who[j] == position:
                self.seen.append(
                    Testimony(
                        run.day,
                        int(position),
                        int(moments.occasion[j]),
                        float(moments.margin[j]),
                        int(moments.leader[j]),
                        moments.terms[:, j].copy(),
                        moments.utility[:, j].copy(),
                        moments.chance[:, j].copy(),
                        int(moments.choice[j]),
                    )
                )

    def close(self, fate: NDArray[np.uint8], margin: NDArray[np.float64]) -> None:
        """Keep how everyone ended."""
        self.fate, self.margin = fate, margin
