"""A case as the page shows it: what it is about, what can be changed, and what every number rests on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.documents import read_yaml
from breakrank.case.models_base import CaseFile
from breakrank.case.source import read_file
from breakrank.case.values import validated
from breakrank.errors import UsageError, nearest
from breakrank.page.shown import short
from breakrank.results.uncertainty import copies_after
from breakrank.runs.cases import lived_under

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from breakrank.case import Case, Draws, Prior
    from breakrank.case.models_events import Counterfactual
    from breakrank.case.prior import ParameterValue


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


def entry(folder: Path) -> dict[str, Any]:
    """Return the case of a folder as it stands in the list.

    Raises
    ------
    CaseError
        for a case.yaml that cannot be used.
    """
    from pydantic import TypeAdapter

    path = folder / "case.yaml"
    said: CaseFile = validated(TypeAdapter(CaseFile), read_yaml(read_file(path), path))
    return entry_of(said)


def entry_of(said: CaseFile) -> dict[str, Any]:
    """Return what case.yaml says as it stands in the list."""
    return {
        "id": said.id,
        "title": said.title,
        "country": said.country,
        "summary": " ".join(said.summary.split()),
        "start": str(said.calendar.start),
        "end": str(said.calendar.end),
    }


LEVELS = np.linspace(0.0, 1.0, 21)
"""Levels of the quantiles that are given."""


def spread(prior: Prior | None, draws: Draws | None, name: str) -> dict[str, Any]:
    """Return ``prior`` and ``posterior`` by quantiles.

    Parameters
    ----------
    draws : those of the case's posterior; ``None`` without one. What was not fitted has no posterior.
    """
    fitted = None
    if draws is not None and name in draws.names:
        fitted = draws.values[:, draws.names.index(name)]
    return {
        "prior": None if prior is None else {"text": repr(prior), "q": _shorted(prior.quantile(LEVELS))},
        "posterior": None if fitted is None else {"q": _shorted(np.quantile(fitted, LEVELS))},
    }


def _shorted(values: npt.NDArray[np.float64]) -> list[float | int | None]:
    return [short(float(v)) for v in values]


def view(case: Case, baseline: dict[str, Any]) -> dict[str, Any]:
    """Return everything the page shows of a case before any run."""
    under = lived_under(case)
    lived = under == "members"
    return {
        **entry_of(case.content.case),
        "currency": case.currency,
        "ranks": [{"id": r.id, "label": r.label} for r in case.force.ranks],
        "branches": [{"id": b.id, "label": b.label} for b in case.force.branches],
        **_places(case),
        "events": [part(e) for e in case.events],
        "fields": [
            {
                "name": f.name,
                "unit": f.unit,
                "low": f.low,
                "high": f.high,
                "about": f.about,
            }
            for f in case.catalogue.fields.values()
        ],
        "counterfactuals": [shown_counterfactual(c, case) for c in case.counterfactuals],
        "mechanisms": _mechanisms(case),
        "targets": [part(t) | {"start": None if t.start is None else str(t.start)} for t in case.targets],
        "observations": {name: part(o) for name, o in case.ledger.observations.items()},
        "sources": {name: part(s) for name, s in case.ledger.sources.items()},
        "parameters": {
            "default": {"members": "worlds", "posterior": "posterior", "point": "values"}[under],
            "choices": [
                *(["worlds"] if lived else []),
                *([] if case.posterior is None else ["posterior"]),
                "values",
            ],
            "worlds": len(case.draws) if lived and case.draws is not None else 0,
            "most": copies_after(case) if lived else None,
            "selected_until": str(case.draws.luck.until) if case.draws and case.draws.luck else None,
        },
        "digest": case.digest,
        "baseline": baseline,
    }


def part(model: Any) -> dict[str, Any]:  # noqa: ANN401 (a part of a case)
    """Return a part of a case as JSON, with evidence as a list that may be empty."""
    out: dict[str, Any] = model.model_dump(mode="json")
    if "evidence" in out:
        out["evidence"] = out["evidence"] or []
    return out


def shown_counterfactual(one: Counterfactual, case: Case) -> dict[str, Any]:
    """Return a named counterfactual with what it changes, in words and as it stands in the case."""
    from breakrank.runs.counterfactuals import changes

    return {
        "id": one.id,
        "title": one.title,
        "question": _line(one.question),
        "changes": list(changes(one, case)),
        "set": dict(one.values),
        "events": [part(e) for e in one.events],
        "without": list(one.without),
        "without_effects": [{"event": d.event, "field": d.field} for d in one.without_effects],
    }


def _line(text: str) -> str:
    return " ".join(text.split())


def _places(case: Case) -> dict[str, Any]:
    from breakrank.force.establishment import Establishment

    at = {p.properties.id: p.geometry.coordinates for p in case.places}
    nowhere = (None, None)
    region = {state: r.id for r in case.content.force.regions for state in r.states}
    soldiers = Establishment.of(case).posted_strength.sum(axis=1) * case.stands_for

    def point(name: str) -> dict[str, Any]:
        lon, lat = at.get(name, nowhere)
        return {"lon": lon, "lat": lat}

    return {
        "states": [{"id": s.id, "label": s.label, "region": region.get(s.id)} for s in case.force.states],
        "crossings": [
            {
                **{name: getattr(c, name) for name in ("id", "label", "kind", "state", "country", "host")},
                "about": c.about,
                "evidence": list(c.evidence or ()),
                "assumed": c.assumed,
                "closed": [{"from": str(s.start), "to": str(s.to)} for s in c.schedule if not s.open],
                **point(c.id),
            }
            for c in case.crossings
        ],
        "sites": [
            {
                **{name: getattr(s, name) for name in ("id", "label", "kind", "country", "capacity")},
                "opens": str(s.opens),
                "closes": None if s.closes is None else str(s.closes),
                "about": s.about,
                "evidence": list(s.evidence or ()),
                "assumed": s.assumed,
                **point(s.place),
            }
            for s in case.sites
        ],
        "payers": payers(case),
        "stations": [
            {"state": s.id, "label": s.label, "soldiers": round(soldiers[k]), **point(s.id)}
            for k, s in enumerate(case.force.states)
            if soldiers[k] > 0 and s.id in at
        ],
        "roads": [{"from": r.start, "to": r.to} for r in case.roads],
    }


def _mechanisms(case: Case) -> list[dict[str, Any]]:
    """Return the parameters by the mechanism that reads them, in the order of the day."""
    from breakrank.model import assembly
    from breakrank.show.evidence import SUBSYSTEMS

    kinds = assembly(case.mechanisms).mechanisms
    about = {kind.name: (kind.__doc__ or "").strip().splitlines()[0] for kind in kinds}
    about = {"force": "Who the soldiers are."} | about
    about["events"] = "What dated events do, where it is not known."
    numbers = {kind.name: kind.subsystem for kind in kinds}
    groups: OrderedDict[str, list[ParameterValue]] = OrderedDict((name, []) for name in about)
    for name, one in case.parameters.items():
        groups.setdefault(name.split(".")[0], []).append(one)
    found = []
    for name, ones in groups.items():
        if not ones:
            continue
        switch = f"{name}.on"
        number = 1 if name == "force" else numbers.get(name)
        found.append(
            {
                "name": name,
                "about": about.get(name, ""),
                "subsystem": number,
                "subsystem_label": SUBSYSTEMS.get(number or 0, ""),
                "switch": switch if switch in case.parameters else None,
                "parameters": [_parameter(case, one) for one in ones],
            }
        )
    return found


def _parameter(case: Case, one: ParameterValue) -> dict[str, Any]:
    declared = case.declared[one.name]
    return {
        "name": one.name,
        "about": declared.about,
        "theory": declared.theory,
        "unit": one.unit,
        "low": one.low,
        "high": one.high,
        "least": declared.low,
        "most": declared.high,
        "value": one.value,
        "scope": declared.scope,
        **spread(one.prior, None if case.posterior is None else case.posterior.draws, one.name),
        "evidence": list(one.evidence),
        "assumed": one.assumed or None,
        "about_value": one.about or None,
    }
