"""Whether implementations with different random numbers are the same model, as far as luck lets one see."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

WIDTH = 4.0
"""How many standard errors two means may lie apart. Were all implementations the same model, a single
comparison would fail by chance about once in 16,000 (the spread is known from some 2,000 replicates)."""

Measures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of one implementation beside the reference.

    Attributes
    ----------
    implementation, measure : names.
    mean, reference : the two means over replicates.
    difference : the first less the second; ``tolerance`` the most that luck would explain.
    """

    implementation: str
    measure: str
    mean: float
    reference: float
    tolerance: float

    @property
    def difference(self) -> float:
        """Return the mean less the reference."""
        return self.mean - self.reference

    @property
    def agrees(self) -> bool:
        """Return whether the difference is within the tolerance."""
        return abs(self.difference) <= self.tolerance

    def as_dict(self) -> dict[str, object]:
        """Return everything by name."""
        return {**asdict(self), "difference": self.difference, "agrees": self.agrees}


def spread(groups: Sequence[Sequence[float]]) -> float:
    """Return the standard deviation between replicates, pooled within groups of at least two.

    Raises
    ------
    ValueError
        if no group has two replicates.
    """
    squares, freedom = 0.0, 0
    for group in groups:
        if len(group) > 1:
            squares += statistics.variance(group) * (len(group) - 1)
            freedom += len(group) - 1
    if not freedom:
        raise ValueError("the Monte Carlo error needs at least two replicates of one implementation")
    return math.sqrt(squares / freedom)


def compare(outcomes: Mapping[str, Sequence[Measures]], reference: str) -> list[Comparison]:
    """Compare the mean of every measure of every implementation with the reference's.

    All ran on the same inputs, and if they are the same model, every replicate of every one has the same
    standard deviation s. The tolerance is `WIDTH` times ``s * sqrt(1 / replicates + 1 / r)``, r the
    replicates of the reference.

    Parameters
    ----------
    outcomes : measures of each replicate, by implementation.
    """
    found = []
    for measure in outcomes[reference][0]:
        values = {name: [one[measure] for one in ones] for name, ones in outcomes.items()}
        s = spread(list(values.values()))
        base = values.pop(reference)
        for name, these in values.items():
            tolerance = WIDTH * s * math.sqrt(1 / len(these) + 1 / len(base))
            found.append(
                Comparison(name, measure, statistics.fmean(these), statistics.fmean(base), tolerance)
            )
    return found
