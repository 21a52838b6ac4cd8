"""Runs to forecast with: draws of the prior, weighted by the likelihood of the figures known on a day."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.case.ensemble import Free
from breakrank.inference.likelihood import log_likelihood, resample, temper
from breakrank.inference.observed import DRAWS, read_targets
from breakrank.inference.regression import effective
from breakrank.inference.simulations import bare
from breakrank.results.measures import counted_until
from breakrank.results.uncertainty import Array
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case, Target
    from breakrank.runs.carry_out import Account
    from breakrank.runs.store import Store

EFFECTIVE = 40.0
"""Effective sample size below which figures count with less than their full weight."""
Carry = Callable[..., "Account"]
"""Carries out a study in a store, and is told in a text what it is."""


@dataclass(frozen=True)
class Workshop:
    """Where ensembles are made and kept.

    Attributes
    ----------
    store : keeps runs; ``None`` keeps nothing. carry : makes them.
    draws : of the prior, a run each. seed : names the draws and the random numbers.
    """

    store: Store | None
    carry: Carry
    draws: int
    seed: int


@dataclass(frozen=True)
class Ensemble:
    """What runs count.

    Attributes
    ----------
    counts : by target, on its date and on each of the days before that it may be of, (runs, days) each.
    weights : of the runs, not scaled (runs,).
    draws : parameters of the runs that finished, if they have any.
    """

    counts: Mapping[str, Array]
    weights: Array
    draws: Draws | None = None

    @property
    def ess(self) -> float:
        """Effective sample size (Kish 1965)."""
        return effective(self.weights)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The runs of :data:`DRAWS` draws that all weigh the same, by systematic resampling."""
        return resample(self.weights, DRAWS, 0.5)


def read_ensemble(
    data: xr.Dataset,
    case: Case,
    targets: Collection[Target],
    known: Collection[Target] = (),
    draws: Draws | None = None,
) -> Ensemble:
    """Return counts of some targets in the runs of a dataset, weighted by those that are known."""
    record = read_targets(case, [*known, *targets])
    counts = record.counts(data)
    logs = np.zeros(data.sizes["run"])
    for aim, counted in zip(record.targets[: len(known)], counts, strict=False):
        logs += log_likelihood(aim, counted)
    return Ensemble(dict(zip(record.ids, counts, strict=True)), tempered_weights(logs), draws)


def simulate_ensemble(
    case: Case,
    known: Collection[Target],
    questions: Collection[Target],
    shop: Workshop,
    what: str,
    draws: Draws | None = None,
) -> Ensemble:
    """Return draws of the prior of a case, simulated until the last question is answered.

    Parameters
    ----------
    case : as known on the day. known : figures that weigh the runs. questions : other targets that are read.
    what : says which runs these are. draws : others than those of the prior.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped; what is finished is kept in the store.
    BreakrankError
        if no run finished.
    """
    last = max(counted_until(t) for t in (*known, *questions))
    plain = bare(case).until(min(last, case.calendar.end))
    draws = prior_draws(plain, shop) if draws is None else draws
    made = plain.with_draws(draws)
    wanted = read_targets(case, [*known, *questions]).variables
    kept = MemoryStore(wanted) if shop.store is None else shop.store
    if shop.carry(Study((Scenario(made, what),), shop.draws, shop.seed), kept, what).interrupted:
        raise KeyboardInterrupt
    data = kept.result(made, shop.seed, shop.draws, only=wanted).data
    finished = Draws(draws.names, draws.values[draws.rows(shop.seed, data["run"].values)])
    return read_ensemble(data, case, questions, known, finished)


def prior_draws(case: Case, shop: Workshop) -> Draws:
    """Return draws of the prior of a case, one for each run."""
    free = Free.of(case)
    return Draws(free.names, free.values(free.drawn(shop.seed, "hindcast", np.arange(shop.draws))))


def tempered_weights(logs: Array) -> Array:
    """Return weights (n,) for logarithms of likelihoods (n,): their exponentials, tempered if need be.

    The power, at most 1, is the largest that leaves an effective sample size of :data:`EFFECTIVE`, or of half
    the runs where there are few.
    """
    power = temper(logs, min(EFFECTIVE, len(logs) / 2))
    return np.asarray(np.exp(power * (logs - logs.max())))
