"""The choice: a multinomial logit over the open options of each decider."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from breakrank.engine.codes import STAY
from breakrank.engine.moments import Moments
from breakrank.kernel import lean

_EXP = np.array([float(Decimal(-k).exp()) for k in range(40)])
"""Powers of e, correctly rounded: NumPy's differ by processor, and with them the key of what reads them."""

Utilities = tuple[float, ...]


@lean
def above_exp(x: float) -> float:
    """Return a number that is not below exp(x), at hardly any cost where x is far below zero."""
    if x > -1.0:
        return np.exp(x)
    return _EXP[int(min(-x, _EXP.shape[0] - 1.0))]


@lean
def _highest(utility: Utilities) -> float:
    highest = 0.0
    for o in range(len(utility)):
        highest = max(highest, utility[o])
    return highest


@lean
def pick(utility: Utilities, draw: float) -> int:
    """Return the option that a draw from (0, 1) picks; closed ones have the utility -inf.

    The chance of an option is its softmax among the open ones (McFadden 1974), picked by inverse cumulation,
    staying first.

    Where an upper bound on all other chances settles it (:func:`above_exp`) this need not be asked: most
    stay. The pass has tried one that is cheaper still.
    """
    bound = 0.0
    for o in range(len(utility)):
        bound += above_exp(utility[o])
    if draw * bound < 1.0:
        return STAY
    highest = _highest(utility)
    total = 0.0
    for o in range(len(utility)):
        total += np.exp(utility[o] - highest)
    taken = 0
    passed = 0.0
    for o in range(len(utility)):
        if utility[o] == -np.inf:
            continue
        passed += np.exp(utility[o] - highest)
        taken = o
        if draw * total < passed:
            break
    return taken


@lean
def tell(utility: Utilities, j: int, moments: Moments) -> None:
    """Write the open options of decider `j`, with utility and chance, for a witness."""
    highest = _highest(utility)
    total = 0.0
    for o in range(len(utility)):
        moments.open[o, j] = utility[o] > -np.inf
        moments.utility[o, j] = utility[o]
        moments.chance[o, j] = np.exp(utility[o] - highest)
        total += moments.chance[o, j]
    for o in range(len(utility)):
        moments.chance[o, j] /= total
