"""The parameters of the ways out."""

from __future__ import annotations

from breakrank.spec import Parameter, switch

RISK = Parameter(
    "ways_out.risk_weight", "utility", 0, 100, 4.0,
    "weight of a way's risk of capture (0 to 1), for the lowest rank",
    "McLauchlin 2014",
)  # fmt: skip
VIOLENCE = Parameter(
    "ways_out.violence_weight", "utility", 0, 100, 6.0, "weight of a way's risk of being shot (0 to 1)"
)
HARDSHIP = Parameter(
    "ways_out.hardship_weight", "utility", 0, 20, 1.0,
    "weight of a way's hardship (0 to 1)",
)  # fmt: skip
FAMILY_HARDSHIP = Parameter(
    "ways_out.family_hardship", "ratio", 0, 20, 2, "hardship of a way with a family, relative to going alone"
)
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
KIN_HELP = Parameter(
    "ways_out.kin_help", "utility", 0, 10, 0.7,
    "what relatives abroad who could take one in are worth to who wants to leave",
    "Massey and others 1993",
)  # fmt: skip
LEAD = Parameter(
    "ways_out.lead", "probability", 0, 1, 0.5,
    "chance that a leader who leaves alone asks comrades to come along",
)  # fmt: skip
GROUP = Parameter(
    "ways_out.group_weight", "utility", 0, 20, 4.0,
    "weight of a leader's invitation",
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
DECLARE = Parameter(
    "ways_out.declare", "probability", 0, 1, 0.4,
    "chance that a registered soldier declares for a wholly credible challenger",
    "Albrecht and Ohl 2016",
)  # fmt: skip
LETHAL = Parameter(
    "ways_out.shot_dies", "probability", 0, 1, 0.3,
    "chance that who is shot on the way dies of it",
    scope="national",
)  # fmt: skip

ALERT = Parameter(
    "ways_out.alert", "ratio", 0, 50, 1.0,
    "by how much the photograph of a hunted man raises his risk at every post",
    scope="national",
)  # fmt: skip

PARTIES = Parameter(
    "ways_out.parties", "parties", 1, 100, 4,
    "parties in which those whom an embassy sheltered leave, one a day, once safe conduct is granted",
    scope="national",
)  # fmt: skip

WAYS_PARAMETERS = (
    switch("ways_out", "ways lead out of the country"),
    RISK,
    VIOLENCE,
    HARDSHIP,
    FAMILY_HARDSHIP,
    DAYS,
    CHECKPOINT,
    POSTED_RISK,
    KIN_HELP,
    LEAD,
    GROUP,
    SLIP,
    UNREGISTERED,
    KIN_SLIP,
    LAG,
    DECLARE,
    LETHAL,
    ALERT,
    PARTIES,
)
