"""Worlds brought to the posterior: rounds of steps, each under more of the record's weight.

What filters leave are draws of parameters of which few would carry the weight of the record. So its weight
grows from round to round (tempered sequential Monte Carlo: Neal 2001; Del Moral, Doucet and Jasra 2006).
Worlds are taken by how likely the record is in them, raised to what its weight grows by, and all take steps.
Relatives that this leaves part in the rounds that follow at its full weight. What all are worth then is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.case.luck import LuckPath
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.choose import FoundWorlds, SettledWorlds, apart, numbers_of
from breakrank.questions.condition.filter import told_on
from breakrank.questions.condition.moves import MovedWorld, Moves
from breakrank.questions.condition.weights import shares, softening, start, systematic, worth

if TYPE_CHECKING:
    from breakrank.questions.condition.lives import LivedWorlds

STEPS = 10
"""Steps of a round."""
BEGIN = 0.5
"""Weight of the record in the first round: under less, worlds soon lose the events that filters found."""
LEFT = 0.5
"""Share of the worlds that are effective where the weight grows, at least."""
REST = 3
"""Rounds at the last weight, at least."""


def settled(
    lives: LivedWorlds, found: FoundWorlds, record: TargetRecord, steps: int, worlds: int
) -> FoundWorlds:
    """Return worlds after rounds of steps, all of one weight.

    The record's weight grows to 1, as fast as a share of :data:`LEFT` of the worlds stays effective.

    Parameters
    ----------
    lives : how they are lived. record : what they are told.
    found : worlds that filters left, or that took steps before.
    steps : of each world, rounded up to whole rounds, of which there are more than :data:`REST`.
    worlds : how many are left after the first round; not more than there are.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped.
    BreakrankError
        if one could not be lived again, or what is found cannot be kept.
    """
    draws, before = found.draws, found.settled
    assert draws.luck is not None
    power, middles = max(BEGIN, found.power), []
    first, origins = (0, numbers_of(draws)) if before is None else (before.steps, before.origins)
    rounds = max(-(-steps // STEPS), REST + 1)
    for number in range(rounds):
        what = f"round {number + 1} of {rounds}, with {power:.0%} of the record's weight"
        moved = lives.moved(draws, record, what, Moves(lives.free, power, first + number * STEPS, STEPS))
        draws, counts, logs = _after(draws, moved)
        middles.append(round(float(np.median(logs)), 1))
        room, n = 1 - power if number < rounds - REST else 0.0, len(draws)
        if room > 0 or worlds < n:
            grown = softening(np.zeros(n), room * logs, LEFT * n)
            begun = start(lives.seed, "round", first + number)
            taken = systematic(shares(grown * room * logs), worlds, begun)
            power = 1.0 if room > 0 and grown == 1 else power + grown * room
            draws, counts, origins = _taken(draws, taken), counts[taken], origins[taken]
    share = float(np.mean([world.taken.mean() for world in moved.values()]))
    luck = draws.luck
    assert luck is not None
    dates = [date for date, _ in told_on(record, lives.case.calendar.start, luck.until)]
    draws = _on(draws, apart(list(luck.paths), dates, luck.until), draws.values)
    made = SettledWorlds(first + rounds * STEPS, origins, share, tuple(middles))
    effective = worth(draws.values, origins)
    return replace(found, draws=draws, counts=counts, power=power, effective=effective, settled=made)


def _after(draws: Draws, moved: dict[int, MovedWorld]) -> tuple[Draws, Array, Array]:
    """Return worlds after their steps, what they count, and how likely that is."""
    assert draws.luck is not None
    worlds = [moved[row] for row in range(len(draws))]
    paths = [world.path(path) for world, path in zip(worlds, draws.luck.paths, strict=True)]
    after = _on(draws, paths, np.stack([w.values for w in worlds]))
    return after, np.stack([w.counts for w in worlds]), np.array([w.logs[-1] for w in worlds])


def _taken(draws: Draws, which: NDArray[np.int64]) -> Draws:
    assert draws.luck is not None
    return _on(draws, [draws.luck.paths[k] for k in which], draws.values[which])


def _on(draws: Draws, paths: Sequence[LuckPath], values: Array) -> Draws:
    """Return other rows of draws, on these paths of the same luck."""
    assert draws.luck is not None
    return replace(draws, values=values, luck=replace(draws.luck, paths=tuple(paths)))
