"""What each mechanism and each part of the engine takes of a replicate: a stopwatch around the phases."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from breakrank.engine import day
from breakrank.engine.mechanism import PHASES, Mechanism
from breakrank.engine.observe import Observer
from breakrank.model import Model

ENGINE = {
    "merge_occasions": "calendar of occasions",
    "deciders": "who decides today",
    "open_moments": "who decides today",
    "draw_each": "luck",
}
"""Functions of ``breakrank.engine.day`` that are timed apart, and what their time is called."""


class Stopwatch:
    """Seconds by (part, what); what a timed function spends in another one counts there alone."""

    def __init__(self) -> None:
        self.seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._inside: list[float] = []

    def around(self, part: str, what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function`, timed."""
        clock, inside, seconds, name = time.perf_counter, self._inside, self.seconds, (part, what)

        def timed(*given: Any, **named: Any) -> Any:  # noqa: ANN401 (whatever it is called with)
            inside.append(0.0)
            begun = clock()
            try:
                return function(*given, **named)
            finally:
                took = clock() - begun
                seconds[name] += took - inside.pop()
                if inside:
                    inside[-1] += took

        return timed


@contextmanager
def watching(model: Model) -> Iterator[Stopwatch]:
    """Time all mechanisms of a model, and the engine around them, within the block."""
    watch = Stopwatch()
    kept: list[tuple[object, str, Any]] = []

    def replace(owner: object, name: str, part: str, what: str) -> None:
        kept.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, watch.around(part, what, getattr(owner, name)))

    try:
        for mechanism in model.days.mechanisms:
            for phase in ("begin", *PHASES):
                if getattr(type(mechanism), phase) is not getattr(Mechanism, phase):
                    replace(mechanism, phase, mechanism.name, phase)
        for name, what in ENGINE.items():
            replace(day, name, "engine", what)
        replace(model.days, "weigh", "engine", "weighing and choice")
        for name in ("observe", "series"):
            replace(Observer, name, "engine", "counting")
        replace(model, "replicate", "engine", "the rest")
        yield watch
    finally:
        for owner, name, before in kept:
            if before is None:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
