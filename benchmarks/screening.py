"""What each free parameter of a case does, one at a time: the low against the high end of its prior.

    python benchmarks/screening.py CASE [--runs 8] [--until DATE] [--out screening.csv]

Every free parameter is set to the 10% and to the 90% quantile of its prior, all others at the case's values,
with common random numbers. A row of the table says how many of all series change at all in any run, which
primary outcomes change by more than chance (99% interval of the paired difference), and by how much each
changes, relative to the case as it is. A parameter that changes nothing cannot be learned from anything.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import cyclopts
import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.tables import write_csv
from breakrank import Case, load_case, simulate
from breakrank.case.ensemble import drawable
from breakrank.results.measures import measure
from breakrank.results.paired import half_width

LOW, HIGH = 0.1, 0.9
SEED = 5
CHANCE = 0.99
"""Confidence of the interval that has to leave zero out: there are 13 to 15 outcomes."""

Totals = Mapping[str, NDArray[np.float64]]
"""By name, one number for each run: float64 (run,)."""


def totals(case: Case, runs: int) -> tuple[Totals, Totals]:
    """Return each series of some runs, summed over days and parts of the force, and the primary outcomes."""
    data = simulate(case, runs=runs, seed=SEED, workers=1, log_runs=0).data
    found = {}
    for name, series in data.data_vars.items():
        if "run" in series.dims and series.dtype.kind in "fiub":
            rest = [each for each in series.dims if each != "run"]
            found[str(name)] = series.astype("float64").sum(rest).to_numpy()
    return found, {name: measure(data, name) for name in case.catalogue.primary}


def is_beyond_chance(apart: NDArray[np.float64]) -> bool:
    """Return whether the interval of a mean paired difference leaves zero out."""
    return bool(abs(apart.mean()) > half_width(apart, np.arange(len(apart)), CHANCE))


def row(
    name: str, low: tuple[Totals, Totals], high: tuple[Totals, Totals], usual: Totals
) -> dict[str, object]:
    """Return what a parameter changes: how many series, which outcomes, and each by how much."""
    apart = {outcome: high[1][outcome] - low[1][outcome] for outcome in usual}
    told: dict[str, object] = {
        "parameter": name,
        "series": sum(not np.array_equal(low[0][k], high[0][k], equal_nan=True) for k in low[0]),
        "moves": " ".join(outcome for outcome, each in apart.items() if is_beyond_chance(each)),
    }
    for outcome, each in apart.items():
        mean = usual[outcome].mean()
        told[outcome] = f"{each.mean() / mean:.3f}" if mean else ""
    return told


def screened(case: Case, runs: int) -> Iterator[dict[str, object]]:
    """Yield the row of each free parameter of a case."""
    usual = totals(case, runs)
    for name, prior in drawable(case).items():
        low, high = (totals(case.set({name: prior.quantile(q)}), runs) for q in (LOW, HIGH))
        yield row(name, low, high, usual[1])


def main(case: str, *, runs: int = 8, until: str | None = None, out: Path | None = None) -> None:
    """Write the table of a case.

    Parameters
    ----------
    case : name of a built-in case, or a case folder. runs : of each setting.
    until : last day; by default the case's own. out : a CSV file; by default the table is printed.
    """
    asked = load_case(case, "point")
    write_csv(screened(asked.until(until) if until else asked, runs), out)


if __name__ == "__main__":
    cyclopts.run(main)
