"""The choice: a multinomial logit over the open options of each decider."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import uniform_each
from breakrank.engine.codes import INVITED, JOIN, REPORT, STAY
from breakrank.kernel import kernel, lean

_EXP = np.exp(-np.arange(40.0))
_FEW = 4  # fewer than one in so many are looked up one by one, which is as fast
_OCCASIONS = 16  # more than there are: draws are named by the day and the occasion


@lean
def _add_up(
    terms: NDArray[np.float64],
    factor: NDArray[np.float64],
    available: NDArray[np.bool_],
    few: NDArray[np.int64],
    utility: NDArray[np.float64],
) -> None:
    """Write utilities option by option and term by term: long inner loops, and short ones where few may.

    `few` is room for a number for each decider.
    """
    options, n = utility.shape
    for o in range(options):
        may = 0
        for j in range(n):
            utility[o, j] = 0.0 if available[o, j] else -np.inf
            few[may] = j
            may += available[o, j]
        if may == 0:
            continue
        for k in range(terms.shape[0]):
            if factor[k, o] == 0.0:
                continue
            if _FEW * may < n:
                for m in range(may):
                    utility[o, few[m]] += factor[k, o] * terms[k, few[m]]
            else:
                for j in range(n):
                    utility[o, j] += factor[k, o] * terms[k, j]


@kernel
def choose(
    key: np.uint64,
    name: int,
    day: int,
    identity: NDArray[np.uint32],
    occasion: NDArray[np.uint8],
    terms: NDArray[np.float64],
    factor: NDArray[np.float64],
    available: NDArray[np.bool_],
    ceiling: float,
    utility: NDArray[np.float64],
    chance: NDArray[np.float64],
    choice: NDArray[np.uint8],
    count: NDArray[np.int64],
    witnessed: bool,
) -> None:
    """Write each decider's utilities and choice, and how many took each option.

    The utility of option o is the sum over terms k of ``factor[k, o] * terms[k]``; the chance of an option
    is its softmax among the open ones (McFadden 1974). Against staying alone, an act against the regime has
    a chance below `ceiling` (above 0, 1: none), however high its utility: its odds x become x / (1 + x /
    c), c being the odds of the ceiling, since the moment has to allow it. To answer a comrade, or to report
    him, it always does; and whoever is called on that day, or hunted, knows no ceiling. One uniform draw for
    each decider, occasion and day picks the option by inverse cumulation, staying first. Most
    stay, and an upper bound on all other chances settles it; chances are written where it does not, and for
    everyone when `witnessed`. The choice is the same either way.
    """
    n = identity.shape[0]
    _add_up(terms, factor, available, np.empty(n, np.int64), utility)
    draws = uniform_each(key, name, identity, day * _OCCASIONS + occasion.astype(np.int64))
    _pick(
        draws,
        occasion,
        available,
        (1.0 - ceiling) / ceiling,
        utility,
        np.empty(n),
        chance,
        choice,
        count,
        witnessed,
    )


@lean
def _above_exp(x: float) -> float:
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
def _pick(
    draws: NDArray[np.float64],
    occasion: NDArray[np.uint8],
    available: NDArray[np.bool_],
    limit: float,
    utility: NDArray[np.float64],
    best: NDArray[np.float64],
    chance: NDArray[np.float64],
    choice: NDArray[np.uint8],
    count: NDArray[np.int64],
    witnessed: bool,
) -> None:
    """Write choices, how many took each option, and chances; see :func:`choose`.

    `best` is room for a number for each decider, `limit` one over the odds of the ceiling.
    """
    options, n = utility.shape
    for j in range(n):
        best[j] = -np.inf
    for o in range(1, options):
        for j in range(n):
            best[j] = max(best[j], utility[o, j])
    for j in range(n):
        u = draws[j]
        if not witnessed and u * (1.0 + (options - 1) * _above_exp(best[j])) < 1.0:
            choice[j] = 0
            count[0] += 1
            continue
        highest = 0.0
        for o in range(options):
            bounded = o not in (STAY, REPORT, JOIN) and occasion[j] < INVITED
            chance[o, j] = below(utility[o, j], limit) if bounded else utility[o, j]
            highest = max(highest, chance[o, j])
        total = 0.0
        for o in range(options):
            chance[o, j] = np.exp(chance[o, j] - highest) if available[o, j] else 0.0
            total += chance[o, j]
        draw = u * total
        taken = 0
        passed = 0.0
        for o in range(options):
            if available[o, j]:
                passed += chance[o, j]
                taken = o
                if draw < passed:
                    break
        choice[j] = taken
        count[taken] += 1
        for o in range(options):
            chance[o, j] /= total
