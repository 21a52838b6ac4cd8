"""Which outcomes are explained: numbers a run ends with, at the dates of which the record speaks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.dates import DateLike
from breakrank.errors import UsageError
from breakrank.outputs import YES_OR_NO, asked_part
from breakrank.results.measures import Values, check_question, find, measure, read_by
from breakrank.results.outcome_names import called

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.runs.store import Store

USUAL = ("left_abroad", "registered", "quiet_desertion", "risings", "regime_holds", "serving")
"""The measures that are explained unless others are asked for; the first decides what is told first."""
AT_WAR = ("went_over", "surrendered_in_field")
"""Those explained besides in a case whose mechanisms count them."""

SHARES = ("share", YES_OR_NO)
"""Units that are taken as they are; of counts, which are skewed, the logarithm of one more is taken."""


@dataclass(frozen=True, slots=True)
class ExplainedOutcome:
    """One outcome that is explained.

    Attributes
    ----------
    measure, label, unit : what is read off each run.
    date : the day it is read at dusk; ``None`` is the last.
    """

    measure: str
    label: str
    unit: str
    date: dt.date | None = None

    @property
    def when(self) -> str:
        """The day in words: of a level on it, of a count by it."""
        level = find(self.measure).kind == "level"
        if self.date is None:
            return "at the end" if level else "by the end"
        return f"{'on' if level else 'by'} {self.date}"

    @property
    def counted(self) -> bool:
        """Whether it is a count, an amount or a ratio, so that its logarithm is what is compared."""
        return self.unit not in SHARES

    def read(self, data: xr.Dataset) -> Values:
        """Return it for each run, float64 (run,)."""
        return measure(data, self.measure, self.date)

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values on the scale on which effects are sized: log(1 + x) of counts, else as they are.

        Counts of leaving run over several powers of ten between the corners of a prior. The variance of the
        counts themselves is that of the few highest runs.
        """
        return np.log1p(np.maximum(values, 0)) if self.counted else values

    def as_json(self) -> dict[str, object]:
        """Return what is asked, ready for JSON."""
        date = None if self.date is None else str(self.date)
        return {"measure": self.measure, "label": self.label, "unit": self.unit, "date": date}


def outcomes_of(
    case: Case, measures: Sequence[str] | None = None, date: DateLike | None = None
) -> tuple[ExplainedOutcome, ...]:
    """Return the outcomes to explain.

    Parameters
    ----------
    measures : by default those of :data:`USUAL`, and of :data:`AT_WAR` those that the case counts.
    date : the day at which all are read. By default each is read on the last day for which the case has a
        target of it for the whole force, counted from the first day; else on the last day.

    Raises
    ------
    UsageError
        for a measure that there is not or that compares two spans, or a day outside the calendar.
    """
    day = _day(case, date)
    out = []
    usual = (*USUAL, *(name for name in AT_WAR if name in case.catalogue.measures))
    for name in dict.fromkeys(measures or usual):
        check_question(name, None, case, last=day is None)
        about = find(name)
        if about.kind == "ratio":
            raise UsageError(f"{name} compares the time before and after a date; name a count or a level")
        out.append(
            ExplainedOutcome(name, called(name), about.unit, day if date is not None else _latest(case, name))
        )
    return tuple(out)


def _day(case: Case, date: DateLike | None) -> dt.date | None:
    if date is None:
        return None
    exact = case.calendar.within(date)
    return None if exact == case.calendar.end else exact


def _latest(case: Case, name: str) -> dt.date | None:
    """Return the last date of a target of the same variable and part, with no first day of its own."""
    mine, part, found = find(name), asked_part(name)[1], []
    for target in case.targets:
        about = find(target.measure)
        whole = _same_part(target.by or {}, part) and target.start is None
        same = about.sources[""] == mine.sources[""] and about.kind in ("total", "share", "level")
        if whole and same and target.date < case.calendar.end:
            found.append(target.date)
    return max(found, default=None)


def _same_part(one: Mapping[str, str | Sequence[str]], two: Mapping[str, tuple[str, ...]]) -> bool:
    labels = {dim: {one[dim]} if isinstance(one[dim], str) else set(one[dim]) for dim in one}
    return labels == {dim: set(two[dim]) for dim in two}


def read_all(
    store: Store, case: Case, seed: int, runs: int, asked: Sequence[ExplainedOutcome], code: str | None = None
) -> NDArray[np.float64]:
    """Return all outcomes of the first `runs` of an ensemble, (outcome, run); nan where one is missing."""
    out = np.full((len(asked), runs), np.nan)
    if store.stored(case, seed, code).finished(range(runs)):
        only = {variable for one in asked for variable in read_by(one.measure)}
        data = store.result(case, seed, runs, only=only, code=code).whole.data
        for row, one in zip(out, asked, strict=True):
            row[data["run"].values] = one.read(data)
    return out
