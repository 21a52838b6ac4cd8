"""A figure of the record with every forecast of it, and the course of its count for a chart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.results.scores import Array

if TYPE_CHECKING:
    pass


MODEL = ("calibrated", "prior", "carried", "worlds")
"""The forecasters that are the model; all others are baselines."""


@dataclass(frozen=True)
class Forecast:
    """One forecaster on one figure.

    Attributes
    ----------
    by : its name. score : CRPS or Brier score, lower is better.
    quantiles : 5, 25, 50, 75, 95%; not numbers where only a chance is told.
    chance : of what the record says (a yes; a figure within its bound); not a number for a figure.
    in50, in90 : whether its 50 and 90% intervals meet the record; ``None`` where there is no interval.
    """

    by: str
    score: float
    quantiles: tuple[float, float, float, float, float] = (math.nan,) * 5
    chance: float = math.nan
    in50: bool | None = None
    in90: bool | None = None


@dataclass(frozen=True)
class ForecastFigure:
    """A figure of the record and all that was forecast of it.

    Attributes
    ----------
    kind : ``"figure"`` (scored by CRPS), ``"yes or no"`` or ``"bound"`` (by Brier).
    low, high : what the record says; infinite where it sets no bound.
    """

    target: str
    label: str
    unit: str
    date: str
    kind: str
    low: float
    high: float
    forecasts: tuple[Forecast, ...]

    def of(self, name: str) -> Forecast | None:
        """Return the forecast of one forecaster, if it made one."""
        return next((f for f in self.forecasts if f.by == name), None)

    @property
    def best(self) -> tuple[str, ...]:
        """Who has the lowest score; several where they are as good (within a thousandth)."""
        least = min((f.score for f in self.forecasts if math.isfinite(f.score)), default=math.nan)
        return tuple(f.by for f in self.forecasts if as_good(f.score, least))

    @property
    def best_baseline(self) -> Forecast | None:
        """The best of the baselines."""
        rest = [f for f in self.forecasts if f.by not in MODEL and math.isfinite(f.score)]
        return min(rest, key=lambda f: f.score) if rest else None


@dataclass(frozen=True)
class ForecastCourse:
    """The course of a count, for a chart: days, bands of the model by name, figures, and baselines.

    ``bands`` holds (5, 50) arrays of quantiles by day for each forecaster; ``known`` and ``later`` are
    (date, low, high); ``naive`` holds (date, 5%, 50%, 95%) by baseline.
    """

    label: str
    unit: str
    days: tuple[str, ...]
    until: str
    bands: dict[str, Array]
    known: tuple[tuple[str, float, float], ...]
    later: tuple[tuple[str, float, float], ...]
    naive: dict[str, tuple[tuple[str, float, float, float], ...]]


def as_good(one: float, other: float) -> bool:
    """Return whether two scores differ by no more than a thousandth of the lower one."""
    return abs(one - other) <= 1e-9 + 1e-3 * min(one, other)
