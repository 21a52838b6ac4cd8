"""An installed wheel compiles nothing; what it ships computes what kernels for a plainer processor do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from breakrank.kernel_files import SHIPPED, made_with

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.slow,
    pytest.mark.skipif(
        (SHIPPED / "made-with.txt").read_text(encoding="utf-8") != made_with(),
        reason="kernels are shipped for one set of versions and one level of processor",
    ),
]


def run(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_wheel_compiles_nothing(tmp_path: Path) -> None:
    run(["-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    options = ["-q", "--no-deps", "--no-index", "--target", "installed"]
    run(["-m", "pip", "install", *options, str(wheel)], tmp_path)
    environment = {"PYTHONPATH": str(tmp_path / "installed"), "BREAKRANK_CACHE_DIR": str(tmp_path / "cache")}
    where = run(["-c", "import breakrank; print(breakrank.__file__)"], tmp_path, **environment)
    assert where.startswith(str(tmp_path))
    for case in ("venezuela-2019", "crimea-2014", "east-germany-1989", "syria-2011"):
        run(["-m", "breakrank", "run", case, "--runs", "2", "--json"], tmp_path, **environment)
    run(["-m", "breakrank", "trace", "venezuela-2019", "--fate", "registered"], tmp_path, **environment)
    compiled = [file.name for file in (tmp_path / "cache").rglob("*") if file.is_file()]
    assert compiled == [], "renew the shipped kernels with tools/kernels"


def test_kernels_compiled_here_for_a_plainer_processor_give_the_same_bits(tmp_path: Path) -> None:
    """Neither fused multiply-adds nor vectors: not in kernels, in NumPy, or in the C library."""
    from tools.machines import LEVELS

    code = (
        "import json; from tests.baseline.measure import everything; found = everything();"
        " [one.pop('values') for one in found['worlds'].values()]; print(json.dumps(found))"
    )
    fresh = {"BREAKRANK_SHIPPED_KERNELS": "0", "BREAKRANK_CACHE_DIR": str(tmp_path)}
    fresh |= LEVELS["x86-64, and both libraries without"]
    assert run(["-c", code], ROOT) == run(["-c", code], ROOT, **fresh)
    assert any((tmp_path / "kernels").iterdir())
