"""What acts in the model and what does not, measured: the page ``docs/explanation/what-acts.md``.

    python benchmarks/interventions.py --out FOLDER/interventions.csv
    python benchmarks/screening.py CASE --out FOLDER/screening-CASE.csv
    python benchmarks/what_acts.py scale FOLDER
    python benchmarks/what_acts.py page FOLDER

Each command but the last makes runs and leaves a CSV in the folder; the last writes the page from them.
"""

from __future__ import annotations

import csv
import datetime as dt
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Literal

import cyclopts
import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.tables import markdown, write_csv
from breakrank import Case, load_case, simulate
from breakrank.case.models_parameters import STRENGTH
from breakrank.results.measures import measure

PAGE = machine.ROOT / "docs" / "explanation" / "what-acts.md"
VENEZUELA, PHILIPPINES = "venezuela-2019", "philippines-1986"
SEED = 5
SIZES = {16_000: 1200, 160_000: 480, 480_000: 160}
"""Soldiers, and how many runs are made of so many."""
PER_SOLDIER = ("left_abroad", "plots_founded", "plots_launched", "uprisings")
"""Measures of which every soldier's share should not depend on how many there are."""
BETWEEN = (0.8, 1.25)
"""Where the ratio of such shares has to lie."""
SPRING = dt.date(2019, 6, 30)
HOLDS = "regime_holds"
AT_ONCE = 80
"""Runs that are held in memory together; each so many have a seed of their own."""

Row = Mapping[str, object]
Counts = NDArray[np.float64]


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
    parts: list[dict[str, Counts]] = []
    for place, first in enumerate(range(0, runs, AT_ONCE)):
        number_of = min(AT_ONCE, runs - first)
        data = simulate(case, runs=number_of, seed=SEED + place, workers=1, log_runs=0).data
        parts.append({name: measure(data, name) for name in (*PER_SOLDIER, HOLDS)})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def scale() -> Iterator[Row]:
    """Yield a row for each size of Venezuela's force, against the size of the case."""
    case = load_case(VENEZUELA, "point").until(SPRING)
    usual = int(case.value(STRENGTH))
    found = {n: ensemble(case.set({STRENGTH: n}), runs) for n, runs in SIZES.items()}
    for soldiers, each in found.items():
        runs = len(each[HOLDS])
        row: dict[str, object] = {"soldiers": soldiers, "runs": runs}
        fell = binomtest(runs - int(each[HOLDS].sum()), runs)
        row |= named("fell", (fell.statistic, *fell.proportion_ci(0.9, "wilson")))
        for name in PER_SOLDIER:
            row[f"{name}_total"] = each[name].sum()
            row |= named(name, ratio(each[name] / soldiers, found[usual][name] / usual))
        yield row


def named(name: str, interval: tuple[float, float, float]) -> dict[str, object]:
    """Return a number and the ends of its interval as columns."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), interval, strict=True))


# --- the page

SCREENED = ("left_abroad", "quiet_desertion", "registered")
ORDER = ("wrong sign", "no effect", "outside band", "cannot be said")
"""Verdicts that say that something is amiss, the worst first."""

SIZE_HEADS = ("soldiers", "runs", *(f"`{name}`" for name in PER_SOLDIER), "uprisings in all", "P(fall)")
TEMPLATE = Path(__file__).with_name("what_acts.md")

Table = Sequence[Mapping[str, str]]


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def listed(words: Iterable[str]) -> str:
    """Return words with commas between them, a dash for none."""
    return ", ".join(words) or "–"


def interval(row: Mapping[str, str], name: str, digits: int = 2) -> str:
    """Return a number of a row with its interval; a dash for nan."""
    middle, low, high = (float(row[key]) for key in (name, f"{name}_low", f"{name}_high"))
    return "–" if math.isnan(middle) else f"{middle:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def of_items(table: Table) -> dict[int, list[Mapping[str, str]]]:
    """Return the rows of each intervention by its number."""
    items: dict[int, list[Mapping[str, str]]] = {}
    for row in table:
        items.setdefault(int(row["item"]), []).append(row)
    return items


def forty(table: Table) -> str:
    """Return the table of the interventions that are not right, the worst first."""
    lines = []
    for item, parts in of_items(table).items():
        title, verdict_ = parts[0]["title"], parts[0]["verdict_of_item"]
        if verdict_ == "right":
            continue
        decides = next(part for part in parts if part["verdict"] == verdict_)
        if len({part["title"] for part in parts}) > 1:
            title = decides["title"]
        found = f"{decides['short']} {decides['in_words']}"
        lines.append((str(item), title, decides["argued"], found, verdict_))
    lines.sort(key=lambda line: (ORDER.index(line[4]), int(line[0])))
    return markdown(("#", "change", "argued", "found", "verdict"), lines)


def tally(table: Table) -> str:
    """Return the table of verdicts: how many interventions have each, and which."""
    items = [parts[0] for parts in of_items(table).values()]
    count = Counter(row["verdict_of_item"] for row in items)
    lines = [
        (each, str(count[each]), listed(row["item"] for row in items if row["verdict_of_item"] == each))
        for each in (*ORDER, "right")
    ]
    return markdown(("verdict", "interventions", "which"), lines)


def moves_nothing(table: Table) -> tuple[list[str], list[str]]:
    """Return the parameters that change no series at all, and those that move no primary outcome."""
    still = [f"`{row['parameter']}`" for row in table if row["series"] == "0"]
    return still, [f"`{row['parameter']}`" for row in table if row["series"] != "0" and not row["moves"]]


def screening(tables: Sequence[Table]) -> str:
    """Return the table of the screening by mechanism, with a pair of columns for each case."""
    every = (row["parameter"] for table in tables for row in table)
    lines = []
    for mechanism in dict.fromkeys(name.partition(".")[0] for name in every):
        cells = [mechanism]
        for table in tables:
            mine = [row for row in table if row["parameter"].partition(".")[0] == mechanism]
            cells.append(str(len(mine)))
            largest = [max((abs(float(row[name] or 0)) for row in mine), default=0) for name in SCREENED]
            cells.append(" / ".join(f"{100 * each:.0f}" for each in largest) if mine else "–")
        lines.append(cells)
    heads = [word for case in ("Venezuela", "Philippines") for word in (f"free, {case}", "most moved (%)")]
    return markdown(("mechanism", *heads), lines)


def outside(table: Table) -> list[str]:
    """Return the ratios of other sizes whose interval does not lie where it has to."""
    found = []
    for row in table:
        for name in PER_SOLDIER:
            low, high = float(row[f"{name}_low"]), float(row[f"{name}_high"])
            if float(row[name]) != 1 and not (BETWEEN[0] <= low and high <= BETWEEN[1]):
                found.append(f"`{name}` at {int(row['soldiers']):,} {interval(row, name)}")
    return found


def page(folder: Path) -> str:
    """Return the page of all that was measured, from the CSV files of a folder."""
    found = {name: read_table(folder / f"{name}.csv") for name in ("interventions", "scale")}
    screens = {case: read_table(folder / f"screening-{case}.csv") for case in (VENEZUELA, PHILIPPINES)}
    still, unmoved = moves_nothing(screens[VENEZUELA])
    both = [{*still, *unmoved}, {name for names in moves_nothing(screens[PHILIPPINES]) for name in names}]
    usual = int(load_case(VENEZUELA, "point").value(STRENGTH))
    sizes = [
        (
            f"{int(row['soldiers']):,}",
            row["runs"],
            *("1" if int(row["soldiers"]) == usual else interval(row, name) for name in PER_SOLDIER),
            f"{float(row['uprisings_total']):,.0f}",
            interval(row, "fell", 3),
        )
        for row in found["scale"]
    ]
    fails = [
        ("uneven by size (outside 0.8 to 1.25)", listed(outside(found["scale"]))),
        ("parameters that move nothing in Venezuela", listed(still)),
        ("parameters that move no primary outcome there", listed(unmoved)),
        ("of these two, also in the Philippines", listed(sorted(both[0] & both[1]))),
    ]
    return TEMPLATE.read_text(encoding="utf-8").format(
        tally=tally(found["interventions"]),
        fails=markdown(("what fails", "where"), fails),
        pairs=min(int(row["pairs"]) for row in found["interventions"]),
        forty=forty(found["interventions"]),
        sizes=markdown(SIZE_HEADS, sizes),
        screening=screening(list(screens.values())),
        commit=machine.commit(),
        machine=f"{machine.processor()}, {machine.python()}",
    )


def main(what: Literal["scale", "page"], folder: Path) -> None:
    """Measure how the size of the force matters, or write the page of all that a folder holds."""
    folder.mkdir(parents=True, exist_ok=True)
    if what == "page":
        PAGE.write_text(page(folder), encoding="utf-8")
    else:
        write_csv(scale(), folder / "scale.csv")


if __name__ == "__main__":
    cyclopts.run(main)
