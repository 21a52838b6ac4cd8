"""Do faults to Breakrank and tell what it survived: kills, full disks, damaged files, races.

``python tools/faults --trials 100`` draws one trial after another from a seed, which it prints. A trial is
survived if the call gave the right bits, or ended by itself with one message, a result that is whole or not
there, and no process left over; and if the same call, made again, gives the right bits and leaves nothing
half-written. Exit code 1 if a trial was not survived; its line names the call that repeats it. Needs Linux or
macOS; full disks need the right to mount one.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import cyclopts

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":  # run as a script: the project is where the tools are
    sys.path[0:1] = [str(ROOT), str(ROOT / "src")]

from tools.faults.corrupt import corrupt  # noqa: E402 (found by the lines above)
from tools.faults.scene import Fault, Scene  # noqa: E402
from tools.faults.trials import fill, kill, race  # noqa: E402

Trial = Callable[[Scene, random.Random, str], str]
KINDS: dict[str, Trial] = {"kill": kill, "corrupt": corrupt, "fill": fill, "race": race}
ORDER = ("kill", "corrupt", "fill", "kill", "corrupt", "race")
LIBRARIES = ("altair", "openpyxl", "pandas", "pyarrow.parquet", "scipy.stats")
"""Imported before a process is copied; not what draws charts, whose threads a copy lacks."""
VERDICTS = {"right": "right at once", "told": "one message, then right", "ended": "ended, then right"}


def main(
    *,
    trials: int = 100,
    seed: int | None = None,
    trial: int | None = None,
    only: Literal["kill", "corrupt", "fill", "race"] | None = None,
) -> int:
    """Make so many trials, and print the table; 1 if one was not survived.

    Parameters
    ----------
    seed : repeat the trials of a seed. trial : only this one. only : only faults of one kind.
    """
    if sys.platform == "win32":
        sys.exit("this needs Linux or macOS")
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    print(f"python tools/faults --seed {seed}", flush=True)
    counts: Counter[tuple[str, str, str]] = Counter()
    with tempfile.TemporaryDirectory(prefix="breakrank-faults-") as made:
        scene = Scene(Path(made))
        warm_up(scene)
        begun = time.monotonic()
        for number in range(trials) if trial is None else (trial,):
            kind = only or ORDER[number % len(ORDER)]
            draw = random.Random(f"{seed}/{number}/{kind}")
            verdict = attempt(kind, scene, draw, number, seed)
            counts[kind, scene.row, verdict] += 1
    tell(counts)
    failed = sum(count for (_, _, verdict), count in counts.items() if verdict == "failed")
    took = (time.monotonic() - begun) / 60
    print(f"\n{counts.total()} trials in {took:.1f} minutes, seed {seed}: {failed} failed")
    return int(failed > 0)


def warm_up(scene: Scene) -> None:
    """Import everything, and run the case once: what is made in a copy of this process begins at once."""
    for package in ("breakrank", "breakrank_desk"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    for library in LIBRARIES:
        importlib.import_module(library)
    from breakrank.cli import main as command
    from breakrank.inference import calibration

    calibration.SIMULATIONS = 100  # of a forecast, too
    asked = ["--runs", "1", "--quiet", "--no-result", "--store", str(scene.home / "warm")]
    command(["run", str(scene.home / "case"), *asked])


def attempt(kind: str, scene: Scene, draw: random.Random, number: int, seed: int) -> str:
    """Make one trial in a folder of its own, and return how it ended."""
    name = f"trial {number}"
    try:
        verdict = KINDS[kind](scene, draw, name)
    except Fault as fault:
        print(f"FAILED {kind}: {scene.told}: {fault}")
        print(f"  python tools/faults --seed {seed} --trial {number} --only {kind}", flush=True)
        return "failed"
    print(f"{number}: {kind}: {scene.told}: {verdict}", file=sys.stderr, flush=True)
    shutil.rmtree(scene.home / name, ignore_errors=True)
    return verdict


def tell(counts: Counter[tuple[str, str, str]]) -> None:
    """Print the table."""
    print(f"\n| fault | what | trials | {' | '.join(VERDICTS.values())} | failed |")
    print("|---|---|" + "---:|" * (len(VERDICTS) + 2))
    for kind, row in sorted({(kind, row) for kind, row, _ in counts}):
        cells = [counts[kind, row, verdict] for verdict in (*VERDICTS, "failed")]
        print(f"| {kind} | {row} | {sum(cells)} | {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    cyclopts.run(main)
