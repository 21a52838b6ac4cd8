"""The machine and the libraries a figure was made with, and how much memory a process has needed."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MEGABYTE = 1e6


def peak_memory() -> float:
    """Return the most memory that this process has had resident, in MB (10^6 bytes); nan where unknown.

    Linux is asked for the high-water mark of this program: the figure of ``getrusage`` there includes what
    the process that started it had in memory at that moment.
    """
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / MEGABYTE
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return float("nan")
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MEGABYTE


def bare_interpreter() -> float:
    """Return the peak memory of a Python that has done nothing but measure it, in MB."""
    code = "from benchmarks.machine import peak_memory; print(peak_memory())"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def environment(cache: Path | None = None) -> dict[str, str]:
    """Return the environment of a measured process: this checkout, one thread, its own kernel cache."""
    path = [str(ROOT), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    one = dict.fromkeys(
        ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
    )
    given = {} if cache is None else {"BREAKRANK_CACHE_DIR": str(cache)}
    return {**os.environ, **one, **given, "PYTHONPATH": os.pathsep.join(path)}


def describe() -> dict[str, str]:
    """Return processor, cores, system and versions, by name."""
    import importlib.metadata

    found = {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": platform.platform(),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
    }
    for name in ("breakrank", "numpy", "numba", "mesa"):
        label = {"breakrank": "Breakrank", "numpy": "NumPy"}.get(name, name.capitalize())
        try:
            found[label] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[label] = "not installed"
    if found["Breakrank"] == "not installed":  # run from a checkout
        found["Breakrank"] = _own_version()
    return found


def processor() -> str:
    """Return the model of the processor as the system calls it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.lower().startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _own_version() -> str:
    for line in (ROOT / "src" / "breakrank" / "__init__.py").read_text(encoding="utf-8").splitlines():
        if line.startswith("__version__"):
            return line.partition("=")[2].strip().strip("\"'")
    return "unknown"


def commit() -> str:
    """Return the commit of this checkout, eight digits."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def one_line(machine: dict[str, str]) -> str:
    """Return :func:`describe` in one line."""
    versions = ", ".join(
        f"{k} {v}" for k, v in machine.items() if k not in {"processor", "cores", "system", "Python"}
    )
    named = [f"{machine['processor']}, {machine['cores']} cores", machine["system"], machine["Python"]]
    return "; ".join([*named, versions])
