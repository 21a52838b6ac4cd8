"""Measure the whole model on a case: a force-year on one core, its parts, memory and size.

``python benchmarks/force_year.py`` prints tables for the built-in case; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.tables import markdown, median, number
from benchmarks.workers import Message, Worker, note


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    parser.add_argument(
        "--soldiers", type=int, default=160_000, metavar="N", help="strength; 0 takes the case's own"
    )
    parser.add_argument(
        "--large",
        type=int,
        nargs="*",
        default=[2_000_000],
        metavar="N",
        help="larger forces beside it; alone for none",
    )
    parser.add_argument("--repeats", type=int, default=10, metavar="N", help="replicates of each kind")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="FOLDER",
        help="keep compiled kernels there; by default a new folder, so that all are compiled first",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    found = parser.parse_args(given)
    if found.repeats < 1:
        parser.error("--repeats has to be at least 1")
    return found


def years(options: argparse.Namespace, cache: Path) -> Message:
    """Measure replicates: plain and with the stopwatch, of the force and of larger ones, taking turns."""
    sizes = [options.soldiers, *options.large]
    module = "benchmarks.real_model.year"
    with ExitStack() as stack:
        workers = []
        for size in sizes:
            note(f"building a force of {size:,} soldiers" if size else "building the force")
            workers.append(
                stack.enter_context(Worker(module, options.case, str(size), str(options.seed), cache=cache))
            )
        forces: list[Message] = [{**worker.ready, "plain": []} for worker in workers]
        watched = []
        note(f"{options.repeats} rounds of replicates")
        for run in range(1, options.repeats + 1):
            for worker, force in zip(workers, forces, strict=True):
                force["plain"].append(worker.ask(how="plain", run=run))
            watched.append(workers[0].ask(how="shares", run=run))
    return {"forces": forces, "watched": watched}


def report(options: argparse.Namespace) -> Message:
    """Measure everything and return it as one object."""
    bare = machine.bare_interpreter()
    with tempfile.TemporaryDirectory(prefix="breakrank-benchmark-") as folder:
        cache = options.cache.resolve() if options.cache else Path(folder)
        found = years(options, cache)
    for force in found["forces"]:
        seconds = [one["seconds"] for one in force["plain"]]
        force["best"], force["median"] = min(seconds), median(seconds)
        force["processor"] = median([one["processor"] for one in force["plain"]])
        force["processor_best"] = min(one["processor"] for one in force["plain"])
        force["per_decision"] = median([one["processor"] / one["moments"] for one in force["plain"]])
        force["moments"] = median([one["moments"] for one in force["plain"]])
        force["memory"] = force["stages"]["first replicate"]["peak"] - bare
    small = found["forces"][0]
    for force in found["forces"]:
        pairs = zip(small["plain"], force["plain"], strict=True)
        scale = small["soldiers"] / force["soldiers"]
        force["ratio"] = median([big["processor"] * scale / one["processor"] for one, big in pairs])
    return {
        "machine": machine.describe(),
        "interpreter_memory": bare,
        "parts": parts(found["watched"]),
        "watched_median": median([one["processor"] for one in found["watched"]]),
        **found,
    }


def parts(watched: Sequence[Message]) -> list[Message]:
    """Return mean seconds of each part of a replicate, at its start and in its days; largest first."""
    rows: dict[str, Message] = {}
    for one in watched:
        for part, what, seconds in one["parts"]:
            name = f"engine: {what}" if part == "engine" else part
            row = rows.setdefault(name, {"part": name, "begin": 0.0, "days": 0.0})
            row["begin" if what == "begin" else "days"] += seconds / len(watched)
    whole = sum(row["begin"] + row["days"] for row in rows.values())
    for row in rows.values():
        row["share"] = (row["begin"] + row["days"]) / whole
    return sorted(rows.values(), key=lambda row: -float(row["share"]))


def tables(found: Message) -> str:
    """Return what was measured as Markdown."""
    small = found["forces"][0]
    rounds = len(small["plain"])
    sections = [
        f"{small['case']}, {small['days']} days, {small['soldiers']:,} soldiers with {small['ties']:.1f} ties"
        f" each; {number(small['moments'], 6)} decisions evaluated (median of {rounds} replicates).",
        markdown(("", "best", "median"), _headline(found)),
        markdown(
            ("of one force-year", "at its start ms", "in its days ms", "ns per decision", "share"),
            _shares(found),
        ),
        "Processor time in the same process by wrapping the phases; the replicates so timed took"
        f" {number(1e3 * found['watched_median'])} ms, the others {number(1e3 * small['processor'])} ms"
        " (medians). The rest of the engine holds most of what the stopwatch itself costs.",
        markdown(("up to and with", "seconds", "peak MB above the interpreter"), _stages(found)),
    ]
    if len(found["forces"]) > 1:
        rows = [
            (
                f"{force['soldiers']:,} soldiers",
                number(force["processor_best"]),
                number(force["processor"]),
                number(1e9 * force["processor"] / force["soldiers"]),
                number(force["ratio"]),
                number(1e9 * force["per_decision"]),
                number(force["memory"]),
            )
            for force in found["forces"]
        ]
        per = "ns per soldier", "to the first", "ns per decision"
        heads = ("one force-year", "best s", "median s", *per, "memory MB")
        sections += [
            markdown(heads, rows),
            "Processor time. *To the first* is the cost per soldier relative to that of the first force"
            " (median over rounds in which all took a turn).",
        ]
    sections.append(machine.one_line(found["machine"]))
    return "\n\n".join(sections)


def _headline(found: Message) -> list[tuple[str, str, str]]:
    small = found["forces"][0]
    processor = [one["processor"] for one in small["plain"]]
    return [
        ("one force-year on one core, s", number(small["best"]), number(small["median"])),
        ("the same, processor time, s", number(min(processor)), number(median(processor))),
        (
            "the same per decision, ns",
            number(1e9 * small["processor_best"] / small["moments"]),
            number(1e9 * small["processor"] / small["moments"]),
        ),
        ("memory above the interpreter, MB", number(small["memory"]), "–"),
    ]


def _shares(found: Message) -> list[tuple[str, str, str, str, str]]:
    moments = found["forces"][0]["moments"]
    return [
        (
            row["part"],
            number(1e3 * row["begin"]),
            number(1e3 * row["days"]),
            number(1e9 * (row["begin"] + row["days"]) / moments),
            f"{row['share']:.1%}",
        )
        for row in found["parts"]
    ]


def _stages(found: Message) -> list[tuple[str, str, str]]:
    bare = found["interpreter_memory"]
    return [
        (name, number(one["seconds"]), number(one["peak"] - bare))
        for name, one in found["forces"][0]["stages"].items()
    ]


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = arguments(given)
    found = report(options)
    text = json.dumps(found, indent=2) if options.json else tables(found)
    sys.stdout.write(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
