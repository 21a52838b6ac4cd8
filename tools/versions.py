#!/usr/bin/env python3
"""Run a short selection of the tests with the lowest versions that both packages allow, or the newest.

``python tools/versions.py lowest`` makes an environment in a temporary folder. It installs what both packages
depend on and all extras for users, each direct one in its lowest version, and runs the selection: the
baseline to the last bit, kernels, results, cases, commands, exports, the desk, a cluster, the page's server.
``newest`` does the same with the newest versions. ``--python`` names the interpreter; by default the oldest
supported one for the lowest and the newest supported one for the newest. Needs uv. The last line is pytest's.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Literal

import cyclopts

ROOT = Path(__file__).resolve().parents[1]
DESK = ROOT / "packages" / "desk"
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
TOOLS = ("pytest", "hypothesis", "jsonschema", "openpyxl")
"""What the tests need beside the package, in their newest versions."""
SELECTION = (
    "tests/baseline",
    "tests/test_draws.py",
    "tests/test_kernel.py",
    "tests/test_package.py",
    "tests/case/test_load.py",
    "tests/cli/test_errors.py",
    "tests/cli/test_export.py",
    "tests/cli/test_plan.py",
    "tests/cli/test_run.py",
    "packages/desk/tests/test_commands.py",
    "packages/desk/tests/test_reading.py",
    "tests/force",
    "tests/page/test_answers.py",
    "tests/page/test_security.py",
    "tests/results",
    "tests/runs/test_cluster.py",
    "tests/runs/test_with_the_model.py",
    "tests/show",
)


def supported() -> list[str]:
    """Return the versions of Python that the project names, oldest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", c) for c in project["classifiers"]]
    return sorted((one[1] for one in found if one), key=lambda version: int(version.partition(".")[2]))


def desk_needs() -> list[str]:
    """Return what the desk depends on beside Breakrank."""
    project = tomllib.loads((DESK / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [one for one in project["dependencies"] if not one.startswith("breakrank")]


def main(which: Literal["lowest", "newest"], *tests: str, python: str = "") -> int:
    """Resolve, install, test; return pytest's exit code.

    Parameters
    ----------
    tests : to run instead of the selection. python : interpreter, or a version that uv finds.
    """
    wanted = python or supported()[0 if which == "lowest" else -1]
    with tempfile.TemporaryDirectory(prefix="breakrank-versions-") as made:
        pins, more, venv = Path(made) / "pins.txt", Path(made) / "desk.in", Path(made) / "venv"
        more.write_text("\n".join(desk_needs()), encoding="utf-8")
        inside = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        subprocess.run(["uv", "venv", "-q", "--python", wanted, str(venv)], check=True)
        install = ["uv", "pip", "install", "-q", "--python", str(inside)]
        resolve = ["uv", "pip", "compile", "-q", "--python", str(inside)]
        resolve += [str(ROOT / "pyproject.toml"), str(more), "--extra", "all", "--extra", "build"]
        resolve += ["--resolution", RESOLUTIONS[which]]
        subprocess.run([*resolve, "--no-header", "--no-annotate", "-o", str(pins)], check=True)
        subprocess.run([*install, "-r", str(pins)], check=True)
        subprocess.run([*install, "-c", str(pins), *TOOLS], check=True)
        subprocess.run([*install, "--no-deps", "--no-build-isolation", "-e", str(DESK)], check=True)
        told = subprocess.run([inside, "--version"], check=True, capture_output=True, text=True)
        some = re.findall(r"^((?:numpy|numba|pandas|pyarrow|xarray)==\S+)", pins.read_text("utf-8"), re.M)
        print(f"{which}: {told.stdout.strip()}, {', '.join(some)}", flush=True)
        own = {"PYTHONPATH": str(ROOT / "src"), "BREAKRANK_CACHE_DIR": str(Path(made) / "cache")}
        # warnings of versions that are not the locked ones are no failures
        call = [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "filterwarnings=default"]
        call += tests or SELECTION
        return subprocess.run(call, cwd=ROOT, env=os.environ | own, check=False).returncode


if __name__ == "__main__":
    cyclopts.run(main)
