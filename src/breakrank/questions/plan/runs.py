"""Where the runs of a plan come from: made for it and forgotten, or kept in a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from breakrank.questions.plan.course import READ
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.ensemble import Progress, shifted, simulate
from breakrank.runs.identity import code_digest
from breakrank.runs.scenario import Scenario
from breakrank.runs.store import Store, opened
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results.result import Result
    from breakrank.runs.worker import Simulator

Carry = Callable[[Study, Store], Account]
"""Carries out a study for a store."""


@dataclass(frozen=True, slots=True)
class PlanCase:
    """A case to run: its id and title, its name in a store, what it changes in words, and why it is asked."""

    id: str
    title: str
    case: Case
    name: str
    changes: tuple[str, ...] = ()
    question: str = ""


def forgotten(
    worlds: Sequence[PlanCase],
    runs: int,
    seed: int,
    workers: int | None,
    progress: Progress | None,
    simulator: Simulator | None,
) -> Iterator[Result]:
    """Make the runs of one world after the other, and keep none.

    An interrupt ends it after the runs that had finished; before the first of all it is raised.
    """
    for k, one in enumerate(worlds):
        told = None if progress is None else shifted(progress, k * runs, len(worlds) * runs)
        try:
            result = simulate(
                one.case,
                runs=runs,
                seed=seed,
                workers=workers,
                log_runs=0,
                progress=told,
                simulator=simulator,
            )
        except KeyboardInterrupt:
            if not k:
                raise
            return
        yield result
        if result.interrupted:
            return


def stored(
    worlds: Sequence[PlanCase],
    runs: int,
    seed: int,
    workers: int | None,
    folder: Store | str | PathLike[str],
    carry: Carry | None,
    simulator: Simulator | None,
) -> Iterator[Result]:
    """Make what a store does not hold of all worlds, as one study, and read each of them there.

    An interrupt ends it with the worlds of which runs are kept; with none of the first, it is raised.
    """
    study = Study(tuple(Scenario(one.case, one.name) for one in worlds), runs, seed)
    store = opened(folder, worlds[0].case.id)
    if carry is None:
        account = carry_out(study, store, choose_backend(None, workers), simulator=simulator)
    else:
        account = carry(study, store)
    code = code_digest(simulator)
    for k, one in enumerate(worlds):
        if account.interrupted and not store.stored(one.case, seed, code).finished(range(runs)):
            if not k:
                raise KeyboardInterrupt
            return
        yield store.result(one.case, seed, runs, only=READ, code=code, interrupted=account.interrupted)
