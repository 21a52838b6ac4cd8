"""Parameters and luck that agree with a record.

Lives of the prior teach where the record points, and lives from there teach it again: regression-adjusted
ABC gives draws of parameters. Each gets a particle filter over luck. Its evidence, over the density that the
draws have beside the prior, weighs them: so what ABC blurs is made good (importance sampling with an
estimated likelihood: Tran and others 2013). The density is that of a normal fit along the directions of
which the record speaks. Where few draws would carry the weight, weights are softened until enough do (a power
of the likelihood: Miller and Dunson 2019), and the power is told. From there worlds can take steps in
parameters and luck, under the whole record.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws, LuckPath
from breakrank.case.worlds import numbers_of
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.methods import Weighted, abc
from breakrank.questions.calibrate.proposal import ParameterProposal, importance
from breakrank.questions.calibrate.record import TargetRecord, filled
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.choose import FoundWorlds, SettledWorlds, ToldFigure, apart, chosen
from breakrank.questions.condition.filter import ALIVE, ROOM, told_on
from breakrank.questions.condition.lives import LivedWorlds, MovedWorld, Moves, key_of
from breakrank.questions.condition.weights import Strides, density, shares, start, systematic, worth

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


LIVES = 6
"""Lives of the prior for each world that are learned from, and then of each proposal that they point to."""
LEAST = 120
"""Lives of each kind, at least."""
LOOKS = 3
"""How often it is learned where the record points."""
FILTERED = 1.5
"""Draws that are filtered for each world, at most."""
TWICE = 0.95
"""Correlation over lives above which two figures of one date count the same thing."""
MANY = 20
"""Lives that it takes to say so."""


class Search:
    """A search for worlds.

    Parameters
    ----------
    lives : how worlds are lived.
    record : all that they are told of.
    given : last day of which they are told.
    worlds : how many there are. steps : that each takes from what filters leave.
    """

    def __init__(
        self, lives: LivedWorlds, record: TargetRecord, given: dt.date, worlds: int, steps: int
    ) -> None:
        self._lives, self._record, self._given, self._n = lives, record, given, worlds
        self._steps = steps
        self._first = lives.case.calendar.start
        self._each = max(LEAST, LIVES * worlds)
        self._used = 0

    @property
    def lived(self) -> int:
        """How many lives are learned from."""
        return self._each * LOOKS

    def done(self) -> FoundWorlds:
        """Return the worlds."""
        figures, axes, posterior = self._learn()
        seed, most = self._lives.seed, int(FILTERED * self._n)
        if len(posterior.z) > most:
            which = systematic(posterior.weights, most, start(seed, "filtered", 0))
            posterior = Weighted(posterior.z[which], np.full(most, 1.0 / most))
        record = once(self._record, figures)
        draws = self._lives.draws(posterior.z, self._fresh(len(posterior.z)), self._first)
        what = (
            f"{len(draws)} draws filtered until {self._given}, step {LOOKS + 1} of {LOOKS + 1}, the longest"
        )
        found = self._lives.filtered(draws, self._given, record, what, ALIVE)
        drawn, prior = np.log(posterior.weights), density(posterior, axes)
        dates = [date for date, _ in told_on(record, self._first, self._given)]
        left = chosen(draws, found, dates, self._given, self._n, figures, drawn, prior)
        return settled(self._lives, left, record, self._steps, self._n) if self._steps else left

    def _learn(self) -> tuple[tuple[ToldFigure, ...], Array, Weighted]:
        """Return what each figure tells lives of the prior; and directions, and draws that they teach."""
        lives, seed = self._lives, self._lives.seed
        z, counts = self._lived(lives.free.drawn(seed, "worlds 0", np.arange(self._each)))
        figures = self._told(counts)
        rounds = np.zeros(len(z))
        proposals: list[ParameterProposal] = []
        while True:
            s, _ = filled(self._record.summaries(counts, seed, "worlds", np.arange(len(z))))
            learned = abc(z, s, importance(z, rounds, proposals))
            posterior = learned.posterior(self._record.observed)
            if len(proposals) + 1 == LOOKS:
                return figures, learned.axes, posterior
            proposals.append(ParameterProposal.around(posterior, learned.axes))
            more, fresh = self._lived(
                proposals[-1].drawn(lives.free, seed, f"worlds {self._used}", self._each)
            )
            z, rounds = np.concatenate([z, more]), np.append(rounds, np.full(len(more), len(proposals)))
            counts = [np.concatenate([a, b]) for a, b in zip(counts, fresh, strict=True)]

    def _lived(self, z: Array) -> tuple[Array, list[Array]]:
        """Return those of some draws that could be lived, and what each target counts in them."""
        what = "lives nearer to the record" if self._used else "lives of the prior"
        step = f"step {self._used // self._each + 1} of {LOOKS + 1}"
        draws = self._lives.draws(z, self._fresh(len(z)), self._given)
        counts = self._lives.counts(draws, self._record, f"{what} until {self._given}, {step}")
        lived = ~np.all([np.isnan(c).all(axis=1) for c in counts], axis=0)
        return z[lived], [c[lived] for c in counts]

    def _fresh(self, number: int) -> list[LuckPath]:
        """Return luck that nobody has had."""
        self._used += number
        return [LuckPath(k) for k in range(self._used - number, self._used)]

    def _told(self, counts: list[Array]) -> tuple[ToldFigure, ...]:
        """Return what each figure tells, in the order in which they are told."""
        out: list[ToldFigure] = []
        aims = self._record.aims
        for date, here in told_on(self._record, self._first, self._given):
            fresh: list[int] = []
            for k in here:
                twice = next((j for j in fresh if self._again(j, k, counts)), None)
                if twice is None:
                    fresh.append(k)
                alone = shares(log_likelihood(aims[k], counts[k], ROOM))
                with np.errstate(divide="ignore", invalid="ignore"):
                    bits = np.where(alone > 0, alone * np.log2(alone * len(alone)), 0.0).sum()
                before = float(aims[k].agrees(counts[k][:, 0]).mean())
                again = "" if twice is None else aims[twice].id
                out.append(ToldFigure(aims[k].id, date, before, max(0.0, float(bits)), again))
        return tuple(out)

    def _again(self, earlier: int, later: int, counts: list[Array]) -> bool:
        """Return whether a figure counts again what another of the same date has counted."""
        one, other = self._record.aims[earlier], self._record.aims[later]
        return one.target.date == other.target.date and _alike(
            one.scaled(counts[earlier][:, 0]), other.scaled(counts[later][:, 0])
        )


def once(record: TargetRecord, figures: tuple[ToldFigure, ...]) -> TargetRecord:
    """Return a record without figures that count again what others count."""
    twice = {figure.id for figure in figures if figure.twice}
    return replace(record, aims=tuple(aim for aim in record.aims if aim.id not in twice))


def _alike(one: Array, other: Array) -> bool:
    """Return whether two counts rise and fall together, in lives that count either."""
    told = np.isfinite(one) & np.isfinite(other) & (one != 0) & (other != 0)
    one, other = one[told], other[told]
    if len(one) < MANY or np.ptp(one) == 0 or np.ptp(other) == 0:
        return False
    return bool(np.corrcoef(one, other)[0, 1] > TWICE)
