"""The one way inner loops are compiled: typed for the checker, cached on disk, no global lock held.

Numba keys its cache on the file of the outermost function alone, so a change in an inlined helper
or a constant of another file would go unnoticed. The cache therefore lives in a folder named after
a digest of all code that may be compiled (:data:`COMPILED`) and of Numba's version: any change there
starts a fresh cache.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, cast

import numba
import numpy as np
import platformdirs

from breakrank.unfold import unfold

P = ParamSpec("P")
R = TypeVar("R")


COMPILED = ("classics", "draws.py", "engine", "force", "kernel.py", "mechanisms", "unfold.py")
"""The files and folders of the package in which kernels, and the constants they read, may stand."""


@cache
def cache_folder() -> Path:
    """Return the folder that holds compiled kernels of exactly this code and Numba version."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    root = Path(__file__).parent
    sources = [p for name in COMPILED for p in (root / name, *(root / name).rglob("*.py")) if p.is_file()]
    for path in sorted(sources):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    base = Path(os.environ.get("BREAKRANK_CACHE_DIR") or platformdirs.user_cache_dir("breakrank", False))
    return base / f"kernels-{digest.hexdigest()[:16]}"


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small inner loop with Numba: no Python objects, no fast-math, no global lock.

    Division follows NumPy (a zero divisor gives inf or nan, no exception).
    """
    return _compiled(function, "never")


def lean(function: Callable[P, R]) -> Callable[P, R]:
    """Compile like :func:`kernel` a function that makes no arrays, nor calls one that returns any.

    It then need not count references to the arrays it is given. With some thirty columns in hand, counting
    costs more than most loops over a day's deciders.
    """
    return _compiled(function, "never", counts=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile like :func:`kernel`, and copy the function into its callers, so that their loops vectorise."""
    return _compiled(function, "always")


def _compiled(
    function: Callable[P, R], inline: Literal["never", "always"], counts: bool = True
) -> Callable[P, R]:
    options: dict[str, Any] = {"error_model": "numpy", "inline": inline, "_nrt": counts}
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
    try:
        compiled = numba.njit(cache=True, nogil=True, **options)(function)
        if inline == "never":
            unfold(compiled, options)
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
    return cast(Callable[P, R], compiled)
