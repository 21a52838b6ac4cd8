"""How long whoever uses Breakrank waits for whole commands, their kernels compiled.

``python benchmarks/waits.py [--repeats 3]`` prints the table of ``docs/explanation/performance.md``.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cyclopts

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import describe
from benchmarks.tables import markdown, number

CASE = "venezuela-2019"
COMMANDS = {
    "`breakrank --help`": ["--help"],
    "`run --runs 2`": ["run", CASE, "--runs", "2"],
    "`run --runs 20`": ["run", CASE, "--runs", "20"],
    "`compare --with no-taps --runs 100`": ["compare", CASE, "--with", "no-taps", "--runs", "100"],
}


def waited(words: list[str]) -> float:
    """Return the seconds that a command takes in a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        call = [sys.executable, "-m", "breakrank", *words]
        subprocess.run(call, cwd=folder, capture_output=True, check=True)
        return time.perf_counter() - begun


def main(*, repeats: int = 3) -> None:
    """Call each command so many times after one for the compiler, and print the medians."""
    waited(COMMANDS["`run --runs 2`"])  # compiles what is not compiled yet
    rows = [
        (name, number(statistics.median(waited(words) for _ in range(repeats))))
        for name, words in COMMANDS.items()
    ]
    sys.stdout.write(f"{markdown(('command', 'seconds'), rows)}\n\n{describe()}\n")


if __name__ == "__main__":
    cyclopts.run(main)
