"""The one way inner loops are compiled: typed for the checker, kept on disk, no global lock held.

Compiled kernels are found by what they are made of (:mod:`breakrank.kernel_files`) and kept where
:mod:`breakrank.kernel_files` says. They are compiled for a common level of processor, so that the same
files serve most machines.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar, cast

import numba
import numba.core.types
import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from breakrank.kernel_files import CALLED, CLAIMS, KernelCache, files_kept

types: Any = numba.core.types
P = ParamSpec("P")
R = TypeVar("R")

KERNELS: list[Kernel] = []
"""Every compiled function of this process, in the order of their definition."""


class Kernel(CPUDispatcher):
    """A compiled function. Called by another one, it takes every integer and float as 64 bits wide.

    Numba would compile one version for each mixture of literals and widths among a call's numbers.
    """

    _cache: KernelCache

    def compile(self, sig: Any) -> Any:  # noqa: ANN401 (Numba's signature)
        """Return the version for a signature; processes that want the same one at once compile it once."""
        with global_compiler_lock, CLAIMS.released():
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:  # noqa: ANN401 (Numba's signature)
        """Choose the version for a call from compiled code."""

        def widened(kind: Any) -> Any:  # noqa: ANN401 (a type of Numba's)
            kind = types.unliteral(kind)
            if isinstance(kind, types.Integer) and kind.bitwidth < 64:
                return types.int64
            return types.float64 if isinstance(kind, types.Float) else kind

        wide = {name: widened(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(widened(kind) for kind in args), wide)


def count_kept() -> tuple[int, int]:
    """Return how many of the kernels defined so far are kept compiled as they are now, and of how many."""
    kept, stems = files_kept(), _stems()
    return sum(stem in kept for stem in stems.values()), len(stems)


def load_kept() -> None:
    """Load what is kept of the functions that no other one calls, for this process and all that it forks."""
    kept = files_kept()
    for each, stem in _stems().items():
        if each not in CALLED:
            each._cache.load(kept.get(stem, ()))


def _stems() -> dict[Kernel, str]:
    """Return the beginning of each function's file name; one that cannot be compiled says so when called."""
    found = {}
    for each in KERNELS:
        with suppress(TypeError):
            found[each] = each._cache.stem
    return found


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


def straight(function: Callable[P, R]) -> Callable[P, R]:
    """Return a compiled function as Python calls it with arguments of the same types each time.

    Numba looks at the types in each call, which takes longer than many a kernel. Here it looks in the first
    call alone. A later one with arguments of other classes, or arrays of other elements or another layout,
    goes the long way.
    """
    entry: Any = None
    classes: list[type] = []
    arrays: list[tuple[int, np.dtype[Any], tuple[int, ...]]] = []

    @wraps(function)
    def call(*given: Any) -> Any:  # noqa: ANN401 (whatever it takes)
        nonlocal entry, classes, arrays
        if entry is None:
            classes = [*map(type, given)]
            arrays = [(k, a.dtype, a.strides) for k, a in enumerate(given) if type(a) is np.ndarray]
            entry = cast(Any, function).compile(tuple(map(numba.typeof, given)))
        elif [*map(type, given)] != classes:
            return cast(Any, function)(*given)
        for k, elements, strides in arrays:
            if given[k].dtype is not elements or given[k].strides != strides:
                return cast(Any, function)(*given)
        return entry(*given)

    return cast(Callable[P, R], call)


def _compiled(
    function: Callable[P, R], inline: Literal["never", "always"], counts: bool = True
) -> Callable[P, R]:
    options: dict[str, Any] = {"error_model": "numpy", "inline": inline, "_nrt": counts}
    compiled: Any = numba.njit(nogil=True, **options)(function)
    compiled.__class__ = Kernel
    compiled._cache = KernelCache(compiled)
    KERNELS.append(compiled)
    return cast(Callable[P, R], compiled)
