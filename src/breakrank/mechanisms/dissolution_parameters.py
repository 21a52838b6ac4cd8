"""The parameters, events and outputs of units that come apart."""

from __future__ import annotations

from breakrank.outputs import daily
from breakrank.spec import Parameter, switch

DAYS = Parameter(
    "dissolution.days", "days", 1, 365, 7,
    "days after the loss of his post on which a soldier may go home or over, before he has rejoined",
    "Shils and Janowitz 1948", scope="national",
    assumed="a week: stragglers are collected, or have gone", prior=("triangular", 2, 7, 30),
)  # fmt: skip
MOMENTS = Parameter(
    "dissolution.moments", "probability", 0, 1, 0.5,
    "chance on each of these days that he faces the choice",
    "Shils and Janowitz 1948", scope="national",
    assumed="every other day; with a week, nearly all do", prior=("triangular", 0.1, 0.5, 1),
)  # fmt: skip
WARNING = Parameter(
    "dissolution.warning", "probability", 0, 1, 0.3,
    "chance a day that an officer faces the choice before ground is lost, in a state that is all but held",
    "Grauer 2014", scope="national",
    assumed="one day in three: they have telephones and vehicles", prior=("triangular", 0, 0.3, 1),
)  # fmt: skip
LEADERLESS = Parameter(
    "dissolution.leaderless", "fraction", 0.01, 1, 0.5,
    "share of a unit's officers missing from which its men face the choice before their ground is lost",
    "Shils and Janowitz 1948", assumed="half: platoons have none then", prior=("triangular", 0.2, 0.5, 1),
)  # fmt: skip
ROUT = Parameter(
    "dissolution.rout", "utility", 0, 20, 4.0,
    "what the end of his unit adds to going, since serving on is no longer what one does without thinking",
    "Shils and Janowitz 1948",
    assumed="two thirds of the habit that keeps a soldier from deserting", prior=("triangular", 1, 4, 7),
)  # fmt: skip
UNSEEN = Parameter(
    "dissolution.unseen", "fraction", 0, 1, 0.7,
    "part of the punishment and reprisals expected otherwise that is not expected then",
    "Apel 2013",
    assumed="most of it: no roll is called, and rolls of absent men are closed much later",
    prior=("triangular", 0.3, 0.7, 1),
)  # fmt: skip
UNBOUND = Parameter(
    "dissolution.unbound", "fraction", 0, 1, 0.7,
    "part of what loyalty and the perks of rank weigh against going home that does not hold him then",
    "Shils and Janowitz 1948",
    assumed="most of it: units fought or fell apart with little regard to what their men believed",
    prior=("triangular", 0.3, 0.7, 1),
)  # fmt: skip
COMRADES = Parameter(
    "dissolution.comrades_weight", "utility", 0, 20, 2.0,
    "weight of the share of a soldier's unit that is missing",
    "McLauchlin 2015",
    assumed="a unit that has lost half counts one unit of utility, as much as moral injury",
    prior=("triangular", 0, 2, 5),
)  # fmt: skip
OFFICERS = Parameter(
    "dissolution.officers_weight", "utility", 0, 20, 2.0,
    "weight of the share of its officers that is missing",
    "Shils and Janowitz 1948",
    assumed="as much as all comrades: who is led by nobody goes home", prior=("triangular", 0, 2, 5),
)  # fmt: skip
THREAT = Parameter(
    "dissolution.threat_weight", "utility", 0, 20, 2.0,
    "weight of what officers have to fear from those who come, where they hold the whole state",
    "Grauer 2014", scope="national",
    assumed="a third of the punishment by their own side; where captors spare officers it is none",
    prior=("triangular", 0, 2, 6),
)  # fmt: skip
MEMORY = Parameter(
    "dissolution.memory", "days", 1, 3650, 30,
    "time in which a unit comes to take its present strength for the full one, to 63%",
    "Granovetter 1978", assumed="a month, after which replacements or new routines have set in",
)  # fmt: skip
PARAMETERS = (
    switch("dissolution", "units come apart when their post is lost or their officers are gone"),
    DAYS,
    MOMENTS,
    WARNING,
    LEADERLESS,
    ROUT,
    UNSEEN,
    UNBOUND,
    COMRADES,
    OFFICERS,
    THREAT,
    MEMORY,
)
REJOINED = "rejoined his army after his post was lost"
EVENTS = (REJOINED,)
OUTPUTS = (
    daily("left_as_units_came_apart", "Left as their unit came apart"),
    daily("rejoined", "Rejoined after their post was lost", REJOINED),
)
