"""A forecast as of a day: worlds that agree with what was known, gone on with luck of their own.

What came later is taken out of the case first, as in a hold-out. Where the record knows what came later, the
forecast is scored beside naive ones that were told the same figures.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.dates import DateLike
from breakrank.case.worlds import Worlds
from breakrank.questions.condition.condition import condition, day_of, go_on, silently
from breakrank.questions.forecast.headlines import Headline, WeekOfBeds, beds_by_week, headlines, reads
from breakrank.questions.validate.figures import naive, split
from breakrank.questions.validate.fit import variables
from breakrank.questions.validate.known_then import as_known
from breakrank.questions.validate.trial import Trial
from breakrank.questions.validate.trials import forecast_figure
from breakrank.results.measures import measure_of
from breakrank.runs.backends import choose_backend
from breakrank.runs.cases import as_case
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.condition.lives import Carry
    from breakrank.runs.store import Store


@dataclass(frozen=True)
class ForecastFromWorlds:
    """A forecast as of a day.

    Attributes
    ----------
    worlds : that it goes on from. headlines : what is asked first. beds : what the host needs by week.
    trial : later figures, scored.
    """

    worlds: Worlds
    headlines: tuple[Headline, ...]
    beds: tuple[WeekOfBeds, ...]
    trial: Trial

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "case": self.trial.case,
            "as_of": self.trial.until,
            "headlines": [one.as_json() for one in self.headlines],
            "beds": [week.as_json() for week in self.beds],
            "scores": [
                {
                    "target": figure.target,
                    "date": figure.date,
                    "forecaster": each.by,
                    "score_kind": "CRPS" if figure.kind == "figure" else "Brier",
                    "score": each.score,
                    "in50": each.in50,
                    "in90": each.in90,
                    "best": each.by in figure.best,
                }
                for figure in self.trial.figures
                for each in figure.forecasts
            ],
            "verdict": list(self.trial.verdict()),
            "notes": list(self.trial.notes),
            "worlds": dict(self.worlds.about),
        }


def forecast(
    case: Case,
    as_of: DateLike,
    worlds: int | Worlds = 100,
    seed: int = 0,
    *,
    announced: Collection[str] = (),
    store: Store | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
) -> ForecastFromWorlds:
    """Forecast from what was published of a case by a day; from the prior, where nothing was.

    Parameters
    ----------
    case : with priors and targets.
    as_of : last day that is known.
    announced : ids of later events that were known to come.
    worlds : how many; or worlds kept of an earlier day, which are told only of what came since.
    seed, store, workers, carry : as in :func:`breakrank.condition`.

    Raises
    ------
    UsageError
        for a day after which nothing is left.
    """
    plain = as_case(case).with_draws(None)
    day = day_of(plain, as_of)
    then = as_known(plain, day, announced)
    where = choose_backend(None, workers)
    made = carry or silently(where)
    if isinstance(worlds, int):
        found = condition(plain, day, worlds, seed, store=store, carry=made)
    else:
        found = go_on(plain, worlds, day, seed, store=store, carry=made)
    number = len(found.draws)
    known, later = split(plain, day)
    lived = found.of(then.case)
    wanted = {*(variables(later, plain) if later else ()), *reads(plain)}
    study = Study((Scenario(lived, f"forecast as of {day}"),), number, seed)
    kept = MemoryStore(wanted)
    if made(study, kept, f"forecast as of {day}").interrupted:
        raise KeyboardInterrupt
    made_of = kept.result(lived, seed, number).whole
    data = made_of.data
    figures = tuple(
        forecast_figure(
            t, {"worlds": np.asarray(measure_of(data, t), np.float64)}, naive(plain, t, known, day)
        )
        for t in later
    )
    trial = Trial("forecast", plain.id, plain.title, figures, str(day), (), tuple(then.told()))
    return ForecastFromWorlds(found, headlines(data, day, plain), beds_by_week(made_of, day), trial)
