#!/usr/bin/env python3
"""Tell which bits agree between kinds of processor: the same runs, made for each of several.

``python tools/machines.py`` compiles the model for several levels of processor (``NUMBA_CPU_NAME``).
It lets NumPy and the C library step back from what this machine has (``NPY_DISABLE_CPU_FEATURES``,
``GLIBC_TUNABLES``). It makes the worlds of the baseline each time. It prints which levels give the same
counts, the same log and the same fractions as the level that kernels are shipped for, the first line of the
table. ``--python`` takes the interpreter of another environment. What this machine lacks is told and left
out. Exit code 1 if a count or the log differs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import cyclopts
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parents[1]
NO_VECTORS = " ".join(name for name in __cpu_dispatch__ if __cpu_features__[name])
OLD_LIBRARY = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"
LEVELS: dict[str, dict[str, str]] = {
    "x86-64-v3, the usual level": {},
    "skylake-avx512": {"NUMBA_CPU_NAME": "skylake-avx512", "NUMBA_CPU_FEATURES": ""},
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
import json
from tests.baseline.measure import everything
print(json.dumps(everything()["worlds"]))
"""
WHAT = {"counts": ("series",), "log": ("log",), "fractions": ("values", "gauges")}
"""What has to be the same, and what the baseline calls it."""
Told = dict[str, dict[str, object]]


def measured(python: str, asked: dict[str, str], cache: str) -> Told | str:
    """Return the digests of each world, or why there are none."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "NPY_", "GLIBC_"))}
    if asked is LEVELS[NUDGED]:
        library = Path(cache) / "nudge.so"
        compiler = ["cc", "-O2", "-shared", "-fPIC", "-fno-builtin", "-x", "c", "-"]
        compiler += ["-o", str(library), "-ldl", "-lm"]
        try:
            subprocess.run(compiler, input=NUDGE, text=True, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            return f"no C compiler ({problem})"
        environment["LD_PRELOAD"] = str(library)
    environment |= {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "BREAKRANK_CACHE_DIR": cache} | asked
    call = [python, "-W", "error", "-c", MEASURE]
    done = subprocess.run(call, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
    found: Told = json.loads(done.stdout)
    return found


def main(*, python: list[str] | None = None) -> int:
    """Measure, print a table, and say by the exit code whether every choice was the same.

    Parameters
    ----------
    python : these interpreters, beside the shipped level, instead of the other levels.
    """
    first, *others = LEVELS
    rows = [(name, sys.executable, LEVELS[name]) for name in (first, *([] if python else others))]
    rows += [(path, path, {}) for path in python or []]
    expected: Told = {}
    failed = False
    print(f"| level | {' | '.join(WHAT)} |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as made:
        for name, interpreter, asked in rows:
            found = measured(interpreter, asked, made)
            if isinstance(found, str):
                print(f"| {name} | not here: {found} | | |", flush=True)
                continue
            expected = expected or found
            told = []
            for what, keys in WHAT.items():
                differs = [w for w, one in found.items() if any(one[k] != expected[w][k] for k in keys)]
                failed |= bool(differs) and what != "fractions"
                told.append(f"differ in {', '.join(differs)}" if differs else "same")
            print(f"| {name} | {' | '.join(told)} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    cyclopts.run(main)
