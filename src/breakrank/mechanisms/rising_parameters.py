"""The parameters of risings."""

from __future__ import annotations

from breakrank.engine.codes import (
    EV_FOLLOWED,
    EV_REFUSED,
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    EV_RISING_WON,
    EV_ROSE,
    EV_SURRENDERED,
)
from breakrank.outputs import Measure, MeasureSource, daily
from breakrank.spec import parameter, switch

STRENGTH = parameter("rising.strength")
STRENGTH_SPREAD = parameter("rising.strength_spread")
NOISE = parameter("rising.noise")
NOISE_FAR = parameter("rising.noise_far")
SIGHT = parameter("rising.sight")
HOURS = parameter("rising.hours")
REACH = parameter("rising.reach")
LOSS = parameter("rising.loss")
GAIN = parameter("rising.gain")
PROMISE = parameter("rising.promise")
FOLLOW = parameter("rising.follow")
COMPANY = parameter("rising.company")
ORDERED = parameter("rising.ordered")
COMMAND = parameter("rising.command")
REFUSAL = parameter("rising.refusal")
STALEMATE = parameter("rising.stalemate")
TAKEN = parameter("rising.taken")
NOTICED = parameter("rising.noticed")
SHOWN = parameter("rising.shown")

PARAMETERS = (
    switch("rising", "plots to rise are carried out"),
    STRENGTH,
    STRENGTH_SPREAD,
    NOISE,
    NOISE_FAR,
    SIGHT,
    HOURS,
    REACH,
    LOSS,
    GAIN,
    PROMISE,
    FOLLOW,
    COMPANY,
    ORDERED,
    COMMAND,
    REFUSAL,
    STALEMATE,
    TAKEN,
    NOTICED,
    SHOWN,
)


OUTPUTS = (
    daily(
        "risings",
        "Risings",
        EV_RISING_COLLAPSED,
        EV_RISING_STALEMATE,
        EV_RISING_WON,
        unit="risings",
        primary=8,
    ),
    daily("collapsed", "Risings that collapsed", EV_RISING_COLLAPSED, unit="risings"),
    daily("stalemates", "Risings that held out, then ended", EV_RISING_STALEMATE, unit="risings"),
    daily("won", "Risings that succeeded", EV_RISING_WON, unit="risings", measure="risings_won"),
    daily("refused", "Units that refused to march against a rising", EV_REFUSED, unit="units"),
    daily("rose", "Units that rose", EV_ROSE, unit="units"),
    daily("followed", "Followed their commander into a rising", EV_FOLLOWED),
    daily("rising_size", "Took part in a rising"),
    daily("taken", "Taken on the spot after a rising"),
    daily("surrendered", "Surrendered after a rising", EV_SURRENDERED),
)
"""What it hands back, day by day."""
MEASURES = (
    Measure(
        "rising_arrested",
        "Taken or surrendered after a rising",
        "soldiers",
        "caught",
        {"": MeasureSource("surrendered")},
    ),
)
"""What can be asked of that beyond each output by itself."""
