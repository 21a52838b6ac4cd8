"""The model's rates of coup attempts, success and desertion beside those that others counted.

``python benchmarks/base_rates.py [--runs 20]`` runs each built-in case with the ensemble that it comes
with, and prints the table of ``docs/explanation/limits.md``. The rates from elsewhere
stand in ``base_rates.yaml``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    ROOT = Path(__file__).resolve().parents[1]
    sys.path[0:1] = [str(ROOT), str(ROOT / "src")]

import numpy as np
import yaml

from benchmarks.tables import markdown, number
from breakrank import load_case, simulate
from breakrank.results.measures import measure
from breakrank.runs.cases import list_cases

SOURCES = Path(__file__).with_name("base_rates.yaml")
SEED = 5
ASKED = ("plots_launched", "uprisings", "coup_attempts", "uprisings_won", "left_post")
HEADS = (
    "",
    "years",
    "plots launched a year",
    "uprisings a year",
    "coup attempts a year",
    "succeed",
    "left their post",
)


@dataclass(frozen=True, slots=True)
class Rates:
    """What runs of a case count, over all of them.

    Attributes
    ----------
    title, years, soldiers, runs : of the case and its runs.
    totals : counts over all runs, by measure.
    """

    title: str
    years: float
    soldiers: float
    runs: int
    totals: Mapping[str, float]

    def yearly(self, name: str) -> float:
        """Return how many there are in a year, on average over the runs."""
        return self.totals[name] / (self.runs * self.years)

    @property
    def row(self) -> tuple[str, ...]:
        """The row of the table."""
        won, attempts = self.totals["uprisings_won"], self.totals["coup_attempts"]
        return (
            self.title,
            f"{self.years:.1f}",
            *(number(self.yearly(name), 2) for name in ("plots_launched", "uprisings", "coup_attempts")),
            f"{won:.0f} of {attempts:.0f}",
            f"{100 * self.totals['left_post'] / (self.runs * self.soldiers):.2g}%",
        )


def rates(name: str, runs: int) -> Rates:
    """Return the rates of a built-in case, with parameters and random seeds as it comes."""
    case = load_case(name)
    data = simulate(case, runs=runs, seed=SEED, workers=1, log_runs=0).data
    totals = {asked: float(np.sum(measure(data, asked))) for asked in ASKED}
    days = (case.calendar.end - case.calendar.start).days + 1
    return Rates(case.title, days / 365.25, case.value("force.strength"), runs, totals)


def elsewhere() -> tuple[str, ...]:
    """Return the row of rates that others counted."""
    known = {entry["id"]: entry for entry in yaml.safe_load(SOURCES.read_text(encoding="utf-8"))}
    attempts, success, desertion = (known[key]["value"] for key in ("attempts", "success", "desertion"))
    return (
        "elsewhere",
        "–",
        "–",
        "–",
        f"{attempts:g} in all countries",
        f"{100 * success:.0f}%",
        f"{100 * desertion:.0f}% in a war",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    number_of = parser.parse_args().runs
    rows = [elsewhere(), *(rates(name, number_of).row for name in list_cases())]
    sys.stdout.write(f"{markdown(HEADS, rows)}\n")
