"""What belongs together, what contradicts and what is open: the desk looked at as a whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace

from breakrank.case.yaml_reader import read_yaml
from breakrank.desk.anchors import Found, follow
from breakrank.desk.checks import Finding, check, copied
from breakrank.desk.context import Context
from breakrank.desk.ledger_text import OBSERVATIONS, SOURCES, checked, with_conflict, with_key, without
from breakrank.desk.library import Library
from breakrank.desk.quantities import (
    Agreement,
    Conflict,
    Quantity,
    agreement,
    conflicts,
    quantities,
    without_member,
)
from breakrank.desk.questions import Question, due
from breakrank.desk.store import LINKS, QUANTITIES, QUESTIONS, Store
from breakrank.desk.syndication import Link, links
from breakrank.errors import UsageError, nearest


class Review:
    """The part of a desk that looks at all its texts and observations together."""

    context: Context
    store: Store
    library: Library
    by: str

    def reopen(self) -> None:
        """Read the case's files anew."""
        self.context = Context.open(self.context.folder)
        self.library.context = self.context

    # What belongs together, what contradicts, what is open.

    def links(self) -> list[Link]:
        """Return how the texts at hand belong together."""
        return links(self.library.texts())

    def confirm(self, link: Link) -> None:
        """Write that the shorter of two texts is a copy.

        ``copy_of`` in the ledger, the verdict in the desk's links.
        """
        self.context.must_be_writable()
        files = self.store.files
        with self.store.files.locked():
            if link.verdict in ("copy", "version") and self.context.source(link.shorter):
                parent = self.context.source(link.fuller)
                top = parent.copy_of if parent and parent.copy_of else link.fuller
                text = with_key(files.read(inner(SOURCES)), link.shorter, "copy_of", top, SOURCES)
                files.write(inner(SOURCES), checked(text, SOURCES))
            kept = [e for e in self.store.entries(LINKS) if e.get("pair") != [link.fuller, link.shorter]]
            new = {"pair": [link.fuller, link.shorter], "verdict": link.verdict, "by": self.by, "at": now()}
            self.store.write_entries(LINKS, [*kept, new])
        self.reopen()

    def folded(self) -> dict[str, tuple[str, ...]]:
        """Return, for each copy, the paragraphs in which it says what its fuller version does not."""
        return {x.shorter: x.only for x in self.links() if x.verdict in ("copy", "version")}

    def quantities(self) -> tuple[Quantity, ...]:
        """Return the named quantities."""
        return quantities(self.store)

    def agreement(self) -> list[Agreement]:
        """Return, for each quantity, how many parents agree."""
        return [agreement(q, self.context.ledger) for q in self.quantities()]

    def conflicts(self) -> list[Conflict]:
        """Return pairs of observations of one quantity that cannot both be so."""
        return [c for q in self.quantities() for c in conflicts(q, self.context.ledger)]

    def settle(self, one: str, two: str) -> None:
        """Write into the ledger that two observations conflict; both name each other."""
        self.context.must_be_writable()
        with self.store.files.locked():
            files = self.store.files
            files.write(
                inner(OBSERVATIONS),
                checked(with_conflict(files.read(inner(OBSERVATIONS)), one, two), OBSERVATIONS),
            )
        self.reopen()

    def anchors(self) -> dict[str, Found]:
        """Return what became of each anchor whose text is at hand."""
        return {
            o: follow(a, self.library.text(a.source).paragraphs)
            for o, a in self.store.anchors().items()
            if self.library.at_hand(a.source)
        }

    def remove(self, observation: str, *, stays: bool = False) -> None:
        """Take an observation, where it is there, out of the ledger, the anchors and the quantities.

        Parameters
        ----------
        stays : whether another with its id follows, so that what rests on it may go on naming it.

        Raises
        ------
        UsageError
            where another file of the case, or another observation, names it.
        """
        if observation not in self.context.ledger.observations:
            return
        files, folder = self.store.files, self.context.folder
        with files.locked():
            left = checked(without(files.read(inner(OBSERVATIONS)), observation, OBSERVATIONS), OBSERVATIONS)
            others = (f for f in sorted(folder.rglob("*.yaml")) if "desk" not in f.relative_to(folder).parts)
            texts = {f: f.read_text(encoding="utf-8") for f in others} | {folder / OBSERVATIONS: left}
            citing = [f.name for f, text in texts.items() if _cites(read_yaml(text, f).data, observation)]
            if citing and not stays:
                raise UsageError(f"{observation} is named in {', '.join(citing)}\n  Take it out there first.")
            files.write(inner(OBSERVATIONS), left)
            anchors = self.store.anchors()
            self.store.write_anchors({o: a for o, a in anchors.items() if o != observation})
            kept = [q.plain() for q in without_member(self.quantities(), observation)]
            if kept:
                self.store.write_entries(QUANTITIES, kept)

    def questions(self, *, open_only: bool = False) -> list[Question]:
        """Return the questions that opened by themselves or by hand, with what was answered."""
        found = due(self)
        return [q for q in found if not q.closed] if open_only else found

    def answer(self, ident: str, answer: str) -> None:
        """Close a question with an answer."""
        self.context.must_be_writable()
        found = next((q for q in self.questions() if q.id == ident), None)
        if found is None:
            raise UsageError(
                f"there is no question {ident!r}{nearest(ident, [q.id for q in self.questions()])}"
            )
        problem = copied(answer, self.library.texts())
        if problem:
            raise UsageError(problem)
        with self.store.files.locked():
            kept = [e for e in self.store.entries(QUESTIONS) if e.get("id") != ident]
            self.store.write_entries(
                QUESTIONS, [*kept, replace(found, closed=now()[:10], answer=answer).plain()]
            )

    def check(self) -> list[Finding]:
        """Return what is wrong: anchors, names of persons, copied words, hashes. Empty when all is well."""
        return check(self)


def _cites(data: object, observation: str) -> bool:
    """Return whether one of the lists in a file's data holds the id of an observation; words do not cite."""
    if isinstance(data, Mapping):
        return any(_cites(value, observation) for value in data.values())
    return isinstance(data, list) and any(one == observation or _cites(one, observation) for one in data)


def inner(name: str) -> str:
    """Return the name of a file within the folder of evidence."""
    return name.removeprefix("evidence/")


def now() -> str:
    """Return the time as decisions note it."""
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
