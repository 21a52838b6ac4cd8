"""The machine and the libraries a figure was made with, and measured work in processes of its own."""

from __future__ import annotations

import gc
import importlib.metadata
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
MEGABYTE = 1e6
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def alone() -> ProcessPoolExecutor:
    """Return a fresh Python with one thread that does one thing at a time.

    Its memory is its own, and it waits for its turn: things to be compared are measured alternately, so that
    a busy moment of the machine hits them alike.
    """
    os.environ.update(dict.fromkeys(THREADS, "1"))
    return ProcessPoolExecutor(1, get_context("spawn"))


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what `work` returns, and the processor seconds that this process needed."""
    gc.collect()
    begun = time.process_time()
    result = work()
    return result, time.process_time() - begun


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
    with alone() as process:
        return process.submit(peak_memory).result()


def processor() -> str:
    """Return the model of the processor as the system calls it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.lower().startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def python() -> str:
    """Return which Python this is."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def commit() -> str:
    """Return the commit of this checkout, eight digits."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def describe() -> str:
    """Return processor, cores, system and versions in one line."""
    libraries = [f"{name} {importlib.metadata.version(name)}" for name in ("breakrank", "numpy", "numba")]
    place = f"{processor()}, {os.cpu_count()} cores"
    return "; ".join([place, platform.platform(), python(), ", ".join(libraries)])
