"""The parameters of the ways out."""

from __future__ import annotations

from typing import Final

from breakrank.spec import Parameter, switch

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

RISK = Parameter(
    "ways_out.risk_weight", "utility", 0, 100, 4.0,
    "weight of a way's risk of capture, for the lowest rank; that of being shot is in proportion",
    "McLauchlin 2014",
)  # fmt: skip
DAYS = Parameter(
    "ways_out.days_weight", "utility per day", 0, 10, 0.5, "weight of each day on the way", "Schon 2020"
)
CHECKPOINT = Parameter(
    "ways_out.checkpoint_risk", "probability", 0, 0.9, 0.01,
    "risk of capture at each checkpoint on the road, at usual surveillance",
    scope="national",
)  # fmt: skip
POSTED_RISK = Parameter(
    "ways_out.posted_risk", "ratio", 0, 1, 0.2,
    "risk of capture for those posted at a crossing, relative to others there",
    scope="national",
)  # fmt: skip
COMPANY = Parameter(
    "ways_out.company", "utility", 0, 20, 4.0,
    "weight of a leader's invitation to come along; at 0 nobody is asked",
    "Granovetter 1978; Koehler, Ohl and Albrecht 2016 on officers leading units out",
)  # fmt: skip
SLIP = Parameter(
    "ways_out.slip_abroad", "fraction", 0, 1, 0.25,
    "share of quiet deserters who slip abroad unregistered",
    scope="national",
)  # fmt: skip
UNREGISTERED = Parameter(
    "ways_out.unregistered", "fraction", 0, 1, 0.15,
    "share of those who left the country who never present themselves",
    scope="national",
)  # fmt: skip
KIN_SLIP = Parameter(
    "ways_out.kin_slip", "fraction", 0, 1, 0.4,
    "share who never present themselves among those with kin abroad",
    scope="national",
)  # fmt: skip
LAG = Parameter(
    "ways_out.registration_lag", "days", 0.01, 60, 1.2,
    "mean time from crossing to registration",
    scope="national",
)  # fmt: skip
ALERT = Parameter(
    "ways_out.alert", "ratio", 0, 50, 1.0,
    "by how much the photograph of a hunted man raises his risk at every post",
    scope="national",
)  # fmt: skip

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
