"""A study: scenarios, parameter draws and runs, and which of them are still to be made.

It says which events are kept, since all events of a year take far more room than all series.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from breakrank.errors import UsageError, whole_number
from breakrank.runs.scenario import Scenario

if TYPE_CHECKING:
    from breakrank.engine.replicate import Replicate
    from breakrank.runs.part import Part


@dataclass(frozen=True, slots=True)
class Log:
    """The event table that is asked for.

    Attributes
    ----------
    runs : numbers of the runs that keep theirs.
    soldiers : identities of the soldiers whose events are kept; ``None`` for everyone's.
    """

    runs: frozenset[int] = frozenset()
    soldiers: tuple[int, ...] | None = None

    @classmethod
    def first(cls, log_runs: int, runs: int) -> Log:
        """Return the log of everyone in the first runs; UsageError for a number below 0."""
        return cls(frozenset(range(min(whole_number("log_runs", log_runs, 0, 2**31 - 1), runs))))

    def answered_by(self, run: int, part: Part) -> bool:
        """Say whether a part that holds a run holds the events that are asked for of it."""
        if run not in self.runs:
            return True
        if run not in part.logged:
            return False
        return part.soldiers is None or (self.soldiers is not None and {*self.soldiers} <= {*part.soldiers})

    def cut(self, made: Replicate) -> Replicate:
        """Return a replicate with the events that are asked for, and no others."""
        if made.events is None or self.soldiers is None:
            return made
        wanted = np.array(self.soldiers, np.uint32)
        kept = np.isin(made.events["soldier"], wanted) | np.isin(made.events["other"], wanted)
        events: Mapping[str, np.ndarray[tuple[int], np.dtype[np.generic]]] = {
            name: np.asarray(column)[kept] for name, column in made.events.items()
        }
        return replace(made, events=events)


NOTHING = Log()
"""No events of any run."""


Draw = tuple[tuple[str, float], ...]
"""Values of some parameters that belong together."""


@dataclass(frozen=True, repr=False)
class Study:
    """Scenarios times parameter draws times runs, all under one seed.

    Run number k has the same luck in every scenario and every draw (common random numbers), and is the same
    bits whichever study asks for it.

    Attributes
    ----------
    scenarios : what is run; names differ.
    runs : number of runs of each scenario and draw.
    seed : 0 to 2**64 - 1.
    draws : parameter values under which each scenario is run; without any, under the case's own. Where a
        scenario sets a parameter itself, that value stands.
    log : the events that are kept.
    """

    scenarios: tuple[Scenario, ...]
    runs: int = 100
    seed: int = 0
    draws: tuple[Draw, ...] = ()
    log: Log = NOTHING

    def __post_init__(self) -> None:
        whole_number("runs", self.runs, 1, 2**31 - 1)
        whole_number("seed", self.seed, 0, 2**64 - 1)
        if not self.scenarios:
            raise UsageError("a study needs at least one scenario")
        names = [one.name for one in self.scenarios]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise UsageError(f"two scenarios are called {min(twice)!r}; names have to differ")

    @cached_property
    def cells(self) -> tuple[Scenario, ...]:
        """Every scenario under every draw, scenario by scenario; draws are numbered from 0."""
        if not self.draws:
            return self.scenarios
        cases = {id(s.case): [s.case.set(dict(draw)) for draw in self.draws] for s in self.scenarios}
        return tuple(
            Scenario(cases[id(s.case)][k], f"{s.name}/{k}", s.asked, s.events, s.values, s.until)
            for s in self.scenarios
            for k in range(len(self.draws))
        )

    @property
    def size(self) -> int:
        """Number of different runs that the study consists of."""
        return len({cell.digest for cell in self.cells}) * self.runs

    def __repr__(self) -> str:
        lines = [f"Study of {len(self.scenarios)} scenarios, {self.runs} runs each, seed {self.seed}"]
        if self.draws:
            lines[0] += f", under {len(self.draws)} draws of parameters"
        return "\n".join([*lines, *(f"├── {one}" for one in self.scenarios), f"└── {self.size} runs in all"])


def missing(
    digests: Sequence[str], runs: int, finished: Mapping[str, Collection[int]], without: Collection[int] = ()
) -> list[int]:
    """Return the numbers of the runs still to be made, scenario by scenario: scenario times `runs` plus run.

    Parameters
    ----------
    digests : of the scenarios. Where two are the same, the first stands for both.
    runs : wanted of each.
    finished : by digest, the runs that are there.
    without : numbers that are not to be made (again).
    """
    first = {digest: which for which, digest in reversed([*enumerate(digests)])}
    return [
        which * runs + run
        for digest, which in sorted(first.items(), key=lambda one: one[1])
        for run in range(runs)
        if run not in finished.get(digest, ()) and which * runs + run not in without
    ]
