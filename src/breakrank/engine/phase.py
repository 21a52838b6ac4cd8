"""A phase of the day, written from what the mechanisms say they do in it.

All tables of a run stand behind one address, its state. A mechanism says in
:class:`~breakrank.engine.mechanism.Step` what it does in a phase; the phase is written as one function that
calls them in order, and compiled. ``Phase.source`` is its text, which can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.engine.steps import RunState, arguments_of, broken, compiled, is_table

if TYPE_CHECKING:
    from breakrank.engine.mechanism import Mechanism
    from breakrank.engine.run import Run


class Phase:
    """What the mechanisms do in one phase, as far as possible as one compiled function.

    Parameters
    ----------
    name : of the phase.
    mechanisms : all, in the order in which they act; ``on`` whether each acts.
    state : to which the tables are added that steps take.
    """

    def __init__(self, name: str, mechanisms: Sequence[Mechanism], state: RunState) -> None:
        self._parts: list[tuple[Callable[..., Any] | None, Callable[..., None] | None, bool]] = []
        self.on = np.array([m.acts for m in mechanisms], np.bool_)
        self.source = ""
        lines: list[str] = []
        known: dict[str, Any] = {}

        def end(method: Callable[..., None] | None, takes_more: bool = False) -> None:
            function = None
            if lines:
                last = [] if lines[-1].startswith("    return") else ["    return True"]
                source = "\n".join(broken([f"def {name}(on, state) -> bool:", *lines, *last])) + "\n"
                function = compiled(source, name, known)
                self.source += source
            if lines or method is not None:
                self._parts.append((function, method, takes_more))
            lines.clear()
            known.clear()

        for k, mechanism in enumerate(mechanisms):
            for step in (s for s in mechanism.steps if s.phase == name):
                alias = f"{mechanism.name}_{getattr(step.does, '__name__', 'step').strip('_')}"
                known[alias] = step.does
                given = ", ".join(_given(step.does, state))
                if step.then:
                    lines.append(f"    return on[{k}] and {alias}({given})")
                    end(getattr(mechanism, step.then))
                else:
                    lines.extend((f"    if on[{k}]:", f"        {alias}({given})"))
            if mechanism.has_method(name) and mechanism.acts:
                end(getattr(mechanism, name), takes_more=True)
        end(None)

    def __call__(self, run: Run, *given: Any) -> None:  # noqa: ANN401 (moments, where the phase has some)
        """Have everyone do what he does."""
        for function, method, takes_more in self._parts:
            if (function is None or function(self.on, run.state)) and method is not None:
                method(run, *(given if takes_more else ()))


def _given(function: Callable[..., Any], state: RunState) -> Iterator[str]:
    for name, kind in arguments_of(function).items():
        if not is_table(kind):
            raise TypeError(f"{function.__qualname__}: its argument {name} is no table of the run")
        yield f"state.{state.name_of(kind)}"
