"""The parameters of the ways out."""

from __future__ import annotations

from breakrank.spec import parameter, switch

RISK = parameter("ways_out.risk_weight")
VIOLENCE = parameter("ways_out.violence_weight")
HARDSHIP = parameter("ways_out.hardship_weight")
FAMILY_HARDSHIP = parameter("ways_out.family_hardship")
DAYS = parameter("ways_out.days_weight")
CHECKPOINT = parameter("ways_out.checkpoint_risk")
POSTED_RISK = parameter("ways_out.posted_risk")
KIN_HELP = parameter("ways_out.kin_help")
LEAD = parameter("ways_out.lead")
GROUP = parameter("ways_out.group_weight")
SLIP = parameter("ways_out.slip_abroad")
UNREGISTERED = parameter("ways_out.unregistered")
KIN_SLIP = parameter("ways_out.kin_slip")
LAG = parameter("ways_out.registration_lag")
DECLARE = parameter("ways_out.declare")
LETHAL = parameter("ways_out.shot_dies")

ALERT = parameter("ways_out.alert")

PARTIES = parameter("ways_out.parties")

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
