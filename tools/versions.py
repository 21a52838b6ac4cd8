#!/usr/bin/env python3
"""Run a short selection of the tests with the lowest versions that both packages allow, or the newest.

``python tools/versions.py lowest`` makes an environment in a temporary folder. It installs what both packages
depend on and all extras for users, each direct one in its lowest version, and runs the selection: the
baseline to the last bit, kernels, results, cases, commands, exports, the desk, a cluster, the page's server.
``newest`` does the same with the newest versions. ``--python`` names the interpreter; by default the oldest
supported one for the lowest and the newest supported one for the newest. Needs uv. The last line is pytest's.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DESK = ROOT / "packages" / "desk"
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
TOOLS = ("pytest", "hypothesis", "jsonschema", "openpyxl")
"""What the tests need beside the package, in their newest versions."""
SELECTION = (
    "tests/baseline",
    "tests/test_draws.py",
    "tests/test_kernel.py",
    "tests/test_kernel_files.py",
    "tests/test_package.py",
    "tests/case/test_load.py",
    "tests/case/test_library.py",
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


def main() -> int:
    """Resolve, install, test; return pytest's exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("which", choices=list(RESOLUTIONS))
    parser.add_argument("--python", metavar="PATH", help="interpreter, or a version that uv finds")
    parser.add_argument("tests", nargs="*", help="tests to run instead of the selection")
    asked = parser.parse_args()
    versions = supported()
    wanted = asked.python or versions[0 if asked.which == "lowest" else -1]
    with tempfile.TemporaryDirectory(prefix="breakrank-versions-") as made:
        pins, more, venv = Path(made) / "pins.txt", Path(made) / "desk.in", Path(made) / "venv"
        more.write_text("\n".join(desk_needs()), encoding="utf-8")
        python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        subprocess.run(["uv", "venv", "-q", "--python", wanted, str(venv)], check=True)
        install = ["uv", "pip", "install", "-q", "--python", str(python)]
        resolve = ["uv", "pip", "compile", "-q", "--python", str(python)]
        resolve += [str(ROOT / "pyproject.toml"), str(more), "--extra", "all", "--extra", "build"]
        resolve += ["--resolution", RESOLUTIONS[asked.which]]
        subprocess.run([*resolve, "--no-header", "--no-annotate", "-o", str(pins)], check=True)
        subprocess.run([*install, "-r", str(pins)], check=True)
        subprocess.run([*install, "-c", str(pins), *TOOLS], check=True)
        subprocess.run([*install, "--no-deps", "--no-build-isolation", "-e", str(DESK)], check=True)
        told = subprocess.run(
            [python, "--version"], check=True, capture_output=True, text=True
        ).stdout.strip()
        some = re.findall(r"^((?:numpy|numba|pandas|pyarrow|xarray)==\S+)", pins.read_text("utf-8"), re.M)
        print(f"{asked.which}: {told}, {', '.join(some)}", flush=True)
        environment = os.environ | {
            "PYTHONPATH": str(ROOT / "src"),
            "BREAKRANK_CACHE_DIR": str(Path(made) / "cache"),
        }
        # warnings of versions that are not the locked ones are no failures
        command = [
            str(python),
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-o",
            "filterwarnings=default",
        ]
        return subprocess.run(
            [*command, *(asked.tests or SELECTION)], cwd=ROOT, env=environment, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
