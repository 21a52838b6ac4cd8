"""Mechanisms taken out: each alone, with the same luck.

Every mechanism of the catalogue has a switch, and all are treated alike. A world without decisions or without
routes is no policy; it says how much of the result goes through them.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.dates import DateLike
from breakrank.case.models_events import Changes
from breakrank.errors import UsageError
from breakrank.outputs import YES_OR_NO, asked_part
from breakrank.results.json_files import json_ready
from breakrank.results.measures import Values, check_question, find, measure, read_by
from breakrank.results.outcome_names import called
from breakrank.results.paired import half_width
from breakrank.runs.scenario import Scenario

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.runs.store import Store

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
    measures : by default the primary outcomes.
    date : the day at which all are read. By default each is read on the last day for which the case has a
        target of it for the whole force, counted from the first day; else on the last day.

    Raises
    ------
    UsageError
        for a measure that there is not or that compares two spans, or a day outside the calendar.
    """
    day = _day(case, date)
    out = []
    for name in dict.fromkeys(measures or case.catalogue.primary):
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
    store: Store, case: Case, seed: int, runs: int, asked: Sequence[ExplainedOutcome]
) -> NDArray[np.float64]:
    """Return all outcomes of the first `runs` of an ensemble, (outcome, run); nan where one is missing."""
    out = np.full((len(asked), runs), np.nan)
    if store.stored(case, seed).finished(range(runs)):
        only = {variable for one in asked for variable in read_by(one.measure)}
        data = store.result(case, seed, runs, only=only).whole.data
        for row, one in zip(out, asked, strict=True):
            row[data["run"].values] = one.read(data)
    return out


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


def without_events(case: Case) -> Scenario:
    """Return a case without any of its dated events, as a scenario."""
    changes = Changes(id="without-events", title="No dated event", without=tuple(e.id for e in case.events))
    return Scenario(case, "without dated events", asked=(changes,))


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
