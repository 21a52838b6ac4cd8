"""Questions that open by themselves: what a human has to settle before a figure should be leaned on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from breakrank.desk.normal import digest
from breakrank.desk.overview import Overview
from breakrank.desk.store import QUESTIONS


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
        *_undated(desk),
        *_conflicts(desk),
        *_orphans(desk),
        *_lone_targets(desk),
        *_flattened(desk),
    ]
    written = {
        str(e["id"]): Question(**{k: str(v) for k, v in e.items()}) for e in desk.store.entries(QUESTIONS)
    }
    out = [written.pop(q.id, q) for q in found]
    return [*out, *written.values()]


def _undated(desk: Overview) -> list[Question]:
    out = []
    for ident, entry in desk.library.entries().items():
        source = desk.context.source(ident)
        if not entry.get("date") and (source is None or len(source.date) < 10 or "/" in source.date):
            out.append(
                _asked("undated", ident, f"When was {ident} published? The page's own dates are not taken.")
            )
    return out


def _conflicts(desk: Overview) -> list[Question]:
    return [
        _asked(
            "conflict",
            f"{c.one} {c.two}",
            f"{c.one} and {c.two} count {c.quantity} and cannot both be so: {c.why}",
        )
        for c in desk.conflicts()
        if not c.settled
    ]


def _orphans(desk: Overview) -> list[Question]:
    return [
        _asked(found.state, name, f"On which words does {name} rest now? {found.why.capitalize()}.")
        for name, found in desk.anchors().items()
        if found.state != "holds"
    ]


def _lone_targets(desk: Overview) -> list[Question]:
    """Ask about targets that the desk's observations feed and that one parent alone stands behind."""
    ours = set(desk.store.anchors())
    out = []
    for target in desk.context.loaded.content.targets:
        evidence = [o for o in target.evidence or () if o in desk.context.ledger.observations]
        if ours & set(evidence) and desk.context.ledger.independent(evidence) == 1:
            out.append(
                _asked(
                    "lone",
                    target.id,
                    f"Only one parent stands behind the target {target.id}. Who else counts it?",
                )
            )
    return out


def _flattened(desk: Overview) -> list[Question]:
    """Ask about figures whose words were hedged and which stand in the ledger as one exact number."""
    out = []
    for decision in desk.store.in_force().values():
        if decision.verb != "edited" or not {"range", "bound"} & set(decision.changed):
            continue
        o = desk.context.ledger.observations.get(decision.observation)
        if o is not None and o.value is not None and o.bound is None:
            out.append(
                _asked(
                    "flattened",
                    o.id,
                    f"The words behind {o.id} were hedged, and it stands as one number. On purpose?",
                )
            )
    return out
