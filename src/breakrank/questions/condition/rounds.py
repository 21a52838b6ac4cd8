"""Worlds brought to the posterior: rounds of steps from what filters left.

Filters leave draws of parameters that each came to the record in its own way, and few of them would carry
its weight. So as many draws as there are go on, one world of each. Each takes steps of its own under the
whole record, until what it started from is forgotten. Nothing is chosen among them on the way: so worlds stay
independent of each other. How far they have come is seen from how likely the record is in them, round by
round.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.case.worlds import numbers_of
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.choose import FoundWorlds, SettledWorlds, apart
from breakrank.questions.condition.filter import told_on
from breakrank.questions.condition.moves import MovedWorld, Moves, key_of
from breakrank.questions.condition.strides import Strides
from breakrank.questions.condition.weights import worth

if TYPE_CHECKING:
    from breakrank.questions.condition.lives import LivedWorlds

STEPS = 10
"""Steps of a round."""


def settled(
    lives: LivedWorlds, found: FoundWorlds, record: TargetRecord, steps: int, worlds: int
) -> FoundWorlds:
    """Return worlds after rounds of steps, all of one weight.

    Parameters
    ----------
    lives : how they are lived. record : what they are told.
    found : worlds that filters left, or that took steps before.
    steps : of each world, rounded up to whole rounds.
    worlds : how many go on, at most.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped.
    BreakrankError
        if one could not be lived again, or what is found cannot be kept.
    """
    before, middles = found.settled, []
    first, origins = (0, numbers_of(found.draws)) if before is None else (before.steps, before.origins)
    chosen = _spread(origins, worlds)
    draws, origins = _taken(found.draws, chosen), origins[chosen]
    rounds = -(-steps // STEPS)
    strides = Strides.unknown(len(draws.names))
    for number in range(rounds):
        moves = Moves(lives.free, first + number * STEPS, STEPS, strides)
        moved = lives.moved(draws, record, f"round {number + 1} of {rounds}", moves)
        strides = _learned(draws, moves, moved)
        draws, counts, logs = _after(draws, moved)
        middles.append(round(float(np.median(logs)), 1))
    share = float(np.mean([world.taken.mean() for world in moved.values()]))
    luck = draws.luck
    assert luck is not None
    dates = [date for date, _ in told_on(record, lives.case.calendar.start, luck.until)]
    draws = replace(draws, luck=replace(luck, paths=apart(list(luck.paths), dates, luck.until)))
    made = SettledWorlds(first + rounds * STEPS, origins, share, tuple(middles))
    effective = worth(draws.values, origins)
    return replace(found, draws=draws, counts=counts, power=1.0, effective=effective, settled=made)


def _spread(origins: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return which worlds go on, ascending: the first of each draw, then the second of each, and so on."""
    order = np.argsort(origins, kind="stable")
    _, begins, sizes = np.unique(origins[order], return_index=True, return_counts=True)
    earlier = np.empty(len(origins), np.int64)
    earlier[order] = np.arange(len(origins)) - np.repeat(begins, sizes)
    return np.sort(np.argsort(earlier, kind="stable")[:number])


def _learned(draws: Draws, moves: Moves, moved: dict[int, MovedWorld]) -> Strides:
    """Return what is known of strides after a round, of its steps that changed parameters."""
    assert draws.luck is not None
    changed = np.concatenate([moves.changed(key_of(draws.luck, row)) for row in range(len(draws))])
    taken = np.concatenate([moved[row].taken for row in range(len(draws))])
    told = changed.any(axis=1)
    return moves.strides.after(changed[told], taken[told])


def _after(draws: Draws, moved: dict[int, MovedWorld]) -> tuple[Draws, Array, Array]:
    """Return worlds after their steps, what they count, and how likely that is."""
    assert draws.luck is not None
    worlds = [moved[row] for row in range(len(draws))]
    paths = tuple(world.path(path) for world, path in zip(worlds, draws.luck.paths, strict=True))
    values = np.stack([w.values for w in worlds])
    after = replace(draws, values=values, luck=replace(draws.luck, paths=paths))
    return after, np.stack([w.counts for w in worlds]), np.array([w.logs[-1] for w in worlds])


def _taken(draws: Draws, which: NDArray[np.int64]) -> Draws:
    assert draws.luck is not None
    luck = replace(draws.luck, paths=tuple(draws.luck.paths[k] for k in which))
    return replace(draws, values=draws.values[which], luck=luck)
