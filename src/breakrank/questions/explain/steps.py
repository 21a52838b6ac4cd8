"""The studies that an explanation consists of, and how many runs each takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.errors import UsageError
from breakrank.questions.explain import prior_runs, removal
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.runs.whole_number import whole_number

if TYPE_CHECKING:
    from breakrank.case import Case

DRAWS = 1024
"""Prior simulations, where the call does not say."""
FEWEST = 64
"""Prior simulations without which screening says nothing."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much work an explanation is.

    Attributes
    ----------
    runs : of the case, and without each mechanism.
    draws : prior simulations for screening; 0 leaves it out.

    Raises
    ------
    UsageError
        for numbers that make no sense.
    """

    runs: int = 40
    draws: int = DRAWS

    def __post_init__(self) -> None:
        whole_number("runs", self.runs, 2, 2**31 - 1)
        if whole_number("draws", self.draws, 0, 2**31 - 1) and self.draws < FEWEST:
            raise UsageError(
                f"draws is {self.draws}; screening needs at least {FEWEST} prior simulations, or 0"
            )

    def count(self, case: Case) -> tuple[int, int]:
        """Return how many runs it takes at most: of the case without mechanisms, and under prior draws."""
        return (1 + len(removal.switches(case))) * self.runs, self.draws


def size_of(case: Case, runs: int, draws: int | None) -> Size:
    """Return how much work is asked for; :func:`breakrank.explain` says what is meant where nothing is said.

    Raises
    ------
    UsageError
        for numbers that make no sense, or prior simulations of a case without priors.
    """
    if draws:
        prior_runs.from_prior(case, 1, 0)  # which refuses a case without priors
    usual = DRAWS if prior_runs.free(case) else 0
    return Size(runs, usual if draws is None else draws)


def single_study(case: Case, size: Size, seed: int) -> Study:
    """Return the study of the case, and of it without each mechanism."""
    taken = (removal.without(case, s.mechanism) for s in removal.switches(case))
    return Study((Scenario(case), *taken), size.runs, seed)
