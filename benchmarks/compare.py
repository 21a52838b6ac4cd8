"""Compare one simplified model on Breakrank's engine, in masked NumPy and in Mesa 3, in one run.

``python benchmarks/compare.py`` prints times, memory and whether the implementations agree; the model is
declared in ``benchmarks/README.md``. The exit code is 1 if they do not agree.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.simple_model import NAMES
from benchmarks.simple_model.agreement import WIDTH, Measures, compare
from benchmarks.tables import markdown, median, number
from benchmarks.workers import Message, Worker, note


@dataclass
class Measured:
    """What was measured of one implementation at one size.

    Attributes
    ----------
    key, soldiers : which.
    ready : what its process said before the first replicate.
    timed : its answers, one for each timed replicate; ``measures`` those of all replicates.
    """

    key: str
    soldiers: int
    ready: Message
    timed: list[Message] = field(default_factory=list)
    measures: list[Measures] = field(default_factory=list)

    def take(self, answer: Message, timed: bool) -> None:
        """Keep one replicate."""
        self.measures.append(answer["measures"])
        if timed:
            self.timed.append(answer)

    def row(self, soldiers: int, bare: float) -> Message:
        """Return its figures for a force of `soldiers`: seconds scale with the size, memory does not."""
        scale = soldiers / self.soldiers
        seconds = [one["processor"] for one in self.timed]
        each = [s / one["measures"]["moments"] for s, one in zip(seconds, self.timed, strict=True)]
        return {
            "implementation": NAMES[self.key],
            "soldiers": self.soldiers,
            "replicates": len(seconds),
            "extrapolated": self.soldiers != soldiers,
            "setup": scale * median([one["setup"] for one in self.timed]),
            "best": scale * min(seconds),
            "median": scale * median(seconds),
            "nanoseconds_per_moment": 1e9 * median(each),
            "memory": self.timed[0]["peak"] - bare,
            "memory_before_the_force": self.ready["peak"] - bare,
        }


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--soldiers", type=int, default=160_000, metavar="N")
    parser.add_argument("--days", type=int, default=365, metavar="N")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="timed replicates of each")
    parser.add_argument(
        "--mesa-repeats", type=int, default=1, metavar="N", help="timed replicates of Mesa (it takes long)"
    )
    parser.add_argument(
        "--mesa-soldiers",
        type=int,
        metavar="N",
        help="give Mesa a smaller force and scale its seconds up (default: the full size)",
    )
    parser.add_argument("--without-mesa", action="store_true")
    parser.add_argument(
        "--check",
        type=int,
        default=1000,
        metavar="N",
        help="more replicates, untimed, of the engine and of NumPy, so that small departures show",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    found = parser.parse_args(given)
    for name in ("days", "repeats", "mesa_repeats", "check"):
        if getattr(found, name) < 1:
            parser.error(f"--{name.replace('_', '-')} has to be at least 1")
    if min(found.soldiers, found.mesa_soldiers or found.soldiers) < 100:
        parser.error("a force has at least 100 soldiers")
    if not found.without_mesa and importlib.util.find_spec("mesa") is None:
        note("Mesa is not installed, so it is left out: pip install 'breakrank[benchmark]'")
        found.without_mesa = True
    return found


def measure(
    options: argparse.Namespace, soldiers: int, keys: Sequence[str], timed: bool, folder: Path
) -> list[Measured]:
    """Measure implementations at one size, in turns; with `timed` false only their measures count."""
    inputs = folder / f"inputs-{soldiers}"
    inputs.mkdir(exist_ok=True)
    worker = "benchmarks.simple_model.worker"
    command = [sys.executable, "-m", worker, "inputs", str(soldiers), str(options.seed), str(inputs)]
    subprocess.run(command, env=machine.environment(), check=True)
    with ExitStack() as stack:
        workers = {
            key: stack.enter_context(
                Worker(worker, key, str(inputs), str(options.days), cache=folder / "cache")
            )
            for key in keys
        }
        found = {key: Measured(key, soldiers, worker.ready) for key, worker in workers.items()}
        most = max(options.repeats, options.mesa_repeats)
        for k in range(most):
            for key, one in workers.items():
                if k < (options.mesa_repeats if key.startswith("mesa") else options.repeats):
                    note(f"{NAMES[key]}: {soldiers:,} soldiers, {options.days} days, replicate {k + 1}")
                    found[key].take(one.ask(seed=options.seed + k), timed)
        more = [key for key in keys if not key.startswith("mesa")]
        note(f"{' and '.join(NAMES[key] for key in more)}: {options.check} more replicates of each")

        def check(key: str) -> None:
            for k in range(options.check):
                found[key].take(workers[key].ask(seed=options.seed + most + k), False)

        with ThreadPoolExecutor() as beside:  # nothing is timed here, so they need not take turns
            list(beside.map(check, more))
    return list(found.values())


def report(options: argparse.Namespace) -> Message:
    """Measure everything and return it as one object."""
    mesa = [] if options.without_mesa else [key for key in NAMES if key.startswith("mesa")]
    small = options.mesa_soldiers if mesa and options.mesa_soldiers != options.soldiers else None
    bare = machine.bare_interpreter()
    with tempfile.TemporaryDirectory(prefix="breakrank-benchmark-") as name:
        folder = Path(name)
        note("compiling")
        cold = _warm_up(options, folder)
        found = measure(
            options, options.soldiers, ["engine", "masked", *([] if small else mesa)], True, folder
        )
        groups = [found]
        if small:
            beside = measure(options, small, ["engine", *mesa], True, folder)
            groups.append(beside)
            found = found + [one for one in beside if one.key in mesa]
    rows = [one.row(options.soldiers, bare) for one in found]
    compared = [
        comparison
        for group in groups
        for comparison in compare({NAMES[one.key]: one.measures for one in group}, NAMES["engine"])
    ]
    warm = found[0].ready["warm_up"]
    return {
        "machine": machine.describe(),
        "days": options.days,
        "soldiers": options.soldiers,
        "interpreter_memory": bare,
        "compile_seconds": cold - warm,
        "load_seconds": warm,
        "rows": rows,
        "agreement": [comparison.as_dict() for comparison in compared],
        "agrees": all(comparison.agrees for comparison in compared),
        "replicates": [
            {
                "implementation": NAMES[one.key],
                "soldiers": one.soldiers,
                "ready": one.ready,
                "timed": one.timed,
                "measures": one.measures,
            }
            for group in groups
            for one in group
        ],
    }


def _warm_up(options: argparse.Namespace, folder: Path) -> float:
    """Return the seconds of the first run of all, with an empty cache of kernels."""
    inputs = folder / "inputs-100"
    inputs.mkdir(exist_ok=True)
    worker = "benchmarks.simple_model.worker"
    command = [sys.executable, "-m", worker, "inputs", "100", "1", str(inputs)]
    subprocess.run(command, env=machine.environment(), check=True)
    with Worker(worker, "engine", str(inputs), str(options.days), cache=folder / "cache") as first:
        return float(first.ready["warm_up"])


def tables(found: Message) -> str:
    """Return what was measured as Markdown."""
    rows, compared = found["rows"], found["agreement"]
    head = ("", "set-up s", "best s", "median s", "ns per moment", "ratio", "memory MB", "before the force")
    ours = rows[0]["median"]
    body = [
        (
            row["implementation"] + ("†" if row["extrapolated"] else ""),
            number(row["setup"], 2),
            number(row["best"]),
            number(row["median"]),
            number(row["nanoseconds_per_moment"]),
            number(row["median"] / ours),
            number(row["memory"]),
            number(row["memory_before_the_force"]),
        )
        for row in rows
    ]
    agreement = [
        (
            f"{one['implementation']}: {one['measure']}",
            number(one["mean"], 5),
            number(one["reference"], 5),
            number(one["difference"], 3) if one["difference"] >= 0 else "−" + number(-one["difference"], 3),
            number(one["tolerance"], 3),
            "yes" if one["agrees"] else "NO",
        )
        for one in compared
    ]
    return "\n\n".join(
        [_title(found), markdown(head, body), _below(found), markdown(_HEAD, agreement), _end(found)]
    )


_HEAD = ("agreement", "mean", "engine's", "difference", "tolerance", "within")


def _title(found: Message) -> str:
    what = "One force-year" if found["days"] == 365 else f"{found['days']} days"
    return f"{what} of {found['soldiers']:,} soldiers, the simplified model, one core."


def _below(found: Message) -> str:
    rows = found["rows"]
    counts = ", ".join(f"{row['implementation']} {row['replicates']}" for row in rows)
    lines = [
        "Processor time of the days; set-up (building the state, Mesa's agents) apart."
        f" Replicates timed: {counts}.",
        f"Memory: peak above a bare interpreter's {number(found['interpreter_memory'])} MB after one"
        " replicate, and what of it libraries and compiled code had taken before the force was loaded.",
        f"Compiling the engine's kernels, once and then kept on disk: {number(found['compile_seconds'])} s;"
        f" loading them in a later process: {number(found['load_seconds'], 2)} s.",
    ]
    for row in rows:
        if row["extrapolated"]:
            lines.append(
                f"† Measured with {row['soldiers']:,} soldiers: seconds are scaled up, memory is not."
            )
            break
    return "\n".join(lines)


def _end(found: Message) -> str:
    verdict = (
        "All agree" if found["agrees"] else "They do NOT agree: at least one is not the model as declared"
    )
    return (
        f"{verdict}. Means over the replicates; tolerance: {WIDTH:g} standard errors of the difference of two"
        f" means, from the spread between replicates, pooled.\n\n{machine.one_line(found['machine'])}"
    )


def main(given: Sequence[str] | None = None) -> int:
    """Run the comparison and print it."""
    options = arguments(given)
    found = report(options)
    text = json.dumps(found, indent=2) if options.json else tables(found)
    sys.stdout.write(text + "\n")
    return 0 if found["agrees"] else 1


if __name__ == "__main__":
    sys.exit(main())
