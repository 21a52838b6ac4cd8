"""What a plan counts of people: names, units, and what their sums over days are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True, slots=True)
class PlanQuantity:
    """Something counted day by day; ``total`` names its sum over days, empty for what does not add up."""

    id: str
    label: str
    unit: str
    kind: Literal["daily", "stock"]
    total: str = ""


_TABLE = (
    PlanQuantity("arrivals", "Arrivals", "persons", "daily", "Arrivals"),
    PlanQuantity("arrived_soldiers", "Soldiers arriving", "soldiers", "daily", "Soldiers among them"),
    PlanQuantity("arrived_relatives", "Relatives arriving", "relatives", "daily", "Relatives among them"),
    PlanQuantity("arrived_children", "Children arriving", "children", "daily", "Children among them"),
    PlanQuantity("need", "People who need shelter", "persons", "stock", "Person-days of shelter"),
    PlanQuantity("in_sites", "In sites", "persons", "stock", "Person-days in sites"),
    PlanQuantity("unmet", "In no site, whole host", "persons", "stock"),
    PlanQuantity("private", "In private homes", "persons", "stock", "Person-days in private homes"),
    PlanQuantity("street", "Without a roof", "persons", "stock", "Person-nights without a roof"),
    PlanQuantity("programme", "In the host's programme", "persons", "stock", "Person-days in the programme"),
    PlanQuantity("families", "Families (households with relatives)", "families", "stock"),
    PlanQuantity("children", "Children in sites", "children", "stock"),
    PlanQuantity("short", "Places missing", "places", "stock", "Place-days missing"),
    PlanQuantity("meals", "Meals served in sites", "meals", "daily", "Meals served in sites"),
    PlanQuantity("meals_needed", "Meals needed", "meals", "daily", "Meals needed"),
    PlanQuantity("desk_waiting", "Waiting to be registered", "soldiers", "stock"),
    PlanQuantity("requests", "Requests for asylum", "requests", "daily", "Requests for asylum"),
    PlanQuantity("decisions", "Asylum decisions", "decisions", "daily", "Asylum decisions"),
    PlanQuantity("files_open", "Asylum files open", "files", "stock"),
)

QUANTITIES: Mapping[str, PlanQuantity] = MappingProxyType({q.id: q for q in _TABLE})
"""What a plan counts, by id, in order. A site has fewer of them than a host."""

_HERE = {
    "need": PlanQuantity(
        "need", "Need here, with its share", "persons", "stock", "Person-days of shelter, with its share"
    ),
    "short": PlanQuantity("short", "Places missing here", "places", "stock", "Place-days missing here"),
    "meals_needed": PlanQuantity(
        "meals_needed", "Meals needed here", "meals", "daily", "Meals needed, with its share"
    ),
}
"""What some quantities are called in a town or single sites: their share of those in no site is in them."""


def quantity(name: str, host: bool) -> PlanQuantity:
    """Return what a quantity is, in the words for a host or for a place in it.

    >>> quantity("need", True).label, quantity("need", False).label
    ('People who need shelter', 'Need here, with its share')
    """
    return QUANTITIES[name] if host else _HERE.get(name, QUANTITIES[name])
