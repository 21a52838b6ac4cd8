"""The parameters of screening: infiltrators, suspects and arms."""

from __future__ import annotations

from breakrank.engine.codes import EV_DISARMED, EV_SENT
from breakrank.outputs import daily
from breakrank.spec import parameter, switch

SENT = parameter("screening.sent")
FOUND = parameter("screening.found")
WRONG = parameter("screening.wrong")
EXPELS = parameter("screening.expels")
HELD = parameter("screening.held_days")
ARMED = parameter("screening.armed")
KEEPS = parameter("screening.keeps_arms")

SCREENING_PARAMETERS = (
    switch("screening", "the host screens who came over, and services send people across"),
    SENT,
    FOUND,
    WRONG,
    EXPELS,
    HELD,
    ARMED,
    KEEPS,
)


OUTPUTS = (
    daily("infiltrators_sent", "Infiltrators sent", EV_SENT),
    daily("infiltrators_found", "Infiltrators found", primary=12),
    daily("wrongly_suspected", "Wrongly held or expelled as infiltrators"),
    daily("expelled", "Expelled by the host"),
    daily("disarmed", "Handed in a weapon", EV_DISARMED),
)
"""What it hands back, day by day."""
