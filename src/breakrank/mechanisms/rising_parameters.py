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
from breakrank.spec import Parameter, switch


def _share(name: str, typical: float, about: str, theory: str = "") -> Parameter:
    return Parameter(f"rising.{name}", "fraction", 0, 1, typical, about, theory, scope="national")


STRENGTH = Parameter(
    "rising.strength", "fraction of the force's weight", 0, 2, 0.35,
    "weight that must join for the regime to fall",
    "Morris and Shin 1998", scope="national",
)  # fmt: skip
STRENGTH_SPREAD = Parameter(
    "rising.strength_spread", "fraction of the force's weight", 0, 1, 0.08,
    "spread of that strength between days, unknown to anyone beforehand",
    "Morris and Shin 2003", scope="national",
)  # fmt: skip
NOISE = Parameter(
    "rising.noise", "fraction of the force's weight", 0.0005, 1, 0.05,
    "error with which a commander at the seat of power sees the regime's strength within an hour",
    "Morris and Shin 2003",
)  # fmt: skip
NOISE_FAR = Parameter(
    "rising.noise_far", "per day of road", 0, 10, 1.0, "by how much that error grows with distance"
)
SIGHT = Parameter(
    "rising.sight", "fraction", 0, 1, 0.02, "error with which a commander sees how many have joined"
)
HOURS = Parameter("rising.hours", "hours", 1, 24, 8, "rounds in which a rising is decided", scope="technical")
REACH = Parameter(
    "rising.reach", "days", 0.01, 100, 0.5,
    "distance by road at which a unit's weight falls to 37%",
    "Singh 2014", scope="national",
)  # fmt: skip
LOSS = Parameter(
    "rising.loss", "utility", 0, 100, 6.0,
    "what a commander of the lowest rank loses if a rising he joined fails",
    "Singh 2014",
)  # fmt: skip
GAIN = Parameter(
    "rising.gain",
    "utility",
    0,
    100,
    6.0,
    "what having been on the winning side is worth, under a challenger who is sure to keep his word, beside "
    "one's opposition or loyalty; twice that with full guarantees",
    "Morris and Shin 1998; Geddes 2003",
)
PROMISE = Parameter(
    "rising.promise", "utility", 0, 100, 2.0, "what a pledge adds to the gain of whoever keeps it"
)
FOLLOW = _share("follow", 0.3, "share of the opposed in a unit who follow their commander")
COMPANY = _share("company", 0.1, "share of the opposed in a plotter's unit who follow him without a command")
ORDERED = Parameter(
    "rising.ordered", "units", 0, 10000, 10,
    "nearest units that are ordered against a rising",
    scope="national",
)  # fmt: skip
COMMAND = Parameter(
    "rising.command", "ratio", 0, 10, 0.3,
    "weight of the whole high command, relative to all units",
    "Singh 2014", scope="national",
)  # fmt: skip
REFUSAL = _share("refusal", 0.6, "belief in success at which an order is refused, relative to joining")
STALEMATE = _share("stalemate", 0.5, "part of the needed weight at which a rising holds out for a while")
TAKEN = _share("taken", 0.35, "share of participants who are taken on the spot when a rising fails")
NOTICED = Parameter(
    "rising.noticed", "persons", 0.1, 100000, 100,
    "participants at which a failed rising has half of its full effect on public, regime and challenger",
    "Lohmann 1994", scope="national",
)  # fmt: skip
SHOWN = Parameter(
    "rising.shown", "comrades", 0, 1000, 2,
    "comrades' worth of evidence that others are opposed which a rising is that everyone notices",
    "Lohmann 1994",
)  # fmt: skip

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
