"""Measure the whole model on a case: a force-year on one core, what of it costs how much, memory and size.

``python benchmarks/force_year.py`` prints tables for the built-in case; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.tables import markdown, number

if TYPE_CHECKING:
    from breakrank.model import Model

HEADS = ("one force-year", "best s", "median s", "memory MB")
Seconds = dict[tuple[str, str], float]


@cache
def ready(case: str, soldiers: int, seed: int) -> Model:
    """Return the model of a case that has made its first replicate: all is compiled and loaded."""
    from breakrank.model import Model, build
    from breakrank.runs.cases import load_case

    loaded = load_case(case, "point").set({"force.strength": soldiers})
    model = Model(loaded, build(loaded, seed))
    model.replicate(seed, 0)
    return model


def replicate(case: str, soldiers: int, seed: int, run: int) -> tuple[float, float]:
    """Return the processor seconds of one replicate, and the peak of memory."""
    model = ready(case, soldiers, seed)
    return machine.timed(lambda: model.replicate(seed, run))[1], machine.peak_memory()


def watched(case: str, soldiers: int, seed: int, run: int) -> Seconds:
    """Return the processor seconds of each part of one replicate."""
    from benchmarks.stopwatch import watching

    model = ready(case, soldiers, seed)
    with watching(model) as watch:
        model.replicate(seed, run)
    return dict(watch.seconds)


def shares(found: list[Seconds]) -> str:
    """Return the table of what each part takes, at its start and in its days; the largest first."""
    rows: defaultdict[str, dict[bool, float]] = defaultdict(lambda: {True: 0.0, False: 0.0})
    for one in found:
        for (part, what), seconds in one.items():
            name = f"engine: {what}" if part == "engine" else part
            rows[name][what == "begin"] += seconds / len(found)

    def whole(of: Mapping[bool, float]) -> float:
        return sum(of.values())

    every = sum(map(whole, rows.values()))
    ordered = sorted(rows.items(), key=lambda row: -whole(row[1]))
    return markdown(
        ("of one force-year", "at its start ms", "in its days ms", "share"),
        [
            (name, *(number(1e3 * of[start]) for start in (True, False)), f"{whole(of) / every:.1%}")
            for name, of in ordered
        ],
    )


def main() -> None:
    """Make replicates of all sizes in turns, and print what they took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    for name, default in (("soldiers", 160_000), ("repeats", 10), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N")
    parser.add_argument("--large", type=int, nargs="*", default=[], metavar="N", help="larger forces beside")
    asked = parser.parse_args()
    bare = machine.bare_interpreter()
    sizes = [asked.soldiers, *asked.large]
    found: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes}
    parts: list[Seconds] = []
    with ExitStack() as stack:
        processes = {size: stack.enter_context(machine.alone()) for size in sizes}
        for run in range(1, asked.repeats + 1):
            for size, process in processes.items():
                sys.stderr.write(f"{size:,} soldiers, replicate {run}\n")
                found[size].append(process.submit(replicate, asked.case, size, asked.seed, run).result())
            by_part = processes[asked.soldiers].submit(watched, asked.case, asked.soldiers, asked.seed, run)
            parts.append(by_part.result())
    rows = []
    for size, ones in found.items():
        seconds = [one[0] for one in ones]
        cells = (min(seconds), median(seconds), ones[0][1] - bare)
        rows.append((f"{size:,} soldiers", *map(number, cells)))
    # the first replicate with the stopwatch loads the phases of single mechanisms
    sys.stdout.write(f"{markdown(HEADS, rows)}\n\n{shares(parts[1:] or parts)}\n\n{machine.describe()}\n")


if __name__ == "__main__":
    main()
