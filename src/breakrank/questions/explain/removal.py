"""Mechanisms taken out: each alone, with the same luck.

Every mechanism of the catalogue has a switch, and all are treated alike. A world without decisions or without
ways out is no policy; it says how much of the result goes through them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.explain.outcomes import ExplainedOutcome
from breakrank.results.json_files import json_ready
from breakrank.results.paired import half_width
from breakrank.runs.scenario import Scenario

if TYPE_CHECKING:
    from breakrank.case import Case

Numbers = NDArray[np.float64]

HARDLY = 0.01
"""A mechanism without which no more than this share of a count is left is one that it takes."""


@dataclass(frozen=True, slots=True)
class PairedEffect:
    """A mean of differences between runs that share their luck, with 90 and 95% intervals.

    Attributes
    ----------
    outcome : the measure.
    without : the mechanisms taken out.
    before, after : means over the runs as the case has it, and without them.
    mean : mean difference, in the unit of the measure.
    low, high : its 95% interval; ``low90``, ``high90`` that of 90%. Paired t, over draws of parameters where
        there are any, as runs that share a draw are not independent.
    same_sign : share of runs whose difference has the sign of the mean.
    size : mean difference on the scale of :meth:`ExplainedOutcome.scaled`, over the standard deviation
        between runs (Cohen 1988, pooled); 0 if nothing differs, infinite if nothing else does.
    runs : number of pairs.
    """

    outcome: str
    without: tuple[str, ...]
    before: float
    after: float
    mean: float
    low: float
    high: float
    low90: float
    high90: float
    same_sign: float
    size: float
    runs: int

    @property
    def told(self) -> bool:
        """Whether it can be told from zero: its 95% interval leaves zero out."""
        return self.low > 0 or self.high < 0

    @property
    def vital(self) -> bool:
        """Whether hardly anything is left of a count without it, and less in every run."""
        return self.told and 0 <= self.after <= HARDLY * self.before and self.same_sign == 1

    def as_json(self) -> dict[str, object]:
        """Return it ready for JSON; what is no finite number is ``None``."""
        fields = ("outcome", "without", "before", "after", "mean", "same_sign", "size")
        told: dict[str, object] = {name: getattr(self, name) for name in fields}
        told |= {"interval95": (self.low, self.high), "interval90": (self.low90, self.high90)}
        return json_ready(told | {"told_from_zero": self.told, "runs": self.runs})


def effect(
    asked: ExplainedOutcome,
    without: tuple[str, ...],
    before: Numbers,
    after: Numbers,
    draw: NDArray[np.int64],
) -> PairedEffect:
    """Return what taking mechanisms out does to one outcome.

    Parameters
    ----------
    before, after : the outcome by run, float64 (run,), in the same order; a pair that lacks one is left out.
    draw : which draw of parameters each run had, int64 (run,).
    """
    kept = np.isfinite(before) & np.isfinite(after)
    before, after, draw = before[kept], after[kept], draw[kept]
    apart = after - before
    n = len(apart)
    if not n:
        return PairedEffect(asked.measure, without, *(math.nan,) * 9, 0)
    mean = float(apart.mean())
    half95, half90 = half_width(apart, draw, 0.95), half_width(apart, draw, 0.90)
    sign = float((np.sign(apart) == np.sign(mean)).mean())
    return PairedEffect(
        asked.measure,
        without,
        float(before.mean()),
        float(after.mean()),
        mean,
        mean - half95,
        mean + half95,
        mean - half90,
        mean + half90,
        sign,
        _size(asked.scaled(before), asked.scaled(after)),
        n,
    )


def _size(before: Numbers, after: Numbers) -> float:
    difference = float(after.mean() - before.mean())
    if difference == 0 or len(before) < 2:
        return 0.0 if difference == 0 else math.nan
    spread = math.sqrt((before.var(ddof=1) + after.var(ddof=1)) / 2)
    return difference / spread if spread > 0 else math.copysign(math.inf, difference)


CAP = 5.0
"""Standard deviations beyond which an effect counts no more when mechanisms are ranked: one outcome that
vanishes altogether should not decide alone."""

OFF = 0.5
"""A switch below this is off."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One mechanism that is on in the case: its name, and what switching it off takes away."""

    mechanism: str
    about: str


@dataclass(frozen=True, eq=False)
class Removal:
    """What taking out each mechanism does.

    Attributes
    ----------
    asked : the outcomes.
    switches : the mechanisms taken out, those that weigh most first (see :func:`weight`).
    single : effects by mechanism, one for each outcome in their order.
    """

    asked: tuple[ExplainedOutcome, ...]
    switches: tuple[Switch, ...]
    single: Mapping[str, tuple[PairedEffect, ...]]

    def effects(self, outcome: str) -> tuple[PairedEffect, ...]:
        """Return the effects on one outcome, the largest difference first."""
        at = [a.measure for a in self.asked].index(outcome)
        found = [self.single[s.mechanism][at] for s in self.switches]
        return tuple(sorted(found, key=lambda e: -np.nan_to_num(abs(e.mean))))

    def about(self, mechanism: str) -> str:
        """Return what switching a mechanism off takes away."""
        return next(s.about for s in self.switches if s.mechanism == mechanism)


def switches(case: Case) -> tuple[Switch, ...]:
    """Return the mechanisms that are on in a case, in the order of the day."""
    return tuple(
        Switch(name.removesuffix(".on"), declared.about)
        for name, declared in case.catalogue.parameters.items()
        if declared.unit == "switch" and name.endswith(".on") and case.value(name) >= OFF
    )


def without(case: Case, mechanism: str) -> Scenario:
    """Return a case without one of its mechanisms, as a scenario."""
    return Scenario(case, f"without {mechanism}", values={f"{mechanism}.on": 0.0})


def weight(effects: Sequence[PairedEffect]) -> float:
    """Return how much a mechanism weighs: its mean effect over the outcomes, each capped at :data:`CAP`."""
    sizes = [0.0 if np.isnan(e.size) else min(abs(e.size), CAP) for e in effects]
    return float(np.mean(sizes)) if sizes else 0.0


def ranked(
    asked: Sequence[ExplainedOutcome],
    found: Sequence[Switch],
    plain: NDArray[np.float64],
    off: Mapping[str, NDArray[np.float64]],
    draw: NDArray[np.int64],
) -> Removal:
    """Return the effects of each mechanism, those that weigh most first.

    Parameters
    ----------
    plain : outcomes as the case has it, float64 (outcome, run). ``off`` the same without each mechanism.
    draw : which draw of parameters each run had, int64 (run,).
    """
    single = {
        s.mechanism: tuple(
            effect(a, (s.mechanism,), plain[k], off[s.mechanism][k], draw) for k, a in enumerate(asked)
        )
        for s in found
    }
    order = sorted(found, key=lambda s: -weight(single[s.mechanism]))
    return Removal(tuple(asked), tuple(order), single)
