"""What an explanation consists of: mechanisms taken out, and parameters screened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.explain.outcomes import ExplainedOutcome
    from breakrank.questions.explain.removal import Removal
    from breakrank.questions.explain.screening import Screened
    from breakrank.runs.carry_out import Account


@dataclass(frozen=True, eq=False)
class Variance:
    """Which parameters the variance of outcomes over the priors comes from.

    Attributes
    ----------
    screened : by measure, what each parameter does, the largest share first.
    bank : prior simulations that screening read.
    """

    screened: Mapping[str, tuple[Screened, ...]]
    bank: int


@dataclass(frozen=True, eq=False, repr=False)
class ExplanationData:
    """The data of an :class:`~breakrank.questions.explain.result.Explanation`, which names its attributes."""

    case: Case
    asked: tuple[ExplainedOutcome, ...]
    seed: int
    runs: int
    removal: Removal
    variance: Variance | None = None
    accounts: tuple[Account, ...] = ()
    seconds: float = 0.0
    command: str = ""
    interrupted: bool = False

    @property
    def failed(self) -> int:
        """Number of runs that failed."""
        return sum(len(account.failed) for account in self.accounts)
