"""Compiled functions of tables: how they are handed what they take, one by one or from the state of a run."""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, get_type_hints

from breakrank.kernel import kernel
from breakrank.table import Table, table_of_tables

if TYPE_CHECKING:
    from breakrank.engine.run import Run


_WIDTH = 110
_COMPILED: dict[Any, Callable[..., Any]] = {}


@cache
def arguments_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names of a compiled function's arguments, with what they are declared to be.

    Raises
    ------
    TypeError
        if it is not compiled.
    """
    plain = getattr(function, "py_func", None)
    if plain is None:
        raise TypeError(f"{function.__qualname__} has to be compiled; put @lean above it")
    hints = get_type_hints(plain)
    return {name: hints.get(name) for name in plain.__code__.co_varnames[: plain.__code__.co_argcount]}


def is_table(kind: Any) -> bool:  # noqa: ANN401 (a type hint)
    """Return whether an argument is declared to be a table."""
    return isinstance(kind, type) and issubclass(kind, Table)


class RunState:
    """The tables that compiled functions take, by name, and the table of all of them."""

    def __init__(self) -> None:
        self.names: dict[type[Table], str] = {}

    def name_of(self, kind: type[Table]) -> str:
        """Return the name of a table, which is then a part of the state."""
        if kind not in self.names:
            name = _snake(kind.__name__)
            if name in self.names.values():
                raise TypeError(f"two tables are called {kind.__name__}; a state needs other names for them")
            self.names[kind] = name
        return self.names[kind]

    def of(self, run: Run) -> Table:
        """Return the state of a run; it follows what the run shares from now on."""
        kind = table_of_tables(tuple(self.names.items()))
        state = kind(**{name: run.view(table) for table, name in self.names.items()})
        run.follow(state, self.names)
        return state


def compiled(source: str, name: str, known: dict[str, Any], how: Any = kernel) -> Callable[..., Any]:  # noqa: ANN401
    """Return the function of this name that a source defines, compiled; the same text is compiled once."""
    key = source, *known.items()
    if key not in _COMPILED:
        file = f"<{name}, {len(_COMPILED)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        space = {"__name__": __name__, **known}
        exec(compile(source, file, "exec"), space)
        _COMPILED[key] = how(space[name])
    return _COMPILED[key]


@cache
def broken(line: str) -> str:
    """Return a line as lines of at most some hundred letters: what is longer goes on within its brackets."""
    if len(line) <= _WIDTH:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    head, mark, rest = line.partition(" = ")
    if mark:
        head, inner, tail = f"{head} = (", rest, ")"
    else:
        first, last = line.index("(") + 1, line.rindex(")")
        head, inner, tail = line[:first], line[first:last], line[last:]
    within = indent + "    " * (1 if mark else 2)
    lines = textwrap.wrap(inner, _WIDTH, initial_indent=within, subsequent_indent=within)
    return "\n".join((head, *lines, indent + tail))


def take(run: Run, function: Callable[..., Any]) -> Any:  # noqa: ANN401 (whatever it returns)
    """Call a compiled function of tables with those of a run."""
    return function(*(run.view(kind) for kind in arguments_of(function).values()))


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
