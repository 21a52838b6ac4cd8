"""Measure ten thousand runs: to keep them, to reduce all of their series, and to tell them.

``python benchmarks/many.py`` keeps 10,000 runs of the built-in case in a store. Then, each in a process of
its own, it reduces all of their series to mean, spread and quantiles, and does what ``breakrank run`` does
with finished runs: reads them into a result, saves it, prints the table, writes the report.

So that this takes less than making them, each process makes only a hundred runs, which are then kept again
and again under other numbers: arrays, parts and statistics are as large as those of 10,000 different runs.
``--all`` makes every one. With ``--store`` the store is kept, and the same call goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path[0:1] = [
        str(Path(__file__).resolve().parents[1]),
        str(Path(__file__).resolve().parents[1] / "src"),
    ]

from benchmarks import machine
from benchmarks.tables import markdown, number
from benchmarks.workers import note

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Replicate
    from breakrank.force import Force
    from breakrank.runs.worker import Simulator

DIFFERENT = 100
"""Runs that the model makes in each process: as many as a part holds at most."""

Figures = dict[str, float]


def again(case: Case, force: Force | None, seed: int, run: int, *, log: bool) -> Replicate:  # noqa: ARG001
    """Return one of some runs under another number."""
    from breakrank.engine.replicate import Replicate

    return Replicate(run, _made(case, force, seed, run % DIFFERENT).series, None)


@functools.lru_cache(maxsize=DIFFERENT)
def _made(case: Case, force: Force | None, seed: int, run: int) -> Replicate:
    from breakrank import model

    return model.replicate(case, force, seed, run, log=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    parser.add_argument(
        "--strength",
        type=int,
        metavar="N",
        help="soldiers, by default the case's; series of a smaller force are as many and as long",
    )
    parser.add_argument("--runs", type=int, default=10_000, metavar="N")
    parser.add_argument("--all", action="store_true", help="make every run")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--store", type=Path, help="keep the runs there; by default in a temporary folder")
    parser.add_argument("--json", action="store_true", help="everything measured, as JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = measured(asked, Path(name))
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
        return
    rows = [[what, number(value)] for what, value in found.items()]
    sys.stdout.write(markdown([f"{asked.runs:,} runs of {asked.case}", ""], rows) + "\n\n")
    sys.stdout.write(machine.one_line(machine.describe()) + "\n")


def measured(asked: argparse.Namespace, folder: Path) -> Figures:
    """Return bytes, seconds and memory, by what they are of."""
    asked.store = asked.store or folder / "many"
    found: Figures = {}
    for step in (keep, reduce, tell):
        note(f"{step.__name__} {asked.runs:,} runs")
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
            found |= alone.submit(step, asked, folder).result()
    return found


def keep(asked: argparse.Namespace, folder: Path) -> Figures:  # noqa: ARG001
    """Put the runs that are missing into the store."""
    from breakrank.runs.backends import Cores
    from breakrank.runs.carry_out import carry_out
    from breakrank.runs.identity import code_digest
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study

    held = [0]
    case, store, simulator = _case(asked), Store(asked.store), _simulator(asked)
    study = Study((Scenario(case),), asked.runs, asked.seed)
    account = carry_out(
        study, store, Cores(asked.workers), lambda tally: held.append(tally.memory), simulator=simulator
    )
    parts = store.stored(case, asked.seed, code_digest(simulator)).parts()
    return {
        "runs made now": account.made,
        "s to make and keep them": account.seconds,
        "MB held by caller and workers meanwhile": max(held) / 1e6,
        "parts": len(parts),
        "MB on the disk": sum(p.size for p in parts) / 1e6,
    }


def reduce(asked: argparse.Namespace, folder: Path) -> Figures:  # noqa: ARG001
    """Reduce all series."""
    from breakrank.results.export import reduced

    case, begun = _case(asked), time.process_time()
    result, read = _timed(lambda: _result(asked, case))
    _, taken = _timed(lambda: reduced(result.data))
    return {
        "s to read them": read,
        "s to reduce all series to mean, sd and five quantiles": taken,
        "ms a run, processor time of both": 1e3 * (time.process_time() - begun) / asked.runs,
        "MB held at most while reducing": machine.peak_memory(),
    }


def tell(asked: argparse.Namespace, folder: Path) -> Figures:
    """Read, save, print and report as ``breakrank run`` does."""
    from breakrank.questions.run.terminal import show

    case = _case(asked)
    result = _result(asked, case)
    _, saved = _timed(lambda: result.save(folder / "result"))
    with contextlib.redirect_stdout(io.StringIO()):
        _, shown = _timed(lambda: show(result))
    _, reported = _timed(lambda: result.report(folder / "report.html"))
    return {
        "s to save the result": saved,
        "s to print the table": shown,
        "s to write the report": reported,
        "MB held at most while telling": machine.peak_memory(),
    }


def _case(asked: argparse.Namespace) -> Case:
    from breakrank import load_case

    case = load_case(asked.case, "values")
    return case.set({"force.strength": asked.strength}) if asked.strength else case


def _simulator(asked: argparse.Namespace) -> Simulator:
    from benchmarks.many import again as repeated  # by its name in a module that other processes find
    from breakrank import model
    from breakrank.engine.codes import EVENTS
    from breakrank.runs.worker import Simulator, standard_simulator

    return standard_simulator() if asked.all else Simulator(model.build, repeated, EVENTS)


def _result(asked: argparse.Namespace, case: Case) -> Any:  # noqa: ANN401
    from breakrank.runs.identity import code_digest
    from breakrank.runs.store import Store

    return Store(asked.store).result(case, asked.seed, asked.runs, code=code_digest(_simulator(asked)))


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


if __name__ == "__main__":
    main()
