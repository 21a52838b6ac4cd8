"""The parameters of how plots are found out."""

from __future__ import annotations

from breakrank.spec import Parameter, switch

TAPS = Parameter(
    "detection.taps",
    "per member and year",
    0,
    100,
    0.3,
    "rate at which a plotter's talk is overheard, at usual surveillance",
    "Greitens 2016",
    scope="national",
)
BOTH_ENDS = Parameter(
    "detection.both_ends",
    "probability",
    0,
    1,
    0.5,
    "chance that an overheard talk was with whoever recruited him, who is then under suspicion too",
    scope="national",
)
TRADECRAFT = Parameter(
    "detection.tradecraft",
    "ratio",
    0,
    1,
    0.5,
    "what a tap yields from someone trained in intelligence, relative to others",
)
BACKGROUND = Parameter(
    "detection.intelligence_background",
    "fraction",
    0,
    1,
    0.05,
    "share of officers outside the intelligence services who once served in them",
    scope="national",
)
INTERROGATION = Parameter(
    "detection.interrogation",
    "probability",
    0,
    1,
    0.3,
    "chance that an arrested plotter names someone next to him in the chain",
    scope="national",
)
WARNED = Parameter(
    "detection.warned",
    "probability",
    0,
    1,
    0.5,
    "chance that a plotter under suspicion is warned before he is taken",
    scope="national",
)
PASS_ON = Parameter(
    "detection.pass_on",
    "probability",
    0,
    1,
    0.5,
    "chance that the news of a lost plot reaches each of its members",
    scope="national",
)

PARAMETERS = (
    switch("detection", "plots are found out by taps and interrogation"),
    TAPS,
    BOTH_ENDS,
    TRADECRAFT,
    BACKGROUND,
    INTERROGATION,
    WARNED,
    PASS_ON,
)
"""``detection.pass_on`` is the plots' own affair and works without the switch."""
