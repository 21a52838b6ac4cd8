"""The parameters of the high command."""

from __future__ import annotations

from breakrank.engine.codes import EV_RENEGED
from breakrank.mechanisms.preference import RENTS
from breakrank.outputs import daily, stock
from breakrank.spec import parameter, switch

MOMENTS = parameter("high_command.moments")
GUARANTEES = parameter("high_command.guarantees_weight")
SANCTIONS = parameter("high_command.sanctions_weight")
OTHERS = parameter("high_command.others_weight")
CREDIBILITY = parameter("high_command.credibility_weight")
FEAR = parameter("high_command.fear_weight")
HEDGING = parameter("high_command.hedging")
PLEDGING = parameter("high_command.pledging")
DEFECTING = parameter("high_command.defecting")
WORD = parameter("high_command.word")
ASKED = parameter("high_command.asked")
SIGHT = parameter("high_command.sight")
QUORUM = parameter("high_command.pact_quorum")
STRENGTH = parameter("high_command.pact_strength")
PUNISHMENT = parameter("high_command.punishment")
HEDGED = parameter("high_command.hedged")
EXPOSURE = parameter("high_command.exposure")
PARAMETERS = (
    switch(
        "high_command",
        "the holders of the highest positions may hedge, promise, change sides or agree on a pact",
    ),
    MOMENTS,
    GUARANTEES,
    SANCTIONS,
    OTHERS,
    CREDIBILITY,
    FEAR,
    HEDGING,
    PLEDGING,
    DEFECTING,
    HEDGED,
    WORD,
    ASKED,
    SIGHT,
    QUORUM,
    STRENGTH,
    PUNISHMENT,
    EXPOSURE,
)

NUMBERS = (GUARANTEES, SANCTIONS, OTHERS, CREDIBILITY, FEAR, HEDGING, PLEDGING, DEFECTING, WORD, ASKED, SIGHT,
           PUNISHMENT, HEDGED, RENTS)  # fmt: skip
"""The parameters that the choice reads, in the order in which ``Command.numbers`` holds them."""


OUTPUTS = (
    daily("reneged", "Pledges not kept", EV_RENEGED, unit="pledges"),
    stock("command", "High command by stance", "positions", by=("stance",), measure=None),
)
"""What it hands back, day by day."""
