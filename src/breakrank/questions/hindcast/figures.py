"""Figures of a record before and after a day, the days themselves, and what of a count was known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from breakrank.inference.reported import COUNTS, bound, ends, inside
from breakrank.results.measures import find
from breakrank.results.outcomes import is_known, known_from

if TYPE_CHECKING:
    from breakrank.case import Case, Target

Kind = Literal["figure", "yes or no", "bound"]


def kind_of(target: Target) -> Kind:
    """Return how forecasts of a target are scored: a figure by CRPS, the others by the Brier score.

    Of uprisings it is asked whether there is any.
    """
    if target.unit == "1 or 0" or target.measure == "uprisings":
        return "yes or no"
    return "bound" if bound(target) else "figure"


def split(case: Case, until: dt.date) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """Return the targets within the calendar that were published by a day, and those of later days."""
    targets = inside(case)
    return tuple(t for t in targets if is_known(t, case, until)), tuple(t for t in targets if t.date > until)


def as_of_dates(case: Case) -> tuple[dt.date, ...]:
    """Return the days on which a figure was published and after which there is a later one, ascending."""
    targets = inside(case)
    last = max((t.date for t in targets), default=case.calendar.start)
    published = {known_from(t, case) for t in targets}
    return tuple(sorted(day for day in published if day is not None and case.calendar.start <= day < last))


def middle_of_dates(target: Target) -> Target:
    """Return a target dated in the middle of the days that it may be of."""
    return target.model_copy(update={"date": target.date - dt.timedelta(days=target.lag // 2), "lag": 0})


@dataclass(frozen=True)
class CountSoFar:
    """What is known of a count that only grows.

    Attributes
    ----------
    figures : known ones, by date, each in the middle of the days that it may be of; at least one.
    last : the last of them as the record has it.
    whole : whether the question counts from the same day on; else it counts only what comes after them all.
    """

    figures: tuple[Target, ...]
    last: Target
    whole: bool


def adds_up(question: Target) -> bool:
    """Return whether a question is about a count that only grows."""
    return (
        find(question.measure).kind in COUNTS
        and question.against is None
        and kind_of(question) != "yes or no"
    )


def count_so_far(question: Target, known: Collection[Target]) -> CountSoFar | None:
    """Return the known figures of a question's count, ``None`` without a figure to continue from."""
    if not adds_up(question):
        return None
    counted = [t for t in known if _same_count(t, question) and not bound(t)]
    same = sorted((t for t in counted if t.start == question.start), key=lambda t: t.date)
    if same:
        return CountSoFar(tuple(map(middle_of_dates, same)), same[-1], whole=True)
    rest = sorted((t for t in counted if t.start is None), key=lambda t: t.date)
    if rest and question.start is not None and question.start > rest[-1].date:
        return CountSoFar(tuple(map(middle_of_dates, rest)), rest[-1], whole=False)
    return None


def least_known(question: Target, known: Collection[Target]) -> float:
    """Return the lower bound of a growing count, by known figures and bounds; 0 for other questions."""
    if not adds_up(question):
        return 0.0
    same = [t for t in known if _same_count(t, question) and t.start == question.start]
    return max((low for t in same if np.isfinite(low := ends(t)[0])), default=0.0)


def _same_count(one: Target, other: Target) -> bool:
    return one.measure == other.measure and (one.by or {}) == (other.by or {}) and one.against is None
