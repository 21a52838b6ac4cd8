"""A world: everything that is the same in each replicate of one case and one force."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import EVENTS, FATES, OPTIONS

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.force import Force
    from breakrank.outputs import Output

OFFICER = 2
"""Lowest tier of an officer."""


class World:
    """A case and its force, with the parameters and daily fields that mechanisms read.

    Attributes
    ----------
    case, force : as given; ``days`` the length of the run.
    options : names of the options at a decision opportunity, in order of their codes.
    """

    def __init__(self, case: Case, force: Force, options: tuple[str, ...] = OPTIONS) -> None:
        self.options = options
        self.case = case
        self.force = force
        self.days = case.calendar.days
        self.branch_ids = [b.id for b in case.force.branches]
        self.rank_ids = [r.id for r in case.force.ranks]
        self.state_ids = [s.id for s in case.force.states]
        self.route_ids = [c.id for c in case.crossings]
        self._values: dict[str, float] = {}
        self._daily: dict[str, NDArray[np.float64]] = {}

    def __getitem__(self, parameter: str) -> float:
        """Return the value of a parameter."""
        if parameter not in self._values:
            self._values[parameter] = float(self.case.value(parameter))
        return self._values[parameter]

    def on(self, mechanism: str) -> bool:
        """Return whether a mechanism is switched on; one without a switch always is."""
        switch = f"{mechanism}.on"
        return switch not in self.case.catalogue.parameters or self.case.value(switch) >= 0.5

    @property
    def outputs(self) -> tuple[Output, ...]:
        """What a run hands back."""
        return tuple(self.case.outputs.values())

    @cached_property
    def events(self) -> tuple[str, ...]:
        """What the event log can say, in order of code."""
        return (*EVENTS, *self.case.catalogue.events)

    @cached_property
    def fates(self) -> tuple[str, ...]:
        """Where a soldier may stand, in order of code."""
        return (*FATES, *self.case.catalogue.fates)

    def fate(self, name: str) -> int:
        """Return the code of a fate that an added mechanism declares."""
        return self.fates.index(name)

    def event(self, words: str) -> int:
        """Return the code of an event that an added mechanism declares."""
        return self.events.index(words)

    def daily(self, field: str) -> NDArray[np.float64]:
        r"""Return a field by day, shape (days, \\*dims), after dated events have acted."""
        if field not in self._daily:
            self._daily[field] = np.ascontiguousarray(self.case.daily(field), np.float64)
        return self._daily[field]

    @property
    def scale(self) -> float:
        """How large the force is, relative to that which the case's numbers are for (1: drawn in full)."""
        return self.case.scale

    @cached_property
    def tier(self) -> NDArray[np.float64]:
        """Return the tier of each rank, 0 (lowest) to 5."""
        return np.array([r.tier for r in self.case.force.ranks], np.float64)

    @cached_property
    def intelligence(self) -> NDArray[np.bool_]:
        """Return who serves in an intelligence service, shape (soldier,)."""
        return self.intelligence_units[self.force.unit]

    @cached_property
    def intelligence_units(self) -> NDArray[np.bool_]:
        """Return which units are of an intelligence service, shape (unit,)."""
        service = np.array([b.intelligence for b in self.case.force.branches], np.bool_)
        return service[self.force.units.branch]

    @cached_property
    def rank_shares(self) -> NDArray[np.float64]:
        """Return the share of the strength in each cell, shape (branch, rank)."""
        strength = np.array([b.strength for b in self.case.force.branches], np.float64)
        cells = self.case.force.rank_shares.T * strength[:, None]
        return np.asarray(cells / cells.sum())
