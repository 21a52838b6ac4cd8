"""What a process needs of the system before it loads libraries that would end in a riddle, or hang."""

import os

from breakrank.errors import UsageError

LEAST = 768_000_000
"""Bytes of address space below which libraries cannot be loaded or a report not be drawn."""
THREADS = "NUMBA_NUM_THREADS"


def check_surroundings() -> None:
    """Raise a UsageError where the memory is limited too far, or Numba was told of a number that is none."""
    limit = memory_limit()
    if limit is not None and limit < LEAST:
        raise UsageError(
            f"this process may use {limit / 1e6:,.0f} MB of address space (ulimit -v), at least "
            f"{LEAST / 1e6:,.0f} MB are needed\n  Call ulimit -v unlimited, or have the limit raised."
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
