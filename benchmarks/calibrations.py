"""What figures say of the parameters of each built-in case: the page ``docs/explanation/calibrations.md``.

``python -m benchmarks.calibrations FOLDER...`` reads results of ``breakrank calibrate --out``. A second
folder of the same case, of another seed, is the first one's check: the means of felt parameters, under the
chains and among the members, and the members' mean primary outcomes on the last day. Differences are in
posterior standard deviations. Those of members have a standard error of their own: 0.22 for 40 members.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cyclopts
import numpy as np
import pandas as pd

import breakrank
from benchmarks.report import ROOT, markdown, shown
from breakrank.case.ensemble import load_ensemble
from breakrank.inference.regression import Array
from breakrank.inference.result import Calibration, load_calibration
from breakrank.results.measures import measure

PAGE = ROOT / "docs" / "explanation" / "calibrations.md"
PICTURES = ROOT / "docs" / "_static"
INTRODUCTION = """# Calibrations of the built-in cases

`breakrank calibrate` made them ([how it infers](inference.md)). Few parameters are informed by the figures of
one case; the prior speaks for the rest. Effective draws are those filtered, with the full likelihood and
before any resampling. Where they are fewer than 10, the likelihood is tempered to the power named.
Minutes are of the last call, beside other work.
"""
HEADS = (
    *("case", "figures", "simulations", "minutes", "effective draws", "power"),
    *("R-hat", "bulk ESS", "free", "felt", "informed", "CRPS, of the prior's"),
)


def row(case: str, found: Calibration, folder: Path) -> list[str]:
    """Return the row of one calibration."""
    about = load_ensemble(folder / "ensemble", breakrank.load_case(case, "point")).about
    parameters, targets = found.table("parameters"), found.table("targets")
    return [
        found.about["title"],
        str(len(targets)),
        f"{found.about['simulations']:,}",
        f"{found.about['seconds'] / 60:.0f}",
        f"{about['ess_untempered']:.1f} of {about['filtered']}",
        f"{about['tempering']:.2f}",
        f"{parameters['r_hat'].max():.3f}",
        f"{parameters['ess'].min():,.0f}",
        str(found.about["free"]),
        str(int(parameters["felt"].sum())),
        str(int(parameters["informed"].sum())),
        f"{mean_score(found) / mean_score(found, 'prior_score'):.2f}",
    ]


def mean_score(found: Calibration, of: str = "score") -> float:
    """Return the mean CRPS of a calibration's counted figures, under its posterior or its prior."""
    targets = found.table("targets")
    return float(targets.loc[targets["score_kind"] == "CRPS", of].mean())


def of_case(found: Calibration, name: str) -> Iterable[str]:
    """Yield the lines of one case: its verdict and the picture of its parameters."""
    yield f"## {found.about['title']}\n"
    yield f"`{shown(found.about['command'])}`\n"
    yield from (f"- {line}" for line in found.verdict)
    picture = f"contraction-{name}.svg"
    found.plot("contraction").save(PICTURES / picture)
    says = f"What the figures of {found.about['title']} say of each free parameter"
    yield f"\n![{says}](../_static/{picture})\n"


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


def in_one_line(found: list[tuple[str, str, float]]) -> str:
    """Return the root mean square of differences, and the largest."""
    apart = np.array([size for _, _, size in found])
    name, what, size = found[int(np.abs(apart).argmax())]
    return f"root mean square {np.sqrt((apart**2).mean()):.2f}, largest {size:+.2f} (`{name}`, {what})"


def main(*folders: Path) -> None:
    """Write the page and its pictures, from results of calibrate."""
    by_case: dict[str, dict[Path, Calibration]] = {}
    for folder in folders:
        found = load_calibration(folder)
        by_case.setdefault(found.about["case"], {})[folder] = found
    rows: list[list[str]] = []
    checks: list[str] = []
    parts: list[str] = []
    for name, read in by_case.items():
        (first, found), *others = read.items()
        rows.append(row(name, found, first))
        parts += of_case(found, name)
        for other, again in others:
            apart = in_one_line(of_parameters([first, other]) + of_outcomes(name, [first, other]))
            scores = " and ".join(f"{mean_score(one):.3f}" for one in (found, again))
            checks.append(
                f"- {found.about['title']}, seed {again.about['seed']}: {apart}; mean CRPS {scores}."
            )
    text = [INTRODUCTION, markdown(HEADS, rows), ""]
    for name in sorted(set(breakrank.list_cases()) - set(by_case)):
        title = breakrank.load_case(name).title
        text.append(f"{title} has none: runs are under fixed assumptions, and say so.\n")
    if checks:
        text += ["Calibrated again under another seed, means differ by (in posterior standard deviations):\n"]
        text += [*checks, ""]
    made_with = ", ".join(f"{name} {value}" for name, value in found.about["versions"].items())
    text += [f"Made with {made_with}.\n", *parts]
    PAGE.write_text("\n".join(text).rstrip() + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    cyclopts.run(main)
