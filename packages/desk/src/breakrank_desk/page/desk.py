"""The desk of one case in the page: its texts, their figures, and what was decided on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from breakrank.errors import UsageError
from breakrank.page.question import Name, Sent
from breakrank.page.state import Reader
from breakrank_desk.coding import read_fields
from breakrank_desk.desk import Desk
from breakrank_desk.languages import unread
from breakrank_desk.page import shown
from breakrank_desk.proposals import mark, sentences_of
from breakrank_desk.syndication import Link
from breakrank_desk.texts import Kind


class WantedDecision(Sent):
    """What the reader decided on a figure of the desk, with the fields of the form as typed."""

    key: Name
    verb: Literal["accept", "edit", "reject", "later", "undo"]
    fields: Annotated[
        dict[Name, Annotated[str, Field(strict=True, max_length=2000)]], Field(max_length=20)
    ] = Field(default_factory=dict)
    why: Annotated[str, Field(strict=True, max_length=500)] = ""


class WantedSentence(Sent):
    """The sentence around a place of a text, or the next or previous one."""

    source: Name
    paragraph: Annotated[int, Field(strict=True, ge=0, le=10**6)] = 0
    at: Annotated[int, Field(strict=True, ge=0, le=10**9)] = 0
    step: Annotated[int, Field(strict=True, ge=-1, le=1)] = 0


class WantedConflict(Sent):
    """Two observations of one quantity that contradict each other."""

    one: Name
    two: Name


class WantedVerdict(Sent):
    """Whether two texts belong together as the desk found, or are separate."""

    fuller: Name
    shorter: Name
    separate: bool = False


class WantedAnswer(Sent):
    """The answer to an open question."""

    id: Name
    answer: Annotated[str, Field(strict=True, min_length=1, max_length=500)]


class WantedKind(Sent):
    """What a paragraph of a text is; counted from 0 among all."""

    source: Name
    paragraph: Annotated[int, Field(strict=True, ge=0, le=10**6)]
    kind: Kind


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
        self._links: list[Link] = []
        self._reader = Reader("desk")

    def close(self) -> None:
        """End the thread."""
        self._reader.stop()

    async def call(self, function: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Call a function in the desk's thread."""
        return await asyncio.wrap_future(self._reader.submit(function))

    def overview(self) -> dict[str, Any]:
        """Return the texts with what is left of each, the quantities, and what is open."""
        desk = self._desk
        texts, offered, standing = desk.library.texts(), self._keys(), desk.store.in_force()
        at_hand, judged = {t.source for t in texts}, desk.judged()
        copies = {
            x.shorter: f"{x.verdict} of {x.fuller}"
            for x in self._links
            if x.verdict != "shared quotation" and judged.get((x.fuller, x.shorter)) != "separate"
        }
        return {
            "writable": not desk.context.built_in,
            "texts": [
                shown.entry(t, offered.get(t.source, {}), standing) | {"copies": copies.get(t.source, "")}
                for t in texts
            ],
            "missing": [s for s in desk.library.sources() if s not in at_hand],
            "links": [
                {
                    "fuller": x.fuller,
                    "shorter": x.shorter,
                    "verdict": x.verdict,
                    "judged": judged.get((x.fuller, x.shorter), ""),
                }
                for x in self._links
            ],
            "quantities": shown.quantities(desk),
            "accepted": shown.accepted(desk, standing.values()),
            "questions": [
                {"id": q.id, "question": q.question, "about": q.about} for q in desk.questions(open_only=True)
            ],
        }

    def text(self, source: str) -> dict[str, Any]:
        """Return a text by paragraphs, with its figures; a copy has those that only it contains."""
        desk = self._desk
        text, offered = desk.text(source), self._keys().get(source, {})
        standing, at = desk.store.in_force(), {(p.hash, p.label): p.at for p in text.paragraphs}
        found = [p for p in self._desk.proposals(source, decided=True) if p.key in offered]
        marked = (k for k in standing if k.startswith(f"{source}:") and k.endswith(":sentence"))
        if not unread(text):
            found += [self._desk.proposal(k) for k in marked if k not in offered]
        found.sort(key=lambda p: (at[(p.anchor.hash, p.anchor.paragraph)], p.span))
        return {
            "source": source,
            "outlet": text.outlet,
            "date": str(text.date or ""),
            "language": text.language,
            "unread": unread(text),
            "paragraphs": [
                {"label": p.label, "kind": p.kind, "reason": p.reason, "text": p.text}
                for p in text.paragraphs
            ],
            "figures": [
                shown.figure(p, at[(p.anchor.hash, p.anchor.paragraph)], text)
                | shown.state(desk, standing.get(p.key))
                for p in found
            ],
        }

    def mark(self, asked: WantedSentence) -> dict[str, Any]:
        """Return the form of a sentence; past the last one, the first."""
        desk, text = self._desk, self._desk.text(asked.source)
        if why := unread(text):
            raise UsageError(why)
        every = sentences_of(text)
        if not every:
            raise UsageError(f"{asked.source} has no sentence to mark")
        here = [k for k, (p, _, span) in enumerate(every) if (p.at, span[0]) <= (asked.paragraph, asked.at)]
        paragraph, number, _ = every[((here[-1] if here else 0) + asked.step) % len(every)]
        found = mark(text, paragraph, number, desk.context, desk.used)
        return shown.figure(found, paragraph.at, text) | shown.state(
            desk, desk.store.in_force().get(found.key)
        )

    def decide(self, asked: WantedDecision) -> dict[str, Any]:
        """Write a decision, as the command line does, and return text and overview anew."""
        desk, key = self._desk, asked.key
        if asked.verb == "undo":
            desk.undo(key)
        elif asked.verb == "accept":
            desk.accept(desk.proposal(key), **read_fields(asked.fields))
        elif asked.verb == "edit":
            desk.edit(desk.proposal(key), **read_fields(asked.fields))
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

    def beside(self, fuller: str, shorter: str) -> dict[str, Any]:
        """Return two texts that belong together, side by side."""
        return shown.beside(self._link(fuller, shorter), self._desk)

    def judge(self, asked: WantedVerdict) -> dict[str, Any]:
        """Write the verdict on two texts, and return them and the overview anew."""
        link = self._link(asked.fuller, asked.shorter)
        self._desk.confirm(link, "separate" if asked.separate else None)
        self._offered = {}
        return {"desk": self.overview(), "beside": shown.beside(link, self._desk)}

    def answer(self, asked: WantedAnswer) -> dict[str, Any]:
        """Close a question with an answer, and return the overview anew."""
        self._desk.answer(asked.id, asked.answer)
        return self.overview()

    def kind(self, asked: WantedKind) -> dict[str, Any]:
        """Set what a paragraph is, and return text and overview anew."""
        self._desk.set_kind(asked.source, asked.paragraph, asked.kind)
        self._offered = {}
        return {"desk": self.overview(), "text": self.text(asked.source)}

    def _link(self, fuller: str, shorter: str) -> Link:
        self._keys()
        found = next((x for x in self._links if (x.fuller, x.shorter) == (fuller, shorter)), None)
        if found is None:
            raise UsageError(f"{fuller} and {shorter} have nothing in common")
        return found

    def _keys(self) -> dict[str, dict[str, str]]:
        """Return the keys of the figures that each text offers; found once for the same texts."""
        sources = self._desk.library.sources()
        if list(self._offered) != sources:
            self._links = self._desk.links()
            self._offered = {s: {} for s in sources}
            for p in self._desk.proposals(decided=True):
                self._offered[p.source][p.key] = p.figure
        return self._offered
