"""Figures of the record before and after a day, and what a naive forecaster could make of those before it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.errors import UsageError
from breakrank.results.measures import MONTH, find
from breakrank.study.validation import baselines
from breakrank.study.validation.baselines import Array, Counts

if TYPE_CHECKING:
    from breakrank.case import Case, Target

SPREAD = {"high": 0.05, "medium": 0.15, "low": 0.35}
"""How far a figure may be off, as a share of it, by the confidence of its evidence."""
COUNTS = ("total", "share", "caught")
"""Kinds of measure that add up over days."""


def known_on(target: Target) -> dt.date:
    """Return the day on which all that a figure speaks of has happened."""
    return target.date + dt.timedelta(days=MONTH) if find(target.measure).kind == "ratio" else target.date


def yes_or_no(target: Target) -> bool:
    """Return whether a run answers with yes or no; of risings: whether there is any."""
    return target.unit == "1 or 0" or target.measure == "risings"


def bound(target: Target) -> bool:
    """Return whether the record only sets a bound."""
    return target.at_most is not None or target.at_least is not None


def record(target: Target) -> tuple[float, float]:
    """Return the lowest and highest figure that the record allows; infinite where it sets none."""
    if target.value is not None:
        return float(target.value), float(target.value)
    if target.range is not None:
        return float(target.range[0]), float(target.range[1])
    low = -np.inf if target.at_least is None else float(target.at_least)
    return low, np.inf if target.at_most is None else float(target.at_most)


def split(case: Case, until: dt.date) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """Return the targets within the calendar that were known on a day, and those that came later."""
    start, end = case.calendar.start, case.calendar.end
    inside = [t for t in case.targets if start <= t.date <= end]
    known = tuple(t for t in inside if known_on(t) <= until)
    return known, tuple(t for t in inside if t.date > until)


def first_of_a_series(case: Case) -> dt.date:
    """Return the date of the first figure of a count that the record goes on to count.

    Raises
    ------
    UsageError
        if no count is told twice.
    """
    told: dict[object, list[dt.date]] = {}
    for t in case.targets:
        if find(t.measure).kind in COUNTS and not bound(t) and t.start is None and t.against is None:
            told.setdefault(_what(t), []).append(t.date)
    firsts = [min(dates) for dates in told.values() if len(set(dates)) > 1]
    if not firsts:
        raise UsageError(
            f"the record of {case.id} counts nothing twice, so no day splits it\n"
            "  Name one with --known-until (known_until in Python), or leave the case out of the hold-out."
        )
    return min(firsts)


@dataclass(frozen=True)
class Naive:
    """The naive forecasts of one figure: draws by name, or chances where the answer is yes or no."""

    draws: dict[str, Array]
    chances: dict[str, float]


def naive(case: Case, target: Target, known: tuple[Target, ...], until: dt.date) -> Naive:
    """Return what the baselines say of a later figure, from the earlier ones of the same thing."""
    alike = [t for t in known if t.measure == target.measure and (t.by or {}) == (target.by or {})]
    alike = sorted((t for t in alike if not bound(t) and t.against is None), key=lambda t: t.date)
    if yes_or_no(target):
        return Naive({}, _chances(case, target, alike, until))
    if not alike or target.against is not None:
        return Naive({}, {})
    if find(target.measure).kind not in COUNTS:
        return Naive({"last value": baselines.last_value(_counts(case, alike[-1:]))}, {})
    counts = _counts(case, alike)
    day = float((target.date - _origin(case, alike[0])).days)
    if target.start is not None and target.start > until:
        since = day - float((target.date - target.start).days + 1)
        return Naive({"constant rate": baselines.constant_rate(counts, day, since)}, {})
    return Naive(
        {
            "last value": baselines.last_value(counts),
            "constant rate": baselines.constant_rate(counts, day),
            "saturating curve": baselines.saturating_curve(counts, day),
        },
        {},
    )


def _chances(case: Case, target: Target, alike: list[Target], until: dt.date) -> dict[str, float]:
    """Return chances of a yes: as it was last; and at the rate so far, half an event added (Jeffreys)."""
    ahead = (target.date - max(until, target.start or until)).days + (target.start is not None)
    days = (until - case.calendar.start).days + 1
    if target.measure == "risings":
        if not alike:
            return {}
        had = sum(record(t)[0] for t in alike)
        # the last stretch as long as the one asked about is the nearest figure there is
        return {"last value": float(record(alike[-1])[0] > 0)} | {
            "constant rate": float(-np.expm1(-(had + 0.5) / days * ahead))
        }
    if target.measure == "regime_holds":
        return {"last value": 1.0, "constant rate": float(np.exp(-0.5 / days * ahead))}
    return {"last value": record(alike[-1])[0]} if alike else {}


def _what(target: Target) -> object:
    return target.measure, tuple(sorted((k, tuple(v)) for k, v in (target.by or {}).items()))


def _origin(case: Case, target: Target) -> dt.date:
    """Return the day before the first on which there could be anything to count."""
    first = target.start or case.calendar.start
    if target.measure == "registered" and "registration" in case.catalogue.fields:
        open_ = np.flatnonzero(case.daily("registration") >= 0.5)
        if open_.size:
            first = max(first, case.calendar.start + dt.timedelta(days=int(open_[0])))
    return first - dt.timedelta(days=1)


def _counts(case: Case, alike: list[Target]) -> Counts:
    origin = _origin(case, alike[0])
    days, values, spread = [], [], []
    for t in alike:
        low, high = record(t)
        days.append(max(1.0, float((t.date - origin).days)))
        values.append(max((low + high) / 2.0, 1e-9))
        spread.append(_spread(case, t))
    return Counts(np.array(days), np.array(values), np.array(spread))


def _spread(case: Case, target: Target) -> float:
    if target.spread is not None:
        return float(target.spread)
    observed = [case.ledger.observations[name] for name in target.evidence or ()]
    grades = [o.confidence for o in observed if o.text is None] or [o.confidence for o in observed]
    return min((SPREAD[g] for g in grades), default=SPREAD["low"])
