"""What a validation found: its trials, as a table, a chart and plain values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from breakrank.questions.validate.chart import forecast_chart
from breakrank.questions.validate.trial import Trial
from breakrank.results.json_files import json_ready
from breakrank.runs.atomic_file import write_files
from breakrank.show import vegalite as vl

if TYPE_CHECKING:
    import pandas as pd

FILES = ("validation.csv", "validation.json")


def save(found: Validation, folder: Path) -> None:
    """Write the tables and charts; whole files only."""
    files = {
        FILES[0]: found.table().to_csv(index=False, lineterminator="\n"),
        FILES[1]: json.dumps(found.as_json(), indent=1, allow_nan=False) + "\n",
    }
    for trial in found.trials:
        if trial.course is not None:
            files[f"forecast-{trial.case}.svg"] = forecast_chart(trial).svg()
    write_files(folder, files)


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
            json_ready(
                {
                    "trial": t.kind,
                    "case": t.case,
                    "known_until": t.until or None,
                    "target": f.target,
                    "label": f.label,
                    "unit": f.unit,
                    "date": f.date,
                    "kind": f.kind,
                    "record_low": f.low,
                    "record_high": f.high,
                    "forecaster": c.by,
                    "score_kind": "CRPS" if f.kind == "figure" else "Brier",
                    "score": c.score,
                    **dict(zip(("q05", "q25", "median", "q75", "q95"), c.quantiles, strict=True)),
                    "chance": c.chance,
                    "in50": c.in50,
                    "in90": c.in90,
                    "wins": c.by in f.best,
                }
            )
            for t in self.trials
            for f in t.figures
            for c in f.forecasts
        )

    def table(self) -> pd.DataFrame:
        """Return one row for each forecaster and figure, with scores and intervals."""
        import pandas as pd

        return pd.DataFrame(list(self.rows))

    def plot(self, trial: int = 0, theme: Literal["light", "dark"] = "light") -> vl.Chart:
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
