"""Other processors and other mathematics give the same counts, to the bit."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from tests.baseline.measure import differences, kind_of_machine, written
from tests.programs import python

ROOT = Path(__file__).parents[2]
MEASURE = "import json; from tests.baseline.measure import everything; print(json.dumps(everything()))"
NO_VECTORS = {"NPY_DISABLE_CPU_FEATURES": " ".join(x for x in __cpu_dispatch__ if __cpu_features__[x])}
PLAIN = NO_VECTORS | {
    "NUMBA_CPU_NAME": "x86-64",
    "NUMBA_CPU_FEATURES": "",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
}
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
"""Moves each result of the C library's functions up or down in its last place, or leaves it as it is."""
EXPONENTIALS = "import math; print([math.exp(k / 7) for k in range(30)])"

pytestmark = [pytest.mark.thorough, pytest.mark.slow]


def assert_same_counts(env: dict[str, str]) -> None:
    """Compare counts, logs and gauges of small runs with those that are written down."""
    expected = written()
    if kind_of_machine() != expected["made on"]:
        pytest.skip("the baseline was made on another kind of machine")
    found = json.loads(python("-c", MEASURE, folder=ROOT, env=os.environ | env))
    for one in (*expected["worlds"].values(), *found["worlds"].values()):
        del one["values"]
    assert differences(expected, found) == []
    assert [one["gauges"] for one in found["worlds"].values()] == [
        expected["worlds"][name]["gauges"] for name in found["worlds"]
    ]


def test_a_plainer_processor_gives_the_same_bits(tmp_path: Path) -> None:
    """Neither fused multiply-adds nor vectors: not in kernels, in NumPy, or in the C library."""
    assert_same_counts(PLAIN | {"BREAKRANK_CACHE_DIR": str(tmp_path)})
    assert any((tmp_path / "kernels").iterdir())


@pytest.mark.skipif(shutil.which("cc") is None, reason="this needs a C compiler")
def test_mathematics_off_in_the_last_place_give_the_same_counts(tmp_path: Path) -> None:
    """As on any other system, whose library rounds otherwise."""
    library = tmp_path / "nudge.so"
    compiler = ["cc", "-O2", "-shared", "-fPIC", "-fno-builtin", "-x", "c", "-", "-o", library, "-ldl", "-lm"]
    subprocess.run(compiler, input=NUDGE, text=True, check=True)
    nudged = NO_VECTORS | {"LD_PRELOAD": str(library)}
    assert python("-c", EXPONENTIALS) != python("-c", EXPONENTIALS, env=os.environ | nudged)
    assert_same_counts(nudged)
