"""Lives of one row of parameters on several paths of luck, from date to date of a record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from breakrank.case.luck import Luck
from breakrank.draws import luck_key
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.model import model_of
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
        """Yield what paths count that go on until a day from these, ascending, each with its luck number.

        Nothing is asked of them after the `last` time.
        """


Begin = Callable[["Case", int, int], PathLives]
"""Begins the lives of a run's row up to the last day of its path of luck."""


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
        self._before, self._from, self._since = list(self._snapshots), [(0, 0)], 0

    def on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """See :class:`PathLives`."""
        made: list[Snapshot | None] = []
        end = (until - self._start).days + 1
        every = list(zip(ancestors.tolist(), numbers.tolist(), strict=True))
        needed = {ancestor: self._snapshot(ancestor) for ancestor in dict.fromkeys(ancestors.tolist())}
        self._before = [needed.get(k) for k in range(len(self._snapshots))]
        for ancestor, number in every:
            state, observer = self._lived(needed[ancestor], number, self._next, end)
            yield observer.series(state)
            if not last:
                made.append(Snapshot(self._days, state, observer) if len(made) < HELD else None)
        self._snapshots, self._from, self._since, self._next = made, every, self._next, end

    def _snapshot(self, path: int) -> Snapshot:
        """Return a path at the dusk of the last date; who was not held is lived again."""
        held = self._snapshots[path]
        if held is not None:
            return held
        ancestor, number = self._from[path]
        before = self._before[ancestor]
        assert before is not None
        return Snapshot(self._days, *self._lived(before, number, self._since, self._next))

    def _lived(self, before: Snapshot, number: int, first: int, end: int) -> tuple[Run, Observer]:
        """Return a run that goes on from a snapshot with luck of this number until the eve of a day."""
        state, observer = before.open(self._days)
        state.turns = ((first, luck_key(self._luck.seed, "run", number)),)
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
