"""What holds back those who are opposed: the terms on their scales at moments of decision.

Every mechanism writes named terms into the utility of leaving. Here they are averaged over the moments of all
soldiers who were privately opposed at the end and still served: what spoke for going, what against, how much,
in log-odds against staying.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank import model
from breakrank.engine.codes import DESERT, LEAVE, OPTIONS, SERVING
from breakrank.engine.witness import Witness
from breakrank.results.json_files import json_ready
from breakrank.results.paired import student

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.mechanism import Term
    from breakrank.engine.moments import Moments
    from breakrank.engine.run import Run

WEIGHED = (LEAVE, DESERT)
"""The options whose terms are averaged: setting out alone, and deserting quietly."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over runs with its 95% interval (t); nan for one run."""

    value: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Sequence[float] | NDArray[np.float64]) -> Mean:
        """Return the mean of one number per run; those that are not finite are left out."""
        kept = np.asarray(values, float)
        kept = kept[np.isfinite(kept)]
        if not kept.size:
            return cls(np.nan, np.nan, np.nan, 0)
        mean = float(kept.mean())
        if kept.size < 2:
            return cls(mean, np.nan, np.nan, 1)
        half = student(kept.size - 1) * float(kept.std(ddof=1)) / kept.size**0.5
        return cls(mean, mean - half, mean + half, int(kept.size))

    def as_json(self) -> dict[str, object]:
        """Return it ready for JSON."""
        told = {"mean": self.value, "interval95": (self.low, self.high), "runs": self.runs}
        return json_ready(told)


@dataclass(frozen=True, slots=True)
class TermWeight:
    """One term on the scales of those opposed who stayed.

    Attributes
    ----------
    term, about : its name and what it says.
    option : code of the option for or against which it speaks.
    value : mean over their moments, in log-odds against staying.
    heaviest : share of them against whose going no other term spoke as much, of those terms that are not
        the same for all.
    base : it is the base rate of the act and no motive.
    """

    term: str
    about: str
    option: int
    value: Mean
    heaviest: Mean
    base: bool = False

    @property
    def mechanism(self) -> str:
        """The mechanism that writes it."""
        return self.term.partition(".")[0]


@dataclass(frozen=True, eq=False)
class Scales:
    """Who was opposed, who stayed, and what was on their scales, over runs.

    Attributes
    ----------
    served : share of all soldiers who served to the end.
    opposed : share of those who were privately opposed then.
    considered : share of the opposed who, at a moment of decision, could have gone.
    moments : such moments for each of those.
    chance : of going in any way at such a moment, mean.
    weights : by option, the terms, the heaviest against going first.
    """

    served: Mean
    opposed: Mean
    considered: Mean
    moments: Mean
    chance: Mean
    weights: tuple[TermWeight, ...]

    def against(self, option: int = LEAVE) -> tuple[TermWeight, ...]:
        """Return the motives that speak against an option, the heaviest first."""
        found = [w for w in self.weights if w.option == option and not w.base and w.value.value < 0]
        return tuple(sorted(found, key=lambda w: w.value.value))

    def favour(self, option: int = LEAVE) -> tuple[TermWeight, ...]:
        """Return the motives that speak for an option, the heaviest first."""
        found = [w for w in self.weights if w.option == option and not w.base and w.value.value > 0]
        return tuple(sorted(found, key=lambda w: -w.value.value))


class SummedWeighing(Witness):
    """Adds up, for every soldier, what each term said at moments at which going was open to him.

    Parameters
    ----------
    soldiers : strength of the force.
    factor : of each term for each option, float64 (term, option).
    """

    def __init__(self, soldiers: int, factor: NDArray[np.float64]) -> None:
        super().__init__(())
        self._factor = factor
        self._sums = {o: np.zeros((len(factor), soldiers), np.float32) for o in WEIGHED}
        self._counts = {o: np.zeros(soldiers, np.int64) for o in WEIGHED}
        self._any = np.zeros(soldiers, np.int64)
        self._going = np.zeros(soldiers)

    def see(self, run: Run, moments: Moments) -> None:  # noqa: ARG002
        """Add today's moments; a soldier has at most one in each round of decisions."""
        going = moments.open[list(WEIGHED)].any(0)
        who = moments.who[going]
        self._any[who] += 1
        self._going[who] += 1 - moments.chance[0, going]
        for option in WEIGHED:
            may = moments.open[option]
            who = moments.who[may]
            self._counts[option][who] += 1
            self._sums[option][:, who] += moments.terms[:, may] * self._factor[:, option, None]

    def told(self) -> Told:
        """Return what those say who served to the end though opposed."""
        serving = self.fate == SERVING
        opposed = serving & (self.margin > 0)
        able = opposed & (self._any > 0)
        moments = int(self._any[able].sum())
        means, heaviest = {}, {}
        for option in WEIGHED:
            may = opposed & (self._counts[option] > 0)
            count = int(self._counts[option][may].sum())
            sums = self._sums[option][:, may]
            means[option] = sums.sum(1, dtype=np.float64) / count if count else np.full(len(sums), np.nan)
            heaviest[option] = _heaviest(sums, self._counts[option][may])
        return Told(
            float(serving.mean()),
            float(opposed.sum() / max(serving.sum(), 1)),
            float(able.sum() / opposed.sum()) if opposed.any() else np.nan,
            moments / able.sum() if able.any() else np.nan,
            float(self._going[able].sum() / moments) if moments else np.nan,
            means,
            heaviest,
        )


def _heaviest(sums: NDArray[np.float32], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of soldiers against whose going each term spoke most, float64 (term,).

    Terms that are the same for all are left out; nan where there is nobody or no other term.
    """
    if not len(counts):
        return np.full(len(sums), np.nan)
    means = sums / counts
    apart = np.ptp(means, axis=1) > 1e-3
    if not apart.any():
        return np.full(len(sums), np.nan)
    shares = np.zeros(len(sums))
    lowest = means[apart].argmin(0)
    shares[apart] = np.bincount(lowest[means[apart].min(0) < 0], minlength=int(apart.sum())) / len(counts)
    return shares


@dataclass(frozen=True, slots=True)
class Told:
    """What one run says; see :class:`Scales`. Terms by option, float64 (term,)."""

    served: float
    opposed: float
    considered: float
    moments: float
    chance: float
    means: dict[int, NDArray[np.float64]]
    heaviest: dict[int, NDArray[np.float64]]


def weigh(case: Case, seed: int, run: int) -> tuple[Told, tuple[Term, ...]]:
    """Make one run with all its moments watched, and return what those say who stayed though opposed."""
    made = model.model_of(case, seed, run)
    weighing = SummedWeighing(made.world.force.n, made.days.factor)
    made.witnessed(seed, run, weighing)
    return weighing.told(), tuple(made.days.terms)


def scales(told: Sequence[Told], terms: Sequence[Term]) -> Scales:
    """Return the means over runs; terms that never say anything are left out."""
    weights = []
    for option in WEIGHED:
        means = np.stack([t.means[option] for t in told])
        most = np.stack([t.heaviest[option] for t in told])
        for k, term in enumerate(terms):
            if np.any(np.nan_to_num(means[:, k])):
                value, heavy = Mean.of(means[:, k]), Mean.of(most[:, k])
                weights.append(TermWeight(term.name, term.about, option, value, heavy, term.base))
    fields = ("served", "opposed", "considered", "moments", "chance")
    totals = {name: Mean.of([getattr(t, name) for t in told]) for name in fields}
    return Scales(**totals, weights=tuple(sorted(weights, key=lambda w: (w.option, w.value.value))))


OPTION_CALLED = {LEAVE: "leaving the country", DESERT: "deserting quietly"}
"""What the weighed options are called in sentences."""

assert all(OPTIONS[o] for o in OPTION_CALLED)
