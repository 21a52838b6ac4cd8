"""What a plan consists of: the worlds, where and when, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from breakrank.questions.plan.money import Care, care

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Failure
    from breakrank.questions.plan.asylum import KeepingUp, QueueRules, Staffing
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.scope import Period, Where
    from breakrank.results.paired import Difference


@dataclass(frozen=True, eq=False, repr=False)
class PlanData:
    """The data of a :class:`~breakrank.questions.plan.result.Plan`, which names its attributes."""

    case: Case
    where: Where
    period: Period
    assurance: tuple[float, ...]
    worlds: tuple[PlanCourse, ...]
    staffings: tuple[tuple[Staffing, ...], ...]
    differences: Mapping[str, tuple[Difference, ...]]
    rules: QueueRules | None
    seed: int
    keeping_up: KeepingUp | None = None
    seconds: float = 0.0
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    failed: tuple[Failure, ...] = ()
    interrupted: bool = False
    missing: tuple[str, ...] = ()

    @property
    def base(self) -> PlanCourse:
        """The case itself."""
        return self.worlds[0]

    @property
    def level(self) -> float:
        """The assurance at which costs are told: the middle one of those asked for."""
        return self.assurance[len(self.assurance) // 2]

    def assistance(self, world: PlanCourse | None = None) -> Care | None:
        """Return the full cost of assistance at :attr:`level`, what is paid for, and the gap.

        It is that of the case, or of another world; ``None`` where nobody pays.
        """
        world = world or self.base
        return care(world, self.period, (self.level,))[0] if world.payers else None

    @property
    def runs(self) -> int:
        """Number of finished runs of the case."""
        return len(self.base.runs)
