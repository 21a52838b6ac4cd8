"""A row for each soldier: what every decision opportunity reads, side by side in one line of memory.

A moment looks up some soldier among many. Where what it reads lies in one line of 64 bytes, the processor
waits for memory once instead of a dozen times, and can be told to fetch it ahead of time (:func:`fetch`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import DTypeLike, NDArray

LINE = 64
"""Bytes in a line of memory, and in a row."""
AHEAD = 16
"""So many rows ahead are fetched: enough for memory to answer, few enough not to be pushed out again."""


class Rows:
    """One row for each of `n` soldiers; every column is a view of it."""

    def __init__(self, n: int) -> None:
        room = np.zeros(n * LINE + LINE, np.uint8)
        first = -room.ctypes.data % LINE
        self.block: NDArray[np.uint8] = room[first : first + n * LINE].reshape(n, LINE)
        self._columns: dict[str, NDArray[Any]] = {}
        self._free = np.ones(LINE, np.bool_)
        self._filled = False

    def blank(self, name: str) -> bool:
        """Return whether a column of this name would be new, and all zeros."""
        return not self._filled and name not in self._columns

    def fill(self, elements: bytes) -> None:
        """Write all rows."""
        self.block.reshape(-1)[:] = np.frombuffer(elements, np.uint8)
        self._filled = True

    def column(self, name: str, dtype: DTypeLike, width: int = 0) -> NDArray[Any]:
        """Return the column of this name, shape (soldier,), or (soldier, width) if a width is given.

        Where a row has no room left for it, it lies by itself.
        """
        if name not in self._columns:
            self._columns[name] = self._made(np.dtype(dtype), width)
        return self._columns[name]

    def _made(self, kind: np.dtype[Any], width: int) -> NDArray[Any]:
        n, size = len(self.block), kind.itemsize * max(width, 1)
        for first in range(0, LINE - size + 1, kind.itemsize):
            if self._free[first : first + size].all():
                self._free[first : first + size] = False
                view: NDArray[Any] = self.block[:, first : first + size].view(kind)
                return view if width else view[:, 0]
        return np.zeros((n, width) if width else n, kind)


def _fetch(context: Any, column: Any, k: Any) -> Any:  # noqa: ANN401, ARG001 (Numba's signature)

    def generate(target: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ANN401
        array = target.make_array(signature.args[0])(target, builder, given[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        step = builder.extract_value(array.strides, 0)
        where = builder.gep(builder.bitcast(array.data, byte), [builder.mul(step, given[1])])
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        name = "llvm.prefetch.p0i8"
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        builder.call(function, [where, word(0), word(3), word(1)])
        return target.get_dummy_value()

    return types.void(column, types.intp), generate


fetch: Callable[[NDArray[Any], int], None] = cast("Any", intrinsic)(_fetch)
"""``fetch(column, k)`` has the processor fetch the line of memory of ``column[k]``; it changes nothing."""
