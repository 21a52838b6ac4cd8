"""Bootstrap particle filter over random seeds, for one vector of parameters (Gordon, Salmond and Smith 1993).

Particles are runs. They are simulated until the date of the next figures, weighed by the likelihood of these,
resampled, and each goes on with random numbers of its own. The product of the mean weights estimates the
likelihood of all figures under the parameters, random numbers integrated out, without bias (Del Moral 2004).
A particle goes on from a snapshot, so that no day is simulated twice for it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import LuckPath
from breakrank.draws import luck_key
from breakrank.engine.observe import Observer
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.inference.observed import (
    ObservedTarget,
    ObservedTargets,
    log_likelihood,
    log_mean_exp,
    normalise,
    resample,
    start_of,
)
from breakrank.inference.regression import Array, effective
from breakrank.model import build, model_of
from breakrank.results.collect import Collector
from breakrank.results.files import UNREADABLE, read_sealed, write_sealed
from breakrank.results.measures import counted_until, find, measure_of, whole_force
from breakrank.runs.store import MemoryEnsemble, MemoryStore
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.force import Force


class KeptEnsemble(MemoryEnsemble):
    """What is found for the rows of a case, each written into a folder at once, if there is one."""

    def __init__(self, case: Case, rows: KeptRows) -> None:
        super().__init__(Collector(case, 0, ()), None)
        self._rows = rows

    def keep(self, made: Replicate, seconds: float) -> None:
        """Take in finished rows."""
        self.seconds += seconds
        self._rows.keep(made.run, made.series)

    def finished(self, runs: Iterable[int], log_runs: int = 0) -> set[int]:  # noqa: ARG002
        """Return which of some rows are finished."""
        return {run for run in runs if run in self._rows.found}


class KeptRows(MemoryStore):
    """A store of one study whose runs are filters, one for each row.

    Parameters
    ----------
    folder : keeps each, and those that it holds are finished; ``None`` keeps them in memory.
    rows : how many there are.

    Attributes
    ----------
    found : what was found, by row; rows that failed lack.
    """

    def __init__(self, folder: Folder | None, rows: int) -> None:
        super().__init__()
        self._folder = folder
        self.found: dict[int, FilterResult] = {}
        if folder is not None and folder.is_dir():
            read = {row: self._read(folder / f"{row}.json") for row in range(rows)}
            self.found = {row: one for row, one in read.items() if one is not None}

    def prepare(self, cell: Scenario, study: Study, simulator: Simulator) -> MemoryEnsemble:  # noqa: ARG002
        """Make room for the rows of a case."""
        return KeptEnsemble(cell.case, self)

    def keep(self, row: int, series: Mapping[str, NDArray[Any]]) -> None:
        """Take in the result of a row; BreakrankError if it cannot be written."""
        self.found[row] = FilterResult(**series)
        if self._folder is not None:
            write_sealed(self._folder / f"{row}.json", {name: v.tolist() for name, v in series.items()})

    def _read(self, path: Folder) -> FilterResult | None:
        try:
            told = read_sealed(path)
            return FilterResult(**{name: np.array(values) for name, values in told.items()})
        except UNREADABLE:
            return None


HELD = 32
"""Snapshots of a date that are kept at once; another that is needed is simulated again."""
Series = Mapping[str, NDArray[Any]]


class ModelParticles:
    """Particles of the model, each gone on with from a snapshot of the last date.

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
            Observer(model.world, {*ObservedTargets.of(case).variables, *also}),
        )
        self._days.begin(state)
        self._days.go_on(state, observer, 0, self._next)
        self._made: list[Snapshot | None] = [Snapshot(self._days, state, observer)]
        self._parents, self._needed = [(0, 0)], dict[int, Snapshot]()
        self._held, self._from, self._before = self._made, self._parents, self._needed
        self._since = 0

    def go_on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """Yield the series of particles that go on from ancestors until a day, each under its seed number.

        More of the same day follow where it is asked again. A later day goes on from all of them, numbered in
        their order. Nothing is asked after the `last` day.
        """
        self._turn_to(until)
        for ancestor, number in zip(ancestors.tolist(), numbers.tolist(), strict=True):
            if ancestor not in self._needed:
                self._needed[ancestor] = self._snapshot(ancestor)
            state, observer = self._simulate(self._needed[ancestor], number, self._since, self._next)
            yield observer.series(state)
            if not last:
                held = len(self._made) < HELD
                self._made.append(Snapshot(self._days, state, observer) if held else None)
                self._parents.append((ancestor, number))

    def _turn_to(self, until: dt.date) -> None:
        """Go on from those who were simulated to the last date, if this one is later."""
        end = (until - self._start).days + 1
        if end == self._next:
            return
        self._held, self._from, self._before = self._made, self._parents, self._needed
        self._made, self._parents, self._needed = [], [], {}
        self._earlier, self._since, self._next = self._since, self._next, end

    def _snapshot(self, particle: int) -> Snapshot:
        """Return a particle at the dusk of the last date; one that was not held is simulated again."""
        held = self._held[particle]
        if held is not None:
            return held
        ancestor, number = self._from[particle]
        state = self._simulate(self._before[ancestor], number, self._earlier, self._since)
        return Snapshot(self._days, *state)

    def _simulate(self, before: Snapshot, number: int, first: int, end: int) -> tuple[Run, Observer]:
        """Return a run that goes on from a snapshot under this seed number until the eve of a day."""
        state, observer = before.open(self._days)
        state.turns = ((first, luck_key(self._under, "run", number)),)
        self._days.go_on(state, observer, first, end)
        return state, observer


class Batches(NamedTuple):
    """How many particles are simulated to a date: batch after batch, until enough carry the weight.

    Attributes
    ----------
    size : particles of a batch. target_ess : effective particles that suffice.
    max_particles : to a date, at most.
    look_ahead : whether particles that have exceeded a later figure already weigh less from then on.
    late : figures of days before the first that were published since, and are assimilated at once.
    """

    size: int
    target_ess: float
    max_particles: int
    look_ahead: bool = True
    late: tuple[str, ...] = ()


DEFAULT_BATCHES = Batches(12, 6, 96)
"""Of a vector of parameters that assimilates all figures from the beginning."""
UPDATE_BATCHES = Batches(8, 8, 8)
"""Of members that take in further figures: each has a path that agrees with what came before."""
N_KEPT = 48
"""Particles that are kept of each vector of parameters."""
TOGETHER = dt.timedelta(days=14)
"""Figures of such a time are assimilated on its last day."""
DAYS, NUMBERS = 100_000, 1_024
"""More than any calendar has, and than particles go to a date; keep seed numbers apart."""


@dataclass(frozen=True)
class FilterResult:
    """What a filter leaves of one vector of parameters.

    Attributes
    ----------
    log_evidence : by date, the logarithm of the likelihood of its figures (dates,).
    ess : by date, effective number of particles (dates,).
    ancestry : of each kept particle, its seed number at each date (particles, dates).
    alone : of each figure, in the order assimilated, over particles before it was: the share that agrees, the
        mean of its likelihood, and of that times its logarithm (figures, 3).
    counts : what each kept particle counts by all figures, assimilated now or before (particles, counts).
    """

    log_evidence: Array
    ess: Array
    ancestry: NDArray[np.int64]
    alone: Array
    counts: Array

    @property
    def series(self) -> dict[str, NDArray[Any]]:
        """All of it, by name."""
        return dict(vars(self))

    def paths(self, base: LuckPath, after: dt.date, dates: list[dt.date]) -> list[LuckPath]:
        """Return the seed paths of the kept particles."""
        found = []
        for numbers in self.ancestry:
            path, day = base, after
            for date, number in zip(dates, numbers.tolist(), strict=True):
                path = path.branched(day + dt.timedelta(days=1), number)
                day = date
            found.append(path)
        return found


def assimilation_dates(
    targets: ObservedTargets, after: dt.date, end: dt.date, late: Collection[str] = ()
) -> list[tuple[dt.date, list[int]]]:
    """Return days after one with the figures that are assimilated on them: those of two weeks together.

    Figures of earlier days that were published `late`, by id, are assimilated on the first of them.
    """
    next_day = after + dt.timedelta(days=1)
    known = sorted(
        (max(day, next_day) if one.id in late else day, k)
        for k, one in enumerate(targets.targets)
        if (day := min(counted_until(one.target), end)) > after or one.id in late
    )
    out = []
    while known:
        first = known[0][0]
        due = [(day, k) for day, k in known if day <= first + TOGETHER]
        known = known[len(due) :]
        out.append((due[-1][0], [k for _, k in due]))
    return out


def not_yet_exceeded(targets: ObservedTargets, assimilated: list[int], date: dt.date) -> list[ObservedTarget]:
    """Return upper bounds on cumulative counts at a date, from figures observed later."""
    later = [
        one
        for k, one in enumerate(targets.targets)
        if k not in assimilated and counted_until(one.target) > date
    ]
    return [
        replace(one, figures=tuple(replace(figure, low=-np.inf) for figure in one.figures))
        for one in later
        if find(one.target.measure).kind == "total"
        and not one.target.against
        and (one.target.start or date) <= date
        and max(figure.high for figure in one.figures) < np.inf
    ]


class Batch(NamedTuple):
    """Particles that were simulated to a date: ancestors, seed numbers, and what they met (particles, ...).

    ``likelihoods`` is of each figure assimilated by then (logarithms), ``agree`` of those due on the date.
    """

    ancestors: NDArray[np.int64]
    numbers: NDArray[np.int64]
    logs: Array
    likelihoods: Array
    agree: Array
    counts: Array


def _weigh(
    counted: ObservedTargets,
    places: Sequence[int],
    bounds: Sequence[ObservedTarget],
    date: dt.date,
    runs: Collector,
    before: Array,
) -> tuple[Array, Array, Array, Array]:
    """Return log-weights of particles, each figure's share in them, whether they agree, and their counts.

    Parameters
    ----------
    counted : targets whose counts are kept. places : of the figures due on the `date` among them.
    bounds : figures that come later, as far as a particle can have exceeded them.
    before : likelihoods of figures assimilated before, which are as in the ancestors (particles, figures).
    """
    data = whole_force(runs.dataset(), counted.stands_for)
    counts = counted.counts(data)
    mine = [(counted.targets[k], counts[k]) for k in places]
    likelihoods = [*before.T, *(log_likelihood(one, count) for one, count in mine)]
    exceeded = [log_likelihood(one, measure_of(data, one.target, date)[:, None]) for one in bounds]
    agree = [one.agrees(count[:, 0]) for one, count in mine]
    logs = np.sum([*likelihoods, *exceeded], axis=0)
    return logs, np.stack(likelihoods, axis=1), np.stack(agree, axis=1), np.concatenate(counts, axis=1)


def run_particle_filter(
    case: Case, begin: Callable[..., ModelParticles], seed: int, run: int, batches: Batches = DEFAULT_BATCHES
) -> FilterResult:
    """Assimilate the targets of a case that come after the last day of a row's seed path.

    Those up to that day are counted as well. Where a date takes more than one batch, its evidence is a trifle
    too high: another is simulated only after batches that met little (Del Moral and others 2015).

    Parameters
    ----------
    case : with the targets that are assimilated, and with draws.
    begin : begins the particles of a row. seed, run : the row.
    batches : how many particles there are.
    """
    luck = case.draws.luck if case.draws is not None else None
    assert luck is not None
    targets = ObservedTargets.of(case)
    dates = assimilation_dates(targets, luck.until, case.calendar.end, batches.late)
    path = luck.paths[run]
    row = run if path.turns else path.first
    particles, names = begin(case, seed, run), frozenset(targets.variables)
    ancestry, before, weights, day = np.zeros((1, 0), np.int64), np.zeros(1), np.ones(1), luck.until
    likelihoods = np.zeros((1, 0))
    log_evidence, ess, alone = [], [], []
    assimilated: list[int] = []
    for date, due_today in dates:
        first = (row * DAYS + (day - case.calendar.start).days + 1) * NUMBERS
        assimilated += due_today
        last = date == dates[-1][0]
        counted, places = targets, due_today
        if not last:
            due = tuple(targets.targets[k] for k in due_today)
            counted, places = replace(targets, targets=due), list(range(len(due)))
        bounds = not_yet_exceeded(targets, assimilated, date) if batches.look_ahead else []
        simulated: list[Batch] = []
        while True:
            numbers = first + len(simulated) * batches.size + np.arange(batches.size)
            ancestors = resample(weights, batches.size, start_of(luck.seed, "paths", int(numbers[0])))
            runs = Collector(case, batches.size, ())
            for k, series in enumerate(particles.go_on(ancestors, numbers, date, last)):
                runs.add(Replicate(k, {name: series[name] for name in series.keys() & names}))
            weighed = _weigh(counted, places, bounds, date, runs, likelihoods[ancestors])
            simulated.append(Batch(ancestors, numbers, *weighed))
            every = Batch(*map(np.concatenate, zip(*simulated, strict=True)))
            log_increment = every.logs - before[every.ancestors]
            enough = effective(normalise(log_increment)) >= batches.target_ess
            if enough or len(log_increment) >= batches.max_particles:
                break
        likelihoods = every.likelihoods
        for agree, mine in zip(every.agree.T, likelihoods.T[-len(due_today) :], strict=True):
            alone.append([agree.mean(), np.exp(mine).mean(), (np.exp(mine) * mine).mean()])
        weights = normalise(log_increment)
        log_evidence.append(log_mean_exp(log_increment))
        ess.append(effective(weights))
        ancestry = np.concatenate([ancestry[every.ancestors], every.numbers[:, None]], axis=1)
        before, day = every.logs, date
    kept = resample(weights, min(N_KEPT, batches.max_particles), start_of(luck.seed, "paths left", row))
    return FilterResult(
        np.array(log_evidence), np.array(ess), ancestry[kept], np.array(alone), every.counts[kept]
    )


def _filter_model(
    case: Case,
    force: Force | None,  # noqa: ARG001
    seed: int,
    run: int,
    /,
    *,
    log: bool,  # noqa: ARG001
    batches: Batches = DEFAULT_BATCHES,
) -> Replicate:
    """Return the result of a filter, in place of a run's series."""
    return Replicate(run, run_particle_filter(case, ModelParticles, seed, run, batches).series)


FILTER = Simulator(build, _filter_model, ())
"""The filter in place of the model."""


def with_batches(simulator: Simulator, batches: Batches) -> Simulator:
    """Return a filter with a fixed number of particles to each date."""
    return simulator._replace(replicate=partial(simulator.replicate, batches=batches))
