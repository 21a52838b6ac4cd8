"""The parameters of the ways out."""

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
"""What relatives abroad are worth to who wants to leave, utility: twice the odds (Massey and others 1993)."""
LEAD: Final = 0.5
"""Chance that a leader who leaves alone asks comrades along: an even one, as nobody has counted."""
SHOT_DIES: Final = 0.3
"""Chance that who is shot on the way dies: assumed; the one whom the reports name lived."""
DECLARES: Final = 0.4
"""Chance that who registers declares for a challenger who is sure to win (Albrecht and Ohl 2016)."""
PARTIES: Final = 4
"""Parties in which those whom an embassy sheltered leave, one a day, once safe conduct is granted."""

RISK = parameter("ways_out.risk_weight")
DAYS = parameter("ways_out.days_weight")
CHECKPOINT = parameter("ways_out.checkpoint_risk")
POSTED_RISK = parameter("ways_out.posted_risk")
COMPANY = parameter("ways_out.company")
SLIP = parameter("ways_out.slip_abroad")
UNREGISTERED = parameter("ways_out.unregistered")
KIN_SLIP = parameter("ways_out.kin_slip")
LAG = parameter("ways_out.registration_lag")
ALERT = parameter("ways_out.alert")

WAYS_PARAMETERS = (
    switch("ways_out", "ways lead out of the country"),
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
