"""What an explanation consists of: mechanisms taken out, terms on the scales, shares of variance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.explain.outcomes import ExplainedOutcome
    from breakrank.questions.explain.removal import Removal
    from breakrank.questions.explain.scales import Scales
    from breakrank.questions.explain.screening import Screened
    from breakrank.questions.explain.sobol import Group, Share
    from breakrank.runs.carry_out import Account


@dataclass(frozen=True, eq=False)
class Variance:
    """Between what the variance of outcomes over the priors is shared.

    Attributes
    ----------
    screened : by measure, what each parameter does, the largest share first.
    groups : mechanisms with an index of their own, and the rest.
    shares : by measure, the shares of luck, of all parameters together, and of each group; empty where no
        design was made.
    bank, rows : prior simulations that screening read, and rows of the design.
    """

    screened: Mapping[str, tuple[Screened, ...]]
    groups: tuple[Group, ...]
    shares: Mapping[str, tuple[Share, ...]]
    bank: int
    rows: int


@dataclass(frozen=True, eq=False, repr=False)
class ExplanationData:
    """The data of an :class:`~breakrank.questions.explain.result.Explanation`, which names its attributes."""

    case: Case
    asked: tuple[ExplainedOutcome, ...]
    seed: int
    runs: int
    removal: Removal
    scales: Scales | None = None
    variance: Variance | None = None
    accounts: tuple[Account, ...] = ()
    seconds: float = 0.0
    command: str = ""
    interrupted: bool = False

    @property
    def failed(self) -> int:
        """Number of runs that failed."""
        return sum(len(account.failed) for account in self.accounts)
