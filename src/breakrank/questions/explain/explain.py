"""Explaining a case: mechanisms taken out, and parameters screened."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.case.dates import DateLike
from breakrank.questions.compare.query import unselected
from breakrank.questions.explain.explaining import Carry, Explaining
from breakrank.questions.explain.outcomes import ExplainedOutcome, outcomes_of
from breakrank.questions.explain.result import Explanation
from breakrank.questions.explain.steps import Size, size_of
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.store import Store

if TYPE_CHECKING:
    from breakrank.case import Case

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
    outcomes : ids of measures; by default those of :data:`breakrank.questions.explain.outcomes.USUAL`, and in
        a war or beside an opposition at home those of :data:`~breakrank.questions.explain.outcomes.AT_WAR`.
    date : the day at which all are read; see :func:`~breakrank.questions.explain.outcomes.outcomes_of`.
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
