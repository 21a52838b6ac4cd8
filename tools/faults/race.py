"""Several calls at once on the same store, folder, desk or cache of compiled code."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools.faults.calls import Call
from tools.faults.scene import JOBS, Fault, Scene, drawn, survived

ROOT = Path(__file__).resolve().parents[2]
COMPILED_ROW = "for one compiled function"
COMPILED = """
import sys
from breakrank.kernel import kernel

@kernel
def f(x: int) -> int:
    for k in range(x):
        x += k * {unique}
    return x

print(f(12))
"""


def trial(scene: Scene, draw: random.Random, name: str) -> str:
    """Let calls race, and return how they ended."""
    row = draw.choice(
        [*("one call, on one store",) * 3, *("two calls, on one store",) * 3, "at one case", COMPILED_ROW]
    )
    if row == COMPILED_ROW:
        scene.doing(row, row)
        return compiling(scene, draw, name)
    some = [job for job in JOBS if job.changes == (row == "at one case")]
    jobs = [scene.job(drawn(draw, some))]
    jobs = [*jobs, scene.job(drawn(draw, some))] if row.startswith("two") else jobs * draw.choice([2, 2, 3])
    scene.doing(row, " and ".join(job.name for job in jobs))
    folder = scene.place(jobs[0], name)
    calls = []
    for job in jobs:
        calls.append(Call(job.arguments, folder))
        time.sleep(draw.choice([0.0, draw.uniform(0, scene.seconds[job.name])]))
    ends = [call.ended() for call in calls]
    for job in dict.fromkeys(jobs):
        mine = [done for one, done in zip(jobs, ends, strict=True) if one is job]
        for done in mine:
            survived(done, False)
        if not any(done.code == 0 for done in mine):
            raise Fault(f"none of {len(mine)} calls was carried out: {mine[0].err[-300:]}")
        scene.judge(job, folder, next(done for done in mine if done.code == 0))
        scene.recovers(job, folder)
    return "right" if all(done.code == 0 for done in ends) else "told"


def compiling(scene: Scene, draw: random.Random, name: str) -> str:
    """Let processes compile the same function into the same folder, and damage what they keep."""
    folder = scene.home / name
    folder.mkdir()
    unique = draw.randrange(2**30)
    script = folder / "compiled.py"
    script.write_text(COMPILED.format(unique=unique), "utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "BREAKRANK_CACHE_DIR": str(folder / "cache")}

    def begin() -> subprocess.Popen[str]:
        command = [sys.executable, str(script)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=environment, text=True, **pipes)

    def agree(processes: list[subprocess.Popen[str]]) -> None:
        for one in processes:
            out, err = one.communicate(timeout=120)
            if one.returncode or err:
                raise Fault(f"exit {one.returncode}: {err[-600:]}")
            if out.strip() != str(expected):
                raise Fault(f"{out.strip()} instead of {expected}")

    expected = 12
    for k in range(12):
        expected += k * unique
    agree([begin() for _ in range(draw.choice([2, 3]))])
    files = (folder / "cache" / "kernels").iterdir()
    kept = [path for path in files if not path.name.startswith(".")]  # one holds what is claimed
    if len(kept) != 1:
        raise Fault(f"{len(kept)} files are kept of one function")
    content = kept[0].read_bytes()
    at = draw.randrange(len(content))
    kept[0].write_bytes(draw.choice([content[:at], content[:at] + b"\xff" + content[at + 1 :], b""]))
    agree([begin()])
    shutil.rmtree(folder / "cache")
    return "right"
