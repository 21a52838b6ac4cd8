"""Explaining a case: mechanisms taken out, and parameters screened."""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.dates import DateLike
from breakrank.case.free_parameters import Free, drawable
from breakrank.errors import UsageError
from breakrank.questions.calibrate.bank import Portion, portions
from breakrank.questions.compare.compare import unselected
from breakrank.questions.explain import removal
from breakrank.questions.explain.removal import ExplainedOutcome, Removal, outcomes_of, read_all
from breakrank.questions.explain.result import Explanation, Variance
from breakrank.questions.explain.screening import screen
from breakrank.results.measures import read_by
from breakrank.results.uncertainty import rows_of
from breakrank.runs.backends import Here, choose_backend
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.scenario import Scenario
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from breakrank.runs.whole_number import whole_number

if TYPE_CHECKING:
    from breakrank.case import Case


@dataclass(frozen=True, eq=False)
class PriorRuns:
    """Simulations under independent draws from the priors of a case.

    Attributes
    ----------
    names : the parameters that are drawn.
    values : what they are drawn as, float64 (simulation, parameter).
    portions : the studies that make them; their runs, one after another, are the rows of `values`.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    portions: tuple[Portion, ...]

    def __len__(self) -> int:
        return len(self.values)


def free(case: Case) -> tuple[str, ...]:
    """Return the parameters that can be drawn, in the order of the model."""
    return tuple(drawable(case))


def from_prior(case: Case, rows: int, seed: int) -> PriorRuns:
    """Return so many simulations of the prior, not yet made.

    Row number k is the same for any number of rows; it depends on the seed, k, and each parameter's name and
    prior alone.

    Raises
    ------
    UsageError
        where the case has no parameter with a prior.
    """
    if not free(case):
        raise UsageError(
            f"{case.id} has no parameter with a prior, so there is nothing to screen\n"
            "  Give parameters priors in parameters.yaml, or leave the screening out with --draws 0."
        )
    found = Free.of(case)
    made = tuple(portions(case, found, rows, seed))
    values = np.concatenate([found.values(one.z[: one.study.runs]) for one in made])
    return PriorRuns(found.names, values, made)


DRAWS = 1024
"""Prior simulations, where the call does not say."""
FEWEST = 64
"""Prior simulations without which screening says nothing."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much work an explanation is.

    Attributes
    ----------
    runs : of the case, and without each mechanism.
    draws : prior simulations for screening; 0 leaves it out.

    Raises
    ------
    UsageError
        for numbers that make no sense.
    """

    runs: int = 40
    draws: int = DRAWS

    def __post_init__(self) -> None:
        whole_number("runs", self.runs, 2, 2**31 - 1)
        if whole_number("draws", self.draws, 0, 2**31 - 1) and self.draws < FEWEST:
            raise UsageError(
                f"draws is {self.draws}; screening needs at least {FEWEST} prior simulations, or 0"
            )

    def count(self, case: Case) -> tuple[int, int]:
        """Return how many runs it takes at most: of the case without mechanisms, and under prior draws."""
        return (1 + len(removal.switches(case))) * self.runs, self.draws


def size_of(case: Case, runs: int, draws: int | None) -> Size:
    """Return how much work is asked for; :func:`breakrank.explain` says what is meant where nothing is said.

    Raises
    ------
    UsageError
        for numbers that make no sense, or prior simulations of a case without priors.
    """
    if draws:
        from_prior(case, 1, 0)  # which refuses a case without priors
    usual = DRAWS if free(case) else 0
    return Size(runs, usual if draws is None else draws)


def single_study(case: Case, size: Size, seed: int) -> Study:
    """Return the study of the case, and of it without each mechanism."""
    taken = (removal.without(case, s.mechanism) for s in removal.switches(case))
    return Study((Scenario(case), *taken), size.runs, seed)


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

    def _prior(self) -> PriorRuns:
        return from_prior(self._case, self._size.draws, self._seed)

    @property
    def _interrupted(self) -> bool:
        return any(account.interrupted for account in self._accounts)

    def _made(self, study: Study, what: str) -> None:
        self._accounts.append(self._carry(study, what))

    def _read(self, case: Case, runs: int, seed: int | None = None) -> NDArray[np.float64]:
        seed = self._seed if seed is None else seed
        return read_all(self._store, case, seed, runs, self._asked)

    def _simulated(self, prior: PriorRuns) -> NDArray[np.float64]:
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
        study = single_study(case, size, self._seed)
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


Before = Callable[[tuple[float, float]], None]
"""Is told how many seconds a run of the case takes, and one under prior draws; nan for none."""


def explain(
    case: Case | str | os.PathLike[str],
    *,
    outcomes: Sequence[str] | None = None,
    date: DateLike | None = None,
    runs: int = 40,
    draws: int | None = None,
    seed: int = 0,
    store: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    workers: int | None = None,
) -> Explanation:
    """Say which mechanism carries a case's results.

    Takes out every mechanism alone, with the same luck, and screens the parameters that have priors.

    Parameters
    ----------
    case : a case, the name of a built-in one, or the folder of one. Mechanisms are taken out under its draws,
        or under its posterior in place of runs that were selected to match the record.
    outcomes : ids of measures; by default those of :data:`breakrank.questions.explain.removal.USUAL`, and in
        a war or beside an opposition at home those of :data:`~breakrank.questions.explain.removal.AT_WAR`.
    date : the day at which all are read; see :func:`~breakrank.questions.explain.removal.outcomes_of`.
    runs : of the case and of each world without a mechanism, at least 2.
    draws : prior simulations that parameters are screened with; 0 leaves it out. By default 1,024, and 0 for
        a case without priors.
    seed : 0 to 2**64 - 1.
    store : folder that keeps every finished run; by default none is kept.
    backend, workers : where runs are made; see :func:`breakrank.runs.backends.choose_backend`.

    Raises
    ------
    UsageError
        for an argument that makes no sense, before anything runs.
    KeyboardInterrupt
        for Ctrl-C before the first step is done; later, what is done is returned, marked `interrupted`.
    """
    case, where = as_case(case), choose_backend(backend, workers)
    size = size_of(case, runs, draws)
    with tempfile.TemporaryDirectory() as forgotten:
        kept = Store(Path(forgotten) / "store" if store is None else Path(store))
        asked = outcomes_of(case, outcomes, date)
        return explained(case, size, kept, lambda study, _: carry_out(study, kept, where), asked, seed)


def explained(
    case: Case,
    size: Size,
    store: Store,
    carry: Carry,
    asked: tuple[ExplainedOutcome, ...],
    seed: int = 0,
    *,
    before: Before | None = None,
) -> Explanation:
    """Say which mechanism carries a case's results; see :func:`explain`.

    Parameters
    ----------
    size : how much work it is.
    store, carry : where runs are kept, and what carries out a study for it.
    before : told what a run takes, after the first few, which are made in this process for it.
    """
    work = Explaining(unselected(case), size, store, carry, asked, seed)
    if before is not None:
        before(work.seconds())
    return work.explanation()
