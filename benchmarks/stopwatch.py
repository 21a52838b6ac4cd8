"""What each mechanism and each part of the engine takes of a replicate: a stopwatch around the phases.

Here each mechanism has phases of its own, so that it can be timed; a day takes all together, which is
quicker.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from breakrank.engine import day
from breakrank.engine.mechanism import PHASES
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.engine.weighing import Phase
from breakrank.model import Model

ENGINE = {
    "merge_occasions": "calendar of occasions",
    "todays_deciders": "who decides today",
    "open_moments": "who decides today, and luck",
}
"""Functions of ``breakrank.engine.day`` that are timed apart, and what their time is called."""


class Stopwatch:
    """Processor seconds by (part, what); what a timed function spends in another one counts there alone."""

    def __init__(self) -> None:
        self.seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._inside: list[float] = []

    def around(self, part: str, what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function`, timed."""
        clock, inside, seconds, name = time.thread_time, self._inside, self.seconds, (part, what)

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


def _one_by_one(model: Model, phase: str, watch: Stopwatch) -> Callable[..., None]:
    """Return a phase in which each mechanism does by itself what it does, timed."""
    days = model.days
    acting = [m for m in days.mechanisms if m.acts and m.says(phase)]
    all_of_them = [watch.around(m.name, phase, Phase(phase, [m], days.state)) for m in acting]

    def walk(run: Run, *given: object) -> None:
        for each in all_of_them:
            each(run, *given)

    return walk


@contextmanager
def watching(model: Model) -> Iterator[Stopwatch]:
    """Time all mechanisms of a model, and the engine around them, within the block."""
    watch = Stopwatch()
    kept: list[tuple[object, str, Any]] = []
    together = dict(model.days.phase)

    def replace(owner: object, name: str, part: str, what: str) -> None:
        kept.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, watch.around(part, what, getattr(owner, name)))

    try:
        for mechanism in model.days.mechanisms:
            replace(mechanism, "begin", mechanism.name, "begin")
        for phase in PHASES:
            model.days.phase[phase] = _one_by_one(model, phase, watch)
        for name, what in ENGINE.items():
            replace(day, name, "engine", what)
        replace(model.days, "weigh", "engine", "weighing and choice")
        for name in ("observe", "series"):
            replace(Observer, name, "engine", "counting")
        replace(model, "replicate", "engine", "the rest")
        yield watch
    finally:
        model.days.phase.update(together)
        for owner, name, before in kept:
            if before is None:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
