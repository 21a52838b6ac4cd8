"""What a hindcast found: every forecast with its score, as one table, one chart and plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief
from breakrank.questions.hindcast.scoring import (
    SHARE,
    by_case,
    geometric_mean,
    ratios,
    summarise,
    summary,
    verdict,
)
from breakrank.results.files import json_ready, write_files
from breakrank.runs.as_of import LEFT_IN

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.show.vegalite import Chart

FILES = ("hindcast.csv", "hindcast.json", "hindcast.svg")
CARRIED, OWN = "other cases", "own prior"
"""Forecasters of a left-out case: psychological parameters from the other cases, or all from its prior."""


@dataclass(frozen=True)
class Hindcast:
    """All forecasts of one call, and how it was made.

    Attributes
    ----------
    rows : one for each forecaster, figure and day. left_out : the same for cases without their own record.
    ess : by case and day, the effective sample size of the model's runs.
    skipped : cases of whose record no day can be forecast from, and why. command, seed, draws, seconds : of
        the call.
    """

    rows: Sequence[dict[str, Any]]
    left_out: Sequence[dict[str, Any]]
    ess: dict[str, float]
    skipped: tuple[str, ...]
    command: str
    seed: int
    draws: int
    seconds: float

    @property
    def table(self) -> pd.DataFrame:
        """One row for each forecaster, figure and day; left-out cases last, with no day."""
        import pandas as pd

        return pd.DataFrame([*self.rows, *self.left_out])

    def summary(self) -> list[dict[str, Any]]:
        """Return a row for each case and forecaster; see :func:`.scoring.summarise`."""
        return summarise(self.rows)

    def verdict(self) -> list[str]:
        """Return conclusions in sentences; the best forecaster comes first."""
        sentences = list(verdict(self.rows))
        for case, rows in by_case(self.left_out).items():
            found = ratios(rows, CARRIED, OWN)
            sentences.append(
                f"Leave one case out, {case}: with psychological parameters from the other cases, the CRPS "
                f"is {geometric_mean(found):.2f} of that of its own prior ({len(found)} figures)."
                if found
                else f"Leave one case out, {case}: its record has no figure to compare."
            )
        return [*sentences, f"Not removed from any forecast: {'; '.join(LEFT_IN)}."]

    def as_json(self) -> dict[str, Any]:
        """Return everything but the chart as plain values."""
        plain: dict[str, Any] = json_ready(
            {
                "command": self.command,
                "seed": self.seed,
                "draws": self.draws,
                "seconds": round(self.seconds, 1),
                "skipped": list(self.skipped),
                "ess": self.ess,
                "verdict": self.verdict(),
                "summary": self.summary(),
                "scores": [*self.rows, *self.left_out],
            }
        )
        return plain

    def save(self, folder: Path) -> None:
        """Write the table, the JSON and the chart; whole files only."""
        files = {
            FILES[0]: self.table.to_csv(index=False, lineterminator="\n"),
            FILES[1]: json.dumps(self.as_json(), indent=1, allow_nan=False) + "\n",
        }
        if self.rows:
            files[FILES[2]] = self.plot().svg()
        write_files(folder, files)

    @cached_property
    def answer(self) -> Answer:
        """The answer that the scores come to."""
        return answer_of(self)

    def plot(self) -> Chart:
        """Return the chart of the scores; UsageError where there is nothing to draw."""
        return self.answer.plot()


def answer_of(found: Hindcast) -> Answer:
    """Return who carries the forecasts, and the scores of each forecaster for each case."""
    cases = ", ".join(dict.fromkeys(row["case"] for row in found.rows)) or "no case"
    lead, *rest = found.verdict()
    made = Provenance(
        case=cases,
        title=f"Hindcasts of {cases}",
        ensemble=f"{found.draws:,} draws of the prior as of each day",
        runs=found.draws,
        seed=found.seed,
        digest="",
        command=found.command,
    )
    figures = [
        Figure(
            name="scores",
            title=lead,
            kind="dots",
            table="summary",
            x="forecaster",
            y=("crps",),
            low="least",
            high="most",
            by="case",
            note="Dot: geometric mean; line: least and most. Left of 1 is nearer than the pool.",
        )
    ]
    return Answer(
        question="hindcast",
        title=f"Hindcasts of {cases}",
        finding=brief(lead),
        doubt=SHARE,
        tables=(summary("summary", "Scores by case and forecaster", found.rows), _every(found)),
        figures=tuple(figures) if found.rows else (),
        notes=(*rest, *(f"Skipped: {one}." for one in found.skipped)),
        provenance=made,
    )


def _every(found: Hindcast) -> Table:
    """Return every forecast with its score; those of cases without their own record last."""
    rows = [*found.rows, *found.left_out]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [
        Column(name=name, label=name.replace("_", " "), kind="text" if _is_text(rows, name) else "number")
        for name in names
    ]
    return Table.of("forecasts", "Every forecast and its score", columns, rows, detail=True)


def _is_text(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    return any(isinstance(row.get(name), str) for row in rows)
