"""The parameters of screening: infiltrators, suspects and arms."""

from __future__ import annotations

from breakrank.engine.codes import EV_DISARMED, EV_SENT
from breakrank.outputs import daily
from breakrank.spec import Parameter, switch

SENT = Parameter(
    "screening.sent", "per arrival", 0, 1, 0.004,
    "infiltrators whom the services send for each soldier who registers",
    "Greitens 2016", scope="national",
)  # fmt: skip
FOUND = Parameter(
    "screening.found", "per day", 0, 1, 0.03,
    "daily chance that an infiltrator in the care of the host is found",
    scope="national",
)  # fmt: skip
WRONG = Parameter(
    "screening.wrong", "per day", 0, 1, 4e-05,
    "daily chance that an innocent soldier is taken for an infiltrator",
    scope="national",
)  # fmt: skip
EXPELS = Parameter(
    "screening.expels", "probability", 0, 1, 0.7,
    "chance that a suspect is expelled, otherwise he is held",
    scope="national",
)  # fmt: skip
HELD = Parameter(
    "screening.held_days", "days", 1, 3650, 30,
    "days for which a suspect is held before he is let go, or expelled if he was one",
    scope="national",
)  # fmt: skip
ARMED = Parameter(
    "screening.armed", "probability", 0, 1, 0.1,
    "chance that a soldier brings a weapon",
    scope="national",
)  # fmt: skip
KEEPS = Parameter(
    "screening.keeps_arms", "probability", 0, 1, 0.02,
    "chance that who brought a weapon does not hand it in, and so gets no help",
    scope="national",
)  # fmt: skip

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
