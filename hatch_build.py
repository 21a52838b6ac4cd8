"""Puts compiled kernels into a wheel, where what they are compiled with is at hand.

A wheel with kernels serves the Python, Numba and NumPy that built it; elsewhere its kernels lie unused and
are compiled on first use. Without Numba, below the common level of processor, or with
``BREAKRANK_WHEEL_KERNELS=0`` the wheel holds none and is one for every Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "BREAKRANK_WHEEL_KERNELS"
"""The environment variable that leaves kernels out (``0``) or insists on them (``1``)."""


class KernelHook(BuildHookInterface[Any]):
    """Compiles what runs of the built-in cases call; an editable install compiles nothing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and name the files and the Python that the wheel serves."""
        wish = os.environ.get(SWITCH)
        if version == "editable" or wish == "0":
            return
        self._scratch = tempfile.TemporaryDirectory(prefix="breakrank-wheel-")
        environment = {
            "BREAKRANK_CACHE_DIR": self._scratch.name,
            "PYTHONPATH": str(Path(self.root) / "src"),
        }
        done = subprocess.run(
            [sys.executable, Path(self.root) / "tools" / "wheel_kernels.py"],
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=None if wish == "1" else subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            self._scratch.cleanup()
            if wish == "1":
                raise SystemExit(f"hatch_build: no kernels could be compiled, and {SWITCH}=1 asks for them")
            last = (done.stderr.strip().splitlines() or [""])[-1]
            self.app.display_warning(f"this wheel holds no compiled kernels ({last}); {SWITCH}=1 tells more")
            return
        folder = done.stdout.strip()
        for file in sorted((Path(self._scratch.name) / "kernels").glob("[!.]*")):
            build_data["force_include"][str(file)] = f"breakrank/compiled/{folder}/{file.name}"
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp{sys.version_info.major}{sys.version_info.minor}-none-{platform}"
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was compiled; the wheel has a copy."""
        if hasattr(self, "_scratch"):
            self._scratch.cleanup()
