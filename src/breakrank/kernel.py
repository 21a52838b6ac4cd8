"""The one way inner loops are compiled: typed for the checker, cached on disk, no global lock held.

Numba keys its cache on the file of the outermost function alone, so a change in an inlined helper
of another file would go unnoticed. The cache therefore lives in a folder named after a digest of
the whole package and of Numba's version: any change starts a fresh cache.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba
import platformdirs

P = ParamSpec("P")
R = TypeVar("R")


@cache
def cache_folder() -> Path:
    """Return the folder that holds compiled kernels of exactly this source tree and Numba version."""
    digest = hashlib.sha256(f"{numba.__version__} {os.environ.get('NUMBA_DISABLE_JIT', '')}".encode())
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    base = Path(os.environ.get("BREAKRANK_CACHE_DIR") or platformdirs.user_cache_dir("breakrank", False))
    return base / f"kernels-{digest.hexdigest()[:16]}"


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small inner loop with Numba: no Python objects, no fast-math, no global lock.

    Division follows NumPy (a zero divisor gives inf or nan, no exception).
    """
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
    return cast(Callable[P, R], compiled)
