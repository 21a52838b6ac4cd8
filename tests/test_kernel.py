"""Functions that count no references neither make arrays nor receive new ones."""

from __future__ import annotations

import dis
import importlib
import pkgutil
from collections.abc import Callable

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import breakrank
from breakrank.kernel import KERNELS, lean, straight


def compiled() -> list[Dispatcher]:
    """Return every compiled function of the package."""
    for module in pkgutil.walk_packages(breakrank.__path__, "breakrank."):
        if module.name.split(".")[1] != "__main__":
            importlib.import_module(module.name)
    own = [each for each in KERNELS if each.py_func.__module__.startswith("breakrank.")]
    return [each for each in own if not each.py_func.__qualname__.endswith(".unfolded")]


def is_lean(function: Dispatcher) -> bool:
    return function.targetoptions.get("_nrt") is False


def returns_arrays(function: Dispatcher) -> bool:
    return "NDArray" in str(function.py_func.__annotations__["return"])


def test_lean_functions_are_handed_no_new_arrays() -> None:
    # nothing would ever free an array that one of them is handed by a function it calls
    functions = compiled()
    assert any(is_lean(f) for f in functions)
    for function in filter(is_lean, functions):
        assert not returns_arrays(function), function
        code, known = function.py_func.__code__, function.py_func.__globals__
        read = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"}
        called = [known[name] for name in read if isinstance(known.get(name), Dispatcher)]
        assert not [f for f in called if returns_arrays(f)], function


def test_a_lean_function_cannot_make_an_array() -> None:
    def size(n: int) -> int:
        return int(np.empty(n).shape[0])

    function: Callable[[int], int] = lean(size)
    with pytest.raises(Exception, match="returning of array"):
        function(3)


def test_a_straight_call_is_the_same_call() -> None:
    def total(x: np.ndarray, factor: float) -> float:
        return float(factor * x.sum())

    function = lean(total)
    directly = straight(function)
    for x in (np.arange(3.0), np.arange(5.0)):
        assert directly(x, 2.0) == function(x, 2.0) == 2 * x.sum()
    assert len(function.overloads) == 1
    assert directly(np.arange(3.0), 2) == 6, "arguments of other classes are looked at anew"
    for x in (np.arange(3), np.arange(3, dtype=np.float32), np.arange(6.0)[::2], np.ones((2, 3))):
        assert directly(x, 2.0) == 2 * x.sum(), "and so are arrays of other elements or another layout"
