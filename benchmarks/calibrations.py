"""What figures say of the parameters of each built-in case: ``docs/explanation/calibrations.md``.

The page tells the posteriors and ensembles that come with the cases. ``python -m benchmarks.calibrations
FOLDER...`` reads results of ``breakrank calibrate --out`` and holds a second one of the same case, of another
seed, against the first: the means of felt parameters, under the chains and among the members, and the
members' mean primary outcomes on the last day. Differences are in posterior standard deviations. Those of
members have a standard error of their own: 0.22 for 40 members.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cyclopts
import numpy as np
import pandas as pd

import breakrank
from benchmarks.report import markdown
from breakrank.case.draws import ENSEMBLE
from breakrank.case.ensemble import load_ensemble
from breakrank.case.library import case_folder
from breakrank.inference.regression import Array
from breakrank.inference.result import Calibration, load_calibration
from breakrank.results.measures import measure

HEADS = ("case", "figures", "simulations", "minutes", "effective draws", "power")
COMPUTES = ("breakrank", "python", "numpy", "numba")


def blocks() -> dict[str, str]:
    """Return the table and the sections of the page, of what comes with the built-in cases."""
    rows, sections, versions = [], [], set()
    for name in breakrank.list_cases():
        case = breakrank.load_case(name)
        if case.posterior is None:
            sections.append(f"{case.title} has none: runs are under fixed assumptions, and say so.")
            continue
        found, members = case.posterior.about, load_ensemble(case_folder(name) / ENSEMBLE, case).about
        rows.append(
            [
                case.title,
                str(len(found["targets"])),
                f"{found['settings']['simulations']:,}",
                f"{found['made']['seconds'] / 60:.0f}",
                f"{members['ess_untempered']:.1f} of {members['filtered']}",
                f"{members['tempering']:.2f}",
            ]
        )
        versions.add(", ".join(f"{part} {found['made']['versions'][part]}" for part in COMPUTES))
        informed = ", ".join(f"`{part}`" for part in found["informed"])
        sections += [
            f"## {case.title}",
            f"`{found['made']['command']}`",
            "\n".join(f"- {line}" for line in found["verdict"]),
            f"Informed, most first: {informed}.",
        ]
    made_with = f"Made with {'; '.join(sorted(versions))}."
    return {"cases": f"{markdown(HEADS, rows)}\n\n{made_with}", "verdicts": "\n\n".join(sections)}


def mean_score(found: Calibration) -> float:
    """Return the mean CRPS of a calibration's counted figures under its posterior."""
    targets = found.table("targets")
    return float(targets.loc[targets["score_kind"] == "CRPS", "score"].mean())


def distance(one: Array, other: Array) -> float:
    """Return the difference of two means in their common standard deviation; 0 where all are alike."""
    spread = float(np.sqrt((one.var() + other.var()) / 2))
    return float(one.mean() - other.mean()) / spread if spread > 0 else 0.0


def of_parameters(folders: Sequence[Path]) -> list[tuple[str, str, float]]:
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


def of_outcomes(case: str, folders: Sequence[Path]) -> list[tuple[str, str, float]]:
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


def in_one_line(found: list[tuple[str, str, float]]) -> str:
    """Return the root mean square of differences, and the largest."""
    apart = np.array([size for _, _, size in found])
    name, what, size = found[int(np.abs(apart).argmax())]
    return f"root mean square {np.sqrt((apart**2).mean()):.2f}, largest {size:+.2f} (`{name}`, {what})"


def again(folders: Sequence[Path]) -> Iterator[str]:
    """Yield a line for each result of calibrate that is another of its case: how far it is from the first."""
    first: dict[str, tuple[Path, Calibration]] = {}
    for folder in folders:
        found = load_calibration(folder)
        name = found.about["case"]
        other, before = first.setdefault(name, (folder, found))
        if other != folder:
            apart = in_one_line(of_parameters([other, folder]) + of_outcomes(name, [other, folder]))
            scores = f"mean CRPS {mean_score(before):.3f} and {mean_score(found):.3f}"
            yield f"- {found.about['title']}, seed {found.about['seed']}: {apart}; {scores}."


def main(*folders: Path) -> None:
    """Print how far calibrations of the same case lie apart, from results of calibrate."""
    sys.stdout.write("\n".join(again(folders)) + "\n")


if __name__ == "__main__":
    cyclopts.run(main)
