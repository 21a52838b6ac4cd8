"""The simplified model in masked NumPy: each day a Bernoulli mask over all soldiers, ties in whole arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.simple_model.declaration import Inputs, Outcome, Parameters


class Masked:
    """The simplified model in masked NumPy."""

    def __init__(self, inputs: Inputs, parameters: Parameters, days: int) -> None:
        self.inputs, self.p, self.days = inputs, parameters, days
        self.first = inputs.start[:-1]
        self.ties = np.diff(inputs.start)

    def begin(self, seed: int) -> Callable[[], Outcome]:
        """Set up one replicate."""
        year = _Year(self, seed)
        return year.live

    def rows(self, who: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return all ties of the soldiers `who`: whose they are (index into `who`), and with whom."""
        ties = self.ties[who]
        whose = np.repeat(np.arange(len(who)), ties)
        before = np.cumsum(ties) - ties
        at = np.arange(len(whose)) + np.repeat(self.first[who] - before, ties)
        return whose, self.inputs.other[at]


class _Year:
    """One replicate."""

    def __init__(self, model: Masked, seed: int) -> None:
        n, p = model.inputs.n, model.p
        self.model = model
        self.rng = np.random.default_rng(seed)
        self.serving = np.ones(n, np.bool_)
        self.gone = np.zeros(n)
        self.heard = np.zeros(n, np.int32)
        self.yes = np.full(n, p.prior_opposed)
        self.no = np.full(n, p.prior_loyal)
        self.exits, self.moments, self.confidings = np.zeros((3, model.days), np.int64)

    def live(self) -> Outcome:
        n, chance = self.model.inputs.n, self.model.p.chance
        for day in range(self.model.days):
            mask = self.rng.random(n, np.float32) < chance  # 24 bits do, at half the time of 53
            deciders = np.flatnonzero(mask & self.serving)
            self.moments[day] = len(deciders)
            self.confidings[day] = self.confide(deciders)
            leavers = deciders[self.rng.random(len(deciders)) < self.chance_to_leave(deciders, day)]
            self.exits[day] = len(leavers)
            self.serving[leavers] = False
            self.tell(leavers, day)
        yes, no = self.yes[self.serving], self.no[self.serving]
        return Outcome(self.exits, self.moments, self.confidings, float((yes / (yes + no)).mean()))

    def confide(self, deciders: NDArray[np.int64]) -> int:
        opposed = self.model.inputs.opposed
        dares = self.rng.random(len(deciders)) < self.model.p.confide
        talkers = deciders[dares & opposed[deciders]]
        whose, whom = self.model.rows(talkers)
        here = self.serving[whom]
        whose, whom = whose[here], whom[here]
        choices = np.bincount(whose, minlength=len(talkers))
        first = np.cumsum(choices) - choices
        able = choices > 0
        pick = first[able] + (self.rng.random(able.sum()) * choices[able]).astype(np.int64)
        talkers, friends = talkers[able], whom[pick]
        np.add.at(self.yes, friends, 1.0)  # two may confide in the same friend
        self.yes[talkers] += opposed[friends]
        self.no[talkers] += ~opposed[friends]
        return len(talkers)

    def chance_to_leave(self, deciders: NDArray[np.int64], day: int) -> NDArray[np.float64]:
        p = self.model.p
        gone = self.gone[deciders] * np.exp((self.heard[deciders] - day) / p.memory)
        yes, no = self.yes[deciders], self.no[deciders]
        odds = p.constant + p.belief_weight * yes / (yes + no) + p.gone_weight * gone / (p.gone_half + gone)
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))

    def tell(self, leavers: NDArray[np.int64], day: int) -> None:
        _, whom = self.model.rows(leavers)
        told = np.unique(whom)
        self.gone[told] *= np.exp((self.heard[told] - day) / self.model.p.memory)
        self.heard[told] = day
        np.add.at(self.gone, whom, 1.0)  # two may be tied to the same comrade
