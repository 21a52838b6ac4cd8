"""Figures of the record before and after a day, and what a naive forecaster could make of those before it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.errors import UsageError
from breakrank.questions.calibrate import reported
from breakrank.questions.calibrate.reported import (
    COUNTS,
    Array,
    alike,
    counts,
    cumulative,
    ends,
    inside,
    origin,
)
from breakrank.results.measures import find
from breakrank.results.outcomes import is_known, known_from

if TYPE_CHECKING:
    from breakrank.case import Case, Target


def yes_or_no(target: Target) -> bool:
    """Return whether a run answers with yes or no; of uprisings: whether there is any."""
    return target.unit == "1 or 0" or target.measure == "uprisings"


def split(case: Case, until: dt.date) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """Return the targets within the calendar that were published by a day, and those of later days."""
    targets = inside(case)
    return tuple(t for t in targets if is_known(t, case, until)), tuple(t for t in targets if t.date > until)


def first_of_a_series(case: Case) -> dt.date:
    """Return the day on which a figure was first published of a count that has a figure of a later day.

    Raises
    ------
    UsageError
        if there is none.
    """
    series: dict[object, list[Target]] = {}
    for t in inside(case):
        if cumulative(t) and t.start is None:
            series.setdefault(_what(t), []).append(t)
    firsts = []
    for figures in series.values():
        last = max(t.date for t in figures)
        firsts += [day for t in figures if (day := known_from(t, case)) is not None and day < last]
    if not firsts:
        raise UsageError(
            f"the record of {case.id} has no count with a figure published before the date of another, so no "
            "day can split it\n"
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
    before = alike(target, known)
    if yes_or_no(target):
        return Naive({}, _chances(case, target, before, until))
    if not before or target.against is not None:
        return Naive({}, {})
    if find(target.measure).kind not in COUNTS:
        return Naive({"last value": reported.last_value(counts(case, before[-1:]))}, {})
    told = counts(case, before)
    day = float((target.date - origin(case, before[0])).days)
    if target.start is not None and target.start > until:
        since = day - float((target.date - target.start).days + 1)
        return Naive({"constant rate": reported.constant_rate(told, day, since)}, {})
    return Naive(
        {
            "last value": reported.last_value(told),
            "constant rate": reported.constant_rate(told, day),
            "saturating curve": reported.saturating_curve(told, day),
        },
        {},
    )


def _chances(case: Case, target: Target, before: list[Target], until: dt.date) -> dict[str, float]:
    """Return chances of a yes: as it was last; and at the rate so far, half an event added (Jeffreys)."""
    ahead = (target.date - max(until, target.start or until)).days + (target.start is not None)
    days = (until - case.calendar.start).days + 1
    if target.measure == "uprisings":
        if not before:
            return {}
        had = sum(ends(t)[0] for t in before)
        # the last stretch as long as the one asked about is the nearest figure there is
        return {"last value": float(ends(before[-1])[0] > 0)} | {
            "constant rate": float(-np.expm1(-(had + 0.5) / days * ahead))
        }
    if target.measure == "regime_holds":
        return {"last value": 1.0, "constant rate": float(np.exp(-0.5 / days * ahead))}
    return {"last value": ends(before[-1])[0]} if before else {}


def _what(target: Target) -> object:
    return target.measure, tuple(sorted((k, tuple(v)) for k, v in (target.by or {}).items()))
