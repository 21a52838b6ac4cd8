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
from breakrank.questions.condition.choose import FoundWorlds, SettledWorlds, apart
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


def settled(lives: LivedWorlds, found: FoundWorlds, record: TargetRecord, steps: int) -> FoundWorlds:
    """Return worlds after rounds of steps, all of one weight.

    The record's weight grows to 1, as fast as a share of :data:`LEFT` of the worlds stays effective.

    Parameters
    ----------
    lives : how they are lived. found : worlds that filters left. record : what they are told.
    steps : of each world, rounded up to whole rounds, of which there are more than :data:`REST`.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped.
    BreakrankError
        if one could not be lived again, or what is found cannot be kept.
    """
    draws, n = found.draws, len(found.draws)
    assert draws.luck is not None
    _, families = np.unique(draws.values, axis=0, return_inverse=True)
    rounds = max(-(-steps // STEPS), REST + 1)
    power, middles = BEGIN, []
    for number in range(rounds):
        what = f"round {number + 1} of {rounds}, with {power:.0%} of the record's weight"
        moved = lives.moved(draws, record, what, Moves(lives.free, power, number * STEPS, STEPS))
        draws, counts, logs = _after(draws, moved)
        middles.append(round(float(np.median(logs)), 1))
        if power < 1 and number < rounds - REST:
            more, begun = (1 - power) * logs, start(lives.seed, "round", number)
            grown = softening(np.zeros(n), more, LEFT * n)
            taken = systematic(shares(grown * more), n, begun)
            power = 1.0 if grown == 1 else power + grown * (1 - power)
            draws, counts, families = _taken(draws, taken), counts[taken], families[taken]
    share = float(np.mean([world.taken.mean() for world in moved.values()]))
    luck = draws.luck
    assert luck is not None
    dates = [date for date, _ in told_on(record, lives.case.calendar.start, luck.until)]
    draws = _on(draws, apart(list(luck.paths), dates, luck.until), draws.values)
    made = SettledWorlds(rounds * STEPS, share, len(set(families.tolist())), tuple(middles))
    effective = worth(draws.values, families)
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
