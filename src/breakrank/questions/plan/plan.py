"""A plan for a place and a period: what a case, and scenarios with the same luck, ask of a host."""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from breakrank.case.changes import counterfactual
from breakrank.case.dates import DateLike
from breakrank.questions.paired import check_pair, unselected, valid_draws
from breakrank.questions.plan.course import READ, STAYS, PlanCourse, called, check_arrivals, course, crowded
from breakrank.questions.plan.persons import compared
from breakrank.questions.plan.queue_whatif import caseworkers, queue_rules
from breakrank.questions.plan.result import Plan
from breakrank.questions.plan.scope import (
    HOST,
    Period,
    Where,
    check_assurance,
    check_reception,
    check_staff,
    find_period,
    find_where,
)
from breakrank.results.paired import Difference, difference, pairs
from breakrank.results.uncertainty import rows_of
from breakrank.runs.backends import Cores
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.counterfactuals import changes, counterfactuals_named
from breakrank.runs.ensemble import result_of
from breakrank.runs.identity import code_digest
from breakrank.runs.memory_store import AnyStore, MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.scenario_names import NamedChanges, beside
from breakrank.runs.store import opened
from breakrank.runs.study import Study
from breakrank.runs.study_progress import Progress, watch_with

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Failure
    from breakrank.results.result import Result
    from breakrank.runs.store import Store
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


STAFF = (5, 10, 20, 40)
"""Numbers of caseworkers tried unless others are asked for."""
ASSURANCE = (50.0, 80.0, 95.0)
"""Assurances told unless others are asked for, per cent."""
AS_THEY_ARE = NamedChanges()


def plan(
    case: Case | str | os.PathLike[str],
    *,
    at: str | Sequence[str] = HOST,
    since: DateLike | None = None,
    until: DateLike | None = None,
    runs: int = 100,
    seed: int = 0,
    scenarios: Sequence[str] | Mapping[str, Case] = (),
    arrivals: float = 1.0,
    staff: Sequence[int] = STAFF,
    assurance: Sequence[float] = ASSURANCE,
    workers: int | None = None,
    progress: Progress | None = None,
    command: str | None = None,
    simulator: Simulator | None = None,
    store: Store | str | os.PathLike[str] | None = None,
    carry: Carry | None = None,
    changed: NamedChanges = AS_THEY_ARE,
) -> Plan:
    """Run a case and return what a host or its sites have to provide in a period, with its spread over runs.

    Scenarios are run on the same soldiers with the same luck (common random numbers), so that what differs
    from the case is what the scenario does. In place of runs that were selected to match the record, all are
    draws from the posterior, unless scenarios act after what the runs were selected for.

    Parameters
    ----------
    case : a case, the name of a built-in one, or the folder of one.
    at : ``"host"`` for all who are received, or countries, towns, ids of sites, or kinds of site such as
        ``"hotel"``. Where sites stand in several countries, one has to be named.
    since, until : first and last day; by default those of the case. Runs end with the last day.
    runs, seed, workers : as for :func:`~breakrank.runs.ensemble.simulate`, of the case and each scenario.
    scenarios : names of the case's counterfactuals or files of them, or changed cases by name.
    arrivals : how many times as many people come, 0.25 to 10: in each scenario, and where there is none, in
        one that changes nothing else.
    staff : numbers of caseworkers to try on the requests of the runs.
    assurance : per cent of runs for which beds have to suffice.
    progress : called in this process with (runs ended, runs asked for), all worlds together.
    command : the call written into the plan; by default this one.
    simulator : what makes the runs; by default the model.
    store : where finished runs are kept, so that none is made twice and an interrupted plan goes on; by
        default they are forgotten.
    carry : carries the study of all worlds out for the store, by default on the cores of this machine.
    changed : what was changed in the case before, for the names of its runs in the store.

    Raises
    ------
    UsageError
        for a place, period or scenario that there is not, an argument that makes no sense, or runs that
        record nothing of reception.
    BreakrankError
        if no run finished.
    KeyboardInterrupt
        where it comes before the first run of the case has finished: there is nothing to return. Later, the
        plan of what had finished is returned, marked ``interrupted``.
    """
    begun = time.perf_counter()
    case = as_case(case)
    where, period = find_where(case, at), find_period(case.calendar, since, until)
    levels, numbers = check_assurance(assurance), check_staff(staff)
    cut = period.end if period.end != case.calendar.end else None
    others = _others(case, scenarios, changed, cut)
    cases = [PlanCase("case", case.title, case, changed.name(until=cut)), *others]
    cases = [replace(one, case=_ended(one.case, period)) for one in cases]
    times = check_arrivals(arrivals)
    valid = valid_draws(cases[0].case, [one.case for one in cases[1:]])
    valid = [unselected(one) for one in valid] if times != 1 else valid
    cases = [replace(one, case=made) for one, made in zip(cases, valid, strict=True)]
    cases = [cases[0], *_many(cases, times)]
    for one in cases:
        check_reception(one.case, one.id)
        check_pair(cases[0].case, one.case)
    worlds: list[PlanCourse] = []
    failed: list[Failure] = []
    versions: dict[str, str] = {}
    stopped = False
    kept = MemoryStore(READ) if store is None else opened(store, case.id)
    cores, watch = Cores(workers), watch_with(progress)
    made = carry or (lambda study, kept: carry_out(study, kept, cores, watch, simulator=simulator))
    results = results_of(cases, runs, seed, kept, made, simulator)
    for one, result in zip(cases, results, strict=False):  # fewer where it was interrupted
        worlds.append(_course(result, where, one))
        failed += result.failed
        stopped |= result.interrupted
        versions = versions or dict(result.versions)
    return replace(
        plan_of(worlds, where, period, levels, numbers, seed),
        seconds=time.perf_counter() - begun,
        command=command or _call(case, at, period, (runs, seed), scenarios, arrivals, numbers, levels),
        versions=versions,
        failed=tuple(failed),
        interrupted=stopped or len(worlds) < len(cases),
        missing=tuple(one.id for one in cases[len(worlds) :]),
    )


def plan_of(
    worlds: Sequence[PlanCourse],
    where: Where,
    period: Period,
    assurance: tuple[float, ...],
    staff: tuple[int, ...],
    seed: int,
) -> Plan:
    """Return the plan of courses that are there already, the case's first; see :func:`plan`."""
    rules = queue_rules(worlds[0].case) if where.host else None
    staffings, keeping_up = caseworkers(worlds, period, staff, seed) if rules else ((), None)
    return Plan(
        case=worlds[0].case,
        where=where,
        period=period,
        assurance=assurance,
        worlds=tuple(worlds),
        staffings=staffings,
        differences={w.id: differences(worlds[0], w, period, seed) for w in worlds[1:]},
        rules=rules,
        keeping_up=keeping_up,
        seed=seed,
    )


def _ended(case: Case, period: Period) -> Case:
    return case if case.calendar.end == period.end else case.until(period.end)


def _many(cases: Sequence[PlanCase], times: float) -> list[PlanCase]:
    """Return the scenarios, in each of which so many times as many people come."""
    if times == 1:
        return list(cases[1:])
    said = (called(times),)
    others = cases[1:] or (replace(cases[0], id=f"arrivals-{times:g}", title=said[0], changes=(STAYS,)),)
    return [
        replace(
            one,
            case=crowded(one.case, times),
            name=f"{one.name}, {said[0]}",
            changes=one.changes + said * (one.title != said[0]),
            times=times,
            stated=one.case,
        )
        for one in others
    ]


def _course(result: Result, where: Where, one: PlanCase) -> PlanCourse:
    return course(result, where, one.id, one.title, one.changes, one.question, one.times, one.stated)


def _others(
    case: Case, scenarios: Sequence[str] | Mapping[str, Case], changed: NamedChanges, cut: dt.date | None
) -> list[PlanCase]:
    """Return the scenarios, with what each changes in words."""

    def name(one: str) -> str:
        return changed.name(beside(one), until=cut)

    if isinstance(scenarios, Mapping):
        return [PlanCase(one, one, other, name(one)) for one, other in scenarios.items()]

    names = [scenarios] if isinstance(scenarios, str) else scenarios
    return [
        PlanCase(c.id, c.title, counterfactual(case, c), name(c.id), changes(c, case), c.question)
        for c in counterfactuals_named(case, names)
    ]


def differences(base: PlanCourse, other: PlanCourse, period: Period, seed: int) -> tuple[Difference, ...]:
    """Return what differs between a scenario and the case, run by run, over the runs of both."""
    runs, i, j = pairs(base.runs, other.runs)
    draw = rows_of(base.case, seed, runs)
    before, after = compared(base, period), compared(other, period)
    return tuple(
        difference(name, label, unit, values[i], after[name][2][j], draw)
        for name, (label, unit, values) in before.items()
        if name in after
    )


def _call(
    case: Case,
    at: str | Sequence[str],
    period: Period,
    luck: tuple[int, int],
    scenarios: Sequence[str] | Mapping[str, Case],
    arrivals: float,
    staff: tuple[int, ...],
    levels: tuple[float, ...],
) -> str:
    parts = [f'plan("{case.id}"', f"at={at!r}", f'since="{period.start}"', f'until="{period.end}"']
    parts += [f"runs={luck[0]}", f"seed={luck[1]}"]
    if scenarios:
        parts.append(f"scenarios={list(scenarios)!r}")
    if arrivals != 1:
        parts.append(f"arrivals={arrivals:g}")
    if staff != STAFF:
        parts.append(f"staff={staff!r}")
    if tuple(100 * level for level in levels) != ASSURANCE:
        parts.append(f"assurance={tuple(100 * level for level in levels)!r}")
    return ", ".join(parts) + ")"
