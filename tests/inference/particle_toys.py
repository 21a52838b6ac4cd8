"""A toy whose counts follow from one parameter and from the luck of its path, day by day."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case import Case
from breakrank.case.draws import Luck
from breakrank.case.models_evidence import Target
from breakrank.engine.replicate import Replicate
from breakrank.inference.particle_filter import Batches, Series, run_particle_filter
from breakrank.runs.worker import Simulator
from tests.inference.toys import WEIGHT, toy_case
from tests.new_cases import printed
from tests.results.fake import EVENTS

SHIFT = 1.8
"""What makes the rate of the toy a few a day."""
EARLY, LATE = dt.date(2025, 2, 10), dt.date(2025, 4, 15)


def case_told(folder: Path, *told: tuple[dt.date, float], spread: float = 0.1) -> Case:
    """Return the toy's case, told of these counts of the registered."""
    case = toy_case(folder)
    targets = tuple(
        Target(
            id=f"registered-{k}",
            label=f"Registered by {date}",
            measure="registered",
            date=str(date),
            unit="soldiers",
            value=value,
            spread=spread,
            assumed="made up",
        )
        for k, (date, value) in enumerate(told)
    )
    return Case(printed(case.content, *targets), case.catalogue)


def by_day(weight: float, days: int, path: list[tuple[int, int, int]]) -> Any:
    """Return who registers each day: few, or many on days of bad luck; luck is that of the path."""
    out = np.zeros(days, np.int32)
    ends = [day for day, _, _ in path[1:]] + [days]
    for (first, seed, number), end in zip(path, ends, strict=True):
        bad = np.random.default_rng([seed, number, 1]).normal(size=days)
        who = np.random.default_rng([seed, number, 2]).poisson(np.exp(weight - SHIFT), days)
        here = slice(min(first, days), min(end, days))
        out[here] = (who * np.where(bad > 1.5, 8, 1))[here]
    return out


def build(case: Any, seed: int) -> Any:
    return SimpleNamespace(n=1000)


def replicate(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    path, lived = case.lived(seed, run), case.drawn(seed, run)
    days = case.calendar.days
    series: dict[str, Any] = {
        "registered": by_day(lived.value(WEIGHT), days, path),
        "shot": np.zeros(days, np.int32),
        "opposed": np.zeros(days, np.float32),
    }
    return Replicate(run, series, None)


def failing(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    if case.drawn(seed, run).value(WEIGHT) > 2:
        raise ZeroDivisionError("too heavy")
    return replicate(case, force, seed, run, log=log)


TOY = Simulator(build, replicate, EVENTS)
FAILING = Simulator(build, failing, EVENTS)


class ToyParticles:
    """Paths of the toy, of which only the days from date to date are lived."""

    def __init__(self, weight: float, case: Any, run: int) -> None:
        luck = case.draws.luck
        self.weight, self.seed, self.start = weight, luck.under(run), case.calendar.start
        self.next = (luck.until - self.start).days + 1
        self.days = [np.zeros(case.calendar.days, np.int32)]
        path = [(max(0, (date - self.start).days), seed, n) for date, seed, n in luck.lived(run, 0, 0)]
        self.days[0][: self.next] = by_day(weight, self.next, path)

    def go_on(self, ancestors: Any, numbers: Any, until: dt.date, last: bool) -> Any:  # noqa: ARG002
        end = (until - self.start).days + 1
        if end != self.next:
            self.before, self.days, self.since, self.next = self.days, [], self.next, end
        for ancestor, number in zip(ancestors.tolist(), numbers.tolist(), strict=True):
            days = self.before[ancestor].copy()
            days[self.since : end] = by_day(self.weight, end, [(0, self.seed, number)])[self.since :]
            self.days.append(days)
            yield {"registered": days}


def luck(case: Any, force: Any, seed: int, run: int, *, log: bool, batches: Batches) -> Replicate:
    weight = case.drawn(seed, run).value(WEIGHT)
    return Replicate(
        run, run_particle_filter(case, lambda c, _, r: ToyParticles(weight, c, r), seed, run, batches).series
    )


def failing_luck(case: Any, force: Any, seed: int, run: int, *, log: bool, batches: Batches) -> Replicate:
    if case.drawn(seed, run).value(WEIGHT) > 2:
        raise ZeroDivisionError("too heavy")
    return luck(case, force, seed, run, log=log, batches=batches)


TOYS = (TOY, Simulator(build, luck, ()))
FAILING_TOYS = (FAILING, Simulator(build, failing_luck, ()))


class Replayed:
    """Paths of any simulator, each lived from the first day on."""

    def __init__(self, simulator: Simulator, case: Case, run: int) -> None:
        assert case.draws.luck is not None
        self._simulator, self._case, self._row = simulator, case, run
        luck = case.draws.luck
        self._paths, self._next = [luck.paths[run]], luck.until + dt.timedelta(days=1)
        self._before, self._since = self._paths, self._next

    def go_on(
        self,
        ancestors: NDArray[np.int64],
        numbers: NDArray[np.int64],
        until: dt.date,
        last: bool,  # noqa: ARG002 (nothing is kept)
    ) -> Iterator[Series]:
        """See :class:`ModelParticles`."""
        draws = self._case.draws
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
