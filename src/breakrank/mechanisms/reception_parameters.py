"""The parameters of arrival, registration and lodging."""

from __future__ import annotations

from breakrank.engine.codes import EV_PUT_OUT, EV_RELOCATED, EV_TOOK_OFFER
from breakrank.outputs import CURRENCY, Measure, MeasureSource, daily, level, money, stock
from breakrank.spec import Parameter, switch

DESK = Parameter(
    "reception.desk", "persons per day", 1, 1000000, 250,
    "soldiers whom the host can register in a day",
    scope="national",
)  # fmt: skip
RELATIVES = Parameter(
    "reception.relatives", "fraction", 0, 1, 0.5,
    "share of those who live on a soldier's pay that come along when he leaves with his family",
    scope="national",
)  # fmt: skip
CHILDREN = Parameter(
    "reception.children", "fraction", 0, 1, 0.55,
    "share of the relatives who come along that are under 18",
    scope="national",
)  # fmt: skip
PLACES = Parameter(
    "reception.places", "ratio", 0, 100, 1.0,
    "by how much the places of all sites are multiplied",
    scope="technical",
)  # fmt: skip
FUNDING = Parameter(
    "reception.funding", "ratio", 0, 1000, 1.0,
    "by how much the money of all payers is multiplied",
    scope="technical",
)  # fmt: skip
PRIVATE = Parameter(
    "reception.private", "probability", 0, 1, 0.6,
    "chance that who finds no place at a site is taken in privately, otherwise he is on the street",
    scope="national",
)  # fmt: skip
EVICTION = Parameter(
    "reception.eviction", "per day", 0, 1, 0.15,
    "share of an unpaid site put out each day",
    scope="national",
)  # fmt: skip
OFFER = Parameter(
    "reception.offer", "per day", 0, 1, 0.06,
    "daily chance to leave a site for an offer of 100 in the currency of the case",
    scope="national",
)  # fmt: skip
TENSION_NUMBERS = Parameter(
    "reception.tension_numbers", "per 1000 persons", 0, 20, 1.2,
    "tension with the town that a thousand people in its care with nothing to do make",
    "Card, Dustmann and Preston 2012", scope="national",
)  # fmt: skip
TENSION_INCIDENT = Parameter(
    "reception.tension_incident", "per incident", 0, 10, 0.1,
    "tension that an incident adds (a run to the border, an infiltrator, people put out)",
    scope="national",
)  # fmt: skip
TENSION_DAYS = Parameter(
    "reception.tension_days", "days", 1, 3650, 30,
    "time in which tension follows its causes to 63%",
    scope="national",
)  # fmt: skip
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


OUTPUTS = (
    daily("arrived_soldiers", "Crossed to the host"),
    daily("arrived_relatives", "Relatives who came along", unit="relatives"),
    daily("arrived_children", "Children who came along", unit="children"),
    stock("desk_waiting", "Waiting to be registered"),
    stock("stay_soldiers", "Where soldiers at the host are at dusk", by=("stay",), measure=None),
    stock("stay_relatives", "Where their relatives are at dusk", "relatives", by=("stay",), measure=None),
    stock("site_soldiers", "Soldiers in sites at dusk", by=("site",), measure=None),
    stock("site_relatives", "Relatives in sites at dusk", "relatives", by=("site",), measure=None),
    stock("site_children", "Children in sites at dusk", "children", by=("site",), measure=None),
    stock("programme_soldiers", "Soldiers in the host's programme at dusk", measure=None),
    stock("programme_relatives", "Their relatives in it", "relatives", measure=None),
    stock("families", "Households with relatives in the host's care", "families"),
    daily("meals", "Meals", unit="meals"),
    money("cost", "Cost of the sites"),
    money("unpaid", "Cost not covered by funds"),
    daily("put_out", "Put out of a site", EV_PUT_OUT, primary=10),
    daily("relocated", "Moved elsewhere by the authorities", EV_RELOCATED),
    daily("took_offer", "Left a site for an offer", EV_TOOK_OFFER),
    level("morale", "Morale of those in the host's care", "fraction"),
    level("tension", "Tension with the town", "tension"),
)
"""What it hands back, day by day."""
MEASURES = (
    Measure("arrived", "Arrived at the host", "soldiers", "total", {"": MeasureSource("arrived_soldiers")}),
    Measure(
        "relatives_ratio",
        "Relatives who came along, per soldier",
        "ratio",
        "quotient",
        {"": MeasureSource("arrived_relatives")},
        over="arrived_soldiers",
    ),
    Measure(
        "in_sites",
        "Soldiers in sites",
        "soldiers",
        "level",
        {"": MeasureSource("stay_soldiers", {"stay": "site"}), "site": MeasureSource("site_soldiers")},
    ),
    Measure(
        "persons_in_sites",
        "Persons in sites",
        "persons",
        "level",
        {
            "": MeasureSource("stay_soldiers", {"stay": "site"}, ("stay_relatives",)),
            "site": MeasureSource("site_soldiers", also=("site_relatives",)),
        },
    ),
    Measure(
        "in_programme",
        "Soldiers in the host's programme",
        "soldiers",
        "level",
        {"": MeasureSource("programme_soldiers")},
    ),
    Measure(
        "persons_in_programme",
        "Persons in the host's programme",
        "persons",
        "level",
        {"": MeasureSource("programme_soldiers", also=("programme_relatives",))},
    ),
    Measure(
        "cost_per_day",
        "Cost of the sites per day",
        f"{CURRENCY} per day",
        "level",
        {"": MeasureSource("cost"), "payer": MeasureSource("cost")},
    ),
)
"""What can be asked of that beyond each output by itself."""
