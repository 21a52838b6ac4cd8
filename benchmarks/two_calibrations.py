"""Whether two calibrations of a case agree that differ by their seed alone.

``python benchmarks/two_calibrations.py CASE ONE OTHER`` reads two folders that ``breakrank calibrate --out``
wrote. It compares the means of felt parameters, under the chains and among the members, and the members' mean
primary outcomes on the last day. Differences are in posterior standard deviations. Those of members have a
standard error of their own: 0.22 for 40 members.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    ROOT = Path(__file__).resolve().parents[1]
    sys.path[0:1] = [str(ROOT), str(ROOT / "src")]

import numpy as np
import pandas as pd

import breakrank
from benchmarks.tables import markdown
from breakrank.inference.reported import Array
from breakrank.results.measures import measure

MOST_ROOT_MEAN_SQUARE, MOST = 0.4, 1.0
"""Differences that still agree: all together, and any one."""


def distance(one: Array, other: Array) -> float:
    """Return the difference of two means in their common standard deviation; 0 where all are alike."""
    spread = float(np.sqrt((one.var() + other.var()) / 2))
    return float(one.mean() - other.mean()) / spread if spread > 0 else 0.0


def of_parameters(folders: list[Path]) -> list[tuple[str, str, float]]:
    """Return the differences in the parameters that either calibration finds felt."""
    one, other = (pd.read_csv(f / "tables/parameters.csv", index_col="parameter") for f in folders)
    chains = [pd.read_csv(f / "posterior/draws.csv") for f in folders]
    members = []
    for folder in folders:
        rows = pd.read_csv(folder / "ensemble/members.csv")["draw"]
        members.append(pd.read_csv(folder / "ensemble/draws.csv").iloc[rows])
    found = []
    for name in one.index[one["felt"] | other["felt"]]:
        for what, (a, b) in (("chains", chains), ("members", members)):
            found.append((name, what, distance(a[name].to_numpy(), b[name].to_numpy())))
    return found


def of_outcomes(case: str, folders: list[Path]) -> list[tuple[str, str, float]]:
    """Return the differences in the primary outcomes that vary among the members, on the last day."""
    plain = breakrank.load_case(case, "point")
    runs = []
    for folder in folders:
        mine = plain.with_ensemble(folder / "ensemble")
        members = len(pd.read_csv(folder / "ensemble/members.csv"))
        runs.append(breakrank.simulate(mine, runs=members, log_runs=0).whole.data)
    found = []
    for name in plain.catalogue.primary:
        if plain.catalogue.measures[name].sources[""].variable in runs[0]:
            a, b = (np.asarray(measure(data, name), np.float64) for data in runs)
            if a.std() + b.std() > 0:
                found.append((name, "outcome", distance(a, b)))
    return found


def compare(case: str, folders: list[Path]) -> list[tuple[str, str, float]]:
    """Return all differences: what, of which kind, and its size."""
    return of_parameters(folders) + of_outcomes(case, folders)


def in_one_line(found: list[tuple[str, str, float]]) -> str:
    """Return the root mean square of differences, and the largest."""
    apart = np.array([size for _, _, size in found])
    name, what, size = found[int(np.abs(apart).argmax())]
    return f"root mean square {np.sqrt((apart**2).mean()):.2f}, largest {size:+.2f} (`{name}`, {what})"


def main() -> int:
    """Print the table; return 1 if they do not agree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("case", help="built-in case or a folder")
    parser.add_argument("folders", nargs=2, type=Path, metavar="FOLDER", help="results of calibrate")
    asked = parser.parse_args()
    found = compare(asked.case, asked.folders)
    rows = [[name, what, f"{apart:+.2f}"] for name, what, apart in found]
    sys.stdout.write(markdown(["", "of", "difference, sd"], rows) + "\n" + in_one_line(found) + "\n")
    apart = np.array([size for _, _, size in found])
    return int(np.sqrt((apart**2).mean()) > MOST_ROOT_MEAN_SQUARE or np.abs(apart).max() > MOST)


if __name__ == "__main__":
    sys.exit(main())
