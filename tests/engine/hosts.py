"""Worlds with much to do for the host: many cross, with families, and all that reception knows happens."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from breakrank.case import Case
from breakrank.case.models_routes import Fund
from tests.engine.worlds import BUSY, in_full, lively

HOSTING: Mapping[str, float] = {
    "decision.baseline_leave": 8,
    "decision.breadwinner": 0,
    "routes.kin_slip": 0.1,
    "routes.registration_lag": 3,
    "reception.relatives": 0.7,
    "reception.private": 0.3,
    "reception.tension_numbers": 20,
    "reception.tension_incident": 1,
    "screening.sent": 0.2,
    "screening.found": 0.06,
    "screening.wrong": 0.004,
    "asylum.double_nationals": 0.1,
    "asylum.first_days": 12,
    "asylum.effort": 2,
    "exile.return_rate": 0.01,
    "exile.onward_kin": 0.01,
    "exile.onward_other": 0.01,
    "exile.willing": 0.9,
    "challenger.spent_by_neglect": 0.5,
}
"""Everything is frequent in a force of a few thousand; far from the record on purpose."""
FROM: Mapping[str, tuple[tuple[str, float, str | None], ...]] = {
    "registration": (("2019-01-05", 1, None),),
    "asylum_staff": (("2019-01-15", 3, "2019-02-10"), ("2019-02-25", 8, None)),
    "departure_offer": (("2019-02-01", 80, "2019-02-05"),),
    "dispersal": (("2019-01-02", 0.03, None),),
    "onward_help": (("2019-02-10", 1, "2019-02-14"),),
    "right_to_work": (("2019-02-20", 1, "2019-03-01"),),
    "permit": (("2019-03-05", 1, None),),
    "enlistment": (("2019-01-10", 0.2, "2019-03-10"),),
    "arming": (("2019-02-12", 1, "2019-02-28"),),
    "call": (("2019-01-30", 0.9, "2019-01-30"), ("2019-02-20", 0.9, "2019-02-21")),
}
"""What the host and the challenger do from when to when."""


def events() -> list[dict[str, Any]]:
    """Return the events that set the fields."""
    found: list[dict[str, Any]] = []
    for name, spells in FROM.items():
        for k, (date, value, until) in enumerate(spells):
            effect: dict[str, object] = {"field": name, "op": "set", "value": value}
            effect |= {"until": until} if until else {}
            about = {"id": f"host-{name.replace('_', '-')}-{k}", "date": date, "title": f"Of {name}"}
            found.append(about | {"assumed": "To see what follows.", "effects": [effect]})
    return found


def effect(field: str, op: str, value: float) -> list[dict[str, object]]:
    """Return an event that changes a field for good from the second day."""
    effects = [{"field": field, "op": op, "value": value}]
    why = "To see in which direction it works."
    return [{"id": "change", "date": "2019-01-02", "title": "A change", "assumed": why, "effects": effects}]


def with_sites(
    case: Case, *, places: float = 1.0, funds: float | None = None, opens: str | None = None
) -> Case:
    """Return the case with more `places`, other `funds` of each payer that has a limit, another first day."""
    sites, payers = case.content.sites, case.content.payers
    changes: dict[str, Any] = {"opens": dt.date.fromisoformat(opens)} if opens else {}
    changed = tuple(s.model_copy(update=changes | {"capacity": int(s.capacity * places)}) for s in sites)
    if funds is not None:
        fund = (Fund(date=case.calendar.start, amount=funds),)
        payers = tuple(p.model_copy(update={"funds": p.funds and fund}) for p in payers)
    return Case(replace(case.content, sites=changed, payers=payers), case.catalogue)


@cache
def prepared() -> Case:
    """Return the lively case with all that the host does, over the whole year; the rest is typical."""
    return with_sites(lively().with_events(events()), places=0.4, funds=30_000, opens="2019-01-10")


@cache
def hosting(strength: int = 2_000, until: str = "2019-03-31", **values: float) -> Case:
    """Return a busy case whose host has much to do; names of `values` have ``__`` for the dot."""
    dotted = {name.replace("__", "."): value for name, value in values.items()}
    return in_full(prepared().set({**BUSY, **HOSTING, "force.strength": strength, **dotted})).until(until)
