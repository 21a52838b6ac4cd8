"""Paths of luck of a filter that also forecast: at each date some go on to the last day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case import Case
from breakrank.draws import luck_key
from breakrank.questions.condition.filter import Continued, Series
from breakrank.questions.condition.weights import systematic


class Forking(Continued):
    """Paths of which some also go on to the last day with luck of their own, at each date."""

    def __init__(self, case: Case, seed: int, run: int, forks: int, names: frozenset[str]) -> None:
        super().__init__(case, seed, run, names)
        self._case, self._forks, self._names = case, forks, names
        self._until: dt.date | None = None
        self.ahead: list[list[dict[str, NDArray[Any]]]] = []

    def on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """See :class:`Continued`."""
        before, self._until = self._until, until
        begins = until != before
        if last:  # the way to the last day is a forecast in itself
            if begins:
                self.ahead.append([])
            for series in super().on(ancestors, numbers, until, last):
                self.ahead[-1].append({name: series[name] for name in self._names})
                yield series
            return
        self._turn_to(until)
        if begins and before is not None:
            self._fork(ancestors, numbers)
        yield from super().on(ancestors, numbers, until, last)

    def _fork(self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        self.ahead.append([])
        for place in systematic(np.ones(len(ancestors)), self._forks, 0.5).tolist():
            state, observer = self._snapshot(int(ancestors[place])).open(self._days)
            state.turns = ((self._since, luck_key(self._under, "ahead", int(numbers[place]))),)
            self._days.go_on(state, observer, self._since, self._case.calendar.days)
            series = observer.series(state)
            self.ahead[-1].append({name: series[name].copy() for name in self._names})
