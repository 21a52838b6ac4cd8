"""What the three implementations share: parameters, inputs, and the outcome they hand back.

The model itself is declared in words in ``benchmarks/README.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

YEAR = 365.25
"""Days to which the rate of moments refers."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The numbers of the simplified model.

    Attributes
    ----------
    rate : moments of decision of a soldier, per year of 365.25 days.
    confide : probability that an opposed soldier confides at a moment.
    prior_opposed, prior_loyal : counts of the Beta belief with which everyone begins.
    constant : log-odds of leaving at a moment, before belief and comrades.
    belief_weight : log-odds for a believed share of comrades opposed of 1.
    gone_weight : log-odds when very many comrades have gone lately.
    gone_half : comrades gone at which half of that is reached.
    memory : days in which a comrade gone fades to 37%.
    """

    rate: float = 2.3
    confide: float = 0.15
    prior_opposed: float = 1.2
    prior_loyal: float = 4.8
    constant: float = -4.5
    belief_weight: float = 1.0
    gone_weight: float = 2.0
    gone_half: float = 1.0
    memory: float = 60.0

    @property
    def chance(self) -> float:
        """Return the probability of a moment on one day."""
        return float(-np.expm1(-self.rate / YEAR))


@dataclass(frozen=True, slots=True)
class Inputs:
    """Who is tied to whom and who is opposed: the same arrays for every implementation.

    Attributes
    ----------
    start, other : the ties as a compressed sparse row table: those of soldier i are
        ``other[start[i]:start[i + 1]]``, ascending, each tie twice;
        int64 (soldiers + 1,), int32 (2 x ties,).
    opposed : bool (soldiers,), privately opposed, for good.
    """

    start: NDArray[np.int64]
    other: NDArray[np.int32]
    opposed: NDArray[np.bool_]

    @property
    def n(self) -> int:
        """Soldiers."""
        return len(self.opposed)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one replicate brought.

    Attributes
    ----------
    exits, moments, confidings : int64 (days,), daily counts.
    belief : mean believed share of comrades opposed among those who serve after the last day.
    """

    exits: NDArray[np.int64]
    moments: NDArray[np.int64]
    confidings: NDArray[np.int64]
    belief: float

    def measures(self) -> dict[str, float]:
        """Return the numbers on which implementations have to agree, by name."""
        half = len(self.exits) // 2
        return {
            "moments": float(self.moments.sum()),
            "confidings": float(self.confidings.sum()),
            "exits": float(self.exits.sum()),
            "exits, second half": float(self.exits[half:].sum()),
            "belief at the end": self.belief,
        }


class Implementation(Protocol):
    """The simplified model in one manner: made once for its inputs, then run any number of times."""

    def __init__(self, inputs: Inputs, parameters: Parameters, days: int) -> None:
        """Prepare what is the same in every replicate."""

    def begin(self, seed: int) -> Callable[[], Outcome]:
        """Set one replicate up and return the function that lives its days, to be called once."""


def make_inputs(soldiers: int, seed: int, mean_ties: float = 6.0, opposed: float = 0.8) -> Inputs:
    """Draw ties and dispositions.

    Parameters
    ----------
    soldiers : at least 20.
    mean_ties : ties of a soldier on average: ``soldiers * mean_ties / 2`` distinct pairs, every set of
        that many pairs as likely as any other.
    opposed : probability that a soldier is privately opposed.

    Raises
    ------
    ValueError
        if there are too few soldiers for so many ties.
    """
    rng = np.random.default_rng(seed)
    pairs = round(soldiers * mean_ties / 2)
    if soldiers < 20 or pairs > soldiers * (soldiers - 1) // 4:
        raise ValueError(f"{soldiers} soldiers are too few for {mean_ties:g} ties each")
    found = np.empty(0, np.int64)
    while len(found) < pairs:
        one, two = rng.integers(0, soldiers, (2, pairs + 100))
        drawn = (np.minimum(one, two) * soldiers + np.maximum(one, two))[one != two]
        joined = np.concatenate((found, drawn))
        found = joined[np.sort(np.unique(joined, return_index=True)[1])]  # in the order in which they came
    low, high = np.divmod(found[:pairs], soldiers)
    who, whom = np.concatenate((low, high)), np.concatenate((high, low))
    order = np.lexsort((whom, who))
    start = np.searchsorted(who[order], np.arange(soldiers + 1)).astype(np.int64)
    return Inputs(start, whom[order].astype(np.int32), rng.random(soldiers) < opposed)
