"""What a validation found: every forecast of every figure with its score, who wins, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from breakrank.questions.validate.chart import forecast_chart
from breakrank.questions.validate.forecast import ForecastCourse, ForecastFigure, as_good
from breakrank.results.quantiles import LEVELS
from breakrank.results.scores import Array

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

TOLD = {
    "calibrated": "the model, fitted",
    "prior": "the model, its prior",
    "carried": "the model, carried",
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
    kind : ``"hold-out"`` (told until a day, asked about later) or ``"carried"`` (told by other cases only).
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
        """The forecaster under test."""
        return "carried" if self.kind == "carried" else "calibrated"

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


@dataclass(frozen=True)
class Validation:
    """The trials of one call, and how it was made."""

    trials: tuple[Trial, ...]
    command: str
    seed: int
    simulations: int
    runs: int
    seconds: float
    skipped: tuple[str, ...] = field(default=())

    @cached_property
    def rows(self) -> tuple[dict[str, object], ...]:
        """One row for each forecaster and figure."""
        return tuple(
            {
                "trial": t.kind,
                "case": t.case,
                "known_until": t.until or None,
                "target": f.target,
                "label": f.label,
                "unit": f.unit,
                "date": f.date,
                "kind": f.kind,
                "record_low": _finite(f.low),
                "record_high": _finite(f.high),
                "forecaster": c.by,
                "score_kind": "CRPS" if f.kind == "figure" else "Brier",
                "score": _finite(c.score),
                **dict(zip(("q05", "q25", "median", "q75", "q95"), map(_finite, c.quantiles), strict=True)),
                "chance": _finite(c.chance),
                "in50": c.in50,
                "in90": c.in90,
                "wins": c.by in f.best,
            }
            for t in self.trials
            for f in t.figures
            for c in f.forecasts
        )

    def table(self) -> pd.DataFrame:
        """Return one row for each forecaster and figure, with scores and intervals."""
        import pandas as pd

        return pd.DataFrame(list(self.rows))

    def plot(self, trial: int = 0, theme: Literal["light", "dark"] = "light") -> alt.TopLevelMixin:
        """Return the chart of a hold-out: forecast, record and baselines; UsageError where there is none."""
        return forecast_chart(self.trials[trial], theme=theme)

    def as_json(self) -> dict[str, object]:
        """Return everything but the chart as plain values."""
        return {
            "command": self.command,
            "seed": self.seed,
            "simulations": self.simulations,
            "runs": self.runs,
            "seconds": round(self.seconds, 1),
            "skipped": list(self.skipped),
            "trials": [
                {
                    "kind": t.kind,
                    "case": t.case,
                    "known_until": t.until or None,
                    "told_by": list(t.sources),
                    "notes": list(t.notes),
                    "verdict": list(t.verdict()),
                }
                for t in self.trials
            ],
            "scores": list(self.rows),
        }

    def __repr__(self) -> str:
        lines = [f"Validation, {len(self.trials)} in all, {self.runs} runs each, seed {self.seed}"]
        for t in self.trials:
            lines.append(f"├── {t.title}, {t.kind}{f' from {t.until}' if t.until else ''}")
            lines += [f"│   ├── {line}" for line in t.verdict()]
        return "\n".join([*lines, f"└── {self.command}"])


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def quantiles(draws: Array) -> tuple[float, float, float, float, float]:
    """Return the 5, 25, 50, 75 and 95% quantiles of draws."""
    a, b, c, d, e = np.quantile(draws, LEVELS).tolist()
    return a, b, c, d, e


def figures_told(figures: Sequence[ForecastFigure]) -> tuple[str, ...]:
    """Return the names of all forecasters of some figures, the model first."""
    return tuple(n for n in TOLD if any(f.of(n) is not None for f in figures))
