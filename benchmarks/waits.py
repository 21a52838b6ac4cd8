"""How long whoever uses or changes Breakrank waits: whole commands, and the first command after an edit.

``python benchmarks/waits.py [--checkout FOLDER] [--repeats 3] [--json]`` times another checkout
by the same rule, so that two versions can be compared in one go. Beside what one waits stands the processor
time of the command and its workers, which says more where the machine does other things.
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import ROOT, describe, one_line
from benchmarks.tables import markdown, median, number

CASE = "venezuela-2019"
COMMANDS = {
    "breakrank --help": ["--help"],
    "run --runs 2": ["run", CASE, "--runs", "2"],
    "run --runs 2 --json": ["run", CASE, "--runs", "2", "--json"],
    "run --runs 20": ["run", CASE, "--runs", "20"],
    "compare, 100 pairs": ["compare", CASE, "--with", "no-taps", "--runs", "100"],
}
EDITS = {
    "after a docstring": ("mechanisms/fear.py", "Return how hard each rank", "Tell how hard each rank"),
    "after a constant in fear.py": (
        "mechanisms/fear.py",
        "-punished * s.risk[at.rank]\n",
        "-1.0 * punished * s.risk[at.rank]\n",
    ),
    "after a change in draws.py": ("draws.py", "+ 0.5) * 2.3283", "+ 0.25) * 2.3283"),
}
"""What is changed, in turn: the file, and the text that is replaced by another."""
EDITED = ["run", CASE, "--runs", "2", "--json"]


class Bench:
    """A copy of a checkout's package with a cache of kernels of its own."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "src" / "breakrank"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(checkout / "src" / "breakrank", self.package, ignore=ignored)
        compileall.compile_dir(self.package, quiet=2)  # as an installed package is

    def call(self, words: Sequence[str], cache: str = "cache", **more: str) -> tuple[float, float]:
        """Return the seconds that one command takes: waited, and of processor time."""
        given = {"PYTHONPATH": str(self.folder / "src"), "BREAKRANK_CACHE_DIR": str(self.folder / cache)}
        out = ["--out", tempfile.mkdtemp(dir=self.folder)] if words[0] == "run" else []
        begun, before = time.perf_counter(), os.times()
        subprocess.run(
            [sys.executable, "-m", "breakrank", *words, *out],
            cwd=self.folder,
            env={**os.environ, **given, **more},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        return time.perf_counter() - begun, spent

    def edit(self, file: str, old: str, new: str) -> None:
        """Change a source file of the copy."""
        path = self.package / file
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise SystemExit(f"waits: {file} does not hold {old!r} once")
        path.write_text(text.replace(old, new), encoding="utf-8")


def worker_memory(bench: Bench) -> float:
    """Return the most memory of one worker while 20 runs are made, in MB; what is shared counts in parts."""
    most, over = [0.0], threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    name = (process / "cmdline").read_bytes()
                    if b"multiprocessing" not in name and b"breakrank worker" not in name:
                        continue
                    if (process / "cwd").resolve() != bench.folder.resolve():
                        continue  # somebody else's
                    lines = (process / "smaps_rollup").read_text(encoding="ascii").splitlines()
                except OSError:
                    continue
                kilobytes = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
                most[0] = max([most[0], *(k * 1024 / 1e6 for k in kilobytes)])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        bench.call(COMMANDS["run --runs 20"])
    finally:
        over.set()
        watcher.join()
    return most[0]


def measure(checkout: Path, repeats: int) -> dict[str, tuple[float, float]]:
    """Return every figure by its name; seconds waited and spent, where the name says nothing else."""
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(checkout, Path(scratch))
        found["first run --runs 2 with no kernel kept of its own"] = bench.call(EDITED)
        for name, words in COMMANDS.items():
            waited, spent = zip(*(bench.call(words) for _ in range(repeats)), strict=True)
            found[name] = median(waited), median(spent)
        found["memory of a worker, MB"] = worker_memory(bench), math.nan
        for name, edit in EDITS.items():
            bench.edit(*edit)
            found[f"run --runs 2 --json {name}"] = bench.call(EDITED)
        everything = bench.call(EDITED, "empty")
        found["run --runs 2 --json, everything compiled"] = everything
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--checkout", type=Path, action="append", help="another version (may be repeated)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    places = [*(chosen.checkout or []), ROOT]
    measured = [measure(place.resolve(), chosen.repeats) for place in places]
    if chosen.json:
        sys.stdout.write(json.dumps(dict(zip(map(str, places), measured, strict=True)), indent=1) + "\n")
        return
    rows = [[name, *(number(figure) for one in measured for figure in one[name])] for name in measured[0]]
    names = [place.name for place in places] if chosen.checkout else ["seconds"]
    head = ["command", *(title for name in names for title in (f"{name}, waited", "processor"))]
    sys.stdout.write(markdown(head, rows) + "\n")
    sys.stdout.write(one_line(describe()) + "\n")


if __name__ == "__main__":
    main()
