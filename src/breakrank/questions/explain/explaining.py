"""An explanation under way: its studies made one after another, and what is read from them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.explain import prior_runs, removal, steps
from breakrank.questions.explain.data import Variance
from breakrank.questions.explain.outcomes import ExplainedOutcome, read_all
from breakrank.questions.explain.removal import Removal
from breakrank.questions.explain.result import Explanation
from breakrank.questions.explain.screening import screen
from breakrank.questions.explain.steps import Size
from breakrank.results.measures import read_by
from breakrank.results.uncertainty import rows_of
from breakrank.runs.backends import Here
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.scenario import Scenario
from breakrank.runs.store import Store
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case

Carry = Callable[[Study, str], Account]
"""Carries out a study, given what it is in words."""

TRIED = 3
"""Runs after which that is known."""


class Explaining:
    """An explanation under way."""

    def __init__(
        self,
        case: Case,
        size: Size,
        store: Store,
        carry: Carry,
        asked: tuple[ExplainedOutcome, ...],
        seed: int,
    ) -> None:
        self._begun = time.perf_counter()
        self._case, self._size, self._store, self._asked, self._seed = case, size, store, asked, seed
        self._carry = carry
        self._accounts: list[Account] = []

    def explanation(self) -> Explanation:
        """Make all steps, or as many as there is time for."""
        found = self._removal()
        shared = None if self._interrupted else self._variance()
        return Explanation(
            self._case,
            self._asked,
            self._seed,
            self._size.runs,
            found,
            shared,
            tuple(self._accounts),
            time.perf_counter() - self._begun,
            "",
            self._interrupted,
        )

    def seconds(self) -> tuple[float, float]:
        """Return how long a run of the case takes in this process, and one under prior draws, s."""
        warm = self._try(self._case, 1)  # loads the compiled model
        plain = self._try(self._case, TRIED) if math.isfinite(warm) else warm
        if not self._size.draws:
            return plain, math.nan
        prior = self._prior()
        return plain, self._try(prior.portions[0].case, TRIED, prior.portions[0].study.seed)

    def _try(self, case: Case, runs: int, seed: int | None = None) -> float:
        """Return the seconds that a run takes, here if there are not so many yet, else as the store tells."""
        seed = self._seed if seed is None else seed
        study = Study((Scenario(case),), runs, seed)
        account = carry_out(study, self._store, Here())
        if account.interrupted:
            raise KeyboardInterrupt
        if account.made:
            return account.seconds / account.made
        if not account.finished:
            return math.nan
        only = read_by(self._asked[0].measure)
        kept = self._store.result(case, seed, runs, only=only)
        return kept.seconds / kept.runs

    def _prior(self) -> prior_runs.PriorRuns:
        return prior_runs.from_prior(self._case, self._size.draws, self._seed)

    @property
    def _interrupted(self) -> bool:
        return any(account.interrupted for account in self._accounts)

    def _made(self, study: Study, what: str) -> None:
        self._accounts.append(self._carry(study, what))

    def _read(self, case: Case, runs: int, seed: int | None = None) -> NDArray[np.float64]:
        seed = self._seed if seed is None else seed
        return read_all(self._store, case, seed, runs, self._asked)

    def _simulated(self, prior: prior_runs.PriorRuns) -> NDArray[np.float64]:
        """Make the prior simulations, as far as there is time, and return all outcomes (outcome, run)."""
        begun = 0
        for one in prior.portions:
            if not self._interrupted:
                numbered = f" from number {begun + 1:,}" * bool(begun)
                self._made(one.study, f"{one.study.runs:,} prior simulations{numbered}")
            begun += one.study.runs
        read = [self._read(one.case, one.study.runs, one.study.seed) for one in prior.portions]
        return np.concatenate(read, axis=1)

    def _removal(self) -> Removal:
        case, size = self._case, self._size
        found = removal.switches(case)
        study = steps.single_study(case, size, self._seed)
        self._made(study, f"{len(found)} mechanisms taken out, {size.runs} runs each")
        plain, *rest = [self._read(cell.made, size.runs) for cell in study.cells]
        if self._interrupted and not np.isfinite(plain).any():
            raise KeyboardInterrupt
        off = {s.mechanism: values for s, values in zip(found, rest, strict=True)}
        numbers = np.arange(size.runs)
        rows = rows_of(case, self._seed, numbers)
        draw = numbers if rows is None else rows
        return removal.ranked(self._asked, found, plain, off, draw)

    def _variance(self) -> Variance | None:
        if not self._size.draws:
            return None
        prior = self._prior()
        values = self._simulated(prior)
        screened = {
            a.measure: screen(prior.names, prior.values, values[k], self._seed)
            for k, a in enumerate(self._asked)
        }
        return Variance(screened, len(prior))
