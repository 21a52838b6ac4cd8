"""One test of one case: every forecast of every figure with its score, who wins, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from breakrank.results.scores import Array

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


TOLD = {
    "calibrated": "the model, fitted",
    "prior": "the model, its prior",
    "carried": "the model, carried",
    "worlds": "this forecast",
    "last value": "last value",
    "constant rate": "constant rate",
    "saturating curve": "saturating curve",
}
"""How forecasters are called in tables."""


@dataclass(frozen=True)
class Trial:
    """One test of one case.

    Attributes
    ----------
    kind : ``"hold-out"`` (told until a day, asked about later), ``"carried"`` (told by other cases only) or
        ``"forecast"`` (worlds that agree with the record until a day, asked about later).
    case, title : of the case. until : the day, for a hold-out. sources : the other cases, for a carried one.
    notes : what the forecaster could not have known and was taken out, and what was left in.
    """

    kind: str
    case: str
    title: str
    figures: tuple[ForecastFigure, ...]
    until: str = ""
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    course: ForecastCourse | None = None

    @property
    def forecaster(self) -> str:
        """The forecaster under test; in a hold-out by whose day nothing was published, the prior."""
        tested = {"carried": "carried", "forecast": "worlds"}.get(self.kind, "calibrated")
        return tested if any(f.of(tested) for f in self.figures) else "prior"

    def against(self, name: str) -> tuple[int, int, int, float]:
        """Return how the forecaster under test does beside another: wins, draws, losses, ratio of scores.

        The ratio is the geometric mean over figures scored by CRPS; below 1 the forecaster is better. It is
        no number where there is nothing to compare.
        """
        wins = draws = losses = 0
        logs = []
        for figure in self.figures:
            one, other = figure.of(self.forecaster), figure.of(name)
            if one is None or other is None or not math.isfinite(one.score + other.score):
                continue
            if as_good(one.score, other.score):
                draws += 1
            elif one.score < other.score:
                wins += 1
            else:
                losses += 1
            if figure.kind == "figure" and one.score > 0 and other.score > 0:
                logs.append(math.log(one.score / other.score))
        return wins, draws, losses, float(np.exp(np.mean(logs))) if logs else math.nan

    def coverage(self, name: str, level: int) -> tuple[int, int]:
        """Return at how many figures an interval (50 or 90%) meets the record, and of how many."""
        told = [
            f for figure in self.figures if figure.kind == "figure" and (f := figure.of(name)) is not None
        ]
        met = [f.in50 if level == 50 else f.in90 for f in told]
        return sum(bool(m) for m in met), len(met)

    @property
    def lost(self) -> tuple[ForecastFigure, ...]:
        """Figures at which a baseline beats the forecaster under test."""
        out = []
        for figure in self.figures:
            mine, best = figure.of(self.forecaster), figure.best_baseline
            if (
                mine is not None
                and best is not None
                and best.score < mine.score
                and not as_good(best.score, mine.score)
            ):
                out.append(figure)
        return tuple(out)

    def verdict(self) -> Iterator[str]:
        """Yield what follows, in sentences."""
        names = [n for n in TOLD if n != self.forecaster and any(f.of(n) for f in self.figures)]
        for name in names:
            wins, draws, losses, ratio = self.against(name)
            if wins + draws + losses == 0:
                continue
            told = f"Beside {TOLD[name]}: better at {wins} of {wins + draws + losses} figures"
            told += f", as good at {draws}" if draws else ""
            if math.isfinite(ratio):
                told += f"; its CRPS is {ratio:.2f} of that one's (geometric mean)"
            yield told + "."
        for figure in self.lost:
            best, mine = figure.best_baseline, figure.of(self.forecaster)
            assert best is not None
            assert mine is not None
            yield (
                f"The baseline wins at “{figure.label}” ({figure.date}): {TOLD[best.by]} scores "
                f"{best.score:.3g}, {TOLD[self.forecaster]} {mine.score:.3g}."
            )
        if not self.lost and any(f.best_baseline for f in self.figures):
            yield "No baseline wins anywhere."
        for level in (50, 90):
            met, of = self.coverage(self.forecaster, level)
            if of:
                yield f"Its {level}% intervals meet the record at {met} of {of} figures."


def figures_told(figures: Sequence[ForecastFigure]) -> tuple[str, ...]:
    """Return the names of all forecasters of some figures, the model first."""
    return tuple(n for n in TOLD if any(f.of(n) is not None for f in figures))
