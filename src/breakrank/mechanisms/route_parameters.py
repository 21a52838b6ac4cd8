"""The parameters of the routes."""

from __future__ import annotations

from typing import Final

from breakrank.spec import parameter, switch

SHOT_TO_CAUGHT: Final = 10 / 3
"""Weight of a way's risk of being shot relative to that of capture: death against years in prison. As the
witness who kept off the bridge for fear of armed civilians, soldiers avoid it several times as much."""
HARDSHIP: Final = 1.0
"""What the hardest way (hardship 1) costs, utility: as much as two days on the road."""
FAMILY_HARDSHIP: Final = 2.0
"""Hardship of a way with a family, relative to going alone: there are twice as many to get across."""
KIN_HELP: Final = 0.7
"""Utility of relatives abroad for one who wants to leave: twice the odds. Theory only: Massey and others
1993; size assumed."""
LEAD: Final = 0.5
"""Chance that a leader who leaves alone asks comrades along: an even one, as nobody has counted."""
SHOT_DIES: Final = 0.3
"""Chance that who is shot on the way dies: assumed; the one whom the reports name lived."""
DECLARES: Final = 0.4
"""Chance that a soldier who registers declares for a challenger who is sure to win. Theory only: Albrecht and
Ohl 2016; size assumed."""
PARTIES: Final = 4
"""Parties in which those whom an embassy sheltered leave, one a day, once safe conduct is granted."""
LATER: Final = 60.0
"""Mean days from leaving the service in the open to leaving the country: time to sell, pack and be hired."""
AGAIN: Final = 30
"""Days after which who finds no way open tries again to leave the country as a civilian."""

RISK = parameter("routes.risk_weight")
DAYS = parameter("routes.days_weight")
CHECKPOINT = parameter("routes.checkpoint_risk")
POSTED_RISK = parameter("routes.posted_risk")
COMPANY = parameter("routes.joint_exit_weight")
SLIP = parameter("routes.slip_abroad")
UNREGISTERED = parameter("routes.unregistered")
KIN_SLIP = parameter("routes.kin_slip")
LAG = parameter("routes.registration_lag")
ALERT = parameter("routes.alert")

WAYS_PARAMETERS = (
    switch("routes", "ways lead out of the country"),
    RISK,
    COMPANY,
    DAYS,
    CHECKPOINT,
    POSTED_RISK,
    SLIP,
    UNREGISTERED,
    KIN_SLIP,
    LAG,
    ALERT,
)
