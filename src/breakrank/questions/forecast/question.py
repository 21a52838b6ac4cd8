"""The question what follows from what was known on a day, as it is asked."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion, front_door, option

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.case.ensemble import PosteriorEnsemble
    from breakrank.questions.forecast.result import Forecast
    from breakrank.runs.making import Making


@dataclass(frozen=True)
class ForecastQuestion(KeptRunsQuestion):
    """Forecast from what was known on a day, pooled with simple baselines.

    Later events, series and sites are taken out. An ensemble is made that agrees with the figures published
    by then, and goes on with fresh random draws from the last known count. If nothing was published, it is
    drawn from the prior. The forecast is the pool of the ensemble, a null model and simple baselines. Their
    scores so far are shown, and what they score on later figures, if the case knows any.
    """

    name = "forecast"
    holds = "the ensemble, for --ensemble of a later forecast, which takes in the figures since; new or empty"
    kept = False
    usual_draws = "point"
    travels = False

    as_of: DateLike = option(help="Last day that is known, e.g. 2019-02-28.", typed=str)
    members: int = option(40, "Number of members of the ensemble.", low=1, high=1_000_000)
    _: KW_ONLY
    observations: str | os.PathLike[str] | None = option(
        None,
        "A table (CSV or XLSX) of new figures beside the record, with the columns date, measure, figure and "
        "source, read as `breakrank case count` reads it. With a column published, a figure is known from "
        "that day, otherwise from its own. Later ones than --as-of are used for scores only.",
        typed=Path,
    )
    announced: Collection[str] = option(
        (),
        "An event after that day which was known to come. May be given several times.",
        typed=tuple[str, ...],
    )
    ensemble: str | os.PathLike[str] | PosteriorEnsemble | None = option(
        None,
        "The ensemble of an earlier forecast, or the folder that keeps it: takes in the figures since. By "
        "default one is made.",
        typed=str,
    )

    def answer(self, case: Case, making: Making) -> Forecast:
        """Return the forecast; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.forecast.forecast import forecast_as_of

        return forecast_as_of(self, case, making)

    def replaces(self, _: Path) -> bool:
        """Say that no earlier ensemble is replaced: a later forecast may want to go on from it."""
        return False


forecast = front_door(ForecastQuestion)
