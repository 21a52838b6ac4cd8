"""Everything a calibration found, as arrays."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.errors import UsageError
from breakrank.runs.whole_number import whole_number

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.free_parameters import Free
    from breakrank.questions.calibrate.bank import Bank
    from breakrank.questions.calibrate.checks import Checks
    from breakrank.questions.calibrate.methods import AbcPosterior, LinearPosterior, Weighted
    from breakrank.questions.calibrate.prior_check import Misfit
    from breakrank.questions.calibrate.record import TargetRecord
    from breakrank.questions.calibrate.regression import Array

FIRST = 0.6
"""Share of the simulations that are of the prior, where there are more rounds than one."""


@dataclass(frozen=True)
class Settings:
    """What a calibration was asked for: see :func:`calibrate`."""

    simulations: int
    rounds: int
    seed: int
    worlds: int
    predictive: int
    fixed: tuple[str, ...]

    def sizes(self) -> tuple[int, ...]:
        """Return how many simulations each round has."""
        if self.rounds == 1:
            return (self.simulations,)
        first = round(FIRST * self.simulations)
        later = np.diff(np.linspace(first, self.simulations, self.rounds).round()).astype(int)
        return (first, *(int(n) for n in later))


def checked(
    simulations: int,
    rounds: int,
    seed: int,
    worlds: int,
    predictive: int,
    fixed: Collection[str],
) -> Settings:
    """Return the settings of a calibration.

    Raises
    ------
    UsageError
        for one that makes no sense.
    """
    if isinstance(fixed, str):
        raise UsageError("fixed is a list of parameters, not a text")
    asked = (
        ("simulations", simulations, 100, 10_000_000),
        ("rounds", rounds, 1, 10),
        ("seed", seed, 0, 2**64 - 1),
        ("worlds", worlds, 20, 100_000),
        ("predictive", predictive, 20, 1_000_000),
    )
    whole: dict[str, int] = {}
    wrong = []
    for name, value, low, high in asked:
        try:
            whole[name] = whole_number(name, value, low, high)
        except UsageError as error:
            wrong.append(str(error))
    if wrong:
        raise UsageError("\n".join(wrong))
    return Settings(**whole, fixed=tuple(sorted(set(fixed))))


def call_of(case: str, settings: Settings) -> str:
    """Return the call in Python that makes the calibration of a case again."""
    parts = [f'calibrate("{case}"', f"simulations={settings.simulations}", f"rounds={settings.rounds}"]
    parts += [f"seed={settings.seed}", f"worlds={settings.worlds}"]
    parts += [f"predictive={settings.predictive}"]
    if settings.fixed:
        parts.append(f"fixed={list(settings.fixed)!r}")
    return ", ".join(parts) + ")"


@dataclass(frozen=True, eq=False)
class CalibrationArrays:
    """Everything a calibration found, as arrays; the tables and sentences are made from it.

    Attributes
    ----------
    case, free, record, settings : what was asked.
    bank, weights, summaries : simulations of all rounds, their importance weights (n,) and summaries (n, d).
    unanswered : simulations without an answer, by target (d,).
    learned, posterior : by regression-adjusted ABC for the record; `other` and `second` are those of one
    linear regression. near : effective number of simulations that agree with nine of ten targets by round
    (see ``ALIKE``). draws : equally weighted draws of the posterior in z-space (256, p).
    checks : worlds whose truth is known. predictive : what the targets count under the posterior.
    misfit_prior, misfit_posterior : how far out the record lies. model : digest of the source of the model
    that made the simulations.
    """

    case: Case
    free: Free
    record: TargetRecord
    settings: Settings
    bank: Bank
    weights: Array
    summaries: Array
    unanswered: Array
    learned: AbcPosterior
    posterior: Weighted
    other: LinearPosterior
    second: Weighted
    near: tuple[float, ...]
    draws: Array
    checks: Checks
    predictive: Bank
    misfit_prior: Misfit
    misfit_posterior: Misfit
    model: str
