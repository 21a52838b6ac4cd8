"""The key of a compiled function changes with all that it is made of, and with nothing else."""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core import types

from breakrank import kernel_files
from breakrank.kernel import kernel
from breakrank.kernel_files import key_of, version_of

SOURCE = '''
import math
from typing import NamedTuple
import numpy as np
from breakrank.kernel import inlined, kernel, lean

class Pair(NamedTuple):
    left: int
    right: int

LIMIT = 3
RATE = 0.25
WAYS = (1, 2)
TABLE = np.array([1.0, 2.0])
WORD = np.uint32(7)

@kernel
def unrelated(x):
    return x * 5

@inlined
def deepest(x):
    return x + RATE

@kernel
def helper(x, step=1):
    """Return something."""
    return deepest(x) * 2 + step

@lean
def outer(x):
    """Return something else."""
    pair = Pair(x, LIMIT)
    return helper(x) + math.sqrt(pair.left) + pair.right + TABLE[0] + WAYS[1] + WORD + 10
'''


def key(source: str) -> str:
    module = ModuleType("written_for_this_test")
    exec(compile(source, "written.py", "exec"), vars(module))
    return key_of(module.outer)


def changed(old: str, new: str) -> str:
    assert SOURCE.count(old) == 1
    return SOURCE.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("+ 10", "+ 11", id="a literal"),
        pytest.param("+ 10", "+ 10.0", id="the type of a literal"),
        pytest.param("+ 10", "- 10", id="an operation"),
        pytest.param("LIMIT = 3", "LIMIT = 4", id="a constant"),
        pytest.param("LIMIT = 3", "LIMIT = 3.0", id="the type of a constant"),
        pytest.param("WORD = np.uint32(7)", "WORD = np.uint64(7)", id="the width of a constant"),
        pytest.param("(1, 2)", "(1, 3)", id="an element of a tuple"),
        pytest.param("[1.0, 2.0]", "[1.0, 2.5]", id="an element of an array"),
        pytest.param("math.sqrt(", "math.cos(", id="a library function"),
        pytest.param("left: int\n    right: int", "right: int\n    left: int", id="the fields of a table"),
        pytest.param("* 2 + step", "* 3 + step", id="a function that it calls"),
        pytest.param("step=1", "step=2", id="a default"),
        pytest.param("x + RATE", "x - RATE", id="a function copied into one that it calls"),
        pytest.param("RATE = 0.25", "RATE = 0.5", id="a constant two calls away"),
        pytest.param("@lean", "@kernel", id="how it is compiled"),
    ],
)
def test_a_change_of_what_it_is_made_of_changes_the_key(old: str, new: str) -> None:
    assert key(changed(old, new)) != key(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("\n@lean", "\n\n\n# a comment\n@lean", id="moved lines"),
        pytest.param("Return something else.", "Return the same.", id="its docstring"),
        pytest.param("Return something.", "Return it.", id="the docstring of one that it calls"),
        pytest.param("x * 5", "x * 6", id="a function that it does not call"),
    ],
)
def test_other_changes_leave_the_key(old: str, new: str) -> None:
    assert key(changed(old, new)) == key(SOURCE)


def test_what_could_change_unseen_is_refused() -> None:
    with pytest.raises(TypeError, match=r"outer reads WAYS, a dict: .* would not be seen"):
        key(changed("WAYS = (1, 2)", "WAYS = {1: 2}"))
    with pytest.raises(TypeError, match="outer reads TABLE, which is not defined"):
        key(changed("TABLE = np.array([1.0, 2.0])", ""))
    with pytest.raises(TypeError, match="calls functions that call it"):
        key(changed("return deepest(x) * 2", "return outer(x) * 2"))


def test_a_function_may_call_itself() -> None:
    mine = "return x if x < 2 else helper(x - 1)"
    assert key(changed("return deepest(x) * 2 + step", mine)) != key(SOURCE)


class Table(NamedTuple):
    fate: Any
    since: Any


class Turned(NamedTuple):
    since: Any
    fate: Any


def test_versions_differ_by_types_fields_processor_and_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    @kernel
    def same(x: Any) -> Any:
        return x

    columns = np.zeros(2, np.int16), np.zeros(2, np.int16)
    given = [
        numba.typeof(value)
        for value in (1, 1.0, columns[0], columns[0].astype(np.int32), Table(*columns), Turned(*columns))
    ]
    versions = [version_of(same, (each,), "a processor") for each in given]
    versions.append(version_of(same, (types.int64,), "another processor"))
    monkeypatch.setattr(kernel_files, "SURROUNDINGS", "numba 99")
    versions.append(version_of(same, (types.int64,), "a processor"))
    assert len(set(versions)) == len(versions)


def test_fields_in_another_order_are_another_version() -> None:
    # the classes have one name, as before and after an edit, and their columns one type
    @kernel
    def fate_of(table: Any) -> Any:
        return table.fate[0]

    before, after = (NamedTuple("Books", [(name, Any) for name in names]) for names in ("ab", "ba"))
    column = np.zeros(2, np.int16)
    kinds = [numba.typeof(each(column, column)) for each in (before, after)]
    assert version_of(fate_of, (kinds[0],), "") != version_of(fate_of, (kinds[1],), "")
