"""The code tables of a run: what a soldier can be, what they can choose, when, and what the log calls it."""

from __future__ import annotations

from typing import Final

from breakrank.case.log_words import EVENTS, FATES, OCCASIONS  # noqa: F401 (words of the codes below)

# Fates: where a soldier is at dusk. Exclusive; together they make up the strength.
SERVING: Final = 0
TRAVELLING: Final = 1
HIDING: Final = 2
ABROAD: Final = 3
REGISTERED: Final = 4
DECLARED: Final = 5
EMBASSY: Final = 6
DETAINED: Final = 7
IMPRISONED: Final = 8
DEAD: Final = 9
DISCHARGED: Final = 10
RESIGNED: Final = 11

# Options at a decision opportunity. Staying comes first, so that a rising wish to leave only ever
# turns stayers into leavers under common random numbers.
STAY: Final = 0
DESERT: Final = 1
LEAVE: Final = 2
LEAVE_WITH_FAMILY: Final = 3
REPORT: Final = 4
JOIN: Final = 5
PLAN_CROSSING: Final = 6
PLAN_UPRISING: Final = 7
RESIGN: Final = 8
OPTIONS: Final = (
    "stay",
    "desert quietly",
    "leave the country alone",
    "leave with family",
    "report someone",
    "join a plot",
    "plan to cross with comrades",
    "plan an uprising",
    "resign",
)

AGAINST: Final = (DESERT, LEAVE, LEAVE_WITH_FAMILY, JOIN, PLAN_CROSSING, PLAN_UPRISING, RESIGN)
"""Options that are against the regime: to go, or to plot."""

# Occasions: why a soldier decides today. Where two fall on one day the higher code counts.
CONFIDED_TO: Final = 0
APPROACHED: Final = 1
LEAVE_PASS: Final = 2
ERRAND: Final = 3
FAMILY_SHOCK: Final = 4
POSTING: Final = 5
INVITED: Final = 6
WARNED: Final = 7
DEFEATED: Final = 8
UNDER_FIRE: Final = 9
ADRIFT: Final = 10
CALLED_OVER: Final = 11
WAITED: Final = 12
ORDERED: Final = 13

# What the event log can say.
(
    EV_SHOCK,
    EV_CONFIDED,
    EV_REPORTED,
    EV_ARRESTED,
    EV_ILL_TREATED,
    EV_RELEASED,
    EV_IMPRISONED,
    EV_DIED,
    EV_DESERTED,
    EV_LEFT,
    EV_INVITED,
    EV_CAPTURED,
    EV_SHOT,
    EV_CROSSED,
    EV_EMBASSY,
    EV_SLIPPED,
    EV_REGISTERED,
    EV_DECLARED,
    EV_REPRISAL,
    EV_CAUGHT_HIDING,
    EV_FOUNDED,
    EV_APPROACHED_SOMEONE,
    EV_JOINED,
    EV_DECLINED,
    EV_PLEDGED,
    EV_TAPPED,
    EV_NAMED,
    EV_WARNED,
    EV_PLOT_BROKEN,
    EV_PLOT_SCATTERED,
    EV_PLOT_DISSOLVED,
    EV_LAUNCHED,
    EV_ROSE,
    EV_FOLLOWED,
    EV_RENEGED,
    EV_REFUSED,
    EV_UPRISING_COLLAPSED,
    EV_UPRISING_STALEMATE,
    EV_UPRISING_WON,
    EV_SURRENDERED,
    EV_STOOD_BY,
    EV_PACT,
    EV_DISCHARGED,
    EV_FELL,
    EV_SENT,
    EV_LODGED,
    EV_NO_PLACE,
    EV_FILED,
    EV_GRANTED,
    EV_REFUSED_ASYLUM,
    EV_PERMIT,
    EV_MOVED_ON,
    EV_SETTLED,
    EV_ENLISTED,
    EV_STOOD_DOWN,
    EV_RAN,
    EV_SENT_BACK,
    EV_EXPELLED,
    EV_PUT_OUT,
    EV_RELOCATED,
    EV_WENT_BACK,
    EV_WORD,
    EV_TOOK_OFFER,
    EV_SET_FREE,
    EV_WENT_OVER,
    EV_SHUT_OUT,
    EV_RESIGNED,
    EV_REFUSED_ORDER,
    EV_DISMISSED,
) = range(len(EVENTS))

# What can be due on a later day (the agenda).
DUE_ARRIVAL: Final = 0
DUE_REGISTRATION: Final = 1
DUE_ARREST: Final = 2
DUE_VERDICT: Final = 3
DUE_CONFIDED: Final = 4
DUE_CAUGHT: Final = 5
DUE_EMBASSY_EXIT: Final = 6
DUE_APPROACHED: Final = 7
DUE_WARNED: Final = 8
DUE_FREED: Final = 9
DUE_WAITED: Final = 10
DUE_GOES: Final = 11
DUE: Final = 12

# Aims of a plot.
CROSS: Final = 0
RISE: Final = 1
AIMS: Final = ("cross with comrades", "rise")

# What is added to a value of the log, beside what it counts.
PLEDGE_ASKED: Final = 10
"""Added to a plot's aim where a pledge is asked for, not membership."""
OF_THE_HIGH_COMMAND: Final = 100
"""Added to the index of a position of the high command."""
TAKEN: Final = 2.0
"""Value of an event abroad: the services of their own country took them."""
AS_CIVILIAN: Final = -2.0
"""Value of setting out for the border after leaving the service in the open."""
HAD_RESIGNED: Final = 1.0
"""Value of the arrest of one who had left the service in the open."""
HAD_LEFT: Final = -1.0
"""Value of a desertion by one who had left their post for a place that turned them away."""
BY_AIM: Final = 1000
"""What the aim of a launched plot is multiplied by; what is left are its members on the day."""
