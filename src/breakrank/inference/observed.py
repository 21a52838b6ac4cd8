"""The observed figures of a case: each target as a summary of a simulation, and how far off it may be.

A summary is the distance, on a scale that fits the unit, between the report that a simulation would have
given and the observed figure, which itself is at 0. The report carries the same uncertainty as the figure: a
spread, a lag, and which of conflicting sources is right are drawn for each simulation. So the density of
summaries at 0 is the likelihood, with that uncertainty integrated out.

The report behind a target is its figure, the error of it, and earlier figures of the same count. Calibration
reads targets as likelihoods, validation as forecasts; what a figure says is the same for both.
As a likelihood it may be wrong altogether besides, so that no figure alone rules a run out.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.case.ensemble import purpose
from breakrank.case.prior import normal_below, normal_quantiles
from breakrank.draws import decision, luck_key, uniform_each
from breakrank.errors import UsageError
from breakrank.inference.regression import Array, Numbers, effective
from breakrank.model import catalogue
from breakrank.results.measures import measure_of, read_by, whole_force
from breakrank.results.outcomes import check_targets

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case, Target
    from breakrank.case.models_evidence import Grade


DRAWS = 400
"""Draws of each forecast."""
RATE_SPREAD = 0.5
"""Standard deviation of the logarithm of a future rate where fewer than three intervals are known."""
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True)
class Counts:
    """A cumulative count at some days after its start.

    Attributes
    ----------
    days : since the day on which it was 0, ascending, above 0 (n,).
    values : the count on each (n,), n at least 1.
    spread : relative standard deviation of each figure (n,).
    """

    days: Array
    values: Array
    spread: Array


def constant_rate(counts: Counts, day: float) -> Array:
    """Return draws of the count on a day if it goes on at the rate so far, (400,).

    The rate is the mean one from 0 to the last figure. It is spread by how the rates between figures differ
    (from three intervals on), else by :data:`RATE_SPREAD`.
    """
    _, z = _plane()
    first = np.concatenate([[0.0], counts.days])
    steps = np.diff(np.concatenate([[0.0], counts.values])) / np.diff(first)
    mean = counts.values[-1] / counts.days[-1]
    sigma = RATE_SPREAD
    if len(steps) >= 3 and (steps > 0).all():
        sigma = float(np.std(np.log(steps), ddof=1))
    rates = mean * np.exp(sigma * z)
    return np.asarray(counts.values[-1] + rates * (day - counts.days[-1]))


def _plane() -> tuple[Array, Array]:
    """Return 400 points that fill the unit square evenly: uniform, and standard normal numbers."""
    k = np.arange(DRAWS)
    return (k + 0.5) / DRAWS, normal_quantiles(np.mod((k + 0.5) * _GOLDEN, 1.0))


SPREAD: dict[Grade, float] = {"high": 0.05, "medium": 0.15, "low": 0.35}
"""How far a figure may be off, as a share of it, by the confidence of its evidence.

Repeated official counts of one border crossing differ by a few per cent; press figures are rounded to one or
two digits (300 may stand for 260 to 340); hearsay is good to a factor of about one and a half.
"""
COUNTS = ("total", "share", "caught")
"""Kinds of measure that add up over days."""


def inside(case: Case) -> tuple[Target, ...]:
    """Return the targets that a run can miss: dated within the calendar, and not met by construction."""
    start, end = case.calendar.start, case.calendar.end
    within = (t for t in case.targets if start <= t.date <= end and (t.start or start) >= start)
    return tuple(t for t in within if t.construction is None)


def ends(target: Target) -> tuple[float, float]:
    """Return the lowest and highest figure that a target allows; infinite where it sets none."""
    if target.value is not None:
        return float(target.value), float(target.value)
    if target.range is not None:
        return float(target.range[0]), float(target.range[1])
    low = -np.inf if target.at_least is None else float(target.at_least)
    return low, np.inf if target.at_most is None else float(target.at_most)


def bound(target: Target) -> bool:
    """Return whether a target only sets a bound."""
    return target.at_most is not None or target.at_least is not None


def grade(target: Target, case: Case) -> Grade:
    """Return the confidence of a target's evidence: the best of what gives a figure, if anything does."""
    own = [case.ledger.observations[name] for name in target.evidence or ()]
    counted = [o.confidence for o in own if o.text is None] or [o.confidence for o in own]
    return min(counted, key=lambda g: SPREAD[g]) if counted else "low"


def spread(target: Target, case: Case) -> float:
    """Return the relative standard deviation of a target's figure: its own, or that of its confidence."""
    return SPREAD[grade(target, case)] if target.spread is None else float(target.spread)


def counts(case: Case, told: list[Target]) -> Counts:
    """Return figures of one count, by date, as days since nothing had been counted, values and spreads."""
    start = origin(case, told[0])
    middles = [sum(ends(t)) / 2.0 for t in told]
    return Counts(
        np.array([max(1.0, float((t.date - start).days)) for t in told]),
        np.maximum(np.array(middles), 1e-9),
        np.array([spread(t, case) for t in told]),
    )


def origin(case: Case, target: Target) -> dt.date:
    """Return the day before the first on which there could be anything to count."""
    first = target.start or case.calendar.start
    if target.measure == "registered" and "registration" in case.catalogue.fields:
        open_ = np.flatnonzero(case.daily("registration") >= 0.5)
        if open_.size:
            first = max(first, case.calendar.start + dt.timedelta(days=int(open_[0])))
    return first - dt.timedelta(days=1)


WEIGHT: dict[Grade, float] = {"high": 4.0, "medium": 2.0, "low": 1.0}
"""How much a figure weighs among those in conflict, by its confidence."""

DISCREPANCY = 0.3
"""Standard deviation of the logarithm by which the model misses a figure that is exact.

The model is not the force, and no figure binds it more closely than it has forecast the next one (model
discrepancy; theory only: Kennedy and O'Hagan 2001). One value for all cases, near the one-step errors of
hindcasts, which ``python -m benchmarks.hindcasts discrepancy`` measures. Of shares it is that of the
log-odds."""
_LEAST_SHARE = 1e-4
"""Shares nearer to 0 or 1 are all one: a logarithm of odds would tell a soldier from none."""
_TRIFLE = 1e-9
"""Logarithms below this are rounding about a count of nothing."""


def logit(share: Array) -> Array:
    """Return the logarithm of the odds of shares, of which none is nearer to 0 or 1 than 0.0001."""
    p = np.clip(share, _LEAST_SHARE, 1.0 - _LEAST_SHARE)
    return np.asarray(np.log(p / (1.0 - p)))


@dataclass(frozen=True, slots=True)
class Figure:
    """An observed figure: its ends (equal for a value), its weight, and its relative spread."""

    low: float
    high: float
    weight: float
    spread: float


@dataclass(frozen=True)
class ObservedTarget:
    """A target as a likelihood.

    Attributes
    ----------
    target : of the case.
    figures : what is said of it; more than one where sources conflict. Weights add up to 1.
    scale : ``"log"`` for counts, amounts and ratios, ``"logit"`` for shares, ``"plain"`` for yes or no.
    """

    target: Target
    figures: tuple[Figure, ...]
    scale: Literal["log", "logit", "plain"]

    @property
    def id(self) -> str:
        """Short name of the target."""
        return self.target.id

    def scaled(self, x: Array) -> Array:
        """Return figures on the scale on which they are compared."""
        x = np.asarray(x, dtype=np.float64)
        if self.scale == "log":
            return np.asarray(np.log1p(np.maximum(x, 0.0)))
        return logit(x) if self.scale == "logit" else x

    def unscaled(self, y: Array) -> Array:
        """Invert :meth:`scaled`; a trifle about 0 that a regression left becomes 0."""
        y = np.asarray(y, dtype=np.float64)
        if self.scale == "log":
            return np.asarray(np.expm1(np.where(y < _TRIFLE, 0.0, y)))
        return np.asarray(1.0 / (1.0 + np.exp(-y))) if self.scale == "logit" else y

    def softness(self, figure: Figure, discrepancy: float = 0.0) -> float:
        """Return the standard deviation of a report on the scale, to first order in the relative spread.

        The discrepancy of the model is added to the figure's own error.
        """
        if self.scale == "plain":
            return 0.0
        middle = float(np.mean([x for x in (figure.low, figure.high) if np.isfinite(x)]))
        if self.scale == "log":
            return math.hypot(figure.spread, discrepancy) * middle / (1.0 + middle)
        return math.hypot(figure.spread / (1.0 - min(middle, 0.95)), discrepancy)

    def bounds(self, figure: Figure) -> tuple[float, float]:
        """Return the ends of a figure on the scale; infinite where it sets none."""
        low = -np.inf if figure.low == -np.inf else float(self.scaled(np.array(figure.low)))
        high = np.inf if figure.high == np.inf else float(self.scaled(np.array(figure.high)))
        return low, high

    def agrees(self, x: Array) -> Array:
        """Return whether counts (n,) lie within 1.645 standard deviations (90%) of a figure."""
        y = self.scaled(x)
        found = np.zeros(np.shape(y), bool)
        for figure in self.figures:
            low, high = self.bounds(figure)
            room = 1.645 * self.softness(figure) + 1e-9
            found |= (y >= low - room) & (y <= high + room)
        return np.asarray(found)

    def counted(self, counts: Array, seed: int, what: str, numbers: Numbers) -> Array:
        """Return the counts of simulations on the scale, each of a day that the lag allows (n,).

        Parameters are those of :meth:`summary`.
        """
        key, who = luck_key(seed, f"report.{what}"), np.asarray(numbers).astype(np.uint32)
        late = uniform_each(key, int(decision(f"{self.id}.lag")), who, np.zeros(len(who), np.int64))
        behind = np.minimum((late * counts.shape[1]).astype(np.int64), counts.shape[1] - 1)
        return self.scaled(counts[np.arange(len(who)), behind])

    def summary(self, counts: Array, seed: int, what: str, numbers: Numbers) -> Array:
        """Return the summaries (n,) of simulations, the figure at 0; not a number where there is no count.

        Parameters
        ----------
        counts : what is counted on the date and on each of the days before it that the lag allows (n, lag +
        1).
        seed, what, numbers : names of the draws: seed, purpose, and the simulations' own numbers (n,).
        """
        key, who = luck_key(seed, f"report.{what}"), np.asarray(numbers).astype(np.uint32)
        pick, left, right = (
            uniform_each(key, int(decision(f"{self.id}.{k}")), who, np.zeros(len(who), np.int64))
            for k in ("source", "left", "right")
        )
        y = self.counted(counts, seed, what, numbers)
        noise = np.sqrt(-2.0 * np.log(left)) * np.cos(2.0 * np.pi * right)
        which = np.searchsorted(np.cumsum([f.weight for f in self.figures])[:-1], pick, side="right")
        soft = np.array([self.softness(f, DISCREPANCY) for f in self.figures])[which]
        ends = np.array([self.bounds(f) for f in self.figures])[which]
        reported = y + soft * noise
        return np.asarray(reported - np.clip(reported, ends[:, 0], ends[:, 1]))


@dataclass(frozen=True)
class ObservedTargets:
    """All targets of a case that a run can answer.

    Attributes
    ----------
    targets : the targets.
    start : of the calendar.
    stands_for : soldiers of the country for whom one of the force stands.
    """

    targets: tuple[ObservedTarget, ...]
    start: dt.date
    stands_for: float = 1.0

    @classmethod
    def of(cls, case: Case) -> ObservedTargets:
        """Return the targets of a case within its calendar.

        Raises
        ------
        UsageError
            if there is none, or one asks for something that is not measured.
        """
        catalogue(case.mechanisms)  # a case of another process may ask for what its mechanisms alone measure
        check_targets(case)
        start, end = case.calendar.start, case.calendar.end
        found = inside(case)
        if not found:
            raise UsageError(
                f"{case.id} has no target within its calendar ({start} to {end}), so nothing is observed\n"
                "  Write the observed figures into targets.yaml."
            )
        return cls(tuple(_observed(t, case) for t in found), start, case.stands_for)

    @property
    def ids(self) -> tuple[str, ...]:
        """Short names of the targets."""
        return tuple(target.id for target in self.targets)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of a result that answer the targets."""
        return tuple(sorted({v for target in self.targets for v in _variables(target.target)}))

    def width(self, which: int) -> int:
        """Return on how many days a target is counted: its date, and those before it that its lag allows."""
        return len(_days(self.targets[which].target, self.start))

    def counts(self, data: xr.Dataset) -> list[Array]:
        """Return counts of each target in the runs of a dataset, on its date and before it (n, lag + 1).

        Of a force drawn in part it counts the whole force, as observers did.
        """
        data = whole_force(data, self.stands_for)
        return [
            np.stack(
                [measure_of(data, target.target, day) for day in _days(target.target, self.start)], axis=1
            )
            for target in self.targets
        ]

    def summaries(self, counts: list[Array], seed: int, what: str, numbers: Numbers) -> Array:
        """Return the summaries of simulations (n, targets); see :meth:`ObservedTarget.summary`."""
        return np.stack(
            [target.summary(c, seed, what, numbers) for target, c in zip(self.targets, counts, strict=True)],
            axis=1,
        )

    def counted(self, counts: list[Array], seed: int, what: str, numbers: Numbers) -> Array:
        """Return the counts of simulations on the targets' scales (n, targets), gaps filled."""
        each = zip(self.targets, counts, strict=True)
        return fill_gaps(np.stack([target.counted(c, seed, what, numbers) for target, c in each], axis=1))[0]

    @property
    def observed(self) -> Array:
        """The summaries of the observed figures: 0 everywhere (targets,)."""
        return np.zeros(len(self.targets))

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of what is counted and what was observed."""
        content = [
            [a.target.model_dump(mode="json", exclude={"label", "about", "assumed", "evidence"}), a.scale]
            + [[f.low, f.high, f.weight, f.spread] for f in a.figures]
            for a in self.targets
        ]
        text = json.dumps(content, sort_keys=True).replace("Infinity", '"none"')
        return hashlib.sha256(text.encode()).hexdigest()


def with_targets(case: Case, targets: Iterable[Target]) -> Case:
    """Return a case with these targets only, and no draws."""
    return type(case)(replace(case.content, targets=tuple(targets)), case.catalogue)


def read_targets(case: Case, targets: Iterable[Target]) -> ObservedTargets:
    """Return targets to be read in runs of a case, in place of its own; see :meth:`ObservedTargets.of`."""
    return ObservedTargets.of(with_targets(case, targets))


def fill_gaps(s: Array) -> tuple[Array, Array]:
    """Return summaries (n, d), gaps filled with the median of the others, and the number of gaps (d,).

    A ratio has no value where nobody came: that simulation then says nothing by this target.
    """
    missing = ~np.isfinite(s)
    out = s.copy()
    for j in np.flatnonzero(missing.any(axis=0)):
        known = s[~missing[:, j], j]
        out[missing[:, j], j] = np.median(known) if known.size else 0.0
    return out, missing.sum(axis=0)


def _observed(target: Target, case: Case) -> ObservedTarget:
    observations = case.ledger.observations
    low, high = ends(target)
    figures = [Figure(low, high, WEIGHT[grade(target, case)], spread(target, case))]
    for name in target.conflicting:
        o = observations[name]
        low, high = (o.value, o.value) if o.value is not None else o.range or (0.0, 0.0)
        figures.append(Figure(float(low), float(high), WEIGHT[o.confidence], SPREAD[o.confidence]))
    total = sum(f.weight for f in figures)
    scale: Literal["log", "logit", "plain"] = "log"
    if target.unit == "share":
        scale = "logit"
    elif target.unit == "1 or 0":
        scale = "plain"
    return ObservedTarget(
        target, tuple(Figure(f.low, f.high, f.weight / total, f.spread) for f in figures), scale
    )


def _days(target: Target, first: dt.date) -> list[dt.date]:
    """Return the target's date and the days before it that the lag allows, while it counts."""
    earliest = max(first, target.start or first)
    days = [target.date - dt.timedelta(days=k) for k in range(target.lag + 1)]
    return [day for day in days if day >= earliest]


def _variables(target: Target) -> set[str]:
    """Return every variable that a target may read."""
    parts = ((), target.by or (), target.against or ())
    return {name for dims in parts for name in read_by(target.measure, dims)}


WRONG = 0.01
"""Chance that a figure is wrong altogether: misread, or of something else."""
ASTRAY = 0.5
"""Mean distance of such a figure beyond its own error, on the scale on which it is compared (Laplace)."""
LEAST = 0.02
"""Least standard deviation of a value or range, on its scale: counts are rounded."""
NOWHERE = 8.0
"""Where a run answers nothing, its count is as far off as this, on the scale."""


def log_likelihood(target: ObservedTarget, counts: Array) -> Array:
    """Return the logarithm of the likelihood of each run (n,), always finite.

    Parameters
    ----------
    target : with its figures.
    counts : of runs on its date, and on each of the days before it that the lag allows (n, lag + 1).
    """
    return np.asarray(np.log(likelihood(target, target.scaled(counts)).mean(axis=1)))


def likelihood(target: ObservedTarget, y: Array, scatter: float = 0.0, shift: Array | float = 0.0) -> Array:
    """Return the likelihood of counts on a target's scale: the density of a value, the chance of a bound.

    Parameters
    ----------
    target : with its figures.
    y : counts on the scale (n, ...); of yes or no, 1 or 0 or the chance of yes.
    scatter : standard deviation of counts about `y`, which is integrated out.
    shift : of the figures' ends; where it is not 0, a bound is a value that lies so far beyond its end.
    """
    mixed = np.zeros(np.shape(y))
    for figure in target.figures:
        mixed += figure.weight * _likelihood(target, figure, y, scatter, np.asarray(shift))
    return mixed


def _likelihood(target: ObservedTarget, figure: Figure, y: Array, scatter: float, shift: Array) -> Array:
    low, high = target.bounds(figure)
    if target.scale == "plain":
        chance = np.where(np.isfinite(y), y * (low <= 1 <= high) + (1 - y) * (low <= 0 <= high), 0.0)
        chance = np.where(shift == 0, chance, 1.0 - chance)
        return np.asarray(WRONG + (1.0 - 2.0 * WRONG) * chance)
    bounded = math.isfinite(low) and math.isfinite(high)
    soft = math.hypot(report_error(target, figure), scatter)
    y = np.where(np.isfinite(y), y, low - NOWHERE if math.isfinite(low) else high + NOWHERE)
    if low == high:
        return _density(low + shift - y, soft)
    width = high - low if bounded else 1.0
    below, above = low - y, high - y
    inside = np.maximum(normal_below(above / soft) - normal_below(below / soft), 0.0)
    near = _between(below / (soft + ASTRAY), above / (soft + ASTRAY))
    met = np.asarray(((1 - WRONG) * inside + WRONG * near) / width)
    if not shift.any():
        return met
    return np.where(shift == 0, met, _density(np.where(shift > 0, high, low) + shift - y, soft))


def _density(away: Array, soft: float) -> Array:
    """Return the density of a report that lies so far from a count."""
    right = np.exp(-0.5 * (away / soft) ** 2) / (soft * math.sqrt(2 * math.pi))
    wrong = np.exp(-np.abs(away) / (soft + ASTRAY)) / (2 * (soft + ASTRAY))
    return np.asarray((1 - WRONG) * right + WRONG * wrong)


def report_error(target: ObservedTarget, figure: Figure) -> float:
    """Return the standard deviation of a report on its target's scale, discrepancy included."""
    bounded = all(map(math.isfinite, target.bounds(figure)))
    return max(target.softness(figure, DISCREPANCY), LEAST if bounded else 1e-9)


def _between(low: Array, high: Array) -> Array:
    """Return the chance of a standard Laplace number between two others, exact far out."""
    flip = low > 0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    return np.asarray(_below(high) - _below(low))


def _below(x: Array) -> Array:
    tail = 0.5 * np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, tail, 1.0 - tail))


def normalise(logs: Array) -> Array:
    """Return weights that add up to 1, of their logarithms (n,)."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def log_mean_exp(logs: Array) -> float:
    """Return the logarithm of the mean of numbers, of their logarithms (n,)."""
    top = float(logs.max())
    return top + float(np.log(np.exp(logs - top).mean()))


def temper(logs: Array, target_ess: float) -> float:
    """Return the largest power of weights, up to 1, with an effective sample size of `target_ess` or more.

    Parameters
    ----------
    logs : logarithms of the weights (n,).
    """
    low, high = 0.0, 1.0
    if effective(normalise(logs)) >= target_ess:
        return 1.0
    for _ in range(50):
        power = (low + high) / 2
        low, high = (power, high) if effective(normalise(power * logs)) >= target_ess else (low, power)
    return low


def resample(weights: Array, number: int, start: float) -> NDArray[np.int64]:
    """Return systematically resampled positions (number,), ascending (Kitagawa 1996).

    Parameters
    ----------
    weights : of each position (n,). start : a number from (0, 1).
    """
    edges = np.cumsum(weights)
    taken = np.searchsorted(edges / edges[-1], (np.arange(number) + start) / number, side="right")
    return np.asarray(np.minimum(taken, len(weights) - 1), np.int64)


def start_of(seed: int, what: str, number: int) -> float:
    """Return where systematic resampling starts, from (0, 1)."""
    one = np.zeros(1, np.uint32)
    key = luck_key(seed, f"worlds {what}", number)
    return float(uniform_each(key, purpose("resample"), one, np.zeros(1, np.int64))[0])
