"""Computing time and memory: the tables of ``docs/explanation/performance.md``; see ``benchmarks/README.md``.

    python -m benchmarks.performance waits      # whole commands, also beside version 0.1
    python -m benchmarks.performance year       # the whole model on a case: a force-year on one core
    python -m benchmarks.performance engines    # one simplified model on three engines, side by side

What is to be compared is measured in turns, each in a process of its own, so that a busy moment of the
machine hits all alike.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import cyclopts

from benchmarks.report import machine, markdown, number, versions
from benchmarks.simple_model import NAMES, Begin, Parameters, implementation, make_inputs

if TYPE_CHECKING:
    from breakrank.model import Model

app = cyclopts.App(name="performance", help="Computing time and memory.")
Key = TypeVar("Key")
CASE = "venezuela-2019"
POINT, POINT_OF_0_1 = "--ensemble point", "--given none --parameters values"
"""Options of runs with fixed parameters, and the same in version 0.1."""
COMPARE = f"compare {CASE} --with no-taps --runs 100"
COMMANDS = {
    "`breakrank --help`": "--help",
    "`run --runs 2`": f"run {CASE} --runs 2",
    "`run --runs 20`": f"run {CASE} --runs 20",
    "`run`, its 40 members": f"run {CASE} --runs 40",
    "`run --ensemble point --runs 100`": f"run {CASE} {POINT} --runs 100",
    "`compare --with no-taps --ensemble point --runs 100`": f"{COMPARE} {POINT}",
    "`compare --with no-taps --runs 100`": COMPARE,
}
"""By row; each makes as many runs in version 0.1, whose `run` without a number makes 100."""
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
WARM_UP = 100
"""Soldiers of the small, lively run that compiles or loads everything before anything is timed."""


class Measured(NamedTuple):
    """What a piece of work took: processor seconds, peak memory in MB, and the moments it went through."""

    seconds: float
    memory: float
    moments: float = 0.0


def alone() -> ProcessPoolExecutor:
    """Return a fresh Python with one thread that does one thing at a time."""
    os.environ.update(dict.fromkeys(THREADS, "1"))
    return ProcessPoolExecutor(1, get_context("spawn"))


def timed(work: Callable[[], object]) -> tuple[object, float]:
    """Return what `work` returns, and the processor seconds that this process needed."""
    gc.collect()
    begun = time.process_time()
    result = work()
    return result, time.process_time() - begun


def peak_memory() -> float:
    """Return the most memory that this process has had resident, in MB (10^6 bytes); nan outside Linux.

    It is the high-water mark of this program: the figure of ``getrusage`` includes what the process that
    started it had in memory at that moment.
    """
    status = Path("/proc/self/status")
    text = status.read_text(encoding="ascii") if status.exists() else ""
    lines = [line for line in text.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) * 1024 / 1e6 if lines else float("nan")


def in_turns(
    work: Callable[..., Measured], asked: Mapping[Key, tuple[object, ...]], repeats: int
) -> dict[Key, list[Measured]]:
    """Return what replicates took: work is called with what is asked and the number of the replicate.

    Memory is that above a bare Python.
    """
    with alone() as process:
        bare = process.submit(peak_memory).result()
    found: dict[Key, list[Measured]] = {key: [] for key in asked}
    with ExitStack() as stack:
        processes = {key: stack.enter_context(alone()) for key in asked}
        for k in range(repeats):
            for key, process in processes.items():
                sys.stderr.write(f"{key}, replicate {k + 1}\n")
                made = process.submit(work, *asked[key], k).result()
                found[key].append(made._replace(memory=made.memory - bare))
    return found


def tell(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Print a table, and what it was made with."""
    sys.stdout.write(f"{markdown(head, rows)}\n\n{machine()}; {versions()}\n")


def waited(python: str, words: str) -> float:
    """Return the seconds that a command of the Breakrank of a Python takes in a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        command = [python, "-m", "breakrank", *words.split()]
        subprocess.run(command, cwd=folder, capture_output=True, check=True)
        return time.perf_counter() - begun


@app.command
def waits(*, repeats: int = 3, beside: str = "") -> None:
    """Call whole commands so many times after one for the compiler, and print the medians.

    Parameters
    ----------
    beside : a Python with version 0.1, whose commands are called in turns with these.
    """
    for python in filter(None, (beside, sys.executable)):
        waited(python, COMMANDS["`run --runs 2`"])  # compiles what is not compiled yet
    rows = []
    for name, words in COMMANDS.items():
        calls = [(beside, words.replace(POINT, POINT_OF_0_1))] * bool(beside) + [(sys.executable, words)]
        turns = [[waited(*call) for call in calls] for _ in range(repeats)]
        medians = [median(each) for each in zip(*turns, strict=True)]
        ratio = [medians[1] / medians[0]] if beside else []
        rows.append((name, *[number(one) for one in (*medians, *ratio)]))
    tell(("command", "before", "seconds", "ratio") if beside else ("command", "seconds"), rows)


@cache
def model_of(case: str, soldiers: int, seed: int) -> Model:
    """Return the model of a case that has made its first replicate: all is compiled and loaded."""
    from breakrank.model import Model, build
    from breakrank.runs.cases import load_case

    loaded = load_case(case, "point").set({"force.strength": soldiers})
    model = Model(loaded, build(loaded, seed))
    model.replicate(seed, 0)
    return model


def force_year(case: str, soldiers: int, seed: int, k: int) -> Measured:
    """Return what one replicate of a case took."""
    model = model_of(case, soldiers, seed)
    return Measured(timed(lambda: model.replicate(seed, k + 1))[1], peak_memory())


@app.command
def year(*sizes: int, case: str = CASE, repeats: int = 10, seed: int = 1) -> None:
    """Make replicates of forces of these sizes in turns (160,000 by default), and print what they took."""
    found = in_turns(force_year, {size: (case, size, seed) for size in sizes or (160_000,)}, repeats)
    rows = []
    for size, ones in found.items():
        seconds = [one.seconds for one in ones]
        cells = (min(seconds), median(seconds), ones[0].memory)
        rows.append((f"{size:,} soldiers", *map(number, cells)))
    tell(("one force-year", "best s", "median s", "memory MB"), rows)


@cache
def ready(key: str, soldiers: int, days: int, seed: int) -> Begin:
    """Return an implementation that has compiled and loaded what it needs, over its inputs."""
    implementation(key, make_inputs(WARM_UP, 1), Parameters(rate=100, confide=0.5, constant=-2), 20)(1)()
    return implementation(key, make_inputs(soldiers, seed), Parameters(), days)


def replicate(key: str, soldiers: int, days: int, seed: int, k: int) -> Measured:
    """Return what the days of one replicate of the simplified model took."""
    outcome, seconds = timed(ready(key, soldiers, days, seed)(seed + k))
    return Measured(seconds, peak_memory(), float(outcome.moments.sum()))  # type: ignore[attr-defined]


@app.command
def engines(
    *, soldiers: int = 160_000, days: int = 365, repeats: int = 3, seed: int = 1, mesa_soldiers: int = 0
) -> None:
    """Make replicates of the simplified model on all engines in turns, and print the table.

    Parameters
    ----------
    mesa_soldiers : of Mesa, whose seconds are scaled up to all; 0 for as many.
    """
    sizes = {key: (key == "mesa" and mesa_soldiers) or soldiers for key in NAMES}
    found = in_turns(replicate, {key: (key, sizes[key], days, seed) for key in NAMES}, repeats)
    middle = {key: median(one.seconds for one in ones) / sizes[key] for key, ones in found.items()}
    rows = [
        (
            NAMES[key] + ("" if sizes[key] == soldiers else f" (scaled from {sizes[key]:,})"),
            number(min(one.seconds for one in ones) * soldiers / sizes[key]),
            number(1e9 * median(one.seconds / one.moments for one in ones)),
            number(middle[key] / middle["engine"]),
            number(ones[0].memory),
        )
        for key, ones in found.items()
    ]
    tell(("", "best s", "ns per moment", "ratio", "memory MB"), rows)


if __name__ == "__main__":
    app()
