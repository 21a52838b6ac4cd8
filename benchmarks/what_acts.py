"""What acts in the model and what does not, measured: the page ``docs/explanation/what-acts.md``.

    python benchmarks/interventions.py --out FOLDER/interventions.csv
    python benchmarks/screening.py CASE --out FOLDER/screening-CASE.csv
    python benchmarks/what_acts.py scale FOLDER
    python benchmarks/what_acts.py success FOLDER
    python benchmarks/what_acts.py switches FOLDER
    python benchmarks/what_acts.py page FOLDER

Each command but the last makes runs and leaves a CSV in the folder; the last writes the page from them.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.interventions import CASE, Runs, effect, in_words, question
from benchmarks.screening import is_beyond_chance
from benchmarks.tables import markdown, write_csv
from breakrank import Case, list_cases, load_case, simulate
from breakrank.case.examination import Expectation, Intervention, interventions, table_of
from breakrank.case.models_parameters import STRENGTH
from breakrank.questions.examine import verdict
from breakrank.results.measures import find, measure

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
AUGUST = dt.date(2019, 8, 31)
PAIRS = 60
PER_CASE = 100
HOLDS = "regime_holds"
RISE = "rise"
"""The aim of a plot that is launched to rise, not to cross."""
AT_ONCE = 80
"""Runs that are held in memory together; each so many have a seed of their own."""

Row = Mapping[str, object]
Questions = Mapping[str, tuple[str, Mapping[str, str]]]
"""By name, a measure and the labels it is asked by."""
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


def share(successes: float, trials: float, confidence: float = 0.9) -> tuple[float, float, float]:
    """Return a share and its interval (Wilson 1927); nan of nothing."""
    if not trials:
        return math.nan, math.nan, math.nan
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p, scale = successes / trials, 1 + z * z / trials
    middle = (p + z * z / (2 * trials)) / scale
    half = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials)) / scale
    return p, max(0.0, middle - half), min(1.0, middle + half)


def ensemble(case: Case, runs: int, asked: Questions) -> dict[str, Counts]:
    """Return what is asked of many runs: float64 (runs,) by name."""
    parts: list[dict[str, Counts]] = []
    for place, first in enumerate(range(0, runs, AT_ONCE)):
        number_of = min(AT_ONCE, runs - first)
        data = simulate(case, runs=number_of, seed=SEED + place, workers=1, log_runs=0).data
        parts.append({name: measure(data, of, by=by) for name, (of, by) in asked.items()})
    return {name: np.concatenate([part[name] for part in parts]) for name in asked}


def scale() -> Iterator[Row]:
    """Yield a row for each size of Venezuela's force, against the size of the case."""
    case = load_case(VENEZUELA, "point").until(SPRING)
    usual = int(case.value(STRENGTH))
    asked: Questions = {name: (name, {}) for name in (*PER_SOLDIER, HOLDS)}
    found = {n: ensemble(case.set({STRENGTH: n}), runs, asked) for n, runs in SIZES.items()}
    for soldiers, each in found.items():
        runs = len(each[HOLDS])
        row: dict[str, object] = {"soldiers": soldiers, "runs": runs}
        row |= named("fell", share(runs - each[HOLDS].sum(), runs))
        for name in PER_SOLDIER:
            row[f"{name}_total"] = each[name].sum()
            row |= named(name, ratio(each[name] / soldiers, found[usual][name] / usual))
        yield row


def success() -> Iterator[Row]:
    """Yield a row for each built-in case: how many plots were launched, and how many uprisings succeeded."""
    asked: Questions = {
        "launched": ("plots_launched", {"aim": RISE}),
        "uprisings": ("uprisings", {}),
        "attempts": ("coup_attempts", {}),
        "won": ("uprisings_won", {}),
        HOLDS: (HOLDS, {}),
    }
    for name in list_cases():
        case = load_case(name, "point")
        total = {key: each.sum() for key, each in ensemble(case, PER_CASE, asked).items()}
        fell = PER_CASE - total.pop(HOLDS)
        row: dict[str, object] = {"case": case.title, "soldiers": case.value(STRENGTH), "runs": PER_CASE}
        yield row | total | named("fell", share(fell, PER_CASE))


def named(name: str, interval: tuple[float, float, float]) -> dict[str, object]:
    """Return a number and the ends of its interval as columns."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), interval, strict=True))


def switched_off(table: Iterable[Intervention]) -> tuple[Intervention, ...]:
    """Return the interventions that switch one mechanism off."""
    return tuple(
        item
        for item in table
        if item.dropped is None and any(n.endswith(".on") and not value for n, value in item.values.items())
    )


def switches() -> Iterator[Row]:
    """Yield a row for each mechanism that can be switched off: what that does to its own outcome."""
    case = load_case(VENEZUELA, "point")
    table = interventions(case, table_of(VENEZUELA))
    items = switched_off(table)
    primary = case.catalogue.primary
    outcomes = {name: question(Expectation(of=name, sign="more")) for name in primary}
    runs = Runs(case, {item.id: item for item in table}, SEED)
    bases = dict.fromkeys(item.against or CASE for item in items)
    asked = {*outcomes.values(), *(question(own(item, primary)) for item in items)}
    for name in (*bases, *(item.id for item in items)):
        runs.simulate(name, AUGUST, PAIRS, asked)
    for item in items:
        part, base = own(item, primary), item.against or CASE
        before, after = (runs.of(name, AUGUST, question(part), PAIRS) for name in (base, item.id))
        seen = effect(part.of, before, after)
        moved = []
        for name, each in outcomes.items():
            apart = runs.of(item.id, AUGUST, each, PAIRS) - runs.of(base, AUGUST, each, PAIRS)
            if is_beyond_chance(apart):
                moved.append(name)
        yield {
            "switch": next(name.removesuffix(".on") for name in item.values if name.endswith(".on")),
            "against": base,
            "outcome": part.of,
            "primary": part.of in primary,
            "argued": part.sign,
            "before": seen.before,
            "after": seen.after,
            "in_words": in_words(seen, find(part.of).unit),
            "verdict": verdict(part, seen),
            "moved": " ".join(moved),
        }


def own(item: Intervention, primary: Sequence[str]) -> Expectation:
    """Return what an examination expects first of a primary outcome; of none, what it expects first."""
    return next((part for part in item.expected if part.of in primary), item.expected[0])


MAKE: Mapping[str, Callable[[], Iterator[Row]]] = {"scale": scale, "success": success, "switches": switches}


# --- the page

SCREENED = ("left_abroad", "quiet_desertion", "registered")
COMMAND = "python benchmarks/what_acts.py"
ORDER = ("wrong sign", "no effect", "outside band", "cannot be said")
"""Verdicts that say that something is amiss, the worst first."""

SIZE_HEADS = ("soldiers", "runs", *(f"`{name}`" for name in PER_SOLDIER), "uprisings in all", "P(fall)")
CASE_HEADS = ("case", "launched", "uprisings", "attempts", "won", "of uprisings", "of attempts", "P(fall)")
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
    """Return a number of a row with its interval."""
    return shown((float(row[name]), float(row[f"{name}_low"]), float(row[f"{name}_high"])), digits)


def shown(estimate: tuple[float, float, float], digits: int = 2) -> str:
    """Return a number with its interval; a dash for nan."""
    middle, low, high = estimate
    return "–" if math.isnan(middle) else f"{middle:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def whole(count: str) -> str:
    """Return a count."""
    return f"{float(count):,.0f}"


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
    names = [row for row in table if not row["parameter"].endswith(".on")]
    still = [f"`{row['parameter']}`" for row in names if row["series"] == "0"]
    return still, [f"`{row['parameter']}`" for row in names if row["series"] != "0" and not row["moves"]]


def screening(tables: Sequence[Table]) -> str:
    """Return the table of the screening by mechanism, with a pair of columns for each case."""
    every = (row["parameter"] for table in tables for row in table)
    lines = []
    for mechanism in dict.fromkeys(name.partition(".")[0] for name in every if not name.endswith(".on")):
        cells = [mechanism]
        for table in tables:
            mine = [
                row
                for row in table
                if row["parameter"].split(".")[0] == mechanism and not row["parameter"].endswith(".on")
            ]
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
    found = {name: read_table(folder / f"{name}.csv") for name in ("interventions", *MAKE)}
    screens = {case: read_table(folder / f"screening-{case}.csv") for case in (VENEZUELA, PHILIPPINES)}
    still, unmoved = moves_nothing(screens[VENEZUELA])
    both = [{*still, *unmoved}, {name for names in moves_nothing(screens[PHILIPPINES]) for name in names}]
    usual = int(load_case(VENEZUELA, "point").value(STRENGTH))
    sizes = [
        (
            f"{int(row['soldiers']):,}",
            row["runs"],
            *("1" if int(row["soldiers"]) == usual else interval(row, name) for name in PER_SOLDIER),
            whole(row["uprisings_total"]),
            interval(row, "fell", 3),
        )
        for row in found["scale"]
    ]
    cases = [
        (
            row["case"],
            *(whole(row[name]) for name in ("launched", "uprisings", "attempts", "won")),
            *(shown(share(float(row["won"]), float(row[name]))) for name in ("uprisings", "attempts")),
            interval(row, "fell"),
        )
        for row in found["success"]
    ]
    off = [
        (
            f"`{row['switch']}`" + ("" if row["against"] == CASE else "*"),
            f"`{row['outcome']}` {row['argued'].replace('_', ' ')}",
            row["in_words"],
            row["verdict"],
            str(len(row["moved"].split())),
        )
        for row in found["switches"]
    ]
    wrong = [
        f"`{row['switch']}` ({row['verdict']})" for row in found["switches"] if row["verdict"] != "right"
    ]
    certain = [
        f"`{row['switch']}` (moves {listed(f'`{each}`' for each in row['moved'].split())})"
        for row in found["switches"]
        if row["argued"].startswith("no_") and row["before"] == row["after"]
    ]
    idle = [f"`{row['switch']}`" for row in found["switches"] if not row["moved"]]
    won = [f"{row['case']} {whole(row['won'])} of {whole(row['attempts'])}" for row in found["success"]]
    fails = [
        ("coup attempts that succeed (since 1950: half)", listed(won)),
        ("uneven by size (outside 0.8 to 1.25)", listed(outside(found["scale"]))),
        ("switched off, not as argued", listed(wrong)),
        ("switched off, what is argued cannot fail", listed(certain)),
        ("switched off, no primary outcome moves", listed(idle)),
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
        cases=markdown(CASE_HEADS, cases),
        off=markdown(("switched off", "argued", "found", "verdict", "move"), off),
        screening=screening(list(screens.values())),
        commit=machine.commit(),
        machine=f"{machine.processor()}, {machine.python()}",
        switch_pairs=PAIRS,
        case_runs=PER_CASE,
    )


def main() -> None:
    """Measure one thing, or write the page of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=(*MAKE, "page"))
    parser.add_argument("folder", type=Path, help="where the CSV files are")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.what == "page":
        PAGE.write_text(page(given.folder), encoding="utf-8")
        return
    write_csv(MAKE[given.what](), given.folder / f"{given.what}.csv")


if __name__ == "__main__":
    main()
