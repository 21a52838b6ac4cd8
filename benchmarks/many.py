"""Measure ten thousand runs on the disk: bytes, what reading and reducing them takes, and memory.

``python benchmarks/many.py`` keeps 10,000 runs of the built-in case in a store and reduces all of their
series. So that this takes less than making them, the model makes only some of them, which are then kept
again and again under other numbers: arrays, parts and statistics are as large as those of 10,000 different
runs. Compression may find a little more to save where a part holds a run twice or thrice.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path[0:1] = [
        str(Path(__file__).resolve().parents[1]),
        str(Path(__file__).resolve().parents[1] / "src"),
    ]

from benchmarks import machine
from benchmarks.tables import markdown, number

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Replicate
    from breakrank.force import Force

DIFFERENT = 40
"""Runs that the model makes in each process."""


def again(case: Case, force: Force, seed: int, run: int, *, log: bool) -> Replicate:  # noqa: ARG001
    """Return one of some runs under another number."""
    from breakrank.engine.replicate import Replicate

    return Replicate(run, _made(case, force, seed, run % DIFFERENT).series, None)


@functools.lru_cache(maxsize=DIFFERENT)
def _made(case: Case, force: Force, seed: int, run: int) -> Replicate:
    from breakrank import model

    return model.replicate(case, force, seed, run, log=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    parser.add_argument("--runs", type=int, default=10_000, metavar="N")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--folder", type=Path, help="where the store is made; by default a temporary folder")
    parser.add_argument("--json", action="store_true", help="everything measured, as JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        found = measured(asked, Path(name))
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
        return
    rows = [[what, number(value)] for what, value in found.items()]
    sys.stdout.write(markdown([f"{asked.runs:,} runs of {asked.case}", ""], rows) + "\n\n")
    sys.stdout.write(machine.one_line(machine.describe()) + "\n")


def measured(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Return bytes, seconds and memory, by what they are of."""
    from benchmarks.many import again as repeated  # by its name in a module that other processes find
    from breakrank import load_case, model
    from breakrank.engine.codes import EVENTS
    from breakrank.results.reduce import reduced
    from breakrank.study.carry_out import carry_out
    from breakrank.study.identity import code_digest
    from breakrank.study.places import Cores
    from breakrank.study.scenario import Scenario
    from breakrank.study.store import Store
    from breakrank.study.study import Study
    from breakrank.study.worker import Engine

    case = load_case(asked.case, "values")
    engine = Engine(model.build, repeated, EVENTS)
    store = Store(folder / "many")
    held: list[int] = []
    begun = time.perf_counter()
    carry_out(
        Study((Scenario(case),), asked.runs, asked.seed),
        store,
        Cores(asked.workers),
        lambda tally: held.append(tally.memory),
        engine=engine,
    )
    kept = time.perf_counter() - begun
    code = code_digest(engine)
    parts = store.shelf(case, asked.seed, code).parts()
    begun = time.perf_counter()
    statistics = reduced(store.pieces(case, asked.seed, asked.runs, code=code))
    taken = time.perf_counter() - begun
    return {
        "MB on the disk": sum(p.size for p in parts) / 1e6,
        "parts": len(parts),
        "MB held by caller and workers while running": max(held) / 1e6,
        "s to keep them": kept,
        "s to reduce all series to mean, sd and five quantiles": taken,
        "MB of these statistics": statistics.nbytes / 1e6,
        "MB held by the caller at most": machine.peak_memory(),
    }


if __name__ == "__main__":
    main()
