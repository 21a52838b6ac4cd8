"""The parameters of the high command."""

from __future__ import annotations

from breakrank.engine.codes import EV_RENEGED
from breakrank.mechanisms.preference import RENTS
from breakrank.outputs import daily, stock
from breakrank.spec import Parameter, Scope, switch


def _utility(
    name: str, most: float, typical: float, about: str, theory: str = "", unit: str = "utility"
) -> Parameter:
    return Parameter(f"high_command.{name}", unit, 0, most, typical, about, theory)


def _fraction(name: str, typical: float, about: str, theory: str, unit: str = "fraction") -> Parameter:
    return Parameter(f"high_command.{name}", unit, 0, 1, typical, about, theory, scope="national")


def _count(name: str, unit: str, most: float, typical: float, about: str, scope: Scope) -> Parameter:
    return Parameter(f"high_command.{name}", unit, 0, most, typical, about, scope=scope)


MOMENTS = _count(
    "moments",
    "per year",
    365,
    12.0,
    "moments at which the holder of a position asks where he stands",
    "national",
)
GUARANTEES = _utility(
    "guarantees_weight",
    20,
    4.0,
    "weight of guarantees (0 to 1) as far as they are believed: amnesty, a share in power",
    "Geddes 2003",
)
SANCTIONS = _utility(
    "sanctions_weight",
    20,
    0.5,
    "weight of sanctions (0 to 1) on holders who are named in them",
    "Marinov 2005",
)
OTHERS = _utility(
    "others_weight", 20, 2.0, "weight of the share of the others that seems not to be loyal", "Singh 2014"
)
CREDIBILITY = _utility(
    "credibility_weight", 20, 3.0, "weight of the challenger's credibility (0 to 1)", "Albrecht and Ohl 2016"
)
FEAR = _utility(
    "fear_weight",
    10,
    0.3,
    "weight of surveillance (ratio to usual) for each tier of the holder's rank",
    "Greitens 2016",
    "utility per tier",
)
HEDGING = _utility(
    "hedging", 30, 2.0, "what it takes to hedge: to be loyal in public and wait", "Svolik 2012"
)
PLEDGING = _utility("pledging", 30, 2.2, "what it takes to promise to change sides", "Svolik 2012")
DEFECTING = _utility("defecting", 60, 8.0, "what it takes to change sides openly and alone", "Svolik 2012")
WORD = _utility(
    "word",
    20,
    2.0,
    "what going back costs, for each step: from a promise to hedging, from hedging to loyalty",
)
ASKED = _utility(
    "asked", 20, 1.0, "what it adds to a promise that someone with a plan asks for it", "Singh 2014"
)
SIGHT = Parameter(
    "high_command.sight", "fraction of the command's weight", 0.01, 1, 0.2,
    "error with which a holder sees how many others are with him, and what it takes",
    "Singh 2014",
)  # fmt: skip
QUORUM = _fraction(
    "pact_quorum",
    0.4,
    "share of the command's weight, hedging or promised, at which a pact is tried",
    "Svolik 2012",
    "fraction of the command's weight",
)
STRENGTH = _fraction(
    "pact_strength",
    0.5,
    "share of the command's weight that has to go together for a pact to end the regime",
    "Geddes 2003",
    "fraction of the command's weight",
)
PUNISHMENT = _utility(
    "punishment",
    60,
    5.0,
    "what a failed pact costs those who joined it, however closely they are watched",
    "Svolik 2012",
)
HEDGED = _fraction(
    "hedged", 0.5, "part of what draws him away that hedging gives him", "Albrecht and Ohl 2016"
)
EXPOSURE = _fraction(
    "exposure",
    0.5,
    "chance that whoever joined a failed pact is found out and arrested",
    "Sudduth 2017",
    "probability",
)
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
