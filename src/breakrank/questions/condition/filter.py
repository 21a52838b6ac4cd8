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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.luck import LuckPath
from breakrank.engine.replicate import Replicate
from breakrank.model import build
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.condition.path_lives import Begin, Continued
from breakrank.questions.condition.weights import mean_of, shares, start, systematic
from breakrank.results.collect import Collector
from breakrank.results.measures import known_on
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.force import Force

PATHS = 48
"""Paths of luck that live for each row, on the mean of its days."""
MOST = 256
"""Paths that live to one date, at most."""
LEAST = 8
"""And at least."""
FEW_PATHS = 8
"""Paths that live for each world that goes on: it has luck that agrees with what came before."""
ROOM = 1.75
"""Standard deviations of a figure are taken so many times as wide."""
TOGETHER = dt.timedelta(days=14)
"""Figures of such a time are told on its last day."""
DAYS, NUMBERS = 100_000, 1_024
"""More than any calendar has, and than paths live to a date; keep numbers of luck apart."""


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
    def of(cls, series: Mapping[str, NDArray[Any]]) -> FilteredDraw:
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


def shared_out(found: Sequence[FilteredDraw], days: NDArray[np.int64]) -> tuple[int, ...]:
    """Return how many paths are to live to each date, so that the evidence is least uncertain for its price.

    A date on which few paths of some rows carry the weight needs many; long days make paths dear. The
    variance of a date's mean weight goes with the inverse of the share that carries it, so numbers go with
    the root of that over the days (the allocation of Neyman 1934).

    Parameters
    ----------
    found : of some rows, with one number of paths each. days : from date to date (dates,).
    """
    evidence, worth = (np.array([getattr(one, name) for one in found]) for name in ("evidence", "effective"))
    weight = np.exp(evidence - evidence.max(0))
    share = weight.sum(0) ** 2 / (weight**2 / worth).sum(0) / sum(len(one.taken) for one in found)
    need = np.sqrt(np.maximum(1 / share - 1, 1e-6) / days)
    number = np.rint(PATHS * days.sum() * need / (need @ days))
    return tuple(np.clip(number, LEAST, MOST).astype(int).tolist())


def filtered(
    case: Case, begin: Begin, seed: int, run: int, paths: Sequence[int] | int = PATHS
) -> FilteredDraw:
    """Tell paths of luck of one row of a case's targets that come after the last day of its path.

    Those up to that day are counted as well. So many paths live to each date, or as many to all.
    """
    luck = case.draws.luck if case.draws is not None else None
    assert luck is not None
    record = TargetRecord.of(case)
    dates = told_on(record, luck.until, case.calendar.end)
    path = luck.paths[run]
    row = run if path.turns else path.first
    lives = begin(case, seed, run)
    names = frozenset(record.variables)
    each = [paths] * len(dates) if isinstance(paths, int) else list(paths)
    taken = np.zeros((each[0], 0), np.int64)
    ancestors = np.zeros(each[0], np.int64)
    before, day = np.zeros(each[0]), luck.until
    evidence, worth, alone = [], [], []
    told: list[int] = []
    for (date, fresh), n, following in zip(dates, each, [*each[1:], each[-1]], strict=True):
        since = (day - case.calendar.start).days + 1
        numbers = (row * DAYS + since) * NUMBERS + np.arange(n)
        kept = Collector(case, n, ())
        for k, series in enumerate(lives.on(ancestors, numbers, date, date == dates[-1][0])):
            kept.add(Replicate(k, {name: series[name] for name in series.keys() & names}))
        told += fresh
        here = replace(record, aims=tuple(record.aims[k] for k in told))
        counts = here.counts(kept.dataset())
        likely = [log_likelihood(aim, c, ROOM) for aim, c in zip(here.aims, counts, strict=True)]
        for k in range(len(told) - len(fresh), len(told)):
            agree, mine = here.aims[k].agrees(counts[k][:, 0]).mean(), likely[k]
            alone.append([agree, np.exp(mine).mean(), (np.exp(mine) * mine).mean()])
        logs = np.sum(likely, axis=0)
        more = logs - before
        weights = shares(more)
        evidence.append(mean_of(more))
        worth.append(effective(weights))
        ancestors = systematic(weights, following, start(luck.seed, "paths", row * DAYS + since))
        taken = np.concatenate([taken[ancestors], numbers[ancestors][:, None]], axis=1)
        before, day = logs[ancestors], date
    every = np.concatenate(record.counts(kept.dataset()), axis=1)
    return FilteredDraw(np.array(evidence), np.array(worth), taken, np.array(alone), every[ancestors])


def with_model(
    case: Case,
    force: Force | None,  # noqa: ARG001
    seed: int,
    run: int,
    /,
    *,
    log: bool,  # noqa: ARG001
    paths: Sequence[int] | int = PATHS,
) -> Replicate:
    """Return what came of the filter, in place of a run's series."""
    return Replicate(run, filtered(case, Continued, seed, run, paths).series)


FILTER = Simulator(build, with_model, ())
"""The filter in place of the model."""


def with_paths(simulator: Simulator, paths: Sequence[int] | int) -> Simulator:
    """Return a filter by which so many paths live to each date, or to all."""
    return simulator._replace(replicate=partial(simulator.replicate, paths=paths))  # type: ignore[call-arg]
