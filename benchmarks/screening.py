"""What each free parameter of a case does, one at a time: the low against the high end of its prior.

    python benchmarks/screening.py CASE [--runs 8] [--out screening.csv]

Every free parameter is set to the 10% and to the 90% quantile of its prior, all others at the case's values,
with common random numbers. A row of the table says how many of all series change at all in any run,
and by how much the outcomes below change, relative to the case as it is. A parameter that changes
nothing cannot be learned from anything. Switches come last: off against on.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from breakrank import Case, load_case, simulate
from breakrank.case.free_parameters import drawable
from breakrank.questions.explain.removal import switches, without

OUTCOMES = (
    "exits_rank", "registered", "belief", "opposed", "decision_opportunities", "arrested",
    "political_prisoners", "founded", "joined", "named", "uprisings", "fell", "rose", "pledged", "reprisals",
    "stay_soldiers", "meals", "unpaid", "asylum_granted", "files_open", "onward_movement",
    "returned", "diaspora_messages",
)  # fmt: skip
"""Series that the table shows, of those that a case has."""
LOW, HIGH = 0.1, 0.9
SEED = 5

Totals = Mapping[str, NDArray[np.float64]]


def totals(case: Case, runs: int) -> Totals:
    """Return each series of some runs, summed over days and parts of the force: float64 (run,) by name."""
    data = simulate(case, runs=runs, seed=SEED, workers=1, log_runs=0).data
    found = {}
    for name, series in data.data_vars.items():
        if "run" in series.dims and series.dtype.kind in "fiub":
            rest = [each for each in series.dims if each != "run"]
            found[str(name)] = series.astype("float64").sum(rest).to_numpy()
    return found


def row(name: str, low: Totals, high: Totals, usual: Totals) -> dict[str, object]:
    """Return what a parameter changes: the number of series, and the relative change of each outcome."""
    told: dict[str, object] = {
        "parameter": name,
        "series": sum(not np.array_equal(low[k], high[k], equal_nan=True) for k in usual),
    }
    for outcome in OUTCOMES:
        if outcome in usual and usual[outcome].mean():
            told[outcome] = f"{(high[outcome] - low[outcome]).mean() / usual[outcome].mean():.3f}"
    return told


def screened(case: Case, runs: int) -> Iterator[dict[str, object]]:
    """Yield the row of each free parameter, and of each switch, of a case."""
    usual = totals(case, runs)
    for name, prior in drawable(case).items():
        low, high = (totals(case.set({name: prior.quantile(q)}), runs) for q in (LOW, HIGH))
        yield row(name, low, high, usual)
    for switch in switches(case):
        off = totals(without(case, switch.mechanism).made, runs)
        yield row(f"{switch.mechanism}.on", off, usual, usual)


def main() -> None:
    """Write the table of a case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("case", help="name of a built-in case, or a case folder")
    parser.add_argument("--runs", type=int, default=8, help="runs of each setting")
    parser.add_argument("--out", type=Path, help="a CSV file; by default the table is printed")
    given = parser.parse_args()
    case = load_case(given.case, "values")
    columns = ["parameter", "series", *OUTCOMES]
    with given.out.open("w", encoding="utf-8", newline="") if given.out else sys.stdout as file:
        table = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        table.writeheader()
        for each in screened(case, given.runs):
            table.writerow(each)
            file.flush()


if __name__ == "__main__":
    main()
