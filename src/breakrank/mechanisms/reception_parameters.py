"""The parameters of arrival, registration and lodging."""

from __future__ import annotations

from breakrank.engine.codes import EV_PUT_OUT, EV_RELOCATED, EV_TOOK_OFFER
from breakrank.outputs import CURRENCY, Measure, MeasureSource, daily, level, money, stock
from breakrank.spec import parameter, switch

DESK = parameter("reception.desk")
RELATIVES = parameter("reception.relatives")
CHILDREN = parameter("reception.children")
PLACES = parameter("reception.places")
FUNDING = parameter("reception.funding")
PRIVATE = parameter("reception.private")
EVICTION = parameter("reception.eviction")
OFFER = parameter("reception.offer")
TENSION_NUMBERS = parameter("reception.tension_numbers")
TENSION_INCIDENT = parameter("reception.tension_incident")
TENSION_DAYS = parameter("reception.tension_days")
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
