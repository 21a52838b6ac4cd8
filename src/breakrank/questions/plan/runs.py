"""Where the runs of a plan come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.questions.plan.course import READ
from breakrank.runs.carry_out import Account
from breakrank.runs.ensemble import result_of
from breakrank.runs.identity import code_digest
from breakrank.runs.memory_store import AnyStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results.result import Result
    from breakrank.runs.worker import Simulator

Carry = Callable[[Study, AnyStore], Account]
"""Carries out a study for a store."""


@dataclass(frozen=True, slots=True)
class PlanCase:
    """A case to run: its id and title, its name in a store, what it changes in words, and why it is asked.

    Each one who comes stands for `times` people, whom the host of `stated` takes in.
    """

    id: str
    title: str
    case: Case
    name: str
    changes: tuple[str, ...] = ()
    question: str = ""
    times: float = 1.0
    stated: Case | None = None


def results_of(
    worlds: Sequence[PlanCase],
    runs: int,
    seed: int,
    store: AnyStore,
    carry: Carry,
    simulator: Simulator | None,
) -> Iterator[Result]:
    """Make what a store does not hold of all worlds, as one study, and read each of them there.

    An interrupt ends it with the worlds of which runs are kept; with none of the first, it is raised.
    """
    study = Study(tuple(Scenario(one.case, one.name) for one in worlds), runs, seed)
    account, code = carry(study, store), code_digest(simulator)
    for k in range(len(worlds)):
        try:
            yield result_of(account, store, study, k, only=READ, code=code)
        except KeyboardInterrupt:
            if not k:
                raise
            return
