"""How far a step goes in each parameter, and how many it changes: learned from the steps that worlds took.

A parameter that is drawn anew stops some steps, because a world then loses what the record counts. It stops
one with a chance of ``1 - exp(-h s)``, where `s` is the stride (1 draws it from the prior) and `h` is its
resistance. A step passes if no parameter stops it. Which one did is not seen. So each round's steps are
shared out by how likely each stopped them, and rounds before count less and less (online EM: Cappé and
Moulines 2009).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.weights import systematic

PRIOR = (1.0, 2.5)
"""Stops and strides that every parameter has before any step: a resistance of 0.4."""
MEMORY = 0.8
"""Weight of a round's steps in the next round."""
AT_ONCE = 1.0
"""Resistance that a step takes on: a share ``exp(-c)`` passes `c`, and ``c exp(-c)`` is highest here."""
ALONE = 2.0
"""Resistance of one parameter that a step takes on: ``s s exp(-h s)`` is highest at ``h s = 2``."""
LEAST = 0.05
"""Resistance that a parameter counts for at least, where it is drawn which one a step changes first."""


@dataclass(frozen=True)
class Strides:
    """What is known of each parameter.

    Attributes
    ----------
    stops : how many steps it has stopped, by expectation (p,).
    strides : how far these and others went in it, up to where it stopped them (p,).
    """

    stops: Array
    strides: Array

    @classmethod
    def unknown(cls, number: int) -> Self:
        """Return what is known of so many parameters before any step."""
        return cls(np.zeros(number), np.zeros(number))

    @cached_property
    def resistance(self) -> Array:
        """Of each parameter, for a stride of 1 (p,)."""
        return np.asarray((self.stops + PRIOR[0]) / (self.strides + PRIOR[1]))

    @cached_property
    def far(self) -> Array:
        """How far a step goes in each parameter, above 0 and up to 1, which draws it from the prior (p,)."""
        return np.minimum(1.0, ALONE / self.resistance)

    def block(self, first: float, others: Array) -> NDArray[np.int64]:
        """Return which parameters a step changes.

        One is drawn by the square root of its resistance, so that those which rarely pass come up more often.
        Others join it in random order, as far as their resistance leaves room.

        Parameters
        ----------
        first, others : draws from (0, 1), of the first parameter and of the order (p,).
        """
        weights = np.sqrt(np.maximum(self.resistance, LEAST))
        begin = int(systematic(weights, 1, first)[0])
        cost = self.far * self.resistance
        block, room = [begin], AT_ONCE - cost[begin]
        for k in np.argsort(others, kind="stable").tolist():
            if k != begin and cost[k] <= room:
                block.append(k)
                room -= cost[k]
        return np.array(block)

    def after(self, changed: NDArray[np.bool_], taken: NDArray[np.bool_]) -> Self:
        """Return what is known after the steps of a round.

        Parameters
        ----------
        changed : parameters that each step changed (n, p). taken : whether it was taken (n,).
        """
        reach = self.resistance * self.far
        stop = np.where(changed, -np.expm1(-reach), 0.0)
        share = stop / np.maximum(-np.expm1(-(changed * reach).sum(axis=1)), 1e-300)[:, None]
        stopped = np.where(taken[:, None], 0.0, share)
        until = self.far * (1 / reach - 1 / np.expm1(reach))
        went = changed * ((1 - stopped) * self.far + stopped * until)
        return replace(
            self,
            stops=MEMORY * self.stops + stopped.sum(axis=0),
            strides=MEMORY * self.strides + went.sum(axis=0),
        )
