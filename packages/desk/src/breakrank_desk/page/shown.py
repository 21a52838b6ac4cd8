"""What the page shows of a desk, as plain data: texts, figures, observations, quantities, links."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from breakrank.case.checks import citing
from breakrank.case.dates import first_day, last_day
from breakrank_desk.languages import unread
from breakrank_desk.proposals import Proposal, no_place
from breakrank_desk.quantities import Conflict, Quantity, agreement, interval
from breakrank_desk.review import Review
from breakrank_desk.side_by_side import Half, side_by_side
from breakrank_desk.store import DeskDecision
from breakrank_desk.syndication import Link
from breakrank_desk.texts import Text

MOST_OFFERED = 9
"""Entries of a pick list that are shown; each has a digit."""


def quantities(desk: Review) -> list[dict[str, Any]]:
    """Return the named quantities with their figures in time, and how far these agree."""
    found = desk.conflicts()
    return [_quantity(q, desk, [c for c in found if c.quantity == q.id]) for q in desk.quantities()]


def _quantity(q: Quantity, desk: Review, conflicts: Sequence[Conflict]) -> dict[str, Any]:
    ledger = desk.context.ledger
    agreed = agreement(q, ledger)
    return {
        "id": q.id, "label": q.label, "unit": q.unit, "reading": q.reading,
        "figures": agreed.figures, "parents": agreed.parents, "agreeing": agreed.agreeing,
        "members": [observation(desk, m) | _in_time(desk, m) for m in q.members if m in ledger.observations],
        "conflicts": [{"one": c.one, "two": c.two, "why": c.why, "settled": c.settled} for c in conflicts],
    }  # fmt: skip


def accepted(desk: Review, standing: Iterable[DeskDecision]) -> list[dict[str, Any]]:
    """Return the accepted figures that nothing of the case rests on yet, the last accepted first."""
    ledger = desk.context.ledger
    held = [d.observation for d in sorted(standing, key=lambda d: d.at)][::-1]
    figures = [name for name in held if name in ledger.observations and interval(ledger.observations[name])]
    found = [observation(desk, name) | _in_time(desk, name) for name in figures]
    return [one for one in found if not one["cited"]]


def _in_time(desk: Review, ident: str) -> dict[str, Any]:
    """Return where an observation stands in a picture: days, ends (``None`` where open), and its parent."""
    o = desk.context.ledger.observations[ident]
    low, high = interval(o) or (math.nan, math.nan)
    return {
        "first": str(first_day(o.date)), "last": str(last_day(o.date)),
        "low": low if math.isfinite(low) else None, "high": high if math.isfinite(high) else None,
        "parent": desk.context.ledger.original(o.source).id,
    }  # fmt: skip


def observation(desk: Review, ident: str) -> dict[str, Any]:
    """Return an observation of the ledger, and all that cites it."""
    o = desk.context.ledger.observations[ident]
    cited = [
        f"{file.removesuffix('.yaml')}: {getattr(thing, 'id', path[-1])}"
        for file, path, thing in citing(desk.context.loaded)
        if ident in (thing.evidence or ())
    ]
    return {
        "id": o.id, "what": o.what, "text": o.text, "value": o.value, "range": o.range,
        "bound": o.bound, "unit": o.unit, "date": o.date, "says": o.says, "place": o.place,
        "source": o.source, "confidence": o.confidence, "cited": cited,
    }  # fmt: skip


def state(desk: Review, held: DeskDecision | None) -> dict[str, Any]:
    """Return what was decided on a figure."""
    if held is None:
        return {"state": "open", "why_decided": "", "changed": [], "observation": None}
    known = held.observation in desk.context.ledger.observations
    return {
        "state": held.verb, "why_decided": held.why, "changed": list(held.changed),
        "observation": observation(desk, held.observation) if known else None,
    }  # fmt: skip


def beside(link: Link, desk: Review) -> dict[str, Any]:
    """Return two texts side by side: what they share, and what differs."""
    left, right = desk.library.text(link.fuller), desk.library.text(link.shorter)
    return {
        "fuller": _head(left), "shorter": _head(right), "verdict": link.verdict,
        "judged": desk.judged().get((link.fuller, link.shorter), ""),
        "contained": link.containment, "quoted": link.quoted, "agency": link.agency,
        "differs": [{"paragraph": p, "what": what} for p, what in link.differs],
        "pairs": [{"left": _part(p.left), "right": _part(p.right)} for p in side_by_side(left, right)],
    }  # fmt: skip


def _head(text: Text) -> dict[str, str]:
    return {
        "source": text.source,
        "outlet": text.outlet,
        "date": str(text.date or ""),
        "language": text.language,
    }


def _part(half: Half | None) -> dict[str, Any] | None:
    if half is None:
        return None
    return {"label": half.label, "pieces": [{"text": p.text, "shared": p.shared} for p in half.pieces]}


def entry(text: Text, offered: Mapping[str, str], standing: Mapping[str, DeskDecision]) -> dict[str, Any]:
    """Return a text of the list: how many figures it offers, and how many are decided."""
    verbs = [standing[k].verb for k in offered if k in standing]
    return {
        "source": text.source,
        "outlet": text.outlet,
        "date": str(text.date or ""),
        "unread": unread(text),
        "figures": len(offered),
        "decided": sum(v != "later" for v in verbs),
        "later": verbs.count("later"),
    }


def figure(p: Proposal, paragraph: int, text: Text) -> dict[str, Any]:
    """Return a figure with the form that was filled for it."""
    start, end = p.span
    if not end:  # a plug-in need not say where its words stand
        start = max(0, text.paragraphs[paragraph].text.find(p.words))
        end = start + len(p.words)
    return {
        "key": p.key, "kind": p.kind, "paragraph": paragraph, "start": start, "end": end,
        "words": p.words, "read": p.figure, "value": p.value, "range": p.range, "bound": p.bound,
        "unit": p.unit or p.counted or "persons",
        "why": p.why, "proposer": p.proposer,
        "dates": [{"value": m.when, "why": m.why} for m in p.dates[:MOST_OFFERED]],
        "says": _choices(p.says), "places": _places(p.places),
    }  # fmt: skip


def _places(values: Sequence[str]) -> list[dict[str, str]]:
    """Return the places to choose from; that none is known is always among them, as an empty one."""
    known = [{"value": v, "why": ""} for v in values if not no_place(v)][: MOST_OFFERED - 1]
    none = {"value": "", "why": "none"}
    return [none, *known] if no_place(values[0]) else [*known, none]


def _choices(values: Sequence[str]) -> list[dict[str, str]]:
    return [{"value": v, "why": ""} for v in values[:MOST_OFFERED]]
