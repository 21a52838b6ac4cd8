"""Run a short selection of the tests with the lowest versions that both packages allow, or the newest.

``python tools/versions.py lowest`` makes an environment that is thrown away. It installs what both packages
depend on, all extras for users and what the tests need, each direct one in its lowest version, and runs the
selection: the baseline to the last bit, kernels, results, cases, commands, exports, the desk, a cluster, the
page's server. ``newest`` does the same with the newest versions. ``--python`` names the interpreter; by
default the oldest supported one for the lowest and the newest supported one for the newest. Needs uv. The
last line is pytest's.
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
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
TOOLS = re.compile("(pytest|hypothesis|jsonschema|openpyxl|scoringrules)\\b(?!-)")
"""What the tests need of the developers' tools."""
CALL = """
import importlib.metadata, platform, sys, pytest
names = ("numpy", "numba", "pandas", "pyarrow", "xarray")
some = (f"{name} {importlib.metadata.version(name)}" for name in names)
print(f"Python {platform.python_version()}", *some, sep=", ", flush=True)
sys.exit(pytest.main(sys.argv[1:]))
"""
"""Says what is installed, and runs tests."""
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


def main(which: Literal["lowest", "newest"], *tests: str, python: str = "") -> int:
    """Resolve, install, test; return pytest's exit code.

    Parameters
    ----------
    tests : to run instead of the selection. python : interpreter, or a version that uv finds.
    """
    found = re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["classifiers"]))
    supported = sorted(map(int, found))
    wanted = python or f"3.{supported[0 if which == 'lowest' else -1]}"
    call = ["uv", "run", "--quiet", "--no-project", "--isolated", "--python", wanted]
    call += ["--resolution", RESOLUTIONS[which]]
    call += ["--with-editable", f"{ROOT}[all,build]", "--with-editable", str(ROOT / "packages" / "desk")]
    call += [f"--with={tool}" for tool in PROJECT["optional-dependencies"]["dev"] if TOOLS.match(tool)]
    # warnings of versions that are not the locked ones are no failures
    call += ["python", "-c", CALL, "-q", "-p", "no:cacheprovider", "-o", "filterwarnings=default"]
    with tempfile.TemporaryDirectory(prefix="breakrank-versions-") as cache:
        own = os.environ | {"BREAKRANK_CACHE_DIR": cache}
        return subprocess.run([*call, *(tests or SELECTION)], cwd=ROOT, env=own, check=False).returncode


if __name__ == "__main__":
    cyclopts.run(main)
