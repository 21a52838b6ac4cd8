"""The parameters of papers, the asylum queue and permits."""

from __future__ import annotations

from breakrank.spec import Parameter, switch

DOUBLE = Parameter(
    "asylum.double_nationals",
    "probability",
    0,
    1,
    0.047,
    "chance that a soldier who registers is a national of the host as well and needs no asylum",
    scope="national",
)
FIRST = Parameter(
    "asylum.first_days",
    "days",
    0,
    3650,
    75,
    "days a request rests before anyone takes it up: interviews, security checks",
    scope="national",
)
EFFORT = Parameter(
    "asylum.effort",
    "caseworker days",
    0.01,
    365,
    4,
    "mean work of one decision",
    "Erlang 1917",
    scope="national",
)
RECOGNISED = Parameter(
    "asylum.recognised",
    "probability",
    0,
    1,
    0.5,
    "chance that a decision grants asylum",
    scope="national",
)
PAPER = Parameter(
    "asylum.paper_days",
    "days",
    1,
    3650,
    30,
    "days for which a safe-conduct is valid",
    scope="national",
)
RENEWED = Parameter(
    "asylum.renewed",
    "probability",
    0,
    1,
    0.95,
    "chance that a safe-conduct is renewed in time",
    scope="national",
)
UPTAKE = Parameter(
    "asylum.uptake",
    "per day",
    0,
    1,
    0.05,
    "daily chance to take up an offered permit, claims for asylum lapsing",
    scope="national",
)

ASYLUM_PARAMETERS = (
    switch("asylum", "the host issues papers, decides on asylum and grants permits"),
    DOUBLE,
    FIRST,
    EFFORT,
    RECOGNISED,
    PAPER,
    RENEWED,
    UPTAKE,
)
