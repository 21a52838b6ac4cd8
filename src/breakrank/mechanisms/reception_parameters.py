"""The parameters of arrival, registration and lodging."""

from __future__ import annotations

from breakrank.spec import Parameter, switch

DESK = Parameter(
    "reception.desk",
    "persons per day",
    1,
    1000000,
    250,
    "soldiers whom the host can register in a day",
    scope="national",
)
RELATIVES = Parameter(
    "reception.relatives",
    "fraction",
    0,
    1,
    0.5,
    "share of those who live on a soldier's pay that come along when he leaves with his family",
    scope="national",
)
CHILDREN = Parameter(
    "reception.children",
    "fraction",
    0,
    1,
    0.55,
    "share of the relatives who come along that are under 18",
    scope="national",
)
PLACES = Parameter(
    "reception.places",
    "ratio",
    0,
    100,
    1.0,
    "by how much the places of all sites are multiplied",
    scope="technical",
)
FUNDING = Parameter(
    "reception.funding",
    "ratio",
    0,
    1000,
    1.0,
    "by how much the money of all payers is multiplied",
    scope="technical",
)
PRIVATE = Parameter(
    "reception.private",
    "probability",
    0,
    1,
    0.6,
    "chance that who finds no place at a site is taken in privately, otherwise he is on the street",
    scope="national",
)
EVICTION = Parameter(
    "reception.eviction",
    "per day",
    0,
    1,
    0.15,
    "share of an unpaid site put out each day",
    scope="national",
)
OFFER = Parameter(
    "reception.offer",
    "per day",
    0,
    1,
    0.06,
    "daily chance to leave a site for an offer of 100 in the currency of the case",
    scope="national",
)
TENSION_NUMBERS = Parameter(
    "reception.tension_numbers",
    "per 1000 persons",
    0,
    20,
    1.2,
    "tension with the town that a thousand people in its care with nothing to do make",
    "Card, Dustmann and Preston 2012",
    scope="national",
)
TENSION_INCIDENT = Parameter(
    "reception.tension_incident",
    "per incident",
    0,
    10,
    0.1,
    "tension that an incident adds (a run to the border, an infiltrator, people put out)",
    scope="national",
)
TENSION_DAYS = Parameter(
    "reception.tension_days",
    "days",
    1,
    3650,
    30,
    "time in which tension follows its causes to 63%",
    scope="national",
)
TENSE = 1.0
"""Tension from which the authorities move people elsewhere, as fast as the field dispersal says: its unit."""

RECEPTION_PARAMETERS = (
    switch("reception", "the host lodges and feeds those who came over"),
    DESK,
    RELATIVES,
    CHILDREN,
    PLACES,
    FUNDING,
    PRIVATE,
    EVICTION,
    OFFER,
    TENSION_NUMBERS,
    TENSION_INCIDENT,
    TENSION_DAYS,
)
