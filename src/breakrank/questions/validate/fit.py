"""Draws of parameters to forecast with: the prior, and what the record known on a day leaves of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.draws import Draws
from breakrank.case.free_parameters import Free
from breakrank.questions.calibrate.bank import bare, made, portions
from breakrank.questions.calibrate.calibrate import equally
from breakrank.questions.calibrate.methods import abc
from breakrank.questions.calibrate.record import TargetRecord, filled

if TYPE_CHECKING:
    from breakrank.case import Case, Target
    from breakrank.runs.carry_out import Account
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study

EACH = 2
"""Runs of different luck under one draw."""
Carry = Callable[["Study", "Store", str], "Account"]
"""Carries out a study in a store; the text says what it is."""


@dataclass(frozen=True)
class Workshop:
    """Where simulations are made and kept.

    Attributes
    ----------
    store : keeps them. carry : makes them. code : what stands for the code that makes them.
    simulations : of the prior, for each fit. runs : of each forecast. seed : names the draws and the luck.
    """

    store: Store
    carry: Carry
    code: str
    simulations: int
    runs: int
    seed: int

    @property
    def rows(self) -> int:
        """Draws that the runs of a forecast need."""
        return -(-self.runs // EACH)


def prior_draws(case: Case, shop: Workshop) -> Draws:
    """Return draws of the prior, enough for the runs of a forecast."""
    free = Free.of(case)
    z = free.drawn(shop.seed, "validate.prior", np.arange(shop.rows))
    return Draws(free.names, free.values(z), EACH)


def fitted_draws(case: Case, targets: Sequence[Target], shop: Workshop) -> Draws:
    """Return draws of what these targets leave of the prior of a case, by regression-adjusted ABC.

    One round of simulations of the prior, on the calendar the case has: a case that ends on a day is
    simulated until that day and no further.
    """
    told = with_targets(case, targets)
    free, record = Free.of(told), TargetRecord.of(told)

    def carry(study: Study) -> Account:
        return shop.carry(study, shop.store, f"simulations of the prior of {case.id}")

    found = list(portions(told, free, shop.simulations, shop.seed))
    bank = made(found, 0, record, shop.store, carry, shop.code)
    summaries, _ = filled(bank.summaries(record, shop.seed))
    posterior = abc(bank.z, summaries, np.ones(len(bank))).posterior(record.observed)
    return Draws(free.names, free.values(equally(posterior, shop.rows, shop.seed)), EACH)


def carried_draws(case: Case, others: Sequence[tuple[Case, Draws]], shop: Workshop) -> Draws:
    """Return draws for a case: psychological parameters from others' draws, all else from its own prior.

    The others are pooled in equal parts, and a row of psychological values stays together. A parameter that
    another case does not draw keeps this case's prior there.
    """
    own = prior_draws(case, shop)
    values = own.values.copy()
    column = {name: k for k, name in enumerate(own.names)}
    for row in range(len(values)):
        other, draws = others[row % len(others)]
        taken = draws.values[(row // len(others)) % len(draws)]
        for k, name in enumerate(draws.names):
            if name in column and psychological(other, name):
                values[row, column[name]] = taken[k]
    return Draws(own.names, values, EACH)


def psychological(case: Case, name: str) -> bool:
    """Return whether a parameter is one of people rather than of a country."""
    return case.declared[name].scope == "psychological"


def ensemble_cases(case: Case, draws: dict[str, Draws]) -> dict[str, Case]:
    """Return a case once for each table of draws, without what moves no run."""
    plain = bare(case)
    return {name: plain.with_draws(table) for name, table in draws.items()}


def variables(targets: Collection[Target], case: Case) -> tuple[str, ...]:
    """Return the variables of a result that answer these targets."""
    return TargetRecord.of(with_targets(case, targets)).variables


def with_targets(case: Case, targets: Collection[Target]) -> Case:
    """Return a case with these targets only, and no draws."""
    return type(case)(replace(case.content, targets=tuple(targets)), case.catalogue)
