"""What a process needs of the system before it loads libraries that would end in a riddle, or hang."""

import os
from pathlib import Path

from breakrank.errors import UsageError

CACHE = "BREAKRANK_CACHE_DIR"
"""The environment variable that names another folder for what is kept between processes."""

LEAST = 768_000_000
"""Bytes of address space below which libraries cannot be loaded or a report not be drawn."""
THREADS = "NUMBA_NUM_THREADS"
NOT_COMPILED = "NUMBA_DISABLE_JIT"
CONFIG = ".numba_config.yaml"
"""File of the current folder from which Numba takes settings."""


def cache_folder() -> Path:
    """Return the user's folder for what is kept between processes: compiled kernels, digests of the code."""
    from platformdirs import user_cache_dir  # only where something is kept

    return Path(os.environ.get(CACHE) or user_cache_dir("breakrank", False))


def check_surroundings() -> None:
    """Raise a UsageError where the memory is limited too far, or Numba is set so that it cannot serve."""
    limit = memory_limit()
    if limit is not None and limit < LEAST:
        raise UsageError(
            f"this process may use {limit / 1e6:,.0f} MB of address space (ulimit -v), at least "
            f"{LEAST / 1e6:,.0f} MB are needed\n  Call ulimit -v unlimited, or have the limit raised."
        )
    if os.path.lexists(CONFIG):
        raise UsageError(
            f"the current folder holds {CONFIG}, which would change how the model is compiled\n"
            "  Take it away, or call Breakrank from another folder."
        )
    if os.environ.get(NOT_COMPILED, "0") != "0":
        raise UsageError(
            f"the environment says {NOT_COMPILED}={os.environ[NOT_COMPILED]}; the model has to be compiled\n"
            f"  Call unset {NOT_COMPILED}."
        )
    told = os.environ.get(THREADS, "1")
    try:
        right = int(told) >= 1
    except ValueError:
        right = False
    if not right:
        raise UsageError(
            f"the environment says {THREADS}={told}: a whole number from 1 on is expected\n"
            f"  Call unset {THREADS}; Breakrank's --workers says how many processes there are."
        )


def memory_limit() -> int | None:
    """Return how many bytes of address space this process may use; ``None`` where there is no limit."""
    try:
        import resource
    except ImportError:  # Windows sets a process no limits
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft
