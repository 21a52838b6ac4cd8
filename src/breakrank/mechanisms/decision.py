"""The decision itself: which options exist, and what holds a soldier back apart from fear.

At a moment of decision a soldier stays, deserts quietly, leaves the country alone or with his
family, or (when someone has confided in him) reports him: exit, loyalty, and the informer's way
(Hirschman 1970; Albrecht and Ohl 2016). How rare an act is among those who have no cause, no fear and no
ties is its base rate, and no motive; who feeds a family cannot leave it lightly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    DEFEATED,
    DESERT,
    ERRAND,
    EV_DESERTED,
    FAMILY_SHOCK,
    HIDING,
    INVITED,
    JOIN,
    LEAVE,
    LEAVE_PASS,
    LEAVE_WITH_FAMILY,
    PLAN_RISING,
    WARNED,
)
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.quiet_desertion import QUIET
from breakrank.spec import Parameter, switch

HABIT_DESERT = Parameter(
    "decision.habit_desert",
    "utility",
    0,
    30,
    6.0,
    "how rarely a soldier without cause, fear or ties deserts quietly at a moment: log-odds against it",
    "Hirschman 1970",
)
HABIT_LEAVE = Parameter(
    "decision.habit_leave",
    "utility",
    0,
    30,
    8.3,
    "how rarely a soldier without cause, fear or ties leaves the country at a moment: log-odds against it",
    "Hirschman 1970",
)
CEILING = Parameter(
    "decision.ceiling",
    "probability",
    0.001,
    1,
    0.1,
    "chance that a moment allows whoever wants with all his heart to act against the regime",
    "McLauchlin 2014",
)
BLOCKED = Parameter(
    "decision.blocked",
    "utility",
    0,
    10,
    0.5,
    "what having no way out of the country adds to deserting inside it and to plotting",
    "Hirschman 1970",
)
BREADWINNER = Parameter(
    "decision.breadwinner",
    "utility per dependant",
    0,
    10,
    0.35,
    "what each dependant weighs against leaving without the family",
    "McLauchlin 2014",
)
HEAD_START = Parameter(
    "decision.head_start",
    "utility",
    0,
    10,
    0.5,
    "what a head start is worth to who wants to leave: that of an errand, and that of a vehicle",
)


@lean
def _weigh(
    occasion: NDArray[np.uint8],
    dependants: NDArray[np.uint8],
    desert: float,
    leave: float,
    breadwinner: float,
    head_start: float,
    habit_desert: NDArray[np.float64],
    habit_leave: NDArray[np.float64],
    feeds: NDArray[np.float64],
    start: NDArray[np.float64],
    available: NDArray[np.bool_],
    abroad: bool,
) -> None:
    for j in range(occasion.shape[0]):
        why = occasion[j]
        habit_desert[j] = -desert
        habit_leave[j] = -leave
        feeds[j] = -breadwinner * dependants[j]
        if why == ERRAND:
            start[j] = head_start
        available[DESERT, j] = why in (LEAVE_PASS, ERRAND, FAMILY_SHOCK, WARNED, DEFEATED)
        away = abroad and why >= LEAVE_PASS
        available[LEAVE, j] = away
        with_family = abroad and dependants[j] > 0
        available[LEAVE_WITH_FAMILY, j] = with_family and why in (
            LEAVE_PASS,
            FAMILY_SHOCK,
            INVITED,
            WARNED,
        )


@lean
def _desert(records: RunRecords, day: int, who: NDArray[np.int32], choice: NDArray[np.uint8]) -> None:
    for j in range(who.shape[0]):
        if choice[j] == DESERT:
            move(records, day, who[j], HIDING, EV_DESERTED, -1, -1, 0.0)


class Decision(Mechanism):
    """The options and their base rates. Off: nobody ever considers going."""

    name = "decision"
    subsystem = 6
    parameters = (
        switch("decision", "soldiers consider deserting or leaving at moments of decision"),
        HABIT_DESERT,
        HABIT_LEAVE,
        BREADWINNER,
        HEAD_START,
        CEILING,
        BLOCKED,
        QUIET,
    )
    terms = (
        Term("decision.habit_desert", "how rare deserting is", {DESERT: 1}, base=True),
        Term(
            "decision.habit_leave",
            "how rare leaving the country is",
            {LEAVE: 1, LEAVE_WITH_FAMILY: 1},
            base=True,
        ),
        Term("decision.breadwinner", "dependants to feed", {DESERT: QUIET.name, LEAVE: 1}),
        Term("decision.blocked", "no way out is open", {DESERT: 1, JOIN: 1, PLAN_RISING: 1}),
        Term("decision.head_start", "an errand gives a head start", {DESERT: 1, LEAVE: 1}),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.abroad = world.on("ways_out")
        self.no_way = 0.0 if self.abroad else world[BLOCKED.name]

    def weigh(self, run: Run, moments: Moments) -> None:
        """Open the options that today's occasion allows; base rates, and dependants who hold back."""
        row, terms = run.term_row, moments.terms
        terms[row["decision.blocked"]] = self.no_way
        _weigh(
            moments.occasion,
            moments.dependants,
            self.world[HABIT_DESERT.name],
            self.world[HABIT_LEAVE.name],
            self.world[BREADWINNER.name],
            self.world[HEAD_START.name],
            terms[row["decision.habit_desert"]],
            terms[row["decision.habit_leave"]],
            terms[row["decision.breadwinner"]],
            terms[row["decision.head_start"]],
            moments.open,
            self.abroad,
        )

    def act(self, run: Run, moments: Moments) -> None:
        """Those who desert quietly leave their post and hide."""
        if moments.took(DESERT):
            _desert(run.records, run.day, moments.who, moments.choice)
