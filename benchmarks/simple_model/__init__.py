"""One simplified model, declared in ``benchmarks/README.md``: what its engines share, and masked NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

YEAR = 365.25
"""Days to which the rate of moments refers."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The numbers of the simplified model.

    Attributes
    ----------
    rate : moments of decision of a soldier, per year of 365.25 days.
    confide : probability that an opposed soldier confides at a moment.
    prior_opposed, prior_loyal : counts of the Beta belief with which everyone begins.
    constant : log-odds of leaving at a moment, before belief and comrades.
    belief_weight : log-odds for a believed share of comrades opposed of 1.
    gone_weight : log-odds when very many comrades have gone lately.
    gone_half : comrades gone at which half of that is reached.
    memory : days in which a comrade gone fades to 37%.
    """

    rate: float = 2.3
    confide: float = 0.15
    prior_opposed: float = 1.2
    prior_loyal: float = 4.8
    constant: float = -4.5
    belief_weight: float = 1.0
    gone_weight: float = 2.0
    gone_half: float = 1.0
    memory: float = 60.0

    @property
    def chance(self) -> float:
        """Return the probability of a moment on one day."""
        return float(-np.expm1(-self.rate / YEAR))


class Inputs(NamedTuple):
    """Who is tied to whom and who is opposed: the same arrays for every implementation.

    Attributes
    ----------
    start, other : the ties as a compressed sparse row table: those of soldier i are
        ``other[start[i]:start[i + 1]]``, ascending, each tie twice;
        int64 (soldiers + 1,), int32 (2 x ties,).
    opposed : bool (soldiers,), privately opposed, for good.
    """

    start: NDArray[np.int64]
    other: NDArray[np.int32]
    opposed: NDArray[np.bool_]


class Outcome(NamedTuple):
    """What one replicate brought.

    Attributes
    ----------
    exits, moments, confidings : int64 (days,), daily counts.
    belief : mean believed share of comrades opposed among those who serve after the last day.
    """

    exits: NDArray[np.int64]
    moments: NDArray[np.int64]
    confidings: NDArray[np.int64]
    belief: float

    def measures(self) -> dict[str, float]:
        """Return the numbers on which implementations have to agree, by name."""
        half = len(self.exits) // 2
        return {
            "moments": float(self.moments.sum()),
            "confidings": float(self.confidings.sum()),
            "exits": float(self.exits.sum()),
            "exits, second half": float(self.exits[half:].sum()),
            "belief at the end": self.belief,
        }


Begin = Callable[[int], Callable[[], Outcome]]
"""Sets up the replicate of a seed, and returns the function that lives its days, to be called once."""
NAMES = {
    "engine": "Breakrank's engine",
    "masked": "NumPy, masked",
    "mesa": "Mesa 3, `do`",
}
"""The implementations by key, as tables call them; the first is what the others are compared with."""


def implementation(key: str, inputs: Inputs, parameters: Parameters, days: int) -> Begin:
    """Return an implementation, prepared for its inputs; only its own libraries are imported."""
    if key == "masked":
        return masked(inputs, parameters, days)
    if key == "engine":
        from benchmarks.simple_model.on_engine import on_engine

        return on_engine(inputs, parameters, days)
    from benchmarks.simple_model.on_mesa import on_mesa

    return on_mesa(inputs, parameters, days)


def make_inputs(soldiers: int, seed: int, mean_ties: float = 6.0, opposed: float = 0.8) -> Inputs:
    """Draw ties and dispositions.

    Parameters
    ----------
    mean_ties : ties of a soldier on average: ``soldiers * mean_ties / 2`` distinct pairs, every set of
        that many pairs as likely as any other.
    opposed : probability that a soldier is privately opposed.
    """
    rng = np.random.default_rng(seed)
    pairs = rng.choice(soldiers * (soldiers - 1) // 2, round(soldiers * mean_ties / 2), replace=False)
    # pairs in the order (1, 0), (2, 0), (2, 1), ...
    high = ((1 + np.sqrt(1 + 8 * pairs)) / 2).astype(np.int64)
    low = pairs - high * (high - 1) // 2
    who, whom = np.concatenate((low, high)), np.concatenate((high, low))
    order = np.lexsort((whom, who))
    start = np.searchsorted(who[order], np.arange(soldiers + 1)).astype(np.int64)
    return Inputs(start, whom[order].astype(np.int32), rng.random(soldiers) < opposed)


def masked(inputs: Inputs, p: Parameters, days: int) -> Begin:
    """Return the model in masked NumPy: each day a Bernoulli mask over all soldiers, ties in whole arrays."""
    opposed, n = inputs.opposed, len(inputs.opposed)

    def rows(who: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return all ties of the soldiers `who`: whose they are (index into `who`), and with whom."""
        ties = inputs.start[who + 1] - inputs.start[who]
        whose = np.repeat(np.arange(len(who)), ties)
        before = np.cumsum(ties) - ties
        return whose, inputs.other[np.arange(len(whose)) + np.repeat(inputs.start[who] - before, ties)]

    def live(seed: int) -> Outcome:
        rng = np.random.default_rng(seed)
        serving = np.ones(n, np.bool_)
        gone, heard = np.zeros(n), np.zeros(n, np.int32)
        yes, no = np.full(n, p.prior_opposed), np.full(n, p.prior_loyal)
        exits, moments, confidings = np.zeros((3, days), np.int64)

        def confide(deciders: NDArray[np.int64]) -> int:
            talkers = deciders[(rng.random(len(deciders)) < p.confide) & opposed[deciders]]
            whose, whom = rows(talkers)
            whose, whom = whose[serving[whom]], whom[serving[whom]]
            choices = np.bincount(whose, minlength=len(talkers))
            first = np.cumsum(choices) - choices
            able = choices > 0
            pick = first[able] + (rng.random(able.sum()) * choices[able]).astype(np.int64)
            talkers, friends = talkers[able], whom[pick]
            np.add.at(yes, friends, 1.0)  # two may confide in the same friend
            yes[talkers] += opposed[friends]
            no[talkers] += ~opposed[friends]
            return len(talkers)

        for day in range(days):
            mask = rng.random(n, np.float32) < p.chance  # 24 bits do, at half the time of 53
            deciders = np.flatnonzero(mask & serving)
            moments[day] = len(deciders)
            confidings[day] = confide(deciders)
            lately = gone[deciders] * np.exp((heard[deciders] - day) / p.memory)
            odds = p.constant + p.belief_weight * yes[deciders] / (yes[deciders] + no[deciders])
            odds += p.gone_weight * lately / (p.gone_half + lately)
            leavers = deciders[rng.random(len(deciders)) < 1.0 / (1.0 + np.exp(-odds))]
            exits[day] = len(leavers)
            serving[leavers] = False
            _, whom = rows(leavers)
            told = np.unique(whom)
            gone[told] *= np.exp((heard[told] - day) / p.memory)
            heard[told] = day
            np.add.at(gone, whom, 1.0)  # two may be tied to the same comrade
        belief = (yes[serving] / (yes[serving] + no[serving])).mean()
        return Outcome(exits, moments, confidings, float(belief))

    return lambda seed: lambda: live(seed)
