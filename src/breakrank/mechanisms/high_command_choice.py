"""What a holder of a high position weighs, and what he does: stay loyal, hedge, promise, or change sides.

One number, the pull, says how far things speak for leaving the regime's side: guarantees as far as they
are believed, sanctions, how many others seem not to be loyal, and the challenger's credibility, less
the perks of the position and fear. Hedging takes half of it and costs little; a promise takes all of
it; an open change of sides takes as much again as its price is high. Going back costs one's word, step
by step. The chances are a multinomial logit (McFadden 1974), and one draw settles it with loyalty
first: whoever hedges under some luck would not be more loyal under the same luck with more pull.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, normal, uniform
from breakrank.engine.records import RunRecords
from breakrank.kernel import kernel, lean, straight
from breakrank.mechanisms.regime_change import threshold_of
from breakrank.table import Table

LOYAL, HEDGING, PLEDGED, DEFECTED = range(4)
STANCES = ("loyal", "hedging", "pledged", "defected")
TERMS = ("rents", "guarantees", "sanctions", "others", "credibility", "fear", "asked")
"""The named parts of the pull, in utility units."""

_NOBODY = int(NOBODY)


class Command(Table):
    """The high command of one replicate, by position; empty where the case has none or it is switched off.

    Position: ``holder`` int32 position in the force (-1 vacant), ``stance`` uint8 (0 loyal, 1 hedging,
    2 pledged, 3 defected), ``weight`` float64 share of the force's obedience, ``branch`` int16 and
    ``region`` int16 (-1 none), ``capital`` bool, ``contact`` bool, ``rents`` float64, ``named`` bool (in
    sanctions today), ``pledged_to`` int32 founder's position in the force (-1: to the challenger's side).
    Others: ``tier`` float64 (rank,) and ``perks`` float64 (rank,); ``offer`` float64 (2,) today's
    guarantees and sanctions; ``credit`` and ``watch`` float64 (1,) today's credibility and surveillance;
    ``numbers`` float64, the parameters in the order of ``high_command_parameters.NUMBERS``.
    """

    holder: NDArray[np.int32]
    stance: NDArray[np.uint8]
    weight: NDArray[np.float64]
    branch: NDArray[np.int16]
    region: NDArray[np.int16]
    capital: NDArray[np.bool_]
    contact: NDArray[np.bool_]
    rents: NDArray[np.float64]
    named: NDArray[np.bool_]
    pledged_to: NDArray[np.int32]
    tier: NDArray[np.float64]
    perks: NDArray[np.float64]
    offer: NDArray[np.float64]
    credit: NDArray[np.float64]
    watch: NDArray[np.float64]
    numbers: NDArray[np.float64]


@lean
def share_not_loyal(c: Command, but: int) -> float:
    """Return which share of the weight is not loyal, 0 to 1, of all but one position (-1: of all)."""
    whole = away = 0.0
    for q in range(c.weight.shape[0]):
        if q != but:
            whole += c.weight[q]
            away += c.weight[q] if c.stance[q] != LOYAL else 0.0
    return away / whole if whole > 0.0 else 0.0


@lean
def seen_by(c: Command, key: np.uint64, name: int, identity: int, day: int, q: int) -> float:
    """Return which share of the others' weight seems not to be loyal to the holder of position q, 0 to 1."""
    error = c.numbers[10] * normal(key, name, identity, _NOBODY, day)
    return min(max(share_not_loyal(c, q) + error, 0.0), 1.0)


@lean
def terms_of(c: Command, rank: int, seen: float, asked: bool, q: int, terms: NDArray[np.float64]) -> None:
    """Write the parts of the pull on the holder of position q, of a rank, into `terms` (:data:`TERMS`)."""
    terms[0] = -c.numbers[13] * (c.rents[q] + c.perks[rank])
    terms[1] = c.numbers[0] * c.offer[0] * c.credit[0]
    terms[2] = c.numbers[1] * c.offer[1] if c.named[q] else 0.0
    terms[3] = c.numbers[2] * seen
    terms[4] = c.numbers[3] * c.credit[0]
    terms[5] = -c.numbers[4] * c.watch[0] * c.tier[rank]
    terms[6] = c.numbers[9] if asked else 0.0


@lean
def utilities_of(
    c: Command, q: int, asked: bool, terms: NDArray[np.float64], utility: NDArray[np.float64]
) -> None:
    """Write the utility of each stance for position q, -inf where it cannot be taken.

    Only who has dealings with the challenger's side, is asked or has promised already can promise.
    """
    pull = 0.0
    for k in range(len(TERMS) - 1):
        pull += terms[k]
    now = c.stance[q]
    utility[0] = -c.numbers[8] * now
    utility[1] = c.numbers[12] * pull - c.numbers[5] - c.numbers[8] * max(now - 1, 0)
    utility[2] = -np.inf
    if c.contact[q] or asked or now == PLEDGED:
        utility[2] = pull + terms[6] - c.numbers[6]
    utility[3] = pull - c.numbers[7]


@kernel
def pick(utility: NDArray[np.float64], draw: float) -> int:
    """Return the stance that a draw from (0, 1) picks from the logit of the utilities, loyalty first."""
    best = utility.max()
    total = 0.0
    for k in range(DEFECTED + 1):
        total += math.exp(utility[k] - best)
    passed = 0.0
    for k in range(DEFECTED):
        passed += math.exp(utility[k] - best)
        if draw * total < passed:
            return k
    return DEFECTED


@straight
@kernel
def decide(
    c: Command,
    records: RunRecords,
    key: np.uint64,
    name: int,
    sight: int,
    day: int,
    asker: int,
    who: NDArray[np.int64],
    chosen: NDArray[np.uint8],
) -> None:
    """Write what the holders of positions `who` choose today, all on what they see of the stances so far.

    Draws are keyed by holder, who asks (`asker`, a position in the force, -1 nobody) and day.
    """
    terms, utility = np.empty(len(TERMS)), np.empty(DEFECTED + 1)
    for j in range(who.shape[0]):
        q = who[j]
        i = c.holder[q]
        identity = records.identity[i]
        seen = seen_by(c, key, sight, identity, day, q)
        terms_of(c, records.rank[i], seen, asker >= 0, q, terms)
        utilities_of(c, q, asker >= 0, terms, utility)
        whom = records.identity[asker] if asker >= 0 else _NOBODY
        chosen[j] = pick(utility, uniform(key, name, identity, whom, day))


@lean
def threshold_at(c: Command, rank: int, q: int) -> float:
    """Return p*, the chance of success from which the holder of position q moves with others, 0 to 1.

    He loses perks and is punished if it fails, however closely he is watched. He gains what he is offered, as
    far as he believes it.
    """
    loss = c.numbers[13] * (c.rents[q] + c.perks[rank]) + c.numbers[11]
    gain = c.credit[0] * (c.numbers[3] + c.numbers[0] * c.offer[0])
    gain += c.numbers[1] * c.offer[1] if c.named[q] else 0.0
    return threshold_of(loss, gain)
