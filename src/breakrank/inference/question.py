"""The question what the observed figures tell of a case's parameters, as it is asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion, front_door, option
from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.inference.result import Calibration
    from breakrank.runs.carry_out import Making

ALL = "all"
"""Every observed figure of the case is assimilated."""


@dataclass(frozen=True)
class Calibrate(KeptRunsQuestion):
    """Make the posterior ensemble of a case from its observed figures.

    Every parameter with a prior is free. First the case is simulated with parameters drawn from the priors,
    and the prior predictive check is printed. Further waves simulate near the figures, and teach an emulator
    of them, from which the posterior of the parameters comes. Draws of it are conditioned on single events by
    particle filters; these are the members of the ensemble. Where priors or events were chosen with the
    figures in view, these are used twice, and the posterior is narrower than they alone make it.

    Shows a verdict, the informed parameters and how well each figure is met. The command also writes
    posterior and ensemble of a case folder into it, unless it is given another folder, a day, events or
    mechanisms. Never choose a seed for its outcome.

    Work is kept in the store: the same call continues after an interruption, even if the process was killed.
    """

    name = "calibrate"
    folder = "breakrank-calibration-CASE-SEED"
    holds = "the posterior, the ensemble and all tables; an earlier calibration is replaced"
    changes = "events"
    usual_draws = "point"
    travels = False

    _: KW_ONLY
    as_of: DateLike = option(
        ALL,
        "Last day whose publications are used, or all. What came later is taken out of the case.",
        typed=str,
    )
    simulations: int = option(
        1200, "Number of simulations in all waves together.", unit="simulations", low=100, high=10_000_000
    )
    waves: int = option(
        3, "1 simulates the prior only. Each further wave simulates near the figures.", low=1, high=10
    )
    members: int = option(
        40,
        "Members of the ensemble: draws of parameters that particle filters condition on single events. 0 "
        "makes none.",
        low=0,
        high=1_000_000,
    )
    predictive: int = option(
        100,
        "Number of runs with parameters from the posterior that are compared with the observed figures, two "
        "for each draw.",
        unit="runs",
        low=20,
        high=1_000_000,
    )
    fixed: Collection[str] = option(
        (),
        "Keep a parameter at the case's value. May be given several times.",
        flag="--fix",
        typed=tuple[str, ...],
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.fixed, str):
            raise UsageError("fixed is a list of parameters, not a text")

    def answer(self, case: Case, making: Making) -> Calibration:
        """Return the posterior; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.inference.calibration import calibrated

        return calibrated(self, case, making)

    def belongs_in(self, case: str, *, changed: bool) -> bool:
        """Say whether a case is a folder as it stands, which its posterior goes into."""
        from breakrank.runs.cases import list_cases

        return not changed and self.as_of == ALL and case not in list_cases()

    def replaces(self, folder: Path) -> bool:
        """Say whether a folder holds an earlier calibration."""
        from breakrank.inference.result import is_calibration

        return is_calibration(folder)


calibrate = front_door(Calibrate)
