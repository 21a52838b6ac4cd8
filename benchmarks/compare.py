"""Compare one simplified model on Breakrank's engine, in masked NumPy and in Mesa 3, in one run.

``python benchmarks/compare.py`` prints times and memory; the model is declared in ``benchmarks/README.md``.
That all are the same model is what ``tests/benchmarks/test_simple_model.py`` tests.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from statistics import median

import cyclopts

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.simple_model import NAMES, Begin, Parameters, implementation, make_inputs
from benchmarks.tables import markdown, number

HEADS = ("", "best s", "ns per moment", "ratio", "memory MB")
WARM_UP = 100
"""Soldiers of the small, lively run that compiles or loads everything before anything is timed."""


@cache
def ready(key: str, soldiers: int, days: int, seed: int) -> Begin:
    """Return an implementation that has compiled and loaded what it needs, over its inputs."""
    implementation(key, make_inputs(WARM_UP, 1), Parameters(rate=100, confide=0.5, constant=-2), 20)(1)()
    return implementation(key, make_inputs(soldiers, seed), Parameters(), days)


def replicate(key: str, soldiers: int, days: int, seed: int, k: int) -> tuple[float, float, float]:
    """Return the processor seconds of the days of one replicate, its moments, and the peak of memory."""
    live = ready(key, soldiers, days, seed)(seed + k)
    outcome, seconds = machine.timed(live)
    return seconds, float(outcome.moments.sum()), machine.peak_memory()


def main(
    *, soldiers: int = 160_000, days: int = 365, repeats: int = 3, seed: int = 1, mesa_soldiers: int = 0
) -> None:
    """Make replicates of all in turns, and print the table.

    Parameters
    ----------
    mesa_soldiers : of Mesa, whose seconds are scaled up to all; 0 for as many.
    """
    sizes = {key: (key.startswith("mesa") and mesa_soldiers) or soldiers for key in NAMES}
    bare = machine.bare_interpreter()
    found: dict[str, list[tuple[float, float, float]]] = {key: [] for key in NAMES}
    with ExitStack() as stack:
        processes: dict[str, ProcessPoolExecutor] = {
            key: stack.enter_context(machine.alone()) for key in NAMES
        }
        for k in range(repeats):
            for key, process in processes.items():
                sys.stderr.write(f"{NAMES[key]}: {sizes[key]:,} soldiers, replicate {k + 1}\n")
                made = process.submit(replicate, key, sizes[key], days, seed, k)
                found[key].append(made.result())
    middle = {key: median(one[0] for one in ones) / sizes[key] for key, ones in found.items()}
    rows = [
        (
            NAMES[key] + ("" if sizes[key] == soldiers else f" (scaled from {sizes[key]:,})"),
            number(min(one[0] for one in ones) * soldiers / sizes[key]),
            number(1e9 * median(seconds / moments for seconds, moments, _ in ones)),
            number(middle[key] / middle["engine"]),
            number(ones[0][2] - bare),
        )
        for key, ones in found.items()
    ]
    sys.stdout.write(f"{markdown(HEADS, rows)}\n\n{machine.describe()}\n")


if __name__ == "__main__":
    cyclopts.run(main)
