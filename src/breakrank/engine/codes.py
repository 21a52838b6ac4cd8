"""The code tables of a run: what a soldier can be, what he can choose, when, and what the log calls it."""

from __future__ import annotations

from typing import Final

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
FATES: Final = (
    "serving",
    "travelling",
    "hiding",
    "abroad",
    "registered",
    "declared",
    "embassy",
    "detained",
    "imprisoned",
    "dead",
)

# Options at a moment of decision. Staying comes first, so that a rising wish to leave only ever
# turns stayers into leavers under common random numbers.
STAY: Final = 0
DESERT: Final = 1
LEAVE: Final = 2
LEAVE_WITH_FAMILY: Final = 3
REPORT: Final = 4
OPTIONS: Final = ("stay", "desert quietly", "leave the country alone", "leave with family", "report someone")

# Occasions: why a soldier decides today. Where two fall on one day the higher code counts.
LEAVE_PASS: Final = 0
ERRAND: Final = 1
FAMILY_SHOCK: Final = 2
CONFIDED_TO: Final = 3
POSTING: Final = 4
INVITED: Final = 5
OCCASIONS: Final = (
    "leave pass",
    "errand",
    "family shock",
    "confided to",
    "border posting",
    "invited by a leader",
)

# What the event log can say.
EVENTS: Final = (
    "family shock",
    "confided",
    "reported",
    "arrested",
    "ill-treated",
    "released by a patron",
    "imprisoned",
    "died in custody",
    "deserted quietly",
    "left for the border",
    "invited comrades",
    "captured on the way",
    "shot on the way",
    "crossed",
    "entered an embassy",
    "slipped abroad unregistered",
    "registered",
    "declared for the challenger",
    "reprisal on relatives",
    "caught in hiding",
)
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
) = range(len(EVENTS))

# What can be due on a later day (the agenda).
DUE_ARRIVAL: Final = 0
DUE_REGISTRATION: Final = 1
DUE_ARREST: Final = 2
DUE_VERDICT: Final = 3
DUE_CONFIDED: Final = 4
DUE_CAUGHT: Final = 5
DUE_EMBASSY_EXIT: Final = 6
DUE: Final = 7
