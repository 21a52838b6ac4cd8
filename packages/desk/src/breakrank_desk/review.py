"""The desk looked at as a whole: what is wrong, belongs together, contradicts, is open, and may not stand.

Words copied from a report, names of persons and anchors that lie may not stand in a ledger.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Literal

from breakrank.case.documents import read_yaml
from breakrank.errors import UsageError, nearest
from breakrank_desk.anchors import Followed, follow
from breakrank_desk.context import Context
from breakrank_desk.languages import unread
from breakrank_desk.ledger_text import (
    OBSERVATIONS,
    SOURCES,
    checked,
    with_conflict,
    with_key,
    without,
    without_key,
)
from breakrank_desk.library import Library
from breakrank_desk.normal import bare, digest, words
from breakrank_desk.people import cast_of
from breakrank_desk.quantities import (
    Agreement,
    Conflict,
    Quantity,
    agreement,
    conflicts,
    quantities,
    without_member,
)
from breakrank_desk.store import LINKS, QUANTITIES, QUESTIONS, DeskStore
from breakrank_desk.syndication import Link, Verdict, links
from breakrank_desk.texts import Text
from breakrank_desk.words import table

WARN, REFUSE = 6, 8
"""Words in a row that a text of ours may share with a report before it is told, and before it is refused."""
_PROSE = ("what", "text", "says", "aside", "notes")


@dataclass(frozen=True)
class Finding:
    """Something wrong: how bad, what it is about, and what to do."""

    level: Literal["error", "warning"]
    about: str
    told: str
    remedy: str = ""


def longest_run(ours: str, theirs: Sequence[str]) -> int:
    """Return how many words in a row our text shares with theirs (given as words).

    Examples
    --------
    >>> longest_run("nearly all of them came back", "he said all of them left".split())
    3
    """
    return SequenceMatcher(None, theirs, words(ours), autojunk=False).find_longest_match().size


def _words_of(text: Text) -> list[str]:
    return [w for p in text.paragraphs for w in (*p.words, "\n")]


def copied(ours: str, texts: Iterable[Text]) -> str:
    """Return what to say of a text of ours that copies :data:`REFUSE` words in a row, or nothing."""
    for text in texts:
        run = longest_run(ours, _words_of(text))
        if run >= REFUSE:
            return f"{run} words in a row stand in {text.source}; say it in your own words"
    return ""


def names_in(ours: str, text: Text, keep: Iterable[str] = ()) -> list[str]:
    """Return the names of persons of a text that our words hold.

    `keep` are names of places, which may stay; so may its outlet and its agency.
    """
    if unread(text):
        return []
    kept = {bare(w) for k in (*keep, text.outlet, text.agency) for w in k.split()}
    capital = {bare(w) for w in ours.replace("-", " ").split() if w[:1].isupper()}
    own = {w.strip(".,;:()'\"") for w in capital}
    return sorted(own & (cast_of(text.paragraphs, table(text.language)).names - kept))


def _prose(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return what an observation says in words, by key."""
    return {key: str(entry[key]) for key in _PROSE if entry.get(key)}


def check_words(entry: Mapping[str, Any], texts: Sequence[Text]) -> str:
    """Return why an observation may not be written: copied words or the name of a person.

    Empty where it may.
    """
    for key, ours in _prose(entry).items():
        if problem := copied(ours, texts):
            return f"{key}: {problem}"
        for text in texts:
            if found := names_in(ours, text, [str(entry.get("place") or "")]):
                return f"{key}: {', '.join(found)} is the name of a person in {text.source}; write the role"
    return ""


def check(desk: Review) -> list[Finding]:
    """Return what is wrong with the desk's files and the ledger, as far as texts are at hand."""
    return [*_without_observation(desk), *_of_texts(desk), *_lost(desk)]


def _without_observation(desk: Review) -> Iterator[Finding]:
    """Yield anchors of no observation, or of one from another source."""
    observations = desk.context.ledger.observations
    for name, anchor in desk.store.anchors().items():
        if name not in observations:
            told = "is anchored, and no observation has this id"
            yield Finding("error", name, told, "Remove it from anchors.yaml.")
        elif anchor.source != observations[name].source:
            yield Finding("error", name, f"is anchored in {anchor.source}, and its source is another")


def _of_texts(desk: Review) -> Iterator[Finding]:
    """Yield anchors that moved or were lost, and observations that copy or name persons, text by text."""
    places, anchors = tuple(desk.context.places(()).values()), desk.store.anchors()
    for source in sorted(desk.library.entries()):
        if not desk.library.at_hand(source):
            told = "its text is not at hand, so its anchors were not followed"
            yield Finding("warning", source, told)
            continue
        text = desk.library.text(source)
        for name, anchor in anchors.items():
            found = follow(anchor, text.paragraphs) if anchor.source == source else None
            if found and found.state == "orphan":
                told = f"has lost its words in {source}: {found.why}"
                yield Finding("error", name, told, "Anchor it anew or say why.")
            elif found and found.state == "moved":
                yield Finding("warning", name, found.why)
        if why := unread(text):
            yield Finding("warning", source, f"was not searched for names of persons: {why}")
        for o in desk.context.observations_of(source):
            yield from _said(o.model_dump(), o.id, text, places)


def _lost(desk: Review) -> Iterator[Finding]:
    """Yield decisions whose observation is gone."""
    for d in desk.store.in_force().values():
        if d.observation and d.observation not in desk.context.ledger.observations:
            told = "was accepted, and is not in the ledger any more"
            yield Finding("error", d.observation, told, "Undo the decision, or restore it.")


def _said(entry: Mapping[str, Any], name: str, text: Text, places: tuple[str, ...]) -> Iterator[Finding]:
    for key, ours in _prose(entry).items():
        run = longest_run(ours, _words_of(text))
        if run >= WARN:
            told = f"{key} shares {run} words in a row with {text.source}"
            yield Finding("error" if run >= REFUSE else "warning", name, told, "Paraphrase it.")
        if found := names_in(ours, text, (*places, str(entry.get("place") or ""))):
            told = f"{key} names {', '.join(found)}, a person in {text.source}"
            yield Finding("error", name, told, "Write the role.")


class Review:
    """What belongs together, what contradicts, what became of anchors, and what a human says of it."""

    context: Context
    store: DeskStore
    library: Library
    by: str

    def reopen(self) -> None:
        """Read the case's files anew."""
        self.context = Context.open(self.context.folder)
        self.library.context = self.context

    def links(self) -> list[Link]:
        """Return how the texts at hand belong together."""
        return links(self.library.texts())

    def judged(self) -> dict[tuple[str, str], str]:
        """Return the verdicts that a human gave, by the fuller and the shorter text."""
        return {tuple(map(str, e["pair"])): str(e["verdict"]) for e in self.store.entries(LINKS)}  # type: ignore[misc]

    def folded(self) -> dict[str, tuple[str, ...]]:
        """Return, for each copy, the paragraphs in which it says what its fuller version does not."""
        judged = self.judged()
        found = (x for x in self.links() if judged.get((x.fuller, x.shorter)) != "separate")
        return {x.shorter: x.only for x in found if x.verdict in ("copy", "version")}

    def quantities(self) -> tuple[Quantity, ...]:
        """Return the named quantities."""
        return quantities(self.store)

    def agreement(self) -> list[Agreement]:
        """Return, for each quantity, how many parents agree."""
        return [agreement(q, self.context.ledger) for q in self.quantities()]

    def conflicts(self) -> list[Conflict]:
        """Return pairs of observations of one quantity that cannot both be so."""
        return [c for q in self.quantities() for c in conflicts(q, self.context.ledger)]

    def anchors(self) -> dict[str, Followed]:
        """Return what became of each anchor whose text is at hand."""
        return {
            o: follow(a, self.library.text(a.source).paragraphs)
            for o, a in self.store.anchors().items()
            if self.library.at_hand(a.source)
        }

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


def due(desk: Review) -> list[Question]:
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


def _undated(desk: Review) -> Iterator[Question]:
    for ident, entry in desk.library.entries().items():
        source = desk.context.source(ident)
        if not entry.get("date") and (source is None or len(source.date) < 10 or "/" in source.date):
            told = f"When was {ident} published? The page's own dates are not taken."
            yield _asked("undated", ident, told)


def _conflicts(desk: Review) -> Iterator[Question]:
    for c in desk.conflicts():
        if not c.settled:
            told = f"{c.one} and {c.two} count {c.quantity} and cannot both be so: {c.why}"
            yield _asked("conflict", f"{c.one} {c.two}", told)


def _orphans(desk: Review) -> Iterator[Question]:
    for name, found in desk.anchors().items():
        if found.state != "holds":
            told = f"On which words does {name} rest now? {found.why.capitalize()}."
            yield _asked(found.state, name, told)


def _lone_targets(desk: Review) -> Iterator[Question]:
    """Ask about targets that the desk's observations feed and that one parent alone stands behind."""
    ours, ledger = set(desk.store.anchors()), desk.context.ledger
    for target in desk.context.loaded.content.targets:
        evidence = [o for o in target.evidence or () if o in ledger.observations]
        if ours & set(evidence) and ledger.independent(evidence) == 1:
            told = f"Only one parent stands behind the target {target.id}. Who else counts it?"
            yield _asked("lone", target.id, told)


def _flattened(desk: Review) -> Iterator[Question]:
    """Ask about figures whose words were hedged and which stand in the ledger as one exact number."""
    for decision in desk.store.in_force().values():
        if decision.verb != "edited" or not {"range", "bound"} & set(decision.changed):
            continue
        o = desk.context.ledger.observations.get(decision.observation)
        if o is not None and o.value is not None and o.bound is None:
            told = f"The words behind {o.id} were hedged, and it stands as one number. On purpose?"
            yield _asked("flattened", o.id, told)
