"""Tables and sentences for a group of series: the same numbers as their charts, for reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class GridTable:
    """A table of texts; columns from `numbers` on hold numbers.

    Columns in `refs` hold numbers of rows of another table, in which they stand in the column `anchor`.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: int = 2
    refs: tuple[int, ...] = ()
    anchor: int | None = None
