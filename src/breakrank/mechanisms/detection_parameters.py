"""The parameters of how plots are found out."""

from __future__ import annotations

from breakrank.engine.codes import EV_NAMED, EV_TAPPED, EV_WARNED
from breakrank.outputs import daily
from breakrank.spec import Parameter, switch

TAPS = Parameter(
    "detection.taps", "per member and year", 0, 100, 0.3,
    "rate at which a plotter's talk is overheard, at usual surveillance",
    "Greitens 2016", scope="national",
)  # fmt: skip
CHAIN = Parameter(
    "detection.chain",
    "probability",
    0,
    1,
    0.3,
    "chance that a plotter who is found out, overheard or arrested, gives away someone next to him in the "
    "chain",
    "Baker and Faulkner 1993",
    scope="national",
)
TRADECRAFT = Parameter(
    "detection.tradecraft", "ratio", 0, 1, 0.5,
    "what a tap yields from someone trained in intelligence, relative to others",
)  # fmt: skip
BACKGROUND = Parameter(
    "detection.intelligence_background", "fraction", 0, 1, 0.05,
    "share of officers outside the intelligence services who once served in them",
    scope="national",
)  # fmt: skip
WARNED = Parameter(
    "detection.warned", "probability", 0, 1, 0.5,
    "chance that a plotter hears in time that he is under suspicion, or that his plot is lost",
    scope="national",
)  # fmt: skip
PARAMETERS = (
    switch("detection", "plots are found out by taps and interrogation"),
    TAPS,
    CHAIN,
    TRADECRAFT,
    BACKGROUND,
    WARNED,
)
"""That a plot is lost is the plots' own affair and told without the switch."""


OUTPUTS = (
    daily("tapped", "Overheard by a tap", EV_TAPPED),
    daily("named", "Named under interrogation", EV_NAMED),
    daily("warned", "Warned of a leak", EV_WARNED),
)
"""What it hands back, day by day."""
