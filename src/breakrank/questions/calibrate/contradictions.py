"""Targets that the model cannot meet together, though it meets each alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from breakrank.questions.calibrate.record import Aim
from breakrank.questions.calibrate.regression import Array
from breakrank.wording import listed

EXPECTED = 12.0
"""Simulations that would agree with both of two targets, if to meet one said nothing of the other, from which
none at all is no chance: that has a probability of 6e-6 (Poisson), 0.4% among the 600 pairs of 35 targets."""
NAMED = 3
"""Pairs that a sentence names."""


def contradictions(aims: Sequence[Aim], counts: Sequence[Array]) -> list[tuple[str, str]]:
    """Return the labels of pairs of targets that no simulation agrees with together, the surest pair first.

    Parameters
    ----------
    counts : what simulations of the prior count for each target (n,); not a number without an answer.
    """
    agree = [aim.agrees(c) for aim, c in zip(aims, counts, strict=True)]
    found: list[tuple[float, int, int]] = []
    for a, b in combinations(range(len(aims)), 2):
        both = np.isfinite(counts[a]) & np.isfinite(counts[b])
        mine, other = agree[a][both], agree[b][both]
        expected = mine.sum() * other.sum() / max(both.sum(), 1)
        if expected >= EXPECTED and not np.logical_and(mine, other).any():
            found.append((-float(expected), a, b))
    return [(aims[a].target.label, aims[b].target.label) for _, a, b in sorted(found)]


def told(pairs: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return a sentence on pairs of targets that contradict each other; none without any."""
    every = [f"“{a}” and “{b}”" for a, b in pairs]
    if not every:
        return ()
    more = f" ({len(every) - NAMED} more)" if len(every) > NAMED else ""
    return (
        "Some targets contradict each other in this model: simulations of the prior agree with each, and "
        f"none with both of {listed(every[:NAMED])}{more}. Look at what each counts and when, or at what the "
        "model lacks.",
    )
