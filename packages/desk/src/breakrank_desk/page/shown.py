"""What the page shows of a desk, as plain data: texts, figures, observations, quantities, links."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from breakrank.case.checks import citing
from breakrank.case.dates import first_day, last_day
from breakrank_desk.languages import unread
from breakrank_desk.normal import words
from breakrank_desk.proposals import Proposal, no_place
from breakrank_desk.quantities import Conflict, Quantity, agreement, interval
from breakrank_desk.review import Review
from breakrank_desk.store import DeskDecision
from breakrank_desk.syndication import WIDTH, Link, runs
from breakrank_desk.texts import Paragraph, Text

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
        "pairs": side_by_side(left, right),
    }  # fmt: skip


def _head(text: Text) -> dict[str, str]:
    return {
        "source": text.source,
        "outlet": text.outlet,
        "date": str(text.date or ""),
        "language": text.language,
    }


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


Half = dict[str, Any]
"""A paragraph: its ``label`` and ``pieces``, each with its ``text`` and whether the other text has it too."""
FEW = 250_000
"""Words of a paragraph times those of the other, up to which the two are aligned word by word."""


def side_by_side(left: Text, right: Text) -> list[dict[str, Half | None]]:
    """Return the stories of two texts beside each other: paragraphs ``left`` and ``right``, if they have one.

    Words are shared in runs of five wherever they stand, and one by one within paragraphs of which the
    right one has half of its words in such runs. Every paragraph comes once, in the order of its text.
    """
    ours, theirs = ([p for p in text.story if p.words] for text in (left, right))
    here = {p.at: _in_runs(p, _runs(theirs)) for p in ours}
    there = {q.at: _in_runs(q, _runs(ours)) for q in theirs}
    partner = _partners(ours, theirs)
    at = {p.at: p for p in ours}
    for q in theirs:
        if q.at in partner:
            p = at[partner[q.at]]
            _align(p, q, here[p.at], there[q.at])

    out: list[dict[str, Half | None]] = []
    waiting = list(theirs)
    for p in ours:
        halves = [q for q in theirs if partner.get(q.at) == p.at]
        while halves and waiting[0].at < halves[0].at and waiting[0].at not in partner:
            out.append({"left": None, "right": _half(waiting.pop(0), there)})
        out.append({"left": _half(p, here), "right": _half(halves[0], there) if halves else None})
        out += [{"left": None, "right": _half(q, there)} for q in halves[1:]]
        waiting = [q for q in waiting if q not in halves]
    return [*out, *({"left": None, "right": _half(q, there)} for q in waiting)]


def _align(p: Paragraph, q: Paragraph, here: list[bool], there: list[bool]) -> None:
    """Mark the words that two paragraphs have one by one, where most of the second is shared already."""
    if 2 * sum(there) < len(there) or len(here) * len(there) > FEW:
        return
    for block in difflib.SequenceMatcher(None, p.words, q.words, autojunk=False).get_matching_blocks():
        here[block.a : block.a + block.size] = [True] * block.size
        there[block.b : block.b + block.size] = [True] * block.size


def _runs(paragraphs: Sequence[Paragraph]) -> set[tuple[str, ...]]:
    return runs([p.words for p in paragraphs])


def _in_runs(paragraph: Paragraph, known: set[tuple[str, ...]]) -> list[bool]:
    """Return for each word of a paragraph whether it stands in a run that the other text has."""
    own, out = paragraph.words, [False] * len(paragraph.words)
    for k in range(len(own) - WIDTH + 1):
        if tuple(own[k : k + WIDTH]) in known:
            out[k : k + WIDTH] = [True] * WIDTH
    return out


def _partners(ours: Sequence[Paragraph], theirs: Sequence[Paragraph]) -> dict[int, int]:
    """Return for paragraphs of the right text the one of the left with which it shares most runs."""
    where: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for p in ours:
        for run in _runs([p]):
            where[run].append(p.at)
    out = {}
    for q in theirs:
        counts = Counter(at for run in _runs([q]) for at in where.get(run, ()))
        if counts:
            out[q.at] = min(counts, key=lambda at: (-counts[at], at))
    return out


def _half(paragraph: Paragraph, flags: dict[int, list[bool]]) -> Half:
    """Return a paragraph in pieces; a word with its marks is one whole, and shared if all of it is."""
    shared, at, out = flags[paragraph.at], 0, list[dict[str, Any]]()
    for m in re.finditer(r"\S+\s*", paragraph.text):
        count = len(words(m.group()))
        one = all(shared[at : at + count]) if count else bool(out and out[-1]["shared"])
        at += count
        if out and out[-1]["shared"] == one:
            out[-1]["text"] += m.group()
            continue
        space = ""
        if out and one:  # the space between belongs to what is shared
            before = out[-1]["text"]
            out[-1]["text"] = before.rstrip()
            space = before[len(before.rstrip()) :]
        out.append({"text": space + m.group(), "shared": one})
    return {"label": paragraph.label, "pieces": out}
