"""Everything a calibration found, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.free_parameters import Free
    from breakrank.questions.calibrate.bank import Bank
    from breakrank.questions.calibrate.checks import Checks
    from breakrank.questions.calibrate.inference import Weighted
    from breakrank.questions.calibrate.methods import AbcPosterior, LinearPosterior
    from breakrank.questions.calibrate.prior_check import Misfit
    from breakrank.questions.calibrate.record import TargetRecord
    from breakrank.questions.calibrate.regression import Array
    from breakrank.questions.calibrate.settings import Settings


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
