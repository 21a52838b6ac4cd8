#!/usr/bin/env python3
"""Tell which bits agree between kinds of processor: the same runs, made for each of several.

``python tools/machines.py`` compiles the model for one level of processor after another (``NUMBA_CPU_NAME``).
It lets NumPy and the C library step back from what this machine has (``NPY_DISABLE_CPU_FEATURES``,
``GLIBC_TUNABLES``). It makes the worlds of the baseline each time. It prints which levels give the same
counts, the same log and the same fractions as the level that kernels are shipped for, the first line of the
table. ``--python`` takes the interpreter of another environment. What this machine lacks is told and left
out. Exit code 1 if a count or the log differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parents[1]
NO_VECTORS = " ".join(name for name in __cpu_dispatch__ if __cpu_features__[name])
OLD_LIBRARY = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"
LEVELS: dict[str, dict[str, str]] = {
    "x86-64-v3, the usual level": {},
    "x86-64": {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""},
    "x86-64-v2": {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""},
    "haswell": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": ""},
    "skylake-avx512": {"NUMBA_CPU_NAME": "skylake-avx512", "NUMBA_CPU_FEATURES": ""},
    "znver3": {"NUMBA_CPU_NAME": "znver3", "NUMBA_CPU_FEATURES": ""},
    "NumPy without vectors": {"NPY_DISABLE_CPU_FEATURES": NO_VECTORS},
    "C library without AVX2 and FMA": {"GLIBC_TUNABLES": OLD_LIBRARY},
    "both libraries without": {"NPY_DISABLE_CPU_FEATURES": NO_VECTORS, "GLIBC_TUNABLES": OLD_LIBRARY},
    "x86-64, and both libraries without": {
        "NUMBA_CPU_NAME": "x86-64",
        "NUMBA_CPU_FEATURES": "",
        "NPY_DISABLE_CPU_FEATURES": NO_VECTORS,
        "GLIBC_TUNABLES": OLD_LIBRARY,
    },
}
"""What is asked of Numba, NumPy and the C library, by the name that it gets in the table."""

NUDGED = "every exp, log and power off in its last place"
LEVELS[NUDGED] = {"NPY_DISABLE_CPU_FEATURES": NO_VECTORS}
"""Stands for the mathematics of any other system: each result is moved up, moved down or left as it is."""
NUDGE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
static double nudged(double y) {
    uint64_t bits;
    memcpy(&bits, &y, 8);
    bits *= 0x9E3779B97F4A7C15u;
    if (!isfinite(y) || y == 0 || y == 1) return y;
    return bits >> 62 == 0 ? nextafter(y, INFINITY) : bits >> 62 == 1 ? nextafter(y, -INFINITY) : y;
}
#define ONE(f) double f(double x) { static double (*g)(double); \\
    if (!g) g = (double (*)(double)) dlsym(RTLD_NEXT, #f); return nudged(g(x)); }
ONE(exp) ONE(log) ONE(log1p) ONE(expm1) ONE(cos) ONE(sin) ONE(erfc)
double pow(double x, double y) { static double (*g)(double, double);
    if (!g) g = (double (*)(double, double)) dlsym(RTLD_NEXT, "pow");
    return y == 2 ? x * x : nudged(g(x, y)); }
"""

MEASURE = """
import hashlib, json, sys
import numpy as np
from breakrank.case import load_case
from breakrank.model import Model, build, catalogue
from breakrank.model import catalogue
from tests.baseline.measure import RUNS, SEED, worlds

told = {}
for name in sys.argv[1:]:
    case = load_case("venezuela-2019", catalogue()) if name == "a whole year" else worlds()[name]
    model = Model(case, build(case, SEED))
    counts, log, fractions = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()
    levels = []
    for run in range(RUNS):
        one = model.replicate(SEED, run, log=True)
        for each in sorted(one.series):
            values = np.asarray(one.series[each])
            if catalogue().outputs[each].dtype == "float32":
                fractions.update(values.tobytes())
            else:
                counts.update(values.astype("<i8").tobytes())
        for column in ("day", "soldier", "event", "place", "other"):
            log.update(one.events[column].astype("<i8").tobytes())
        fractions.update(one.events["value"].tobytes())
    told[name] = {"counts": counts.hexdigest(), "log": log.hexdigest(), "fractions": fractions.hexdigest()}
print(json.dumps(told))
"""
WORLDS = ("as it is", "pushed", "plotting", "received")
WHOLE = "a whole year"
WHAT = ("counts", "log", "fractions")
Told = dict[str, dict[str, str]]


def measured(python: str, asked: dict[str, str], worlds: list[str], cache: str) -> Told | str:
    """Return the digests of each world, or why there are none."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "NPY_", "GLIBC_"))}
    if asked is LEVELS[NUDGED]:
        library = Path(cache) / "nudge.so"
        compiler = ["cc", "-O2", "-shared", "-fPIC", "-fno-builtin", "-x", "c", "-", "-o", str(library)]
        try:
            subprocess.run(
                [*compiler, "-ldl", "-lm"], input=NUDGE, text=True, check=True, capture_output=True
            )
        except (OSError, subprocess.CalledProcessError) as problem:
            return f"no C compiler ({problem})"
        environment["LD_PRELOAD"] = str(library)
    environment |= {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "BREAKRANK_CACHE_DIR": cache} | asked
    done = subprocess.run(
        [python, "-W", "error", "-c", MEASURE, *worlds],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
    found: Told = json.loads(done.stdout)
    return found


def main() -> int:
    """Measure, print a table, and say by the exit code whether every choice was the same."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--level", action="append", choices=list(LEVELS), help="only these, beside the shipped one"
    )
    parser.add_argument("--world", action="append", choices=(*WORLDS, WHOLE), help="only these worlds")
    parser.add_argument(
        "--python", action="append", default=[], metavar="PATH", help="these interpreters instead"
    )
    parser.add_argument("--cache", help="keep the compiled kernels there")
    chosen = parser.parse_args()
    worlds = chosen.world or list(WORLDS)
    first, *others = LEVELS
    others = chosen.level or ([] if chosen.python else others)
    rows: list[tuple[str, str, dict[str, str]]] = [(first, sys.executable, LEVELS[first])]
    rows += [(name, sys.executable, LEVELS[name]) for name in others]
    rows += [(f"{path}", path, {}) for path in chosen.python]
    expected: Told = {}
    failed = False
    print(f"| level | {' | '.join(WHAT)} |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as made:
        for name, python, asked in rows:
            begun = time.monotonic()
            found = measured(python, asked, worlds, chosen.cache or made)
            if isinstance(found, str):
                print(f"| {name} | not here: {found} | | |", flush=True)
                continue
            expected = expected or found
            told = []
            for what in WHAT:
                differs = [world for world in worlds if found[world][what] != expected[world][what]]
                failed |= bool(differs) and what != "fractions"
                told.append(f"differ in {', '.join(differs)}" if differs else "same")
            print(f"| {name} | {' | '.join(told)} |", flush=True)
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
