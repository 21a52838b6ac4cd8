"""The model's rates of coup attempts, success and desertion beside those that others counted.

``python -m benchmarks.base_rates [--runs 20]`` runs each built-in case at fixed values, since members
were conditioned on its uprisings, and prints the tables of ``docs/explanation/limits.md``: rates, and success
by rank of who led. The rates from elsewhere stand in ``base_rates.yaml``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cyclopts
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import yaml

from benchmarks.report import markdown, number
from breakrank import Case, Result, load_case, simulate
from breakrank.engine import codes
from breakrank.lives.stories import OUTCOMES
from breakrank.model import force_of
from breakrank.results.measures import measure
from breakrank.runs.cases import list_cases

SOURCES = Path(__file__).with_name("base_rates.yaml")
SEED = 5
ASKED = ("plots_launched", "uprisings", "coup_attempts", "uprisings_won", "left_post")
HEADS = (
    *("", "years", "plots launched a year", "uprisings a year"),
    *("coup attempts a year", "succeed", "left their post"),
)
LEADERS = {"enlisted to captains": range(3), "majors to colonels": range(3, 5), "generals": range(5, 10)}
"""Tiers of the rank of who leads: bottom, middle and top of the hierarchy, as Singh (2014) parts them."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Counts of a case's runs, over all of them.

    Attributes
    ----------
    title, years, soldiers, runs : of the case and its runs.
    totals : counts over all runs, by measure.
    led : by group of :data:`LEADERS`, coup attempts and how many succeeded.
    """

    title: str
    years: float
    soldiers: float
    runs: int
    totals: Mapping[str, float]
    led: Mapping[str, tuple[int, int]]

    @property
    def row(self) -> tuple[str, ...]:
        """The row of the table."""
        won, attempts = self.totals["uprisings_won"], self.totals["coup_attempts"]
        yearly = (self.totals[name] / (self.runs * self.years) for name in ASKED[:3])
        return (
            self.title,
            f"{self.years:.1f}",
            *(number(each, 2) for each in yearly),
            f"{won:.0f} of {attempts:.0f}",
            f"{100 * self.totals['left_post'] / (self.runs * self.soldiers):.2g}%",
        )


def led_by(case: Case, result: Result) -> dict[str, tuple[int, int]]:
    """Return coup attempts, and how many succeeded, by group of ranks of their leaders."""
    assert result.events is not None
    ends = {codes.EVENTS[event]: outcome for event, outcome in OUTCOMES.items()}
    heard = np.asarray(result.data["coup_attempts"])
    found = {group: [0, 0] for group in LEADERS}
    is_end = pc.is_in(result.events["event"].cast("string"), pa.array(ends))
    for row in result.events.filter(is_end).to_pylist():
        if not heard[row["run"], row["day"]]:
            continue  # an uprising that nobody elsewhere heard of
        force = force_of(case, SEED, row["run"])
        tier = case.force.ranks[int(force.rank[force.position(row["soldier"])])].tier
        group = next(name for name, tiers in LEADERS.items() if tier in tiers)
        found[group][0] += 1
        found[group][1] += ends[row["event"]] == "won"
    return {group: (attempts, won) for group, (attempts, won) in found.items()}


def rates(name: str, runs: int) -> Rates:
    """Return the rates of a built-in case at its fixed values: members were conditioned on its uprisings."""
    case = load_case(name, "point")
    result = simulate(case, runs=runs, seed=SEED, workers=1, log_runs=runs)
    totals = {asked: float(np.sum(measure(result.data, asked))) for asked in ASKED}
    days = (case.calendar.end - case.calendar.start).days + 1
    led = led_by(case, result)
    return Rates(case.title, days / 365.25, case.value("force.strength"), runs, totals, led)


def elsewhere() -> tuple[str, ...]:
    """Return the row of rates that others counted."""
    known = {entry["id"]: entry for entry in yaml.safe_load(SOURCES.read_text(encoding="utf-8"))}
    attempts, success, desertion = (known[key]["value"] for key in ("attempts", "success", "desertion"))
    rates = (f"{attempts:g} in all countries", f"{100 * success:.0f}%", f"{100 * desertion:.0f}% in a war")
    return ("elsewhere", "–", "–", "–", *rates)


def by_leader(every: Sequence[Rates]) -> str:
    """Return the table of success by rank of who led, of the cases in which there were attempts."""
    chosen = [one for one in every if any(attempts for attempts, _ in one.led.values())]
    rows = []
    for group in LEADERS:
        cells = [f"{won} of {attempts}" for attempts, won in (one.led[group] for one in chosen)]
        rows.append((group, *cells))
    return markdown(("coup attempts led by: succeed", *(one.title for one in chosen)), rows)


def main(*, runs: int = 20) -> None:
    """Print the tables of so many runs of each case."""
    found = [rates(name, runs) for name in list_cases()]
    table = markdown(HEADS, [elsewhere(), *(one.row for one in found)])
    sys.stdout.write(f"{table}\n\n{by_leader(found)}\n")


if __name__ == "__main__":
    cyclopts.run(main)
