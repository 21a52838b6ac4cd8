"""A phase of the day, written from what the mechanisms say they do in it.

All tables of a run stand behind one address, its state. A mechanism says in
:class:`~breakrank.engine.mechanism.Step` what it does in a phase; the phase is written as one function that
calls them in order, and compiled. ``Phase.source`` is its text, which can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from breakrank.engine.steps import RunState, arguments_of, broken, compiled, is_table

if TYPE_CHECKING:
    from breakrank.engine.mechanism import Mechanism
    from breakrank.engine.run import Run


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
