"""Columns that grow: tables of a run get more rows by doubling."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def longer(column: NDArray[Any], length: int, fill: int = 0) -> NDArray[Any]:
    """Return a column of `length` rows that begins as `column` does; the rows after it hold `fill`."""
    new = np.full(length, fill, column.dtype) if fill else np.zeros(length, column.dtype)
    new[: len(column)] = column
    return new
