"""Questions that open by themselves: what a human has to settle before a figure should be leaned on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from breakrank_desk.normal import digest
from breakrank_desk.overview import Overview
from breakrank_desk.store import QUESTIONS


@dataclass(frozen=True)
class Question:
    """Something open: what, about what, since when, and how it was answered."""

    id: str
    question: str
    about: str
    opened: str = ""
    closed: str = ""
    answer: str = ""

    def plain(self) -> dict[str, Any]:
        """Return it as written into a file."""
        return {k: v for k, v in self.__dict__.items() if v}


def _asked(kind: str, about: str, question: str) -> Question:
    return Question(f"{kind}-{digest(about)[:8]}", question, about)


def due(desk: Overview) -> list[Question]:
    """Return the questions that are due, those written before with their answers.

    Each has the same id every time.
    """
    found = [
        question
        for asks in (_undated, _conflicts, _orphans, _lone_targets, _flattened)
        for question in asks(desk)
    ]
    entries = ({k: str(v) for k, v in e.items()} for e in desk.store.entries(QUESTIONS))
    written = {e["id"]: Question(**e) for e in entries}
    out = [written.pop(q.id, q) for q in found]
    return [*out, *written.values()]


def _undated(desk: Overview) -> Iterator[Question]:
    for ident, entry in desk.library.entries().items():
        source = desk.context.source(ident)
        if not entry.get("date") and (source is None or len(source.date) < 10 or "/" in source.date):
            told = f"When was {ident} published? The page's own dates are not taken."
            yield _asked("undated", ident, told)


def _conflicts(desk: Overview) -> Iterator[Question]:
    for c in desk.conflicts():
        if not c.settled:
            told = f"{c.one} and {c.two} count {c.quantity} and cannot both be so: {c.why}"
            yield _asked("conflict", f"{c.one} {c.two}", told)


def _orphans(desk: Overview) -> Iterator[Question]:
    for name, found in desk.anchors().items():
        if found.state != "holds":
            told = f"On which words does {name} rest now? {found.why.capitalize()}."
            yield _asked(found.state, name, told)


def _lone_targets(desk: Overview) -> Iterator[Question]:
    """Ask about targets that the desk's observations feed and that one parent alone stands behind."""
    ours, ledger = set(desk.store.anchors()), desk.context.ledger
    for target in desk.context.loaded.content.targets:
        evidence = [o for o in target.evidence or () if o in ledger.observations]
        if ours & set(evidence) and ledger.independent(evidence) == 1:
            told = f"Only one parent stands behind the target {target.id}. Who else counts it?"
            yield _asked("lone", target.id, told)


def _flattened(desk: Overview) -> Iterator[Question]:
    """Ask about figures whose words were hedged and which stand in the ledger as one exact number."""
    for decision in desk.store.in_force().values():
        if decision.verb != "edited" or not {"range", "bound"} & set(decision.changed):
            continue
        o = desk.context.ledger.observations.get(decision.observation)
        if o is not None and o.value is not None and o.bound is None:
            told = f"The words behind {o.id} were hedged, and it stands as one number. On purpose?"
            yield _asked("flattened", o.id, told)
