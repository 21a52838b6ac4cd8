"""The data of a plan's answer: its scenarios, place and time, and the effect of other caseworkers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from breakrank.questions.plan.asylum import caseworkers, queue_rules
from breakrank.questions.plan.money import Care, care
from breakrank.questions.plan.shelter import Shelter, shelter

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.plan.asylum import KeepingUp, QueueRules, Staffing
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.scope import Period, Where
    from breakrank.results.paired import Difference

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
    asked : runs of each world, finished or not.
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
        return care(self.base, self.period, (self.level,))[0] if self.base.payers else None

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
