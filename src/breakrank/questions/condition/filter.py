"""Luck that agrees with a record, for one row of parameters: a particle filter over paths of luck.

So many paths live to the next figure. Each weighs by how likely the figure is in it, paths are taken by
their weights, and all go on with luck of their own (Gordon, Salmond and Smith 1993). The product of the mean
weights is how likely the record is under the parameters, luck integrated out, without bias (Del Moral 2004).
A path goes on from a snapshot, so that a day is lived once for each.

The model is not the force: no figure is met more closely than :data:`ROOM` times its own error (model
discrepancy: Kennedy and O'Hagan 2001).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from breakrank.case.luck import Luck, LuckPath
from breakrank.draws import luck_key
from breakrank.engine.observe import Observer
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.model import build, model_of
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.condition.weights import mean_of, shares, start, systematic
from breakrank.results.collect import Collector
from breakrank.results.measures import known_on
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.force import Force

PATHS = 32
"""Paths of luck that live for each row."""
FEW_PATHS = 8
"""Paths that live for each world that goes on: it has luck that agrees with what came before."""
ROOM = 1.75
"""Standard deviations of a figure are taken so many times as wide."""
TOGETHER = dt.timedelta(days=14)
"""Figures of such a time are told on its last day."""
DAYS = 100_000
"""More than any calendar has; keeps numbers of luck apart."""

Series = Mapping[str, NDArray[Any]]


class PathLives(Protocol):
    """Paths of one row that are lived on from date to date."""

    def on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """Yield what paths count that go on until a day from these, ascending, each with its luck number.

        Nothing is asked of them after the `last` time.
        """


Begin = Callable[["Case", int, int], PathLives]
"""Begins the lives of a run's row up to the last day of its path of luck."""


@dataclass(frozen=True)
class FilteredDraw:
    """What came of the filter under one row of parameters.

    Attributes
    ----------
    evidence : by date, the logarithm of how likely its figures are (dates,).
    effective : by date, how many paths carried the weight (dates,).
    taken : of each path that is left, its number at each date (paths, dates).
    alone : of each figure, in the order told, over paths before it was told: the share that agrees, the mean
        of its likelihood, and of that times its logarithm (figures, 3).
    counts : what each path that is left counts by all figures, told now or before (paths, counts).
    """

    evidence: Array
    effective: Array
    taken: NDArray[np.int64]
    alone: Array
    counts: Array

    @classmethod
    def of(cls, series: Series) -> FilteredDraw:
        """Return what :attr:`series` told of."""
        return cls(*(series[field.name] for field in fields(cls)))

    @property
    def series(self) -> dict[str, NDArray[Any]]:
        """All of it, by name."""
        return dict(vars(self))

    def paths(self, base: LuckPath, after: dt.date, dates: list[dt.date]) -> list[LuckPath]:
        """Return the paths that are left."""
        found = []
        for numbers in self.taken:
            path, day = base, after
            for date, number in zip(dates, numbers.tolist(), strict=True):
                path = path.branched(day + dt.timedelta(days=1), number)
                day = date
            found.append(path)
        return found


def told_on(record: TargetRecord, after: dt.date, end: dt.date) -> list[tuple[dt.date, list[int]]]:
    """Return days after one with the figures that are told on them: those of two weeks together."""
    known = sorted((min(known_on(aim.target), end), k) for k, aim in enumerate(record.aims))
    known = [one for one in known if one[0] > after]
    out = []
    while known:
        first = known[0][0]
        here = [(day, k) for day, k in known if day <= first + TOGETHER]
        known = known[len(here) :]
        out.append((here[-1][0], [k for _, k in here]))
    return out


def filtered(case: Case, begin: Begin, seed: int, run: int, paths: int = PATHS) -> FilteredDraw:
    """Tell paths of luck of one row of a case's targets that come after the last day of its path.

    Those up to that day are counted as well.
    """
    luck = case.draws.luck if case.draws is not None else None
    assert luck is not None
    record = TargetRecord.of(case)
    dates = told_on(record, luck.until, case.calendar.end)
    path = luck.paths[run]
    row = run if path.turns else path.first
    lives = begin(case, seed, run)
    names = frozenset(record.variables)
    taken = np.zeros((paths, 0), np.int64)
    ancestors = np.zeros(paths, np.int64)
    before, day = np.zeros(paths), luck.until
    evidence, worth, alone = [], [], []
    told: list[int] = []
    for date, fresh in dates:
        since = (day - case.calendar.start).days + 1
        numbers = (row * DAYS + since) * PATHS + np.arange(paths)
        kept = Collector(case, paths, ())
        for k, series in enumerate(lives.on(ancestors, numbers, date, date == dates[-1][0])):
            kept.add(Replicate(k, {name: series[name] for name in series.keys() & names}))
        told += fresh
        here = replace(record, aims=tuple(record.aims[k] for k in told))
        counts = here.counts(kept.dataset())
        each = [log_likelihood(aim, c, ROOM) for aim, c in zip(here.aims, counts, strict=True)]
        for k in range(len(told) - len(fresh), len(told)):
            agree = here.aims[k].agrees(counts[k][:, 0]).mean()
            alone.append([agree, np.exp(each[k]).mean(), (np.exp(each[k]) * each[k]).mean()])
        logs = np.sum(each, axis=0)
        more = logs - before
        weights = shares(more)
        evidence.append(mean_of(more))
        worth.append(effective(weights))
        ancestors = systematic(weights, paths, start(luck.seed, "paths", row * DAYS + since))
        taken = np.concatenate([taken[ancestors], numbers[ancestors][:, None]], axis=1)
        before, day = logs[ancestors], date
    every = np.concatenate(record.counts(kept.dataset()), axis=1)
    return FilteredDraw(np.array(evidence), np.array(worth), taken, np.array(alone), every[ancestors])


class Continued:
    """Paths of the model, each gone on with from a snapshot of the last date."""

    def __init__(self, case: Case, seed: int, run: int) -> None:
        assert case.draws is not None
        assert case.draws.luck is not None
        luck = case.draws.luck
        model = model_of(case, seed, run)
        self._days, self._luck, self._start = model.days, luck, case.calendar.start
        (_, under, number), *later = model.path
        self._next = (luck.until - self._start).days + 1
        turns = [(day, luck_key(s, "run", n)) for day, s, n in later if day < self._next]
        state, observer = (
            Run(model.world, under, number, False, self._days.rows, turns),
            Observer(model.world),
        )
        self._days.begin(state)
        self._days.go_on(state, observer, 0, self._next)
        self._snapshots: list[Snapshot | None] = [Snapshot(self._days, state, observer)]

    def on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """See :class:`PathLives`."""
        made: list[Snapshot | None] = []
        end = (until - self._start).days + 1
        for k, (ancestor, number) in enumerate(zip(ancestors.tolist(), numbers.tolist(), strict=True)):
            from_here = self._snapshots[ancestor]
            assert from_here is not None
            state, observer = from_here.open(self._days)
            if k + 1 == len(ancestors) or ancestors[k + 1] != ancestor:
                self._snapshots[ancestor] = None  # nobody else goes on from it: its room is free
            state.turns = ((self._next, luck_key(self._luck.seed, "run", number)),)
            self._days.go_on(state, observer, self._next, end)
            yield observer.series(state)
            if not last:
                made.append(Snapshot(self._days, state, observer))
        self._snapshots, self._next = made, end


class Replayed:
    """Paths of any simulator, each lived from the first day on."""

    def __init__(self, simulator: Simulator, case: Case, run: int) -> None:
        assert case.draws is not None
        assert case.draws.luck is not None
        self._simulator, self._case, self._row = simulator, case, run
        luck = case.draws.luck
        self._paths, self._next = [luck.paths[run]], luck.until + dt.timedelta(days=1)

    def on(
        self,
        ancestors: NDArray[np.int64],
        numbers: NDArray[np.int64],
        until: dt.date,
        last: bool,  # noqa: ARG002 (nothing is kept)
    ) -> Iterator[Series]:
        """See :class:`PathLives`."""
        draws = self._case.draws
        assert draws is not None
        assert draws.luck is not None
        self._paths = [
            self._paths[a].branched(self._next, n)
            for a, n in zip(ancestors.tolist(), numbers.tolist(), strict=True)
        ]
        rows = np.repeat(draws.values[self._row][None], len(self._paths), axis=0)
        luck = Luck(draws.luck.seed, tuple(self._paths), until)
        case = self._case.with_draws(replace(draws, values=rows, luck=luck))
        for k in range(len(self._paths)):
            yield self._simulator.replicate(case, None, 0, k, log=False).series
        self._next = until + dt.timedelta(days=1)


def with_model(case: Case, force: Force | None, seed: int, run: int, /, *, log: bool) -> Replicate:  # noqa: ARG001
    """Return what came of the filter, in place of a run's series."""
    return Replicate(run, filtered(case, Continued, seed, run).series)


def few_with_model(case: Case, force: Force | None, seed: int, run: int, /, *, log: bool) -> Replicate:  # noqa: ARG001
    """Return what came of the filter with few paths, in place of a run's series."""
    return Replicate(run, filtered(case, Continued, seed, run, FEW_PATHS).series)


FILTER = Simulator(build, with_model, ())
"""The filter in place of the model."""
FURTHER = Simulator(build, few_with_model, ())
"""The filter of worlds that go on."""
