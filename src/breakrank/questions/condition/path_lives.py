"""Lives of one row of parameters on several paths of luck, from date to date of a record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Luck
from breakrank.draws import luck_key
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.model import model_of
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case

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


class Replayed:
    """Paths of any simulator, each lived from the first day on."""

    def __init__(self, simulator: Simulator, case: Case, run: int) -> None:
        assert case.draws is not None
        assert case.draws.luck is not None
        self._simulator, self._case, self._row = simulator, case, run
        luck = case.draws.luck
        self._paths, self._next = [luck.paths[run]], luck.until + dt.timedelta(days=1)
        self._before, self._since = self._paths, self._next

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
        if until >= self._next:
            self._before, self._paths = self._paths, []
            self._since, self._next = self._next, until + dt.timedelta(days=1)
        fresh = [
            self._before[a].branched(self._since, n)
            for a, n in zip(ancestors.tolist(), numbers.tolist(), strict=True)
        ]
        self._paths += fresh
        rows = np.repeat(draws.values[self._row][None], len(fresh), axis=0)
        case = self._case.with_draws(
            replace(draws, values=rows, luck=Luck(draws.luck.seed, tuple(fresh), until))
        )
        for k in range(len(fresh)):
            yield self._simulator.replicate(case, None, 0, k, log=False).series


Live = Callable[["Case", Sequence[dt.date], Set[str]], Iterator[Series]]
"""Lives the only row of a case's draws; yields what it has of some series by each of some dates."""


def lived(case: Case, dates: Sequence[dt.date], names: Set[str]) -> Iterator[Series]:
    """Yield what the model counts; see :data:`Live`. Who asks no further lives no longer."""
    model, day = model_of(case, 0, 0), 0
    state, observer = model.begun(0, 0, log=False), Observer(model.world, names)
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
