"""A plan for a place and a period: needs of a case, and of scenarios with common random numbers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from breakrank.case.changes import counterfactual, unselected
from breakrank.case.dates import as_date
from breakrank.case.ensemble import load_ensemble
from breakrank.errors import UsageError
from breakrank.inference.calibration import ensemble_of
from breakrank.questions.paired import PairedRuns, check_pair, run_pairs, valid_draws
from breakrank.questions.plan.asylum import caseworkers, queue_rules
from breakrank.questions.plan.course import READ, STAYS, PlanCourse, called, course, crowded
from breakrank.questions.plan.scope import (
    Period,
    Where,
    check_reception,
    check_staff,
    find_period,
    find_where,
    share_of,
)
from breakrank.questions.plan.sums import Care, Shelter, care, compared, shelter
from breakrank.results.paired import Difference, difference, pairs
from breakrank.results.uncertainty import rows_of
from breakrank.runs.as_of import as_known
from breakrank.runs.counterfactuals import changes, counterfactuals_named
from breakrank.runs.study import Scenario, Study, beside
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.declared import Plan
    from breakrank.questions.plan.asylum import KeepingUp, QueueRules, Staffing
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Making


FEWEST_MEMBERS = 20
"""Members that an ensemble has at least that is made for a day."""


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


USUAL = (0.5, 0.8, 0.95)
"""Service levels at which beds and costs are told beside the one that is asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class PlanData:
    """What the answer is made of.

    Attributes
    ----------
    where, period : what it is made for.
    level : service level, the share of runs in which it has to suffice.
    worlds : the case itself first, then the scenarios, each with its runs day by day.
    staffings : for each world, what numbers of caseworkers would do; empty where nobody can decide.
    differences : for each scenario by id, paired differences from the case, run by run.
    rules : how the case's asylum queue works; ``None`` where it has none.
    seed : that all worlds share, so that run k of each has the same random draws.
    missing : names of the scenarios of which no run finished.
    remarks : what was taken out of a case as of a day, and what is doubtful of its ensemble, in sentences.
    asked : runs of each world, finished or not. Those that finished in all worlds are in them.
    wanted : runs that the question is for; more than were asked of an ensemble of fewer members.
    """

    where: Where
    period: Period
    level: float
    worlds: tuple[PlanCourse, ...]
    staffings: tuple[tuple[Staffing, ...], ...]
    differences: Mapping[str, tuple[Difference, ...]]
    rules: QueueRules | None
    seed: int
    keeping_up: KeepingUp | None = None
    missing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    asked: int = 0
    wanted: int = 0

    @property
    def all_there_are(self) -> bool:
        """Whether each member of the ensemble was asked for once, and so there are no more runs."""
        draws = self.case.draws
        members = 0 if draws is None or draws.luck is None else len(draws.luck.paths)
        return 0 < members <= self.asked

    @property
    def base(self) -> PlanCourse:
        """The case itself."""
        return self.worlds[0]

    @property
    def case(self) -> Case:
        """The case of the first world, exactly as used."""
        return self.base.case

    @property
    def runs(self) -> int:
        """Number of finished runs of the case."""
        return len(self.base.runs)

    @property
    def levels(self) -> tuple[float, ...]:
        """The usual service levels and the one that is asked for, ascending."""
        return tuple(sorted({*USUAL, self.level}))

    @property
    def whole(self) -> Shelter:
        """What suffices over the whole period, at the service level."""
        return shelter(self.base, self.period, (self.level,))[0]

    @property
    def care(self) -> Care | None:
        """The full cost of assistance at the service level; ``None`` where nobody pays."""
        return next(iter(care(self.base, self.period, (self.level,))), None)

    @property
    def rents(self) -> bool:
        """Whether rooms for holders of permits are in use on a day of the period."""
        return bool(self.base.rented[:, self.period.first : self.period.last + 1].any())

    @property
    def lead(self) -> PlanData:
        """The plan of the changed side alone where there is exactly one; else the plan itself."""
        if len(self.worlds) != 2:
            return self
        worlds = self.worlds[1:]
        rules = queue_rules(worlds[0].case) if self.where.host else None
        return replace(
            self,
            worlds=worlds,
            staffings=self.staffings[1:],
            differences={},
            rules=rules,
            keeping_up=caseworkers(worlds, self.period, (), self.seed)[1] if rules else None,
            missing=(),
        )


def plan_in_runs(question: Plan, case: Case, making: Making) -> PlanData:
    """Return the plan of a case and of scenarios beside it, which share its soldiers and random draws.

    In place of runs that were selected to match the record, all are draws from the posterior, unless
    scenarios act after what the runs were selected for.

    Raises
    ------
    UsageError
        for a place, period or scenario that there is not, an option that makes no sense, or runs that
        record nothing of reception.
    BreakrankError, KeyboardInterrupt
        where no run of the case finished. Later, the plan of what had finished is returned.
    """
    since, day = question.since, question.as_of
    if since is None and day is not None:
        since = as_date(day, "--as-of") + dt.timedelta(days=1)
    period = find_period(case.calendar, since, question.until)
    level, staff = share_of(question.level), check_staff(question.staff)
    remarks: tuple[str, ...] = ()
    if day is not None:
        if period.start <= as_date(day, "--as-of"):
            raise UsageError(f"--from {period.start}: as of {day} a plan begins on a later day")
        case, remarks = _case_as_of(question, case, day, making)
    where = find_where(case, question.at)
    cases = _cases(question, case, period, making)
    for one in cases:
        check_reception(one.case, one.id)
        check_pair(cases[0].case, one.case)
    study = Study(tuple(Scenario(one.case, one.name) for one in cases), question.runs, question.seed)
    what = f"{case.title}, {counted(study.runs, 'run')}"
    made = run_pairs(study, making, what, READ)
    found = _of_all(dict(zip((one.id for one in cases), study.scenarios, strict=True)), made)
    where = replace(where, base=cases[0].case)
    worlds = [
        course(found[one.id], where, one.id, one.title, one.changes, one.question, one.times, one.stated)
        for one in cases
        if one.id in found
    ]
    plan = plan_of(worlds, where, period, level, staff, question.seed)
    missing = tuple(one.id for one in cases if one.id not in found)
    return replace(plan, missing=missing, remarks=remarks, asked=study.runs, wanted=question.runs)


def _of_all(scenarios: Mapping[str, Scenario], made: PairedRuns) -> dict[str, Result]:
    """Return the runs that finished in the case and in each scenario beside it, by id.

    A scenario that has none of them is left out.
    """
    found: dict[str, Result] = {}
    common: set[int] = set()
    for name, scenario in scenarios.items():
        result = made.result(scenario.name)
        runs = set() if result is None else set(result.data["run"].values.tolist())
        shared = runs & common if found else runs
        if result is not None and shared:
            found[name], common = result, shared
    kept = sorted(common)
    return {
        name: one if one.runs == len(kept) else replace(one, data=one.data.sel(run=kept))
        for name, one in found.items()
    }


def _case_as_of(question: Plan, case: Case, as_of: str, making: Making) -> tuple[Case, tuple[str, ...]]:
    """Return a case as it was known on a day, whose runs are members that agree with what was known then.

    What came later is taken out, and said in the sentences beside it. The ensemble is made, or is that of a
    folder up to that very day.

    Raises
    ------
    UsageError
        for what is no day before the last, or no ensemble of that day, this case and force.
    """
    day = case.calendar.within(as_of, "--as-of")
    then = as_known(case, day)
    if question.ensemble is None:
        members = max(question.runs, FEWEST_MEMBERS)
        found = ensemble_of(case, day, members, question.seed, store=making.store, carry=making.carry)
    elif question.ensemble in ("point", "prior"):
        raise UsageError(
            f"ensemble {question.ensemble}: as of a day, a folder of an ensemble up to that day is expected\n"
            "  `breakrank forecast --out FOLDER` keeps one."
        )
    else:
        found = load_ensemble(question.ensemble, case)
        luck = found.draws.luck
        if luck is None or luck.until != day:
            raise UsageError(
                f"the ensemble in {question.ensemble} has assimilated the figures up to "
                f"{'no day' if luck is None else luck.until}, not up to {day}\n  `breakrank forecast --as-of "
                f"{day} --ensemble {question.ensemble} --out FOLDER` goes on with it, if it is earlier."
            )
    remarks = (*filter(None, (found.doubt,)), *then.told())
    making.changes = replace(making.changes, under=f"as of {day}")
    lived = found.of(replace(then.case, posterior=found.parameters))  # what a change leaves of the members
    given = {*case.by_hand, *making.changes.values}
    if not given or (question.ensemble is None and given.isdisjoint(found.draws.names)):
        return lived, remarks
    said = (
        f"The ensemble was made without what is set ({', '.join(sorted(given))}), so that runs have the "
        "parameters of its members, and random numbers of their own."
    )
    draws = unselected(lived).draws
    return lived.with_draws(None if draws is None else draws.without(given)), (said, *remarks)


def plan_of(
    worlds: Sequence[PlanCourse],
    where: Where,
    period: Period,
    level: float,
    staff: tuple[int, ...],
    seed: int,
) -> PlanData:
    """Return the plan of courses that are there already, the case's first."""
    rules = queue_rules(worlds[0].case) if where.host else None
    staffings, keeping_up = caseworkers(worlds, period, staff, seed) if rules else ((), None)
    apart = {w.id: differences(worlds[0], w, period, seed) for w in worlds[1:]}
    return PlanData(where, period, level, tuple(worlds), staffings, apart, rules, seed, keeping_up)


def _cases(question: Plan, case: Case, period: Period, making: Making) -> list[PlanCase]:
    """Return the case and its scenarios, each up to the end of the period and under valid draws."""
    cut = period.end if period.end != case.calendar.end else None
    own = PlanCase("case", case.title, case, making.changes.name(until=cut))
    cases = [own, *_others(question, case, making, cut)]
    ended = [one.case if cut is None else one.case.until(cut) for one in cases]
    times = float(question.arrivals)
    valid = valid_draws(ended[0], ended[1:])
    valid = [unselected(one) for one in valid] if times != 1 else valid
    cases = [replace(one, case=made) for one, made in zip(cases, valid, strict=True)]
    return [cases[0], *(cases[1:] if times == 1 else _many(cases, times))]


def _many(cases: Sequence[PlanCase], times: float) -> Iterator[PlanCase]:
    """Yield the scenarios of multiplied arrivals."""
    said = (called(times),)
    alone = replace(cases[0], id=f"arrivals-{times:g}", title=said[0], changes=(STAYS,))
    for one in cases[1:] or (alone,):
        yield replace(
            one,
            title="; ".join(dict.fromkeys((one.title, *said))),
            case=crowded(one.case, times),
            name=f"{one.name}, {said[0]}",
            changes=one.changes + said * (one.title != said[0]),
            times=times,
            stated=one.case,
        )


def _others(question: Plan, case: Case, making: Making, cut: dt.date | None) -> Iterator[PlanCase]:
    """Yield the scenarios, with what each changes in words."""
    asked = question.scenarios

    def name(one: str) -> str:
        return making.changes.name(beside(one), until=cut)

    if isinstance(asked, Mapping):
        yield from (PlanCase(one, one, other, name(one)) for one, other in asked.items())
        return
    for c in counterfactuals_named(case, [asked] if isinstance(asked, str) else asked):
        yield PlanCase(c.id, c.title, counterfactual(case, c), name(c.id), changes(c, case), c.question)


def differences(base: PlanCourse, other: PlanCourse, period: Period, seed: int) -> tuple[Difference, ...]:
    """Return the differences between a scenario and the case, run by run, over the runs of both."""
    runs, i, j = pairs(base.runs, other.runs)
    draw = rows_of(base.case, seed, runs)
    before, after = compared(base, period), compared(other, period)
    return tuple(
        difference(name, label, unit, values[i], after[name][2][j], draw)
        for name, (label, unit, values) in before.items()
        if name in after
    )
