"""What a target of a case reports: its figure, how far off it may be, and what the record counted before.

Calibration reads targets as likelihoods, validation as forecasts; what a figure says is the same for both.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.calibrate.baselines import Counts
from breakrank.results.measures import find

if TYPE_CHECKING:
    from breakrank.case import Case, Target
    from breakrank.case.models_evidence import Grade

SPREAD: dict[Grade, float] = {"high": 0.05, "medium": 0.15, "low": 0.35}
"""How far a figure may be off, as a share of it, by the confidence of its evidence.

Repeated official counts of one border crossing differ by a few per cent; press figures are rounded to one or
two digits (300 may stand for 260 to 340); hearsay is good to a factor of about one and a half.
"""
COUNTS = ("total", "share", "caught")
"""Kinds of measure that add up over days."""


def inside(case: Case) -> tuple[Target, ...]:
    """Return the targets that a run can answer: those whose date and start lie within the calendar."""
    start, end = case.calendar.start, case.calendar.end
    return tuple(t for t in case.targets if start <= t.date <= end and (t.start or start) >= start)


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


def alike(target: Target, among: Iterable[Target]) -> list[Target]:
    """Return the figures of what a target counts, by date; bounds and figures set against a part are none."""
    return sorted((t for t in among if _same(t, target)), key=lambda t: t.date)


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


def cumulative(target: Target) -> bool:
    """Return whether a target is a figure of a count that adds up over days."""
    return find(target.measure).kind in COUNTS and not bound(target) and target.against is None


def _same(one: Target, target: Target) -> bool:
    counted = one.measure == target.measure and (one.by or {}) == (target.by or {})
    return counted and not bound(one) and one.against is None
