"""What a planner changes of a host, as an edit of a case: places of its sites, and sums of its payers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from breakrank.errors import UsageError, nearest

if TYPE_CHECKING:
    from breakrank.case import Case


def edit_of(places: Mapping[str, int], funds: Mapping[str, float], case: Case) -> dict[str, Any]:
    """Return what is written over sites.yaml and payers.yaml, as a scenario file has it.

    A payer who is given money on several days has the sum on the first of them.

    Raises
    ------
    UsageError
        for a site or a payer that the case does not have.
    """
    found: dict[str, Any] = {}
    for name, number in places.items():
        _known(name, case.sites.ids, "site")
        found.setdefault("sites", {})[name] = {"capacity": number}
    for name, amount in funds.items():
        _known(name, case.payers.ids, "payer")
        given = case.payers.named(name).funds
        first = given[0].date if given else case.calendar.start
        found.setdefault("payers", {})[name] = {"funds": [{"date": str(first), "amount": amount}]}
    return found


def numbers_in(edit: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, float]] | None:
    """Return the places and sums that an edit sets; ``None`` where it writes over anything else.

    >>> numbers_in({"sites": {"hotel": {"capacity": 400}}})
    ({'hotel': 400}, {})
    >>> numbers_in({"sites": {"hotel": {"closes": "2019-06-30"}}}) is None
    True
    """
    places: dict[str, int] = {}
    funds: dict[str, float] = {}
    for word, change in edit.items():
        for name, one in change.items() if isinstance(change, Mapping) else ():
            match (word, one):
                case ("sites", {"capacity": int(number), **more}) if not more:
                    places[name] = number
                case (
                    "payers",
                    {"funds": [{"date": _, "amount": int() | float() as amount, **less}], **more},
                ) if not more and not less:
                    funds[name] = float(amount)
                case _:
                    return None
    return None if {*edit} - {"sites", "payers"} else (places, funds)


def payers(case: Case) -> list[dict[str, Any]]:
    """Return who pays for sites of a case but embassies, with the sum of each; ``None`` without limit."""
    mine = dict.fromkeys(name for site in case.sites if site.kind != "embassy" for name in site.payers)
    return [
        {
            "id": one.id,
            "label": one.label,
            "funds": None if one.funds is None else sum(fund.amount for fund in one.funds),
            "assumed": bool(one.assumed),
        }
        for one in case.payers
        if one.id in mine
    ]


def _known(name: str, known: tuple[str, ...], kind: str) -> None:
    if name not in known:
        raise UsageError(f"there is no {kind} {name!r:.90}{nearest(name[:90], known)} in this case")
