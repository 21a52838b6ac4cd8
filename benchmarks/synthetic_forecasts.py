"""What a forecast of a world of known truth says of it, and how well."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from breakrank.case import Case
from breakrank.case.models_targets import Target
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.condition.weights import FEW, shares, softening, systematic
from breakrank.questions.validate.figures import naive
from breakrank.results.scores import covered, crps

WORLDS = 100
"""Worlds of one weight that the interval of a reader is made of."""
LEVELS = (0.5, 0.9)


@dataclass(frozen=True)
class ForecastOfTruth:
    """A forecast as of a day, and the truth.

    Attributes
    ----------
    case : with its force. day : last that is known.
    logs : logarithm of the evidence of each draw over its density (draws,).
    ahead : what is counted later in worlds of each draw (draws, forks, asked).
    asked : what is counted, in the same order. truth : what it is (asked,).
    known : what the record said by then.
    prior : what is counted in lives of the prior (lives, asked).
    """

    case: Case
    day: dt.date
    logs: Array
    ahead: Array
    asked: tuple[Target, ...]
    truth: Array
    known: tuple[Target, ...]
    prior: Array

    @cached_property
    def power(self) -> float:
        """To which weights are raised, as those of ``breakrank worlds`` are."""
        return softening(np.zeros(len(self.logs)), self.logs, min(FEW, len(self.logs) / 2))

    @cached_property
    def weights(self) -> Array:
        """Weights of draws (draws,)."""
        return shares(self.power * self.logs)

    def judged(self, luck: np.random.Generator) -> dict[str, Any]:
        """Return ranks of the truth, whether intervals hold it, scores, and what they could hold."""
        counts, each = self.ahead.reshape(-1, len(self.asked)), self._each(self.weights)
        worlds = counts[systematic(each, WORLDS, float(luck.random()))]
        ranks = _ranks(counts, each, self.truth, luck)
        flat = np.full(len(self.prior), 1.0 / len(self.prior))
        before = _ranks(self.prior, flat, self.truth, luck)
        figures = []
        for k, target in enumerate(self.asked):
            x, truth = worlds[:, k], float(self.truth[k])
            scores = {"worlds": crps(x, truth)}
            others = naive(self.case, target, self.known, self.day).draws
            scores |= {name: crps(draws, truth) for name, draws in others.items()}
            held = {f"in{100 * level:.0f}": covered(x, truth, truth, level) for level in LEVELS}
            figures.append({"measure": target.measure, "date": str(target.date), "truth": truth})
            figures[-1] |= {"rank": float(ranks[k]), "in_prior": float(before[k]), **held, "crps": scores}
        return {
            "as_of": str(self.day),
            "power": self.power,
            "effective": effective(self.weights),
            "sharp": effective(shares(self.logs)),
            "figures": figures,
            "could": self._could(luck),
            "joint": self._joint(counts, each, luck),
        }

    def _each(self, weights: Array) -> Array:
        """Return the weights of all worlds, of those of their draws."""
        forks = self.ahead.shape[1]
        return np.repeat(weights / forks, forks)

    def _could(self, luck: np.random.Generator) -> list[float]:
        """Return how often intervals would hold a truth that is a draw like the others, by level.

        Each draw is left out in turn and taken for the truth: so many draws cannot hold more.
        """
        counts = self.ahead.reshape(-1, len(self.asked))
        held = np.zeros(len(LEVELS))
        for k, weight in enumerate(self.weights):
            if weight > 1 - 1e-9:
                continue
            rest = self.weights.copy()
            rest[k] = 0.0
            for truth in self.ahead[k]:
                away = np.abs(_ranks(counts, self._each(rest / rest.sum()), truth, luck) - 0.5)
                held += weight * np.array([(away <= level / 2).mean() for level in LEVELS])
        return (held / self.ahead.shape[1]).tolist()

    def _joint(self, counts: Array, each: Array, luck: np.random.Generator) -> float:
        """Return the weight of what lies nearer to a life of the prior than the truth does (TARP)."""
        prior = np.log1p(self.prior)
        point, spread = prior[luck.integers(len(prior))], prior.std(0)
        away = np.linalg.norm((np.log1p(counts) - point) / spread, axis=1)
        mine = float(np.linalg.norm((np.log1p(self.truth) - point) / spread))
        return float(each @ (away < mine) + luck.random() * (each @ (away == mine)))


def _ranks(counts: Array, each: Array, truth: Array, luck: np.random.Generator) -> Array:
    """Return the weight of worlds below a truth (asked,); where counts are the same, chance places it."""
    return np.asarray(each @ (counts < truth) + luck.random(len(truth)) * (each @ (counts == truth)))
