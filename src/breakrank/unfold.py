"""Tables handed to compiled functions by their blocks of memory, which is how Numba takes them fastest.

A table of the model is a named tuple of arrays (records, guests, sites). Called from Python with one, Numba
first writes down the type of every column to find out which compiled version is meant, and then looks into
every one. With some sixty columns in hand that takes longer than most loops of a day. So columns are given
one by one, whose types are known at a glance, and of columns that lie side by side their block alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from types import CodeType
from typing import Any

_BLOCKS: dict[type, dict[str, str]] = {}
"""For each table with blocks, the block that a column is of."""


def side_by_side(table: type, **blocks: Iterable[str] | None) -> None:
    """Declare which columns of a table are those of a structured array that it holds as well, by its name.

    Say so before any function is compiled that takes the table.
    """
    _BLOCKS[table] = {column: block for block, columns in blocks.items() for column in columns or ()}


def unfold(compiled: Any, make: Callable[[Callable[..., Any]], Any]) -> None:  # noqa: ANN401 (Numba has no type)
    """Let a compiled function, where Python calls it, take its tables block by block.

    `make` compiles a function as this one is compiled. Python callers write the same call as before, without
    keywords; compiled callers are not concerned. A function that is given no tables stays as it is.
    """
    function = compiled.py_func
    code: CodeType = function.__code__
    names = code.co_varnames[: code.co_argcount]
    kinds = {name: function.__globals__.get(str(function.__annotations__.get(name))) for name in names}
    tables = {name: kind for name, kind in kinds.items() if hasattr(kind, "_fields")}
    if not tables:
        return
    known: dict[str, Any] = {"folded": compiled, "__name__": function.__module__}
    call: dict[str, Any] = {}
    taken: list[str] = []
    whole: list[str] = []
    given: list[str] = []
    for name in names:
        if name not in tables:
            for each in (taken, whole, given):
                each.append(name)
            continue
        kind = tables[name]
        of = _BLOCKS.get(kind, {})
        kept = [k for k, field in enumerate(kind._fields) if field not in of]
        taken += [f"{name}_{kind._fields[k]}" for k in kept]
        columns = [f"{name}_{of[f]}[{f!r}]" if f in of else f"{name}_{f}" for f in kind._fields]
        whole.append(f"{kind.__name__}({', '.join(columns)})")
        known[kind.__name__] = kind
        given.append(f"*pick_{name}({name})" if len(kept) > 1 else f"pick_{name}({name})")
        call[f"pick_{name}"] = itemgetter(*kept)
    text = f"def unfolded({', '.join(taken)}):\n    return folded({', '.join(whole)})\n"
    exec(compile(text, code.co_filename, "exec"), known)
    known["unfolded"].__qualname__ = f"{function.__qualname__}.unfolded"
    call["entry"] = make(known["unfolded"])
    exec(f"def call(self, {', '.join(names)}):\n    return entry({', '.join(given)})", call)
    compiled.__class__ = type("Unfolded", (type(compiled),), {"__call__": call["call"]})
