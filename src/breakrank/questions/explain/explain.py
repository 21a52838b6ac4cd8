"""Explaining a case: every mechanism taken out alone."""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.dates import DateLike
from breakrank.questions.compare.compare import unselected
from breakrank.questions.explain import removal
from breakrank.questions.explain.removal import ExplainedOutcome, Removal, outcomes_of, read_all
from breakrank.questions.explain.result import Explanation
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

RUNS = 40
"""Runs of the case and without each mechanism, where the call does not say."""
TRIED = 3
"""Runs after which it is known how long one takes."""

Carry = Callable[[Study, str], Account]
"""Carries out a study, given what it is in words."""


def study_of(case: Case, runs: int, seed: int) -> Study:
    """Return the study of the case, of it without each mechanism, and without its dated events if it has any.

    Raises
    ------
    UsageError
        for fewer than two runs.
    """
    runs = whole_number("runs", runs, 2, 2**31 - 1)
    taken = (removal.without(case, s.mechanism) for s in removal.switches(case))
    undated = (removal.without_events(case),) if case.events else ()
    return Study((Scenario(case), *taken, *undated), runs, seed)


def explain(
    case: Case | str | os.PathLike[str],
    *,
    outcomes: Sequence[str] | None = None,
    date: DateLike | None = None,
    runs: int = RUNS,
    seed: int = 0,
    store: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    workers: int | None = None,
) -> Explanation:
    """Say which mechanism carries a case's results.

    Takes out every mechanism alone, with the same luck.

    Parameters
    ----------
    case : a case, the name of a built-in one, or the folder of one. Mechanisms are taken out under its draws,
        or under its posterior in place of runs that were selected to match the record.
    outcomes : ids of measures; by default those of :data:`breakrank.questions.explain.removal.USUAL`, and in
        a war or beside an opposition at home those of :data:`~breakrank.questions.explain.removal.AT_WAR`.
    date : the day at which all are read; see :func:`~breakrank.questions.explain.removal.outcomes_of`.
    runs : of the case and of each world without a mechanism, at least 2.
    seed : 0 to 2**64 - 1.
    store : folder that keeps every finished run; by default none is kept.
    backend, workers : where runs are made; see :func:`breakrank.runs.backends.choose_backend`.

    Raises
    ------
    UsageError
        for an argument that makes no sense, before anything runs.
    KeyboardInterrupt
        for Ctrl-C before any run is done; later, what is done is returned, marked `interrupted`.
    """
    case, where = as_case(case), choose_backend(backend, workers)
    with tempfile.TemporaryDirectory() as forgotten:
        kept = Store(Path(forgotten) / "store" if store is None else Path(store))
        asked = outcomes_of(case, outcomes, date)
        return explained(case, runs, kept, lambda study, _: carry_out(study, kept, where), asked, seed)


def explained(
    case: Case,
    runs: int,
    store: Store,
    carry: Carry,
    asked: tuple[ExplainedOutcome, ...],
    seed: int = 0,
    *,
    before: Callable[[float], None] | None = None,
) -> Explanation:
    """Say which mechanism carries a case's results; see :func:`explain`.

    Parameters
    ----------
    store, carry : where runs are kept, and what carries out a study for it.
    before : told how many seconds a run takes, after the first few, which are made in this process for it;
        nan where none could be made.
    """
    begun = time.perf_counter()
    case = unselected(case)
    study = study_of(case, runs, seed)
    if before is not None:
        before(_seconds(case, store, seed, asked))
    switches = removal.switches(case)
    account = carry(study, f"{len(switches)} mechanisms taken out, {study.runs} runs each")
    found, without = _removal(study, store, asked, interrupted=account.interrupted)
    seconds = time.perf_counter() - begun
    return Explanation(
        case, asked, seed, study.runs, found, (account,), seconds, "", account.interrupted, without
    )


def _seconds(case: Case, store: Store, seed: int, asked: tuple[ExplainedOutcome, ...]) -> float:
    """Return how long a run of the case takes in this process, s."""
    warm = _tried(case, store, seed, 1, asked)  # loads the compiled model
    return _tried(case, store, seed, TRIED, asked) if math.isfinite(warm) else warm


def _tried(case: Case, store: Store, seed: int, runs: int, asked: tuple[ExplainedOutcome, ...]) -> float:
    """Return the seconds that a run takes, here if there are not so many yet, else as the store tells."""
    account = carry_out(Study((Scenario(case),), runs, seed), store, Here())
    if account.interrupted:
        raise KeyboardInterrupt
    if account.made:
        return account.seconds / account.made
    if not account.finished:
        return math.nan
    kept = store.result(case, seed, runs, only=read_by(asked[0].measure))
    return kept.seconds / kept.runs


def _removal(
    study: Study, store: Store, asked: tuple[ExplainedOutcome, ...], *, interrupted: bool
) -> tuple[Removal, dict[str, tuple[float, float]]]:
    """Return what taking out mechanisms does, and each outcome's means with dated events and without."""
    case = study.cells[0].made
    plain, *rest = [read_all(store, cell.made, study.seed, study.runs, asked) for cell in study.cells]
    if interrupted and not np.isfinite(plain).any():
        raise KeyboardInterrupt
    found = removal.switches(case)
    off = {s.mechanism: values for s, values in zip(found, rest, strict=False)}
    undated = rest[len(found)] if len(rest) > len(found) else None
    numbers = np.arange(study.runs)
    rows = rows_of(case, study.seed, numbers)
    means = {} if undated is None else _means(asked, plain, undated)
    return removal.ranked(asked, found, plain, off, numbers if rows is None else rows), means


def _means(
    asked: tuple[ExplainedOutcome, ...], plain: NDArray[np.float64], undated: NDArray[np.float64]
) -> dict[str, tuple[float, float]]:
    """Return the means of each outcome over runs that ended in both, with dated events and without."""
    both = np.isfinite(plain) & np.isfinite(undated)
    return {
        a.measure: (float(plain[k][both[k]].mean()), float(undated[k][both[k]].mean()))
        for k, a in enumerate(asked)
        if both[k].any()
    }
