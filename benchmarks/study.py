"""Measure studies: time, memory, disk, what processes and a cluster gain, and what a world would take.

``python benchmarks/study.py`` prints tables for the built-in case; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path[0:1] = [
        str(Path(__file__).resolve().parents[1]),
        str(Path(__file__).resolve().parents[1] / "src"),
    ]

from benchmarks import machine
from benchmarks.beside import beside
from benchmarks.tables import markdown, median, number, plain

FIVE = ("no-taps", "no-rewards", "no-reprisals", "pay-rise", "no-calls")
MEASURES = ("registered", "left_abroad", "quiet_desertion", "plots_founded", "risings")
WORLD = {"countries": 150, "runs": 1_000, "scenarios": 20}
CORES = (16, 256, 4_096)
BATCH, OFTEN, MOST = 8.0, 100.0, 100
"""Seconds in a batch, batches in a second, runs in a batch: as in :mod:`breakrank.runs.cluster`."""
LONGEST, FILES = 10.0, 3
"""Seconds after which a batch is written in parts, as in :mod:`breakrank.runs.batch`; files of a part."""

Row = dict[str, Any]


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    parser.add_argument("--runs", type=int, default=1_000, metavar="N", help="replicates of each study")
    parser.add_argument("--pairs", type=int, default=100, metavar="N", help="pairs for each counterfactual")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4], metavar="N")
    parser.add_argument(
        "--cluster", type=int, default=2, metavar="N", help="workers of the cluster; 0 for none"
    )
    parser.add_argument(
        "--rounds", type=int, default=6, metavar="N", help="turns of processes that share nothing"
    )
    parser.add_argument(
        "--parameters", default="values", choices=("values", "posterior"), help="what the runs live under"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--folder", type=Path, help="where stores are made; by default a temporary folder")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")
    parser.add_argument("--json", action="store_true", help="everything measured, as JSON")
    return parser.parse_args(given)


def main() -> None:
    """Measure and print."""
    asked = arguments()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        found = measured(asked, Path(name))
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
        return
    draw = markdown if asked.markdown else plain
    for head, rows in tables(found):
        sys.stdout.write(draw(head, rows) + "\n\n")
    sys.stdout.write(machine.one_line(found["machine"]) + "\n")


def measured(asked: argparse.Namespace, folder: Path) -> Row:
    """Return everything that is measured."""
    from breakrank import load_case, simulate
    from breakrank.runs.backends import Cores
    from breakrank.runs.cluster import Cluster

    case = load_case(asked.case, asked.parameters)
    simulate(case, runs=2, seed=asked.seed, workers=1, log_runs=0)  # compiles, if that was never done here
    studies = [
        one(case, asked, folder / f"cores-{n}", f"{n} process{'es' * (n != 1)}", n, Cores(n))
        for n in asked.workers
    ]
    tasks: Row = {}
    if asked.cluster:
        with cluster(folder, asked.cluster) as address:
            tasks = empty_tasks(address)
            what = f"cluster of {asked.cluster}"
            studies.append(one(case, asked, folder / "cluster", what, asked.cluster, Cluster(address)))
    return {
        "machine": machine.describe(),
        "beside": beside(asked.case, asked.seed, 2, asked.rounds) if asked.rounds else {},
        "runs": asked.runs,
        "studies": studies,
        "tasks": tasks,
        "setup": setup(case, asked.seed),
        "reading": reading(case, asked, folder / f"cores-{asked.workers[0]}"),
        "reduction": reduction(case, asked, folder / "pairs"),
        "pairs": asked.pairs,
    }


def one(case: Any, asked: argparse.Namespace, folder: Path, what: str, workers: int, place: Any) -> Row:  # noqa: ANN401
    """Carry one study out in a store of its own."""
    from breakrank.runs.carry_out import carry_out
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study

    note(f"{what}: {asked.runs} runs")
    held: list[int] = []
    store = Store(folder)
    study = Study((Scenario(case),), asked.runs, asked.seed)
    begun = time.perf_counter()
    carry_out(study, store, place, lambda tally: held.append(tally.memory))
    wall = time.perf_counter() - begun
    parts = store.stored(case, asked.seed).parts()
    begun = time.perf_counter()
    carry_out(study, Store(folder), place)
    return {
        "what": what,
        "workers": workers,
        "wall": wall,
        "runs": sum(len(p.runs) for p in parts),
        "in_runs": sum(p.seconds for p in parts),
        "parts": len(parts),
        "bytes": sum(p.size for p in parts),
        "memory": max(held),
        "again": time.perf_counter() - begun,
    }


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """Give the address of a cluster of processes on this machine."""
    from tests.runs.loopback import loopback

    home = folder / "processes"
    home.mkdir()
    with loopback(home, workers) as crew:
        yield crew.address


def empty_tasks(address: str, number_of: int = 1_000) -> Row:
    """Return what a task costs that does nothing, in the way that batches are sent."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(1)
        client.gather([client.submit(abs, -k, pure=False) for k in range(50)])
        begun = time.perf_counter()
        client.gather([client.submit(abs, -k, pure=False) for k in range(number_of)])
        return {"tasks": number_of, "seconds_each": (time.perf_counter() - begun) / number_of}


def setup(case: Any, seed: int) -> Row:  # noqa: ANN401
    """Return what a worker does once for each scenario, s."""
    from breakrank import model
    from breakrank.runs.scenario import Scenario

    times: dict[str, list[float]] = {"case": [], "force": [], "model": []}
    for k in range(3):
        begun = time.perf_counter()
        made = Scenario(case, values=(("fear.risk_weight", 1.0 + k / 10),)).made
        _ = made.digest
        times["case"].append(time.perf_counter() - begun)
        begun = time.perf_counter()
        force = model.build(made, seed)
        times["force"].append(time.perf_counter() - begun)
        begun = time.perf_counter()
        model.Model(made, force)
        times["model"].append(time.perf_counter() - begun)
    return {name: median(taken) for name, taken in times.items()}


def reading(case: Any, asked: argparse.Namespace, folder: Path) -> Row:  # noqa: ANN401
    """Return what it takes to check a store, to read one series of all runs, and to reduce everything."""
    from breakrank.results.export import reduced
    from breakrank.runs.store import Store

    begun = time.perf_counter()
    store = Store(folder)
    store.stored(case, asked.seed).parts()
    checked = time.perf_counter() - begun
    begun = time.perf_counter()
    store.result(case, asked.seed, asked.runs, only={"registered"})
    series = time.perf_counter() - begun
    begun = time.perf_counter()
    reduced(store.result(case, asked.seed, asked.runs).data)
    return {"check": checked, "one_series": series, "all_quantiles": time.perf_counter() - begun}


def reduction(case: Any, asked: argparse.Namespace, folder: Path) -> Row:  # noqa: ANN401
    """Return by what factor pairing cuts the variance of five counterfactuals' differences."""
    from breakrank.questions.compare.compare import paired
    from breakrank.results.measures import read_by
    from breakrank.runs.carry_out import carry_out
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study

    names = [n for n in FIVE if n in case.counterfactuals.ids] if asked.pairs else []
    if not names:
        return {}
    note(f"{len(names)} counterfactuals: {asked.pairs} pairs each")
    scenarios = (Scenario(case), *(Scenario(case, n, (n,)) for n in names))
    store = Store(folder)
    carry_out(Study(scenarios, asked.pairs, asked.seed), store)
    only = {v for m in MEASURES for v in read_by(m)}
    before, *after = (store.result(s.made, asked.seed, asked.pairs, only=only) for s in scenarios)
    return {
        name: {m: paired(before, result, [m])[m].reduction for m in MEASURES}
        for name, result in zip(names, after, strict=True)
    }


def tables(found: Row) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield the head and the rows of every table."""
    studies: list[Row] = found["studies"]
    alone = next((s for s in studies if s["workers"] == 1), None)
    head = ["", "wall s", "efficiency", "busy", "s per run", "memory MB", "disk MB", "parts", "again s"]
    rows = []
    for s in studies:
        gain = alone["wall"] / s["wall"] / s["workers"] if alone is not None else float("nan")
        busy = s["in_runs"] / s["wall"] / s["workers"]
        numbers = [s["wall"], gain, busy, s["in_runs"] / s["runs"], s["memory"] / 1e6, s["bytes"] / 1e6]
        rows.append([s["what"], *map(number, numbers), str(s["parts"]), number(s["again"])])
    yield head, rows
    if found["beside"]:
        b = found["beside"]
        yield (
            ["processes that share nothing", "s per run alone", "s per run beside another", "ratio"],
            [["2", number(b["alone"]), number(b["together"]), number(b["ratio"], 2)]],
        )
    r, t = found["reading"], found["setup"]
    yield (
        [f"of {found['runs']} runs", "ms"],
        [
            ["checking every byte of the store", number(1e3 * r["check"])],
            ["one series of all runs", number(1e3 * r["one_series"])],
            ["mean, spread and five quantiles of all series", number(1e3 * r["all_quantiles"])],
            ["a scenario's case and digest", number(1e3 * t["case"])],
            ["its force", number(1e3 * t["force"])],
            ["its model", number(1e3 * t["model"])],
            ["a task of the cluster that does nothing", number(1e3 * found["tasks"].get("seconds_each", 0))],
        ],
    )
    yield from world(found, alone or studies[0])
    if found["reduction"]:
        rows = [[name, *(number(f[m], 2) for m in MEASURES)] for name, f in found["reduction"].items()]
        yield [f"variance factor, {found['pairs']} pairs", *MEASURES], rows


def world(found: Row, s: Row) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield, on paper, what 150 countries times 1,000 runs times 20 scenarios take on so many cores.

    A run costs what it does here; a worker builds a scenario's force and model once for each of its batches
    in the worst case; the scheduler takes its time for each batch, one after another.
    """
    runs = WORLD["countries"] * WORLD["runs"] * WORLD["scenarios"]
    each = s["in_runs"] / s["runs"]
    task = found["tasks"].get("seconds_each", 0.0)
    again = sum(found["setup"].values())
    size = s["bytes"] / s["runs"]
    rows = []
    for cores in CORES:
        batches = runs * each / min(max(BATCH, cores / OFTEN), MOST * each)
        busy = runs * each + batches * again
        workers, scheduler = busy / cores, batches * task
        taken = max(workers, scheduler)
        limit = "the scheduler" if scheduler > workers else "the cores"
        numbers = (taken / 3600, scheduler / 3600, busy / cores / taken, size * runs / taken / 1e6)
        parts = batches * max(1.0, runs * each / batches / LONGEST)
        rows.append([f"{cores:,}", *map(number, numbers), number(FILES * parts / taken), limit])
    head = [
        f"cores, for {runs:,} runs",
        "hours",
        "of the scheduler",
        "busy",
        "MB/s to disk",
        "files/s",
        "limit",
    ]
    yield head, rows
    longest = MOST * each
    saturated = (longest + again) / task if task else float("nan")
    yield (
        ["", ""],
        [
            ["core-hours", number(runs * each / 3600)],
            ["GB on the disk", number(size * runs / 1e9)],
            [f"cores that one scheduler keeps busy, in batches of {MOST} runs", number(saturated)],
        ],
    )


def note(text: str) -> None:
    """Say what is under way, on standard error."""
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    main()
