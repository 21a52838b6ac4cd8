"""Daily series of very many runs in little memory: zeros left out, the rest compressed, every bit restored.

Most of what runs hand back are small whole numbers, and more than half are 0. Runs are packed in blocks, and
in a block each column (one combination of labels, all days) by itself, so that reading some labels unpacks
no others. A column that is 0 throughout takes no room. An xarray Dataset holds a packed variable like any
other: it unpacks what is asked for, and keeps none of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import DTypeLike, NDArray
from xarray.backends import BackendArray
from xarray.core.indexing import BasicIndexer, IndexingSupport, LazilyIndexedArray, explicit_indexing_adapter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xarray.core.indexing import ExplicitIndexer

BLOCK = 64
"""Runs that are packed together."""
NOWHERE = -1
"""In place of a row: a run that is not asked for."""
_CODEC = "lz4_raw"

_Column = tuple[np.dtype[Any], int, bytes] | None
"""Type, count and compressed bytes of the numbers of one column of a block; ``None`` where all are 0."""
_Block = tuple[NDArray[np.int64], list[_Column]]
"""Which runs, and their columns."""


class Packer:
    """Takes in the values of one variable, runs in any order, and packs them block by block.

    Parameters
    ----------
    shape : of one run: days, and the labelled dimensions.
    dtype : of the values.
    """

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self._blocks: list[_Block] = []
        self._rows = np.empty((BLOCK, *shape), self.dtype)
        self._runs: list[int] = []

    def take(self, runs: Sequence[int], values: NDArray[Any]) -> None:
        """Take in some runs (run, day, ...); a run that came before is replaced."""
        first = 0
        while first < len(runs):
            k = len(self._runs)
            some = slice(first, first + BLOCK - k)
            self._runs += [int(run) for run in runs[some]]
            self._rows[k : len(self._runs)] = values[some]
            first = some.stop
            if len(self._runs) == BLOCK:
                self._pack()

    def _pack(self) -> None:
        n = len(self._runs)
        columns = np.ascontiguousarray(self._rows[:n].reshape(n, self.shape[0], -1).transpose(2, 0, 1))
        self._blocks.append((np.array(self._runs, np.int64), [_pressed(column) for column in columns]))
        self._runs = []

    def finished(self, runs: NDArray[np.integer]) -> LazilyIndexedArray:
        """Return the values of these runs, rising, which have all been taken in, for an xarray variable.

        Others that were taken in, as when the study was broken off at that moment, are left out.
        """
        if self._runs:
            self._pack()
        rows = {int(number): row for row, number in enumerate(runs)}
        blocks = [
            (np.array([rows.get(int(number), NOWHERE) for number in numbers]), columns)
            for numbers, columns in self._blocks
        ]
        return LazilyIndexedArray(_Packed((len(runs), *self.shape), self.dtype, blocks))


def packed(values: NDArray[Any]) -> LazilyIndexedArray:
    """Return the values of a variable, (run, day, ...), packed."""
    packer = Packer(values.shape[1:], values.dtype)
    packer.take(range(len(values)), values)
    return packer.finished(np.arange(len(values)))


def multiplied(values: Any, factor: float) -> LazilyIndexedArray:  # noqa: ANN401 (what a variable holds)
    """Return packed values times a factor, multiplied anew each time they are unpacked."""
    return LazilyIndexedArray(_Multiplied(values, factor))


class _Multiplied(BackendArray):
    """Packed values times a factor."""

    def __init__(self, values: Any, factor: float) -> None:  # noqa: ANN401 (what a variable holds)
        self.shape, self.dtype, self._values, self._factor = (
            values.shape,
            np.result_type(values.dtype, 0.0),
            values,
            factor,
        )

    def __getitem__(self, key: ExplicitIndexer) -> Any:  # noqa: ANN401
        return explicit_indexing_adapter(key, self.shape, IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[int | slice, ...]) -> NDArray[Any]:
        return np.asarray(self._values[BasicIndexer(key)]) * self._factor


class _Packed(BackendArray):
    """The values of one variable, (run, day, ...), in blocks: at which rows their runs stand, and columns."""

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        blocks: Sequence[_Block],
    ) -> None:
        self.shape, self.dtype, self._blocks = shape, dtype, blocks

    def __getitem__(self, key: ExplicitIndexer) -> Any:  # noqa: ANN401
        return explicit_indexing_adapter(key, self.shape, IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[int | slice, ...]) -> NDArray[Any]:
        runs, days, *labels = (np.atleast_1d(np.arange(n)[k]) for n, k in zip(self.shape, key, strict=True))
        every = np.arange(math.prod(self.shape[2:])).reshape(self.shape[2:])
        columns = every[np.ix_(*labels)].reshape(-1)
        out = np.zeros((len(runs), len(days), len(columns)), self.dtype)
        asked = key[1] if isinstance(key[1], slice) else slice(days[0], days[0] + 1)
        place = np.full(self.shape[0], NOWHERE)
        place[runs] = np.arange(len(runs))
        for rows, packed in self._blocks:
            to = np.where(rows == NOWHERE, NOWHERE, place[rows])
            here = np.flatnonzero(to != NOWHERE)
            some = [(k, packed[c]) for k, c in enumerate(columns) if packed[c] is not None]
            for k, column in some if len(here) else ():
                values = _restored(column).reshape(len(rows), self.shape[1])
                out[to[here], :, k] = values[here][:, asked]
        out = out.reshape(len(runs), len(days), *map(len, labels))
        out.setflags(write=False)
        return out[tuple(0 if isinstance(k, int | np.integer) else slice(None) for k in key)]


def _pressed(values: NDArray[Any]) -> _Column:
    """Return a column in the smallest type that holds its numbers, compressed; nothing of one that is 0."""
    if not values.view(np.uint8).any():
        return None
    if values.dtype.kind == "i":
        values = values.astype(np.promote_types(*map(np.min_scalar_type, (values.min(), values.max()))))
    return values.dtype, values.size, pa.compress(values.reshape(-1), codec=_CODEC, asbytes=True)


def _restored(column: _Column) -> NDArray[Any]:
    assert column is not None
    dtype, size, data = column
    return np.frombuffer(pa.decompress(data, size * dtype.itemsize, codec=_CODEC), dtype)
