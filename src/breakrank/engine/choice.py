"""The choice: a multinomial logit over the open options of each decider."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from breakrank.engine.codes import INVITED, JOIN, REPORT, STAY
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
def below(utility: float, limit: float) -> float:
    """Return log-odds x / (1 + x `limit`) of odds x = exp(`utility`), at least 0: below 1 / `limit`."""
    if limit <= 0.0:
        return utility
    if utility < 0.0:
        return utility - np.log1p(limit * np.exp(utility))
    return -np.log(np.exp(-utility) + limit)


@lean
def _allowed(option: int, utility: float, limit: float, occasion: int) -> float:
    """Return the log-odds of an option against staying that the moment allows; see :func:`pick`."""
    if option in (STAY, REPORT, JOIN) or occasion >= INVITED:
        return utility
    return below(utility, limit)


@lean
def _highest(utility: Utilities, limit: float, occasion: int) -> float:
    highest = 0.0
    for o in range(len(utility)):
        highest = max(highest, _allowed(o, utility[o], limit, occasion))
    return highest


@lean
def pick(utility: Utilities, draw: float, limit: float, occasion: int) -> int:
    """Return the option that a draw from (0, 1) picks; closed ones have the utility -inf.

    The chance of an option is its softmax among the open ones (McFadden 1974), picked by inverse cumulation,
    staying first. Against staying alone, an act against the regime has a chance below a ceiling, however
    high its utility: its odds x become x / (1 + x `limit`), `limit` being one over the odds of the ceiling
    (0: none), since the moment has to allow it. To answer a comrade, or to report him, it always does; and
    whoever is called on that day, or hunted, knows no ceiling.

    Where an upper bound on all other chances settles it (:func:`above_exp`) this need not be asked: most
    stay. The pass has tried one that is cheaper still.
    """
    bound = 0.0
    for o in range(len(utility)):
        bound += above_exp(utility[o])
    if draw * bound < 1.0:
        return STAY
    highest = _highest(utility, limit, occasion)
    total = 0.0
    for o in range(len(utility)):
        total += np.exp(_allowed(o, utility[o], limit, occasion) - highest)
    taken = 0
    passed = 0.0
    for o in range(len(utility)):
        if utility[o] == -np.inf:
            continue
        passed += np.exp(_allowed(o, utility[o], limit, occasion) - highest)
        taken = o
        if draw * total < passed:
            break
    return taken


@lean
def tell(utility: Utilities, limit: float, occasion: int, j: int, moments: Moments) -> None:
    """Write what is open to decider `j`, its utility and its chance, for who watches."""
    highest = _highest(utility, limit, occasion)
    total = 0.0
    for o in range(len(utility)):
        moments.open[o, j] = utility[o] > -np.inf
        moments.utility[o, j] = utility[o]
        moments.chance[o, j] = np.exp(_allowed(o, utility[o], limit, occasion) - highest)
        total += moments.chance[o, j]
    for o in range(len(utility)):
        moments.chance[o, j] /= total
