"""Functions that take tables: called from Python block by block, and the same as column by column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.kernel import kernel, lean
from breakrank.unfold import side_by_side


class Apart(NamedTuple):
    """Columns that lie apart."""

    first: NDArray[np.int64]
    second: NDArray[np.float64]


class Single(NamedTuple):
    """A table of one column."""

    only: NDArray[np.int64]


class Mixed(NamedTuple):
    """A column by itself and two of a block."""

    count: NDArray[np.int16]
    alone: NDArray[np.int64]
    share: NDArray[np.float64]
    block: NDArray[np.void]


side_by_side(Mixed, block=("count", "share"))


def mixed(n: int) -> Mixed:
    block = np.zeros(n, np.dtype([("count", "i2"), ("share", "f8")], align=True))
    block["count"], block["share"] = np.arange(n), np.arange(n) / 8
    return Mixed(block["count"], np.arange(n) * 10, block["share"], block)


@lean
def _lean(a: Apart, k: int, m: Mixed, one: Single, x: float) -> float:
    m.count[k] += 1
    m.share[k] = x
    a.second[k] = m.share[k - 1] + one.only[0]
    return m.count[k] + m.alone[k] + a.first[k] + x


@kernel
def _counting(m: Mixed, a: Apart) -> NDArray[np.float64]:
    return m.share * 2 + m.count + a.first


@lean
def _caller(a: Apart, m: Mixed, one: Single) -> float:
    return _lean(a, 1, m, one, 0.5) + _lean(a, 2, m, one, 0.25)


def test_a_call_reads_and_writes_the_columns_it_is_given() -> None:
    a, m, one = Apart(np.arange(5) * 100, np.zeros(5)), mixed(5), Single(np.array([7]))
    assert _lean(a, 3, m, one, 0.5) == 4 + 30 + 300 + 0.5
    assert m.count.tolist() == [0, 1, 2, 4, 4]
    assert m.share.tolist() == [0, 1 / 8, 2 / 8, 0.5, 4 / 8]
    assert m.block["share"].tolist() == m.share.tolist()
    assert a.second.tolist() == [0, 0, 0, 2 / 8 + 7, 0]
    # and again with another table of the same kind
    b, n = Apart(np.arange(5), np.zeros(5)), mixed(5)
    assert _lean(b, 1, n, one, 2.0) == 2 + 10 + 1 + 2.0
    assert (m.count[1], n.count[1]) == (1, 2)


def test_compiled_functions_call_each_other_with_whole_tables() -> None:
    a, m, one = Apart(np.arange(5) * 100, np.zeros(5)), mixed(5), Single(np.array([7]))
    assert _caller(a, m, one) == (2 + 10 + 100 + 0.5) + (3 + 20 + 200 + 0.25)
    assert a.second.tolist() == [0, 7, 0.5 + 7, 0, 0]


def test_functions_that_make_arrays_take_tables_likewise() -> None:
    a, m = Apart(np.arange(4), np.zeros(4)), mixed(4)
    assert _counting(m, a).tolist() == [k / 4 + k + k for k in range(4)]


def test_what_is_not_a_table_is_refused_and_so_are_calls_with_too_little() -> None:
    with pytest.raises(TypeError):
        _counting(mixed(3))  # type: ignore[call-arg]
    with pytest.raises((TypeError, IndexError)):
        _counting((), Apart(np.arange(3), np.zeros(3)))  # type: ignore[arg-type]
