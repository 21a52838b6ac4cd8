"""Measure the whole model on a case: a force-year on one core, memory and size.

``python benchmarks/force_year.py`` prints the table for the built-in case; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import cyclopts

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.tables import markdown, number

if TYPE_CHECKING:
    from breakrank.model import Model

HEADS = ("one force-year", "best s", "median s", "memory MB")


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


def main(*sizes: int, case: str = "venezuela-2019", repeats: int = 10, seed: int = 1) -> None:
    """Make replicates of forces of these sizes in turns (160,000 by default), and print what they took."""
    bare = machine.bare_interpreter()
    found: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes or (160_000,)}
    with ExitStack() as stack:
        processes = {size: stack.enter_context(machine.alone()) for size in found}
        for run in range(1, repeats + 1):
            for size, process in processes.items():
                sys.stderr.write(f"{size:,} soldiers, replicate {run}\n")
                found[size].append(process.submit(replicate, case, size, seed, run).result())
    rows = []
    for size, ones in found.items():
        seconds = [one[0] for one in ones]
        cells = (min(seconds), median(seconds), ones[0][1] - bare)
        rows.append((f"{size:,} soldiers", *map(number, cells)))
    sys.stdout.write(f"{markdown(HEADS, rows)}\n\n{machine.describe()}\n")


if __name__ == "__main__":
    cyclopts.run(main)
