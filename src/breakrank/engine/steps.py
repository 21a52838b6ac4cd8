"""Compiled functions of tables: how they are handed what they take, one by one or from the state of a run.

All tables of a run stand behind one address, its state. A mechanism says in
:class:`~breakrank.engine.mechanism.Step` what it does in a phase of the day; the phase is written as one
function that calls them in order, and compiled. ``Phase.source`` is its text, which can be read.
"""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, get_type_hints

import numba
import numpy as np

from breakrank.kernel import kernel
from breakrank.table import Table, table_of_tables

if TYPE_CHECKING:
    from breakrank.engine.mechanism import Mechanism
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


class Phase:
    """What the mechanisms do in one phase, as one compiled function that is left where Python has to do more.

    Parameters
    ----------
    name : of the phase.
    mechanisms : all, in the order in which they act; ``on`` whether each acts.
    state : to which the tables are added that steps take.
    """

    def __init__(self, name: str, mechanisms: Sequence[Mechanism], state: RunState) -> None:
        self.on = np.array([m.acts for m in mechanisms], np.bool_)
        self._methods: list[tuple[Callable[..., None], bool]] = []
        self._known: dict[str, Any] = {}
        lines = list(self._lines(name, mechanisms, state))
        head = f"def {name}(on, state, done) -> int:"
        self.source = "\n".join(map(broken, [head, *lines])) + "\n" if lines else ""
        self._function: Any = compiled(self.source, name, self._known) if lines else None
        self._kind: type | None = None

    def _lines(self, name: str, mechanisms: Sequence[Mechanism], state: RunState) -> Iterator[str]:
        """Yield the text: parts, after each of which there may be something to do that is not compiled."""
        part: list[str] = []

        def end(method: Callable[..., None], takes_more: bool) -> Iterator[str]:
            yield f"    if done < {len(self._methods) + 1}:"
            yield from (f"    {line}" for line in part)
            self._methods.append((method, takes_more))
            part.clear()

        for k, mechanism in enumerate(mechanisms):
            for step in (s for s in mechanism.steps if s.phase == name):
                alias = f"{mechanism.name}_{getattr(step.does, '__name__', 'step').strip('_')}"
                self._known[alias] = step.does
                call = f"{alias}({', '.join(_given(step.does, state))})"
                if step.then:
                    part += [f"    if on[{k}] and {call}:", f"        return {len(self._methods) + 1}"]
                    yield from end(getattr(mechanism, step.then), False)
                else:
                    part += [f"    if on[{k}]:", f"        {call}"]
            if mechanism.has_method(name) and mechanism.acts:
                part.append(f"    return {len(self._methods) + 1}")
                yield from end(getattr(mechanism, name), True)
        if part or self._methods:
            yield from (*part, "    return 0")

    def compile(self, run: Run) -> None:
        """Make ready for runs with such tables; later calls need not look at types."""
        if self._function is not None:
            self._kind = type(run.state)
            self._entry = self._function.compile(tuple(map(numba.typeof, (self.on, run.state, 0))))

    def __call__(self, run: Run, *given: Any) -> None:  # noqa: ANN401 (moments, where the phase has some)
        """Have everyone do what they do."""
        if self._function is None:
            return
        if type(run.state) is not self._kind:
            self.compile(run)
        done = self._entry(self.on, run.state, 0)
        while done:
            method, takes_more = self._methods[done - 1]
            method(run, *(given if takes_more else ()))
            done = self._entry(self.on, run.state, done)


def _given(function: Callable[..., Any], state: RunState) -> Iterator[str]:
    for name, kind in arguments_of(function).items():
        if not is_table(kind):
            raise TypeError(f"{function.__qualname__}: its argument {name} is no table of the run")
        yield f"state.{state.name_of(kind)}"
