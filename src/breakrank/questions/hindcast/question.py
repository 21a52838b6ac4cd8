"""The question how past forecasts score, as it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion, front_door_to_several, option

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.questions.hindcast.result import Hindcast
    from breakrank.runs.making import Making


@dataclass(frozen=True)
class HindcastQuestion(KeptRunsQuestion):
    """Score past forecasts against simple baselines: as of every day on which a figure was published.

    As of each day, what came later is taken out of the case. The model, a null model and simple baselines
    forecast every later figure, and so does the pool of them all. With several cases, or none named (all
    built-in ones), each is also forecast without its record, with psychological parameters from the others.
    Shows which forecaster is nearest. An interrupted call continues where it stopped. Never choose a seed for
    its outcome.
    """

    name = "hindcast"
    folder = "breakrank-hindcast"
    holds = "hindcast.csv, hindcast.json and hindcast.svg; earlier ones are replaced"
    changes = "mechanisms"
    usual_draws = "point"
    several = True

    _: KW_ONLY
    as_of: DateLike | None = option(
        None,
        "One day, e.g. 2019-03-23; by default every day on which a figure was published before a later one.",
        typed=str,
    )
    draws: int = option(
        100,
        "Number of draws from the prior as of each day, for each a run of the model and of the null model.",
        unit="draws",
        low=20,
        high=1_000_000,
    )

    def answer(self, case: Sequence[Case], making: Making) -> Hindcast:
        """Return the scores of several cases; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.hindcast.hindcast import scored

        return scored(self, case, making)

    def replaces(self, folder: Path) -> bool:
        """Say whether a folder holds earlier hindcasts."""
        from breakrank.questions.hindcast.result import FILES

        return any((folder / name).is_file() for name in FILES)


hindcast = front_door_to_several(HindcastQuestion)
