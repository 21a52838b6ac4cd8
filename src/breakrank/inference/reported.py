"""The report behind a target: its figure, the error of it, and earlier figures of the same count.

Calibration reads targets as likelihoods, validation as forecasts; what a figure says is the same for both.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.prior import normal_quantiles

if TYPE_CHECKING:
    from breakrank.case import Case, Target
    from breakrank.case.models_evidence import Grade

Array = NDArray[np.float64]

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
