"""A forecast as of a day: worlds that agree with what was known, gone on with luck of their own.

What came later is taken out of the case first, as in a hold-out. Where the record knows what came later, the
forecast is scored beside naive ones that were told the same figures.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.questions.condition.condition import condition, day_of, go_on, silently
from breakrank.questions.condition.worlds import Worlds
from breakrank.questions.validate.figures import naive, split
from breakrank.questions.validate.fit import variables
from breakrank.questions.validate.known_then import as_known
from breakrank.questions.validate.trial import Trial
from breakrank.questions.validate.trials import forecast_figure
from breakrank.results.measures import measure, measure_of, read_by
from breakrank.results.quantiles import MEDIAN_AND_ENDS
from breakrank.runs.backends import choose_backend
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.questions.condition.lives import Carry
    from breakrank.runs.store import Store

AHEAD = (7, 30, 90)
"""Days ahead of which the headlines speak."""
COUNTED = {"Registered": "registered", "Persons in sites": "persons_in_sites"}
"""Counts of which the headlines speak, by label; the second is the beds that are taken."""


@dataclass(frozen=True)
class Headline:
    """What is asked first of a day ahead: median and 90% interval of a count, or the chance of an event."""

    label: str
    date: dt.date
    chance: float = np.nan
    low: float = np.nan
    middle: float = np.nan
    high: float = np.nan


@dataclass(frozen=True)
class ForecastFromWorlds:
    """A forecast as of a day.

    Attributes
    ----------
    worlds : that it goes on from. headlines : what is asked first. trial : later figures, scored.
    """

    worlds: Worlds
    headlines: tuple[Headline, ...]
    trial: Trial

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "case": self.trial.case,
            "as_of": self.trial.until,
            "headlines": [
                {
                    "label": one.label,
                    "date": str(one.date),
                    **(
                        {"interval90": [one.low, one.high], "median": one.middle}
                        if np.isnan(one.chance)
                        else {"chance": one.chance}
                    ),
                }
                for one in self.headlines
            ],
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
    as_of: dt.date | str,
    worlds: int | Worlds = 100,
    seed: int = 0,
    *,
    announced: Collection[str] = (),
    store: Store | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
) -> ForecastFromWorlds:
    """Forecast from what was known of a case on a day.

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
        for a day by which nothing was known, or after which nothing is left.
    """
    plain = case.with_draws(None)
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
    asked = {variable for name in COUNTED.values() for variable in read_by(name)}
    wanted = (*(variables(later, plain) if later else ()), *asked, "risings", "regime_holds")
    study = Study((Scenario(lived, f"forecast as of {day}"),), number, seed)
    kept = MemoryStore(wanted)
    if made(study, kept, f"forecast as of {day}").interrupted:
        raise KeyboardInterrupt
    data = kept.result(lived, seed, number).data
    figures = tuple(
        forecast_figure(
            t, {"worlds": np.asarray(measure_of(data, t), np.float64)}, naive(plain, t, known, day)
        )
        for t in later
    )
    trial = Trial("forecast", plain.id, plain.title, figures, str(day), (), tuple(then.told()))
    return ForecastFromWorlds(found, _headlines(data, day, plain), trial)


def _headlines(data: xr.Dataset, day: dt.date, case: Case) -> tuple[Headline, ...]:
    end, following = case.calendar.end, day + dt.timedelta(days=1)
    dates = sorted({min(end, day + dt.timedelta(days=k)) for k in AHEAD} | {end})
    out = []
    for label, name in COUNTED.items():
        for date in dates:
            low, middle, high = np.quantile(measure(data, name, date), MEDIAN_AND_ENDS).tolist()
            out.append(Headline(label, date, low=low, middle=middle, high=high))
    for date in dates:
        rose = measure(data, "risings", date, following) > 0
        out.append(Headline("A rising", date, float(rose.mean())))
    out.append(Headline("Regime in place", end, float(measure(data, "regime_holds", end).mean())))
    return tuple(out)
