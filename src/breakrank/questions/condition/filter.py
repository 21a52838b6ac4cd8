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
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import LuckPath
from breakrank.draws import luck_key
from breakrank.engine.observe import Observer
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.errors import BreakrankError
from breakrank.model import build, model_of
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.record import Aim, TargetRecord
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.condition.weights import mean_of, shares, start, systematic
from breakrank.results.collect import Collector
from breakrank.results.folder import explain
from breakrank.results.json_files import UNREADABLE
from breakrank.results.measures import counted_until, find, measure_of
from breakrank.results.whole_force import whole_force
from breakrank.runs.atomic_file import write_whole
from breakrank.runs.event_logs import NOTHING, Log
from breakrank.runs.memory_store import MemoryEnsemble, MemoryStore
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.force import Force
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.study import Study


class ArraysOfRow:
    """What is found for a row: a dataclass of arrays."""

    @classmethod
    def of(cls, series: Mapping[str, NDArray[Any]]) -> Self:
        """Return what :attr:`series` told of."""
        return cls(**{field.name: series[field.name] for field in fields(cls)})  # type: ignore[arg-type]

    @property
    def series(self) -> dict[str, NDArray[Any]]:
        """All of it, by name."""
        return dict(vars(self))


T = TypeVar("T", bound=ArraysOfRow)


class KeptEnsemble(MemoryEnsemble):
    """What is found for the rows of a case, each written into a folder at once, if there is one."""

    def __init__(self, case: Case, rows: KeptRows[Any]) -> None:
        super().__init__(Collector(case, 0, ()), None)
        self._rows = rows

    def keep(self, made: Replicate, seconds: float) -> None:
        """Take in what was found."""
        self.seconds += seconds
        self._rows.keep(made.run, made.series)

    def finished(self, runs: Iterable[int], log: Log = NOTHING) -> set[int]:  # noqa: ARG002
        """Return which of some rows are finished."""
        return {run for run in runs if run in self._rows.found}


class KeptRows(MemoryStore, Generic[T]):
    """A store of one study whose runs find something for each row.

    Parameters
    ----------
    kind : of what is found.
    folder : keeps each, and those that it holds are finished; ``None`` keeps them in memory.
    rows : how many there are.

    Attributes
    ----------
    found : what was found, by row; rows that failed lack.
    """

    def __init__(self, kind: type[T], folder: Folder | None, rows: int) -> None:
        super().__init__()
        self._kind, self._folder = kind, folder
        self.found: dict[int, T] = {}
        if folder is not None and folder.is_dir():
            read = {row: self._read(folder / f"{row}.json") for row in range(rows)}
            self.found = {row: one for row, one in read.items() if one is not None}

    def prepare(self, cell: Scenario, study: Study, simulator: Simulator) -> MemoryEnsemble:  # noqa: ARG002
        """Make room for the rows of a case."""
        return KeptEnsemble(cell.made, self)

    def keep(self, row: int, series: Mapping[str, NDArray[Any]]) -> None:
        """Take in what was found for a row; BreakrankError if it cannot be written."""
        self.found[row] = self._kind.of(series)
        if self._folder is not None:
            path = self._folder / f"{row}.json"
            told = {name: values.tolist() for name, values in series.items()}
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, json.dumps(told) + "\n")
            except OSError as error:
                raise BreakrankError(explain(error, path)) from error

    def _read(self, path: Folder) -> T | None:
        try:
            told = json.loads(path.read_text("utf-8"))
            return self._kind.of({name: np.array(values) for name, values in told.items()})
        except UNREADABLE:
            return None


HELD = 32
"""Snapshots of a date that are kept at once; whoever is needed beside them is lived again."""
Series = Mapping[str, NDArray[Any]]


class PathLives(Protocol):
    """Paths of one row that are lived on from date to date."""

    def on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """Yield what paths count that go on until a day from these, each with its luck number.

        More of the same day follow where it is asked again. A later day goes on from all of them, numbered in
        their order. Nothing is asked after the `last` day.
        """


Begin = Callable[["Case", int, int], PathLives]
"""Begins the lives of a run's row up to the last day of its path of luck."""


class Continued:
    """Paths of the model, each gone on with from a snapshot of the last date.

    They count what the case's targets ask for, and series that are `also` named.
    """

    def __init__(self, case: Case, seed: int, run: int, also: Collection[str] = ()) -> None:
        assert case.draws is not None
        assert case.draws.luck is not None
        luck = case.draws.luck
        model = model_of(case, seed, run)
        self._days, self._start = model.days, case.calendar.start
        (_, self._under, number), *later = model.path
        self._next = (luck.until - self._start).days + 1
        turns = [(day, luck_key(s, "run", n)) for day, s, n in later if day < self._next]
        state, observer = (
            Run(model.world, self._under, number, False, self._days.rows, turns),
            Observer(model.world, {*TargetRecord.of(case).variables, *also}),
        )
        self._days.begin(state)
        self._days.go_on(state, observer, 0, self._next)
        self._made: list[Snapshot | None] = [Snapshot(self._days, state, observer)]
        self._parents, self._needed = [(0, 0)], dict[int, Snapshot]()
        self._held, self._from, self._before = self._made, self._parents, self._needed
        self._since = 0

    def on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """See :class:`PathLives`."""
        self._turn_to(until)
        for ancestor, number in zip(ancestors.tolist(), numbers.tolist(), strict=True):
            if ancestor not in self._needed:
                self._needed[ancestor] = self._snapshot(ancestor)
            state, observer = self._lived(self._needed[ancestor], number, self._since, self._next)
            yield observer.series(state)
            if not last:
                held = len(self._made) < HELD
                self._made.append(Snapshot(self._days, state, observer) if held else None)
                self._parents.append((ancestor, number))

    def _turn_to(self, until: dt.date) -> None:
        """Go on from those who lived to the last date, if this one is later."""
        end = (until - self._start).days + 1
        if end == self._next:
            return
        self._held, self._from, self._before = self._made, self._parents, self._needed
        self._made, self._parents, self._needed = [], [], {}
        self._earlier, self._since, self._next = self._since, self._next, end

    def _snapshot(self, path: int) -> Snapshot:
        """Return a path at the dusk of the last date; who was not held is lived again."""
        held = self._held[path]
        if held is not None:
            return held
        ancestor, number = self._from[path]
        return Snapshot(self._days, *self._lived(self._before[ancestor], number, self._earlier, self._since))

    def _lived(self, before: Snapshot, number: int, first: int, end: int) -> tuple[Run, Observer]:
        """Return a run that goes on from a snapshot with luck of this number until the eve of a day."""
        state, observer = before.open(self._days)
        state.turns = ((first, luck_key(self._under, "run", number)),)
        self._days.go_on(state, observer, first, end)
        return state, observer


Live = Callable[["Case", Sequence[dt.date], Set[str]], Iterator[Series]]
"""Lives the only row of a case's draws; yields what it has of some series by each of some dates."""


def lived(case: Case, dates: Sequence[dt.date], names: Set[str]) -> Iterator[Series]:
    """Yield what the model counts; see :data:`Live`. Who asks no further lives no longer."""
    model, day = model_of(case, 0, 0), 0
    state, observer = model.started(0, 0), Observer(model.world, names)
    model.days.begin(state)
    for date in dates:
        end = (date - case.calendar.start).days + 1
        model.days.go_on(state, observer, day, end)
        series = observer.series(state)
        yield {name: series[name] for name in series.keys() & names}
        day = end


def replayed(simulator: Simulator, case: Case, dates: Sequence[dt.date], names: Set[str]) -> Iterator[Series]:
    """Yield what any simulator counts, who lives all days first; see :data:`Live`."""
    series = simulator.replicate(case, None, 0, 0, log=False).series
    for _ in dates:
        yield {name: series[name] for name in series.keys() & names}


class Lots(NamedTuple):
    """How many paths live to a date: lot after lot, until the weight lies on enough of them.

    Attributes
    ----------
    size : paths of a lot. enough : effective paths that suffice. most : paths to a date, at most.
    ahead : whether paths that have passed a later figure already weigh less from then on.
    late : figures of days before the first that were published since, and are told at once.
    """

    size: int
    enough: float
    most: int
    ahead: bool = True
    late: tuple[str, ...] = ()


ALIVE = Lots(24, 12, 512)
"""Of rows that are told a record from its beginning."""
FEW = Lots(8, 8, 8)
"""Of worlds that go on: each has luck that agrees with what came before."""
LEFT = 48
"""Paths that are left of each row."""
ROOM = 1.75
"""Standard deviations of a figure are taken so many times as wide."""
TOGETHER = dt.timedelta(days=14)
"""Figures of such a time are told on its last day."""
DAYS, NUMBERS = 100_000, 1_024
"""More than any calendar has, and than paths live to a date; keep numbers of luck apart."""


@dataclass(frozen=True)
class FilteredDraw(ArraysOfRow):
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


def told_on(
    record: TargetRecord, after: dt.date, end: dt.date, late: Collection[str] = ()
) -> list[tuple[dt.date, list[int]]]:
    """Return days after one with the figures that are told on them: those of two weeks together.

    Figures of earlier days that were published `late`, by id, are told on the first of them.
    """
    next_day = after + dt.timedelta(days=1)
    known = sorted(
        (max(day, next_day) if aim.id in late else day, k)
        for k, aim in enumerate(record.aims)
        if (day := min(counted_until(aim.target), end)) > after or aim.id in late
    )
    out = []
    while known:
        first = known[0][0]
        here = [(day, k) for day, k in known if day <= first + TOGETHER]
        known = known[len(here) :]
        out.append((here[-1][0], [k for _, k in here]))
    return out


def passing(record: TargetRecord, told: list[int], date: dt.date) -> list[Aim]:
    """Return what counts that only grow must not have passed on a date, by later figures."""
    later = [aim for k, aim in enumerate(record.aims) if k not in told and counted_until(aim.target) > date]
    return [
        replace(aim, figures=tuple(replace(figure, low=-np.inf) for figure in aim.figures))
        for aim in later
        if find(aim.target.measure).kind == "total"
        and not aim.target.against
        and (aim.target.start or date) <= date
        and max(figure.high for figure in aim.figures) < np.inf
    ]


@dataclass(frozen=True)
class Figures:
    """What paths are told on a date.

    Attributes
    ----------
    date : on which they are told. aims : the figures, in their order.
    ahead : that come later, as far as a path can have passed them.
    counted : whose counts are kept. places : of those told, among them.
    """

    date: dt.date
    aims: tuple[Aim, ...]
    ahead: list[Aim]
    counted: TargetRecord
    places: Sequence[int]


class Paths(NamedTuple):
    """Paths that lived to a date: who they go on from, their numbers, and what they met (paths, ...).

    ``likely`` is of all figures told by then, ``agree`` of those that are told on it.
    """

    ancestors: NDArray[np.int64]
    numbers: NDArray[np.int64]
    logs: Array
    likely: Array
    agree: Array
    counts: Array


def _lived(figures: Figures, runs: Collector, before: Array) -> tuple[Array, Array, Array, Array]:
    """Return how likely all is in paths, each figure alone, whether they agree, and what they count.

    Figures told `before` are as likely as in the paths that these go on from (paths, figures).
    """
    data = whole_force(runs.dataset(), figures.counted.stands_for)
    counts = figures.counted.counts(data)
    mine = [(aim, counts[k]) for aim, k in zip(figures.aims, figures.places, strict=True)]
    likely = [*before.T, *(log_likelihood(aim, count, ROOM) for aim, count in mine)]
    ahead = [
        log_likelihood(aim, measure_of(data, aim.target, figures.date)[:, None], ROOM)
        for aim in figures.ahead
    ]
    agree = [aim.agrees(count[:, 0]) for aim, count in mine]
    logs = np.sum([*likely, *ahead], axis=0)
    return logs, np.stack(likely, axis=1), np.stack(agree, axis=1), np.concatenate(counts, axis=1)


def filtered(case: Case, begin: Begin, seed: int, run: int, lots: Lots = ALIVE) -> FilteredDraw:
    """Tell paths of luck of one row of a case's targets that come after the last day of its path.

    Those up to that day are counted as well. Where a date takes more than one lot, its evidence is a trifle
    too high: another is lived only after lots that met little (Del Moral and others 2015).
    """
    luck = case.draws.luck if case.draws is not None else None
    assert luck is not None
    record = TargetRecord.of(case)
    dates = told_on(record, luck.until, case.calendar.end, lots.late)
    path = luck.paths[run]
    row = run if path.turns else path.first
    lives, names = begin(case, seed, run), frozenset(record.variables)
    taken, before, weights, day = np.zeros((1, 0), np.int64), np.zeros(1), np.ones(1), luck.until
    likely = np.zeros((1, 0))
    evidence, worth, alone = [], [], []
    told: list[int] = []
    for date, fresh in dates:
        first = (row * DAYS + (day - case.calendar.start).days + 1) * NUMBERS
        told += fresh
        last = date == dates[-1][0]
        aims = tuple(record.aims[k] for k in fresh)
        counted, places = (record, fresh) if last else (replace(record, aims=aims), range(len(fresh)))
        figures = Figures(date, aims, passing(record, told, date) if lots.ahead else [], counted, places)
        parts: list[Paths] = []
        while True:
            numbers = first + len(parts) * lots.size + np.arange(lots.size)
            ancestors = systematic(weights, lots.size, start(luck.seed, "paths", int(numbers[0])))
            runs = Collector(case, lots.size, ())
            for k, series in enumerate(lives.on(ancestors, numbers, date, last)):
                runs.add(Replicate(k, {name: series[name] for name in series.keys() & names}))
            parts.append(Paths(ancestors, numbers, *_lived(figures, runs, likely[ancestors])))
            here = Paths(*map(np.concatenate, zip(*parts, strict=True)))
            more = here.logs - before[here.ancestors]
            if effective(shares(more)) >= lots.enough or len(more) >= lots.most:
                break
        likely = here.likely
        for agree, mine in zip(here.agree.T, likely.T[-len(fresh) :], strict=True):
            alone.append([agree.mean(), np.exp(mine).mean(), (np.exp(mine) * mine).mean()])
        weights = shares(more)
        evidence.append(mean_of(more))
        worth.append(effective(weights))
        taken = np.concatenate([taken[here.ancestors], here.numbers[:, None]], axis=1)
        before, day = here.logs, date
    which = systematic(weights, min(LEFT, lots.most), start(luck.seed, "paths left", row))
    return FilteredDraw(
        np.array(evidence), np.array(worth), taken[which], np.array(alone), here.counts[which]
    )


def with_model(
    case: Case,
    force: Force | None,  # noqa: ARG001
    seed: int,
    run: int,
    /,
    *,
    log: bool,  # noqa: ARG001
    lots: Lots = ALIVE,
) -> Replicate:
    """Return what came of the filter, in place of a run's series."""
    return Replicate(run, filtered(case, Continued, seed, run, lots).series)


FILTER = Simulator(build, with_model, ())
"""The filter in place of the model."""


def with_lots(simulator: Simulator, lots: Lots) -> Simulator:
    """Return a filter by which so many paths live to each date."""
    return simulator._replace(replicate=partial(simulator.replicate, lots=lots))  # type: ignore[call-arg]
