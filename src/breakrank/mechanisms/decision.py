"""The decision itself: which options exist, and what holds a soldier back apart from fear.

At a moment of decision a soldier stays, deserts quietly, leaves the country alone or with his
family, or (when someone has confided in him) reports him: exit, loyalty, and the informer's way
(Hirschman 1970; Albrecht and Ohl 2016). Habit and duty hold everyone; who feeds a family cannot
leave it lightly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.books import Books, move
from breakrank.engine.codes import (
    DEFEATED,
    DESERT,
    ERRAND,
    EV_DESERTED,
    FAMILY_SHOCK,
    HIDING,
    INVITED,
    LEAVE,
    LEAVE_PASS,
    LEAVE_WITH_FAMILY,
    WARNED,
)
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.spec import Parameter, switch

HABIT_DESERT = Parameter(
    "decision.habit_desert",
    "utility",
    0,
    30,
    7.0,
    "what holds a soldier from deserting quietly",
    "Hirschman 1970",
)
HABIT_LEAVE = Parameter(
    "decision.habit_leave",
    "utility",
    0,
    30,
    9.0,
    "what holds a soldier from leaving the country",
    "Hirschman 1970",
)
BREADWINNER = Parameter(
    "decision.breadwinner",
    "utility per dependant",
    0,
    10,
    0.25,
    "what each dependant weighs against leaving without the family",
    "McLauchlin 2014",
)
HEAD_START = Parameter(
    "decision.head_start",
    "utility",
    0,
    10,
    0.5,
    "what the head start of an errand is worth to who wants to leave",
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
def _desert(books: Books, day: int, who: NDArray[np.int32], choice: NDArray[np.uint8]) -> None:
    for j in range(who.shape[0]):
        if choice[j] == DESERT:
            move(books, day, who[j], HIDING, EV_DESERTED, -1, -1, 0.0)


class Decision(Mechanism):
    """The options and the habit of staying. Off: nobody ever considers going."""

    name = "decision"
    subsystem = 6
    parameters = (
        switch("decision", "soldiers consider deserting or leaving at moments of decision"),
        HABIT_DESERT,
        HABIT_LEAVE,
        BREADWINNER,
        HEAD_START,
    )
    terms = (
        Term("decision.habit_desert", "habit and duty, against deserting", {DESERT: 1}),
        Term(
            "decision.habit_leave",
            "habit and duty, against leaving the country",
            {LEAVE: 1, LEAVE_WITH_FAMILY: 1},
        ),
        Term("decision.breadwinner", "dependants to feed", {DESERT: 0.25, LEAVE: 1}),
        Term("decision.head_start", "an errand gives a head start", {DESERT: 1, LEAVE: 1}),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.abroad = world.on("ways_out")

    def weigh(self, run: Run, moments: Moments) -> None:
        """Open the options that today's occasion allows; habit, duty and dependants speak against them."""
        row, terms = run.term_row, moments.terms
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
            _desert(run.books, run.day, moments.who, moments.choice)
