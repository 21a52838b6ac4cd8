"""What a compiled kernel is made of, as a digest: its code, its constants, and all that it calls.

Two kernels with the same key do the same. Moved lines, comments and docstrings are no part of it; bytecode,
the values of constants, the fields of tables and everything that a kernel calls are. What could change
without being seen is refused: a kernel may read numbers, strings, tuples, arrays, named tuples, tables and
other kernels, and of modules only `math` and `numpy`, whose versions are part of every key.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import math
import platform
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

_KEYS: dict[Dispatcher[Any], str] = {}
_UNDER_WAY: list[Dispatcher[Any]] = []

CALLED: set[Dispatcher[Any]] = set()
"""The compiled functions that others call, of those whose keys were asked for."""

SURROUNDINGS = (
    f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')} {platform.system()} {platform.machine()} "
    f"numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {np.__version__}"
)
"""What every compiled kernel depends on beside its own content."""


def key_of(compiled: Any) -> str:  # noqa: ANN401 (a compiled function)
    """Return the digest of a compiled function's code and constants, and the keys of what it calls.

    Raises
    ------
    TypeError
        if it reads something whose content cannot be part of the key.
    """
    if compiled in _UNDER_WAY:
        if compiled is _UNDER_WAY[-1]:
            return "itself"
        raise TypeError(f"{compiled.py_func.__qualname__} calls functions that call it: compile them as one.")
    if _UNDER_WAY:
        CALLED.add(compiled)
    if compiled not in _KEYS:
        _UNDER_WAY.append(compiled)
        try:
            parts = [str(sorted(compiled.targetoptions.items())), *_parts(compiled.py_func)]
        finally:
            _UNDER_WAY.pop()
        _KEYS[compiled] = _digest("\n".join(parts))
    return _KEYS[compiled]


def version_of(compiled: Any, signature: Any, target: object) -> str:  # noqa: ANN401 (Numba's)
    """Return the digest of one version: given types, how calls choose versions, processor, libraries."""
    given = getattr(signature, "args", signature)
    wanted = getattr(signature, "return_type", None)
    rule = "".join(_code(type(compiled).get_call_template.__code__))
    return _digest(f"{[_kind(each) for each in given]} {wanted} {target} {rule} {SURROUNDINGS}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _kind(kind: Any) -> str:  # noqa: ANN401 (a type of Numba's)
    """Describe a type of Numba's; of named tuples their class and fields too, which its name leaves out."""
    if isinstance(kind, types.BaseTuple):
        columns: Any = kind
        table = _fields(columns.instance_class) if hasattr(columns, "instance_class") else "tuple"
        return f"{table}({', '.join(map(_kind, columns.types))})"
    return key_of(kind.dispatcher) if isinstance(kind, types.Dispatcher) else str(kind)


def _fields(table: Any) -> str:  # noqa: ANN401
    return f"{table.__module__}.{table.__qualname__}{getattr(table, '_fields', None)}"


def _parts(function: FunctionType) -> Iterator[str]:
    """Yield the ingredients of a function, as text."""
    doc = function.__doc__
    yield from _code(function.__code__, doc)
    yield repr(function.__defaults__)
    for cell in function.__closure__ or ():
        yield _content(cell.cell_contents, function.__qualname__)
    for name in sorted(set(_globals(function.__code__))):
        if name not in function.__globals__ and not hasattr(builtins, name):
            raise TypeError(f"{function.__qualname__} reads {name}, which is not defined.")
        value = function.__globals__.get(name, getattr(builtins, name, None))
        yield f"{name} = {_content(value, f'{function.__qualname__} reads {name}')}"


def _code(code: CodeType, doc: str | None = None) -> Iterator[str]:
    yield repr((code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, code.co_freevars))
    for k, each in enumerate(code.co_consts):
        if isinstance(each, CodeType):
            yield from _code(each)
        elif not (k == 0 and doc is not None and each == doc):
            yield f"{type(each).__name__} {each!r}"


def _globals(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _globals(each)


def _content(value: Any, where: str) -> str:  # noqa: ANN401
    """Return all that a kernel may take from a value, as text."""
    if isinstance(value, Dispatcher):
        return key_of(value)
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype.descr} {value.shape} {value.flags.writeable} {value.tobytes().hex()}"
    if value is None or isinstance(value, bool | int | float | str):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({', '.join(_content(each, where) for each in value)})"
    if isinstance(value, type) and hasattr(value, "_fields"):
        return _fields(value)
    if isinstance(value, _Intrinsic):
        return "".join(_code(value._defn.__code__))
    if value is math or value is np:
        return str(value.__name__)
    if isinstance(value, type | BuiltinFunctionType) and value.__module__ in ("builtins", "math", "numpy"):
        return f"{value.__module__}.{value.__qualname__}"
    raise TypeError(
        f"{where}, a {type(value).__name__}: a compiled function may read numbers, strings, tuples, arrays, "
        "named tuples, other compiled functions, math and numpy; a change in anything else would not be seen."
    )
