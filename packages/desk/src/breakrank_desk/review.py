"""What belongs together, what contradicts and what is open: the desk looked at as a whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from breakrank.case.documents import read_yaml
from breakrank.errors import UsageError, nearest
from breakrank_desk.checks import Finding, check, copied
from breakrank_desk.ledger_text import (
    OBSERVATIONS,
    SOURCES,
    checked,
    with_conflict,
    with_key,
    without,
    without_key,
)
from breakrank_desk.overview import Overview
from breakrank_desk.quantities import without_member
from breakrank_desk.questions import Question, due
from breakrank_desk.store import LINKS, QUANTITIES, QUESTIONS
from breakrank_desk.syndication import Link, Verdict


class Review(Overview):
    """The part of a desk that writes what a human says of its texts and observations together."""

    def confirm(self, link: Link, verdict: Verdict | None = None) -> None:
        """Write the verdict on two texts, that of the link where none is given.

        Of a copy the ledger says ``copy_of``, as soon as both are among its sources. What is judged
        separate is a copy no more, and proposes its own figures.
        """
        self.context.must_be_writable()
        given = verdict or link.verdict
        with self.store.files.locked():
            pair = [link.fuller, link.shorter]
            kept = [e for e in self.store.entries(LINKS) if e.get("pair") != pair]
            new = {"pair": pair, "verdict": given, "by": self.by, "at": now()}
            self.store.write_entries(LINKS, [*kept, new])
            files = self.store.files
            sources = files.read(SOURCES)
            files.write(SOURCES, checked(self.with_copies(sources), SOURCES))
        self.reopen()

    def with_copies(self, sources: str) -> str:
        """Return the text of the ledger's sources in which confirmed copies name their original."""
        for (fuller, shorter), verdict in self.judged().items():
            known = {str(e["id"]): e for e in read_yaml(sources, Path(SOURCES)).data or ()}
            if fuller not in known or shorter not in known:
                continue
            top = str(known[fuller].get("copy_of") or fuller)
            if verdict in ("copy", "version") and top != shorter:
                sources = with_key(sources, shorter, "copy_of", top, SOURCES)
            elif verdict == "separate" and known[shorter].get("copy_of") == top:
                sources = without_key(sources, shorter, "copy_of", SOURCES)
        return sources

    def settle(self, one: str, two: str) -> None:
        """Write into the ledger that two observations conflict; both name each other."""
        self.context.must_be_writable()
        with self.store.files.locked():
            files = self.store.files
            files.write(
                OBSERVATIONS,
                checked(with_conflict(files.read(OBSERVATIONS), one, two), OBSERVATIONS),
            )
        self.reopen()

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
            left = checked(without(files.read(OBSERVATIONS), observation, OBSERVATIONS), OBSERVATIONS)
            others = (f for f in sorted(folder.rglob("*.yaml")) if "desk" not in f.relative_to(folder).parts)
            texts = {f: f.read_text(encoding="utf-8") for f in others} | {folder / OBSERVATIONS: left}
            citing = [f.name for f, text in texts.items() if _cites(read_yaml(text, f).data, observation)]
            if citing and not stays:
                raise UsageError(f"{observation} is named in {', '.join(citing)}\n  Take it out there first.")
            files.write(OBSERVATIONS, left)
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


def now() -> str:
    """Return the time as decisions note it."""
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
