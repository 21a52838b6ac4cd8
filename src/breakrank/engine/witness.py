"""The witness keeps, for chosen soldiers, what weighed at each of their moments of decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.moments import Moments
from breakrank.engine.run import Run


@dataclass(frozen=True, slots=True)
class Testimony:
    """One moment of decision of one soldier: terms by row, utilities, chances and the option taken."""

    day: int
    soldier: int
    occasion: int
    terms: NDArray[np.float64]
    utility: NDArray[np.float64]
    chance: NDArray[np.float64]
    choice: int


class Witness:
    """Records the moments of the soldiers with the given positions."""

    def __init__(self, positions: Iterable[int]) -> None:
        self.watched = np.array(sorted(set(positions)), np.int32)
        self.seen: list[Testimony] = []

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
                        moments.terms[:, j].copy(),
                        moments.utility[:, j].copy(),
                        moments.chance[:, j].copy(),
                        int(moments.choice[j]),
                    )
                )
