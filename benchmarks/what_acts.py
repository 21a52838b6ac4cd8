"""What acts in the model and what does not, measured: the tables of ``docs/explanation/what-acts.md``.

    python -m benchmarks.interventions --out FOLDER/interventions.csv
    python -m benchmarks.what_acts screening CASE --out FOLDER/screening-CASE.csv
    python -m benchmarks.what_acts scale --out FOLDER/scale.csv

Each makes runs and leaves a CSV; ``tools/renew_docs.py what-acts`` calls them and makes the tables of these.
"""

from __future__ import annotations

import datetime as dt
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import NormalDist

import cyclopts
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import binomtest

from benchmarks.interventions import WORST, worst
from benchmarks.report import markdown
from breakrank import Case, load_case, simulate
from breakrank.case.ensemble import drawable
from breakrank.case.models_parameters import STRENGTH
from breakrank.results.measures import measure
from breakrank.results.paired import half_width

app = cyclopts.App(name="what_acts", help="What acts in the model and what does not, measured.")
VENEZUELA, PHILIPPINES = "venezuela-2019", "philippines-1986"
SEED = 5
LOW, HIGH = 0.1, 0.9
"""Quantiles of its prior to which a parameter is set in turn."""
CHANCE = 0.99
"""Confidence of the interval that has to leave zero out: there are 13 to 15 outcomes."""
SCREENED = ("left_abroad", "quiet_desertion", "registered")
SIZES = {16_000: 1200, 160_000: 480, 480_000: 160}
"""Soldiers, and how many runs are made of so many."""
PER_SOLDIER = ("left_abroad", "plots_founded", "plots_launched", "uprisings")
"""Measures of which every soldier's share should not depend on how many there are."""
BETWEEN = (0.8, 1.25)
"""Where the ratio of such shares has to lie."""
SPRING = dt.date(2019, 6, 30)
HOLDS = "regime_holds"

Counts = NDArray[np.float64]
Totals = Mapping[str, Counts]
"""By name, one number for each run: float64 (run,)."""


def write_csv(rows: Iterable[Mapping[str, object]], out: Path | None) -> None:
    """Write rows into a file, or else to standard output."""
    pd.DataFrame(list(rows)).to_csv(out or sys.stdout, index=False, lineterminator="\n")


# --- screening


def totals(case: Case, runs: int) -> tuple[Totals, Totals]:
    """Return each series of some runs, summed over days and parts of the force, and the primary outcomes."""
    data = simulate(case, runs=runs, seed=SEED, workers=1, log_runs=0).data
    found = {}
    for name, series in data.data_vars.items():
        if "run" in series.dims and series.dtype.kind in "fiub":
            rest = [each for each in series.dims if each != "run"]
            found[str(name)] = series.astype("float64").sum(rest).to_numpy()
    return found, {name: measure(data, name) for name in case.catalogue.primary}


def is_beyond_chance(apart: Counts) -> bool:
    """Return whether the interval of a mean paired difference leaves zero out."""
    return bool(abs(apart.mean()) > half_width(apart, np.arange(len(apart)), CHANCE))


def screened(
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


@app.command
def screening(case: str, *, runs: int = 8, until: str | None = None, out: Path | None = None) -> None:
    """Write what each free parameter of a case does, one at a time: the low against the high end.

    Every free parameter is set to the 10% and to the 90% quantile of its prior, all others at the case's
    values, with common random numbers. A row of the table says how many of all series change at all in any
    run, which primary outcomes change by more than chance (99% interval of the paired difference), and by how
    much each changes, relative to the case as it is. A parameter that changes nothing cannot be learned from
    anything.

    Parameters
    ----------
    case : name of a built-in case, or a case folder. runs : of each setting.
    until : last day; by default the case's own. out : a CSV file; by default the table is printed.
    """
    asked = load_case(case, "point")
    asked = asked.until(until) if until else asked
    usual = totals(asked, runs)
    rows = []
    for name, prior in drawable(asked).items():
        low, high = (totals(asked.set({name: prior.quantile(q)}), runs) for q in (LOW, HIGH))
        rows.append(screened(name, low, high, usual[1]))
    write_csv(rows, out)


# --- size


def ratio(large: Counts, small: Counts, confidence: float = 0.9) -> tuple[float, float, float]:
    """Return the ratio of two independent means and its interval: normal on the log scale (delta method)."""
    means = float(large.mean()), float(small.mean())
    if not all(means):
        return math.nan, math.nan, math.nan
    variance = sum(
        float(each.var(ddof=1)) / len(each) / mean**2
        for each, mean in zip((large, small), means, strict=True)
    )
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(variance)
    middle = means[0] / means[1]
    return middle, middle * math.exp(-half), middle * math.exp(half)


def ensemble(case: Case, runs: int) -> dict[str, Counts]:
    """Return what is compared between sizes, of many runs: float64 (runs,) by measure."""
    data = simulate(case, runs=runs, seed=SEED, workers=1, log_runs=0).data
    return {name: measure(data, name) for name in (*PER_SOLDIER, HOLDS)}


def named(name: str, interval: tuple[float, float, float]) -> dict[str, object]:
    """Return a number and the ends of its interval as columns."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), interval, strict=True))


@app.command
def scale(*, out: Path | None = None) -> None:
    """Write a row for each size of Venezuela's force, against the size of the case."""
    case = load_case(VENEZUELA, "point").until(SPRING)
    usual = int(case.value(STRENGTH))
    found = {n: ensemble(case.set({STRENGTH: n}), runs) for n, runs in SIZES.items()}
    rows = []
    for soldiers, each in found.items():
        runs = len(each[HOLDS])
        row: dict[str, object] = {"soldiers": soldiers, "runs": runs}
        fell = binomtest(runs - int(each[HOLDS].sum()), runs)
        row |= named("fell", (fell.statistic, *fell.proportion_ci(0.9, "wilson")))
        for name in PER_SOLDIER:
            row[f"{name}_total"] = each[name].sum()
            row |= named(name, ratio(each[name] / soldiers, found[usual][name] / usual))
        rows.append(row)
    write_csv(rows, out)


# --- the tables


def listed(words: Iterable[object]) -> str:
    """Return words with commas between them, a dash for none."""
    return ", ".join(map(str, words)) or "–"


def interval(row: pd.Series, name: str, digits: int = 2) -> str:
    """Return a number of a row with its interval; a dash for nan."""
    middle, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    return "–" if math.isnan(middle) else f"{middle:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def forty(table: pd.DataFrame) -> tuple[str, str]:
    """Return the table of verdicts with the interventions that have each, and that of those not right."""
    by_item = {item: worst(parts["verdict"]) for item, parts in table.groupby("item")}
    tally, lines = [], []
    for verdict in WORST:
        items = [item for item, found in by_item.items() if found == verdict]
        tally.append((verdict, str(len(items)), listed(items)))
        for item in items if verdict != "right" else ():
            decides = table[(table["item"] == item) & (table["verdict"] == verdict)].iloc[0]
            found = f"{decides['short']} {decides['in_words']}"
            lines.append((str(item), decides["title"], decides["argued"], found, verdict))
    return (
        markdown(("verdict", "interventions", "which"), tally),
        markdown(("#", "change", "argued", "found", "verdict"), lines),
    )


def moves_nothing(table: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Return the parameters that change no series at all, and those that move no primary outcome."""
    names, still = "`" + table["parameter"] + "`", table["series"] == 0
    return list(names[still]), list(names[~still & table["moves"].isna()])


def by_mechanism(tables: Sequence[pd.DataFrame]) -> str:
    """Return the table of the screening by mechanism, with a pair of columns for each case."""
    parts = [table["parameter"].str.partition(".")[0] for table in tables]
    lines = []
    for mechanism in dict.fromkeys(pd.concat(parts)):
        cells = [mechanism]
        for table, part in zip(tables, parts, strict=True):
            mine = table.loc[part == mechanism, list(SCREENED)]
            largest = " / ".join(f"{100 * each:.0f}" for each in mine.abs().max().fillna(0))
            cells += [str(len(mine)), largest if len(mine) else "–"]
        lines.append(cells)
    heads = [word for case in ("Venezuela", "Philippines") for word in (f"free, {case}", "most moved (%)")]
    return markdown(("mechanism", *heads), lines)


def outside(table: pd.DataFrame) -> list[str]:
    """Return the ratios of other sizes whose interval does not lie where it has to."""
    return [
        f"`{name}` at {int(row['soldiers']):,} {interval(row, name)}"
        for _, row in table.iterrows()
        for name in PER_SOLDIER
        if row[name] != 1 and not (BETWEEN[0] <= row[f"{name}_low"] and row[f"{name}_high"] <= BETWEEN[1])
    ]


def blocks(folder: Path) -> dict[str, str]:
    """Return the tables of the page, from the CSV files of a folder."""
    found, sizes = (pd.read_csv(folder / f"{name}.csv") for name in ("interventions", "scale"))
    screens = [pd.read_csv(folder / f"screening-{case}.csv") for case in (VENEZUELA, PHILIPPINES)]
    (still, unmoved), others = (moves_nothing(table) for table in screens)
    both = {*still, *unmoved} & {name for names in others for name in names}
    usual = int(load_case(VENEZUELA, "point").value(STRENGTH))
    rows = [
        (
            f"{int(row['soldiers']):,}",
            str(int(row["runs"])),
            *("1" if row["soldiers"] == usual else interval(row, name) for name in PER_SOLDIER),
            f"{row['uprisings_total']:,.0f}",
            interval(row, "fell", 3),
        )
        for _, row in sizes.iterrows()
    ]
    heads = ("soldiers", "runs", *(f"`{name}`" for name in PER_SOLDIER), "uprisings in all", "P(fall)")
    fails = [
        ("uneven by size (outside 0.8 to 1.25)", listed(outside(sizes))),
        ("parameters that move nothing in Venezuela", listed(still)),
        ("parameters that move no primary outcome there", listed(unmoved)),
        ("of these two, also in the Philippines", listed(sorted(both))),
    ]
    tally, wrong = forty(found)
    return {
        "fails": markdown(("what fails", "where"), fails),
        "tally": tally,
        "forty": wrong,
        "sizes": markdown(heads, rows),
        "screening": by_mechanism(screens),
    }


if __name__ == "__main__":
    app()
