"""Measure what mechanisms add to a force-year: with and without them, in turns within one process.

``python benchmarks/switches.py`` prints it for what becomes of those who leave; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from breakrank.model import Model, build
from breakrank.runs.cases import load_case

ABROAD = ("reception", "screening", "asylum", "exile", "word_home")
"""The mechanisms of what becomes of those who leave."""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    parser.add_argument("--off", nargs="+", default=ABROAD, metavar="NAME", help="what to switch off")
    parser.add_argument("--rounds", type=int, default=24, metavar="N", help="pairs of force-years")
    parser.add_argument("--replicates", type=int, default=4, metavar="N", help="different ones, in turns")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    found = parser.parse_args(given)
    for name in ("rounds", "replicates"):
        if getattr(found, name) < 1:
            parser.error(f"--{name} has to be at least 1")
    return found


def seconds(case: str, off: Sequence[str], rounds: int, replicates: int, seed: int) -> np.ndarray:
    """Return the processor seconds of force-years, float64 (2, round): with everything, and without `off`."""
    whole = load_case(case, "values")
    force = build(whole, seed)
    models = (Model(whole, force), Model(whole.set({f"{name}.on": 0 for name in off}), force))
    for model in models:
        model.replicate(seed, 0)
    took = np.empty((2, rounds))
    for r in range(rounds):
        for k in (0, 1) if r % 2 else (1, 0):  # neither is always first
            begun = time.process_time()
            models[k].replicate(seed, r % replicates)
            took[k, r] = time.process_time() - begun
    return took


def main() -> None:
    """Measure and print."""
    given = arguments()
    took = seconds(given.case, given.off, given.rounds, given.replicates, given.seed)
    best, median = took.min(axis=1), np.median(took, axis=1)
    lines = (
        f"Without {', '.join(given.off)}; {given.rounds} rounds of both, processor time.\n",
        "|  | best s | median s |",
        "| --- | ---: | ---: |",
        f"| with everything | {best[0]:.3f} | {median[0]:.3f} |",
        f"| without these | {best[1]:.3f} | {median[1]:.3f} |",
        f"| ratio | {best[0] / best[1]:.2f} | {np.median(took[0] / took[1]):.2f} |",
        f"\n{machine.one_line(machine.describe())}",
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
