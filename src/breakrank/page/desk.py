"""The desk of one case in the page: its texts, their figures, and what was decided on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from breakrank.desk.coding import read_fields
from breakrank.desk.desk import Desk
from breakrank.desk.edit import edit
from breakrank.desk.proposals import Proposal, mark, no_place, sentences_of
from breakrank.desk.store import Decision
from breakrank.desk.texts import Text
from breakrank.errors import UsageError
from breakrank.page.reader_thread import Reader
from breakrank.page.requests import WantedConflict, WantedDecision, WantedSentence

MOST_OFFERED = 9
"""Entries of a pick list that are shown; each has a digit."""


class DeskOfPage:
    """A desk behind a thread of its own, so that reading reports holds up no other view.

    Parameters
    ----------
    case : id of a built-in case (read only), or a case folder.
    texts : folder of the reports; nothing is ever written into it.

    Raises
    ------
    UsageError, CaseError
        where the folder is not there, or the case cannot be read.
    """

    def __init__(self, case: str | Path, texts: Path) -> None:
        if not texts.is_dir():
            raise UsageError(f"{texts} is no folder\n  Name the folder of your reports.")
        self._desk = Desk.open(case, texts)
        self._offered: dict[str, dict[str, str]] = {}
        self._copies: dict[str, str] = {}
        self._reader = Reader("desk")

    def close(self) -> None:
        """End the thread."""
        self._reader.close()

    async def call(self, function: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Call a function in the desk's thread."""
        return await asyncio.wrap_future(self._reader.submit(function))

    def overview(self) -> dict[str, Any]:
        """Return the texts with what is left of each, the quantities, and what is open."""
        desk = self._desk
        texts, offered, standing = desk.library.texts(), self._keys(), desk.store.standing()
        at_hand = {t.source for t in texts}
        return {
            "writable": not desk.context.built_in,
            "texts": [
                _entry(t, offered.get(t.source, {}), standing) | {"copies": self._copies.get(t.source, "")}
                for t in texts
            ],
            "missing": [s for s in desk.library.sources() if s not in at_hand],
            "quantities": self._quantities(),
            "questions": [
                {"id": q.id, "question": q.question, "about": q.about} for q in desk.questions(open_only=True)
            ],
        }

    def text(self, source: str) -> dict[str, Any]:
        """Return a text by paragraphs, with its figures; a copy has those that only it contains."""
        text, offered = self._desk.text(source), self._keys().get(source, {})
        standing, at = self._desk.store.standing(), {(p.hash, p.label): p.at for p in text.paragraphs}
        found = [p for p in self._desk.proposals(source, decided=True) if p.key in offered]
        marked = (k for k in standing if k.startswith(f"{source}:") and k.endswith(":sentence"))
        found += [self._desk.proposal(k) for k in marked if k not in offered]
        found.sort(key=lambda p: (at[(p.anchor.hash, p.anchor.paragraph)], p.span))
        return {
            "source": source,
            "outlet": text.outlet,
            "date": str(text.date or ""),
            "language": text.language,
            "paragraphs": [
                {"label": p.label, "kind": p.kind, "reason": p.reason, "text": p.text}
                for p in text.paragraphs
            ],
            "figures": [
                _figure(p, at[(p.anchor.hash, p.anchor.paragraph)], text) | self._state(standing.get(p.key))
                for p in found
            ],
        }

    def mark(self, asked: WantedSentence) -> dict[str, Any]:
        """Return the form of a sentence; past the last one, the first."""
        desk, text = self._desk, self._desk.text(asked.source)
        every = sentences_of(text)
        if not every:
            raise UsageError(f"{asked.source} has no sentence to mark")
        here = [k for k, (p, _, span) in enumerate(every) if (p.at, span[0]) <= (asked.paragraph, asked.at)]
        paragraph, number, _ = every[((here[-1] if here else 0) + asked.step) % len(every)]
        found = mark(text, paragraph, number, desk.context, desk.used)
        return _figure(found, paragraph.at, text) | self._state(desk.store.standing().get(found.key))

    def decide(self, asked: WantedDecision) -> dict[str, Any]:
        """Write a decision, as the command line does, and return text and overview anew."""
        desk, key = self._desk, asked.key
        if asked.verb == "undo":
            desk.undo(key)
        elif asked.verb == "accept":
            desk.accept(desk.proposal(key), **read_fields(asked.fields))
        elif asked.verb == "edit":
            edit(desk, desk.proposal(key), **read_fields(asked.fields))
        elif asked.verb == "later":
            desk.later(desk.proposal(key))
        else:
            desk.reject(desk.proposal(key), asked.why)
        return {"desk": self.overview(), "text": self.text(key.partition(":")[0])}

    def settle(self, asked: WantedConflict) -> dict[str, Any]:
        """Note in the ledger that two observations conflict, and return the overview anew."""
        if not any({asked.one, asked.two} == {c.one, c.two} for c in self._desk.conflicts()):
            raise UsageError(f"{asked.one} and {asked.two} do not conflict")
        self._desk.settle(asked.one, asked.two)
        return self.overview()

    def _keys(self) -> dict[str, dict[str, str]]:
        """Return the keys of the figures that each text offers; found once for the same texts."""
        sources = self._desk.library.sources()
        if list(self._offered) != sources:
            links = (x for x in self._desk.links() if x.verdict != "shared quotation")
            self._copies = {x.shorter: f"{x.verdict} of {x.fuller}" for x in links}
            self._offered = {s: {} for s in sources}
            for p in self._desk.proposals(decided=True):
                self._offered[p.source][p.key] = p.figure
        return self._offered

    def _quantities(self) -> list[dict[str, Any]]:
        desk, ledger = self._desk, self._desk.context.ledger
        agreed = {a.quantity: a for a in desk.agreement()}
        conflicts = desk.conflicts()
        return [
            {
                "id": q.id,
                "label": q.label,
                "unit": q.unit,
                "reading": q.reading,
                "figures": agreed[q.id].figures,
                "parents": agreed[q.id].parents,
                "agreeing": agreed[q.id].agreeing,
                "members": [self._observation(m) for m in q.members if m in ledger.observations],
                "conflicts": [
                    {"one": c.one, "two": c.two, "why": c.why, "settled": c.settled}
                    for c in conflicts
                    if c.quantity == q.id
                ],
            }
            for q in desk.quantities()
        ]

    def _observation(self, ident: str) -> dict[str, Any]:
        o = self._desk.context.ledger.observations[ident]
        return {
            "id": o.id, "what": o.what, "text": o.text, "value": o.value, "range": o.range,
            "bound": o.bound, "unit": o.unit, "date": o.date, "says": o.says, "place": o.place,
            "source": o.source, "confidence": o.confidence,
        }  # fmt: skip

    def _state(self, held: Decision | None) -> dict[str, Any]:
        if held is None:
            return {"state": "open", "why_decided": "", "changed": [], "observation": None}
        known = held.observation in self._desk.context.ledger.observations
        return {
            "state": held.verb,
            "why_decided": held.why,
            "changed": list(held.changed),
            "observation": self._observation(held.observation) if known else None,
        }


def _entry(text: Text, offered: Mapping[str, str], standing: Mapping[str, Decision]) -> dict[str, Any]:
    verbs = [standing[k].verb for k in offered if k in standing]
    return {
        "source": text.source,
        "outlet": text.outlet,
        "date": str(text.date or ""),
        "figures": len(offered),
        "decided": sum(v != "later" for v in verbs),
        "later": verbs.count("later"),
    }


def _figure(p: Proposal, paragraph: int, text: Text) -> dict[str, Any]:
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
