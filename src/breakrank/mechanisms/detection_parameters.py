"""The parameters of how plots are found out."""

from __future__ import annotations

from breakrank.engine.codes import EV_NAMED, EV_TAPPED, EV_WARNED
from breakrank.outputs import daily
from breakrank.spec import parameter, switch

TAPS = parameter("detection.taps")
CHAIN = parameter("detection.chain")
TRADECRAFT = parameter("detection.tradecraft")
BACKGROUND = parameter("detection.intelligence_background")
WARNED = parameter("detection.warned")
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
