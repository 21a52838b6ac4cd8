"""Moments of decision: leave passes, errands and postings at the border.

Soldiers weigh staying against leaving when an occasion comes, not every day: an errand outside
the base, a leave pass, a posting at the crossing. Each is a Poisson process at the rate of the
soldier's branch, access and station (opportunity as a precondition of desertion: Albrecht and
Koehler 2018, "Going on the run"; McLauchlin 2014, "Desertion, terrain, and control of the home
front").
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision
from breakrank.engine.calendar import Process
from breakrank.engine.codes import ERRAND, LEAVE_PASS, POSTING
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force.force import BORDER_POST, ESCORT, VEHICLE
from breakrank.mechanisms.grievance import by_cell, cell_of_units, differs_here
from breakrank.spec import Field, parameters_of
from breakrank.units import DAYS_A_YEAR

_PASS = int(decision("opportunity.pass"))
_ERRAND = int(decision("opportunity.errand"))
_POSTING = int(decision("opportunity.posting"))

ERRAND_SHARE: Final = 3 / 7
"""Share of errands among these occasions, of soldiers without a vehicle: somewhat below half, as passes are
granted to all and errands to some."""
ERRAND_ACCESS: Final = 3.0
"""Errands of soldiers with a vehicle or on escort duty, relative to others: being out is their duty."""


LEAVE = Field(
    "leave", "ratio to usual", 0, 1000, "leave passes, by state and branch", ("state", "branch"), 1.0
)
OUTSIDE = Field(
    "errands",
    "ratio to usual",
    0,
    1000,
    "errands outside the base, by state and branch",
    ("state", "branch"),
    1.0,
)


class Opportunity(Mechanism):
    """Occasions that do not depend on what happens, for the whole run."""

    name = "opportunity"
    subsystem = 6
    parameters = parameters_of(name, "leave passes, errands and postings bring decision opportunities")
    fields = (
        Field(
            "posting",
            "per soldier and day",
            0,
            5,
            "rate at which soldiers stationed in a state are posted at its border crossing",
            ("state",),
            0.0,
        ),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        force = world.force
        pace = np.array([b.opportunity for b in world.case.force.branches], np.float32)[force.branch]
        even = np.arange(1, world.days + 1, dtype=np.float64)[None, :] / DAYS_A_YEAR
        anywhere = np.zeros(force.n, np.int32)
        mobile = (force.access & (VEHICLE | ESCORT)) != 0
        errands = pace * np.where(mobile, ERRAND_ACCESS, 1.0).astype(np.float32)
        posting = np.cumsum(world.daily("posting"), axis=0).T
        posted = np.where((force.access & BORDER_POST) != 0, 1.0, world["opportunity.posting_reach"]).astype(
            np.float32
        )
        at_border = np.where(posting[force.state, -1] > 0, force.state.astype(np.int32), np.int32(-1))
        passes, trips = even, even
        if differs_here(world):
            anywhere = cell_of_units(world)[force.unit]
            passes, trips = occasions_here(world, LEAVE), occasions_here(world, OUTSIDE)
        self.processes = (
            Process(
                LEAVE_PASS, _PASS, anywhere, pace, passes * (world["opportunity.rate"] * (1 - ERRAND_SHARE))
            ),
            Process(ERRAND, _ERRAND, anywhere, errands, trips * (world["opportunity.rate"] * ERRAND_SHARE)),
            Process(POSTING, _POSTING, at_border, posted, np.ascontiguousarray(posting)),
        )

    def begin(self, run: Run) -> None:
        """Draw the year's leave passes, errands and postings."""
        if self.on:
            for process in self.processes:
                days, who = process.draw(run.key, self.world.force.identity)
                run.processes.append((days, who, process.occasion))


def occasions_here(world: World, field: Field) -> NDArray[np.float64]:
    """Return years of usual occasions by the end of each day, float64 (cell, day)."""
    return np.ascontiguousarray(np.cumsum(by_cell(world.daily(field.name)), axis=0).T / DAYS_A_YEAR)
