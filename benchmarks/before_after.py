"""Two checkouts in alternation: what a force-year costs in this one, and in another.

``python benchmarks/before_after.py OTHER`` runs the same replicates of the built-in case here and in the
checkout OTHER, a process each, in turns, under the case's values and under draws of its posterior. It prints
processor time at best and in the median, and the median ratio of a turn.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.tables import median

HERE = Path(__file__).resolve().parents[1]
SERVE = """
import json, sys, time
from breakrank import load_case
from breakrank.model import model_of
strength, runs = int(sys.argv[1]), int(sys.argv[2])
case = load_case("venezuela-2019", "posterior")
plain = load_case("venezuela-2019", "point")
if strength:
    case, plain = (each.set({"force.strength": strength}) for each in (case, plain))
cases = {"values": plain, "posterior": case}
for line in sys.stdin:
    times = []
    for run in range(runs):
        model = model_of(cases[line.strip()], 1, run)
        begun = time.process_time()
        model.replicate(1, run, log=False)
        times.append(time.process_time() - begun)
    print(json.dumps(times), flush=True)
"""


def served(checkout: Path, soldiers: int, runs: int) -> subprocess.Popen[str]:
    """Return a process that makes replicates of a checkout whenever it is given a line."""
    command = [sys.executable, "-c", SERVE, str(soldiers), str(runs)]
    paths = os.environ | {"PYTHONPATH": str(checkout / "src")}
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout, env=paths
    )


def asked(process: subprocess.Popen[str], which: str) -> list[float]:
    """Return the seconds of each replicate of a turn."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(which + "\n")
    process.stdin.flush()
    times: list[float] = json.loads(process.stdout.readline())
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("other", type=Path, help="another checkout, with its kernels")
    parser.add_argument("--turns", type=int, default=5, metavar="N")
    parser.add_argument("--runs", type=int, default=4, metavar="N", help="replicates in a turn")
    parser.add_argument(
        "--soldiers", type=int, default=0, metavar="N", help="strength; 0 takes the case's own"
    )
    given = parser.parse_args()
    both = [served(each.resolve(), given.soldiers, given.runs) for each in (given.other, HERE)]
    for which in ("values", "posterior"):
        for each in both:
            asked(each, which)
        turns = [[asked(each, which) for each in both] for _ in range(given.turns)]
        told = []
        for k, name in enumerate(("other", "here")):
            times = [t for turn in turns for t in turn[k]]
            told.append(f"{name} {min(times):.3f} s at best, {median(times):.3f} in the median")
        ratio = median([sum(here) / sum(other) for other, here in turns])
        sys.stdout.write(f"{which}: {'; '.join(told)}; here / other {ratio:.2f}\n")
    sys.stdout.write(", ".join(machine.describe().values()) + "\n")
    for each in both:
        each.kill()


if __name__ == "__main__":
    main()
