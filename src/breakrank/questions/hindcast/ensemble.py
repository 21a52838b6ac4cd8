"""Runs to forecast with: draws of the posterior that the figures known on a day give, weighted by their runs.

Runs under draws of the prior teach an emulator. As many runs under draws of its posterior are weighted by
their likelihood over the emulated one (importance sampling of parameters and random numbers together).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.case.free_parameters import Free, as_written
from breakrank.inference.emulator import Emulator
from breakrank.inference.likelihood import log_likelihood
from breakrank.inference.observed import ObservedTargets, read_targets
from breakrank.inference.posterior import BETWEEN
from breakrank.inference.regression import effective
from breakrank.inference.reported import DRAWS
from breakrank.inference.resampling import resample, temper
from breakrank.inference.sampler import sample_posterior
from breakrank.inference.simulations import bare
from breakrank.results.measures import counted_until
from breakrank.results.scores import Array
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
FEWEST = 20
"""Runs under draws of the prior that an emulator needs at least."""
Carry = Callable[..., "Account"]
"""Carries out a study in a store, and is told in a text what it is."""


@dataclass(frozen=True)
class Workshop:
    """Where ensembles are made and kept.

    Attributes
    ----------
    store : keeps runs; ``None`` keeps nothing. carry : makes them.
    draws : of the prior, and as many of the posterior, a run each.
    seed : names the draws and the random numbers.
    """

    store: Store | None
    carry: Carry
    draws: int
    seed: int

    def simulate(self, case: Case, variables: Collection[str], what: str) -> xr.Dataset:
        """Return the runs of a case, one for each draw.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped; what is finished is kept in the store.
        BreakrankError
            if no run finished.
        """
        kept = MemoryStore(variables) if self.store is None else self.store
        if self.carry(Study((Scenario(case, what),), self.draws, self.seed), kept, what).interrupted:
            raise KeyboardInterrupt
        return kept.result(case, self.seed, self.draws, only=variables).data


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
    log_proposal: Array | float = 0.0,
) -> Ensemble:
    """Return what the runs of a dataset count by some targets, weighted by those that are known.

    The logarithm of the density that parameters were drawn with over the prior's is taken off (runs,).
    """
    record = read_targets(case, [*known, *targets])
    counts = record.counts(data)
    logs = np.zeros(data.sizes["run"])
    for aim, counted in zip(record.targets[: len(known)], counts, strict=False):
        logs += log_likelihood(aim, counted)
    return Ensemble(dict(zip(record.ids, counts, strict=True)), tempered_weights(logs - log_proposal), draws)


def simulate_ensemble(
    case: Case,
    known: Collection[Target],
    questions: Collection[Target],
    shop: Workshop,
    what: str,
    draws: Draws | None = None,
) -> Ensemble:
    """Return runs of a case under draws of its posterior, until the last question is answered.

    Parameters
    ----------
    case : as known on the day. known : figures that weigh the runs. questions : other targets that are read.
    what : says which runs these are. draws : of parameters that are given.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped; what is finished is kept in the store.
    BreakrankError
        if no run finished.
    """
    last = max(counted_until(t) for t in (*known, *questions))
    plain = bare(case).until(min(last, case.calendar.end))
    wanted = read_targets(case, [*known, *questions]).variables
    log_proposal, given = np.zeros(shop.draws), draws is not None
    draws = prior_draws(plain, shop) if draws is None else draws
    data = shop.simulate(plain.with_draws(draws), wanted, what)
    if known and draws.names and not given and data.sizes["run"] >= FEWEST:
        draws, log_proposal = emulated_posterior(plain, read_targets(case, known), data, shop)
        data = shop.simulate(plain.with_draws(draws), wanted, f"{what}, near the figures")
    rows = draws.rows(shop.seed, data["run"].values)
    finished = Draws(draws.names, draws.values[rows])
    return read_ensemble(data, case, questions, known, finished, log_proposal[rows])


def emulated_posterior(
    case: Case, known: ObservedTargets, data: xr.Dataset, shop: Workshop
) -> tuple[Draws, Array]:
    """Return draws of the emulated posterior of a case, and the logarithm of their likelihood (draws,).

    Parameters
    ----------
    known : the figures. data : runs of the case under draws of its prior.
    """
    free = Free.of(case)
    z = free.drawn(shop.seed, "hindcast", data["run"].values)
    counts = known.counted(known.counts(data), shop.seed, "hindcast", data["run"].values)
    emulator = Emulator.of(z, counts, known.targets, known.observed)
    chains = sample_posterior(
        lambda at, _: emulator.log_likelihood(at, known.observed),
        np.zeros((BETWEEN.chains, len(free))),
        shop.seed,
        "hindcast",
        BETWEEN,
    )
    which = (np.arange(shop.draws) * len(chains.draws)) // shop.draws
    values = as_written(free.values(chains.draws[which]), free.names, case)
    return Draws(free.names, values), chains.log_likelihood.reshape(-1)[which]


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
