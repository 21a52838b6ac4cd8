"""Which events are kept: all events of a year take far more room than all its series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from breakrank.runs.whole_number import whole_number

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
