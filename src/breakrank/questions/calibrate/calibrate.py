"""Calibrating a case: simulations, a posterior, further rounds around it, and whether to trust it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.free_parameters import Free, purpose
from breakrank.draws import luck_key, uniform, uniform_each
from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.arrays import CalibrationArrays, Settings, call_of, check, checked
from breakrank.questions.calibrate.bank import Bank, bare, made, portion, portions
from breakrank.questions.calibrate.methods import AbcPosterior, Weighted, abc, linear
from breakrank.questions.calibrate.prior_check import PriorCheck, misfit, prior_check
from breakrank.questions.calibrate.proposal import (
    ParameterProposal,
    identity,
    importance,
    keep_proposal,
    kept_proposal,
)
from breakrank.questions.calibrate.record import TargetRecord, filled
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.calibrate.summarise import told
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.crew import Backend
from breakrank.runs.identity import code_digest, source_digest
from breakrank.runs.store import Store, opened
from breakrank.runs.study import Study
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.calibrate.result import Calibration

Carry = Callable[[Study, Store, str], Account]
"""Carries out a study in a store; the text says what it is."""
Tell = Callable[[PriorCheck], None]
"""Called with what the prior makes of the record, before another round is made."""

DRAWS = 256
"""Draws of the posterior that are kept."""
ENOUGH = 200
"""Effective number of simulations that agree with nearly all targets and make another round unnecessary."""
ALIKE = 0.1
"""Share of the targets that such a simulation may miss."""


def calibrate(
    case: Case | str | os.PathLike[str],
    *,
    simulations: int = 1600,
    rounds: int = 2,
    seed: int = 0,
    store: Store | str | os.PathLike[str] | None = None,
    backend: str | None = None,
    workers: int | None = None,
    worlds: int = 300,
    predictive: int = 200,
    fixed: Collection[str] = (),
    command: str | None = None,
    carry: Carry | None = None,
    tell: Tell | None = None,
    model: Simulator | None = None,
) -> Calibration:
    """Find which values of a case's parameters agree with its record, and say how far that can be trusted.

    Every parameter with a prior is free. Simulations are kept in a store: a call that was interrupted, by
    Ctrl-C or by a killed process, goes on from there, and a later question about the same priors makes none
    again. Where priors were chosen with the record in view, or centred on values fitted to it by hand, the
    record is used twice: the posterior is then narrower than the record alone makes it.

    Parameters
    ----------
    case : a case, the name of a built-in one, or the folder of one.
    simulations : in all rounds together, at least 100.
    rounds : 1 simulates the prior only; each more looks closer around the posterior of the rounds before.
    seed : names the draws; it is never chosen for its outcome.
    store : folder that keeps the simulations; by default breakrank-CASE.store in the current directory.
    backend, workers : where runs are made; see :func:`breakrank.runs.backends.choose_backend`.
    worlds : simulations that are treated as the record to check the method.
    predictive : runs under the posterior for the predictive check, two to a draw.
    fixed : parameters kept at the case's value.
    command : the call written into the result; by default this one.
    carry : carries out each study, for whoever wants to watch; by default it is carried out silently.
    tell : called with the prior predictive check as soon as the simulations of the prior are made, before
        the next round is. What it raises stops the calibration there, and the same call goes on later.
    model : what makes the runs; by default the model.

    Raises
    ------
    UsageError
        for an argument that makes no sense, or a case without priors or targets.
    BreakrankError
        if no simulation finished, or too few to learn from.
    KeyboardInterrupt
        for Ctrl-C; what has finished is kept.
    """
    begun = time.perf_counter()
    case = as_case(case).with_draws(None)  # a posterior that comes with it is not what is asked
    settings = checked(simulations, rounds, seed, worlds, predictive, fixed)
    free, record = Free.of(case, settings.fixed), TargetRecord.of(case)
    kept = opened(store, case.id)
    where = choose_backend(backend, workers)
    work = _Under(case, free, record, settings, kept, carry or _silently(where, model), tell, model).done()
    return told(work, kept.folder, time.perf_counter() - begun, command or call_of(case.id, settings))


class _Under:
    """A calibration under way."""

    def __init__(
        self,
        case: Case,
        free: Free,
        record: TargetRecord,
        settings: Settings,
        store: Store,
        carry: Carry,
        tell: Tell | None,
        model: Simulator | None,
    ) -> None:
        self._case, self._free, self._record, self._settings = case, free, record, settings
        self._store, self._carry, self._code = store, carry, code_digest(model)
        self._tell, self._model = tell, source_digest(model, case.catalogue.code)
        self._plain = bare(case)
        self._proposals: list[ParameterProposal] = []
        self._near: list[float] = []

    def done(self) -> CalibrationArrays:
        """Make everything."""
        settings = self._settings
        bank = self._prior(settings.sizes()[0])
        self._enough(bank)
        if self._tell is not None:
            self._tell(prior_check(self._record, bank, settings.seed))
        bank = self._closer(bank)
        s, unanswered = filled(bank.summaries(self._record, settings.seed))
        weights = importance(bank.z, bank.rounds.astype(np.float64), self._proposals)
        observed = self._record.observed
        learned = abc(bank.z, s, weights)
        other = linear(bank.z, s, weights)
        posterior, second = learned.posterior(observed), other.posterior(observed)
        checks = check(abc, bank.z, s, weights, bank.rounds, settings.worlds, settings.seed)
        draws = equally(posterior, DRAWS, settings.seed)
        ahead = self._predict(draws)
        after, _ = filled(ahead.summaries(self._record, settings.seed))
        return CalibrationArrays(
            case=self._case,
            free=self._free,
            record=self._record,
            settings=settings,
            bank=bank,
            weights=weights,
            summaries=s,
            unanswered=unanswered,
            learned=learned,
            posterior=posterior,
            other=other,
            second=second,
            near=tuple(self._near),
            draws=draws,
            checks=checks,
            predictive=ahead,
            misfit_prior=misfit(s[bank.rounds == 0], observed),
            misfit_posterior=misfit(after, observed),
            model=self._model,
        )

    def _prior(self, simulations: int) -> Bank:
        found = list(portions(self._case, self._free, simulations, self._settings.seed))
        return made(found, 0, self._record, self._store, self._told("simulations of the prior"), self._code)

    def _closer(self, bank: Bank) -> Bank:
        """Return the bank with further rounds, as long as too few simulations agree with the record."""
        settings = self._settings
        for number in range(1, settings.rounds + 1):
            s, _ = filled(bank.summaries(self._record, settings.seed))
            weights = importance(bank.z, bank.rounds.astype(np.float64), self._proposals)
            so_far = abc(bank.z, s, weights)
            self._near.append(effective(np.where(bank.missed(self._record) <= ALIKE, weights, 0.0)))
            if number == settings.rounds or self._near[-1] >= ENOUGH:
                break
            bank = bank.with_(self._round(number, so_far))
        return bank

    def _round(self, number: int, so_far: AbcPosterior) -> Bank:
        settings, count = self._settings, self._settings.sizes()[number]
        name = identity(
            self._code,
            self._plain.digest,
            self._free.digest,
            self._record.digest,
            settings.seed,
            *settings.sizes()[:number],
        )
        proposal = kept_proposal(self._store.folder, name, number)
        if proposal is None:
            proposal = ParameterProposal.around(so_far.posterior(self._record.observed), so_far.axes)
            keep_proposal(self._store.folder, name, number, proposal)
        self._proposals.append(proposal)
        z = proposal.drawn(self._free, settings.seed, f"round {number}", count)
        closer = portion(self._plain, self._free, z, count, settings.seed, f"round-{number}")
        what = f"simulations around the posterior, round {number + 1}"
        return made([closer], number, self._record, self._store, self._told(what), self._code)

    def _predict(self, draws: Array) -> Bank:
        runs, seed = self._settings.predictive, self._settings.seed
        rows = draws[np.arange(-(-runs // 2)) * len(draws) // -(-runs // 2)]
        z = np.repeat(rows, 2, axis=0)[:runs]
        ahead = portion(self._plain, self._free, z, runs, seed, "predictive")
        return made(
            [ahead], -1, self._record, self._store, self._told("runs under the posterior"), self._code
        )

    def _told(self, what: str) -> Callable[[Study], Account]:
        return lambda study: self._carry(study, self._store, what)

    def _enough(self, bank: Bank) -> None:
        least = 50
        if len(bank) < least:
            first = f"; the first says: {bank.failures[0]}" if bank.failures else ""
            raise BreakrankError(
                f"{len(bank)} simulations finished, and at least {least} are needed to learn from{first}"
            )


def equally(posterior: Weighted, count: int, seed: int) -> Array:
    """Return equally weighted draws (count, p) of weighted ones (Kitagawa 1996).

    The resampling is systematic. They are in an order that says nothing: any part of them is a sample of the
    whole.
    """
    key = luck_key(seed, "calibrate.resample")
    start = float(uniform(key, purpose("start"), 0, 0, 0))
    edges = np.cumsum(posterior.weights)
    taken = np.searchsorted(edges / edges[-1], (np.arange(count) + start) / count, side="right")
    who = np.arange(count, dtype=np.uint32)
    order = np.argsort(uniform_each(key, purpose("order"), who, np.zeros(count, np.int64)), kind="stable")
    return posterior.z[np.minimum(taken, len(edges) - 1)][order]


def _silently(where: Backend, model: Simulator | None) -> Carry:
    return lambda study, store, _: carry_out(study, store, where, simulator=model)
