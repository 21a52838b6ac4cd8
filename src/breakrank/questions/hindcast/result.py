"""What a hindcast found: every forecast with its score, as one table, one chart and plain values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from breakrank.errors import UsageError
from breakrank.questions.hindcast.forecasters import FORECASTERS, POOL
from breakrank.questions.hindcast.scoring import geometric_mean, ratios, summarise, verdict
from breakrank.results.json_files import json_ready
from breakrank.runs.as_of import LEFT_IN
from breakrank.runs.atomic_file import write_files
from breakrank.show import vegalite as vl
from breakrank.show.number_axes import palette
from breakrank.show.style import SMALL, config

if TYPE_CHECKING:
    import pandas as pd

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
        """Return what follows, in sentences; who carries the forecasts comes first."""
        sentences = list(verdict(self.rows))
        for case in dict.fromkeys(row["case"] for row in self.left_out):
            found = ratios([row for row in self.left_out if row["case"] == case], CARRIED, OWN)
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

    def plot(self, theme: Literal["light", "dark"] = "light") -> vl.Chart:
        """Return the chart of the scores: each point is the CRPS of one forecast as a share of the pool's.

        UsageError where there is no figure to draw.
        """
        points, means = self._points()
        if not points:
            raise UsageError("no forecast of this hindcast has a CRPS, so there is nothing to draw")
        look = palette(theme)
        order = [row["who"] for row in means]
        y = vl.field("who:N", sort=order, axis=vl.Axis(title=None, labelLimit=260))
        x = vl.field("ratio:Q", scale=vl.Scale(type="log"), axis=vl.Axis(title="CRPS / CRPS of the pool"))
        layers = [
            vl.rows_of([{"ratio": 1}]).mark("rule", color=look.muted).encode(x=x),
            vl.rows_of(points).mark("point", color=look.baseline, opacity=0.5, size=30).encode(x=x, y=y),
            vl.rows_of(means).mark("tick", color=look.ink, thickness=3).encode(x=x, y=y),
        ]
        title = vl.Title(
            text="Hindcasts beside the pool of all forecasters",
            subtitle=["Left of 1 is nearer than the pool. Tick: geometric mean over figures and days."],
            fontSize=SMALL + 2,
        )
        height = 18 * len(order)
        look_of_all = config(look) | {"padding": {"left": 8, "top": 4, "right": 8, "bottom": 8}}
        return vl.layered(layers, width=480, height=height, title=title, config=look_of_all)

    def _points(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        points, means = [], []
        for case in dict.fromkeys(row["case"] for row in self.rows):
            for name in FORECASTERS[1:]:
                who, of_case = f"{case}: {name}", [row for row in self.rows if row["case"] == case]
                if found := ratios(of_case, name, POOL):
                    points += [{"who": who, "ratio": one} for one in found]
                    means.append({"who": who, "ratio": geometric_mean(found)})
        return points, means
