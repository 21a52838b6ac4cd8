"""The texts at hand: read from their folder through the child, known again by the hash of their bytes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from breakrank.errors import UsageError
from breakrank.wording import counted
from breakrank_desk.context import Context
from breakrank_desk.dates import mentions
from breakrank_desk.languages import in_another, language_of, name_of, nearest_table, unread
from breakrank_desk.ledger_text import SOURCES, ids
from breakrank_desk.normal import sha256, words
from breakrank_desk.proposals import Proposal, grammar_reads
from breakrank_desk.reading.kinds import paragraphs_of
from breakrank_desk.reading.parent import DocumentReader, ReadError, file_bytes, files_of
from breakrank_desk.store import TEXTS, DeskStore, kinds_by_hand
from breakrank_desk.syndication import agency_of
from breakrank_desk.texts import Extract, Kind, Text
from breakrank_desk.words import table

Proposer = Callable[[object], Sequence[Proposal]]


def text_of(extract: Extract, source: str, digest: str, user_language: str = "") -> Text:
    """Return a text from what a reader got out of a document: language, kinds, numbers, agency.

    Parameters
    ----------
    user_language : the language that the user says it is in.
    """
    main = [b for b in extract.blocks if b.main] or extract.blocks
    sample = [w for b in main[:400] for w in words(b.text)[:60]]
    language = language_of(sample, user_language, extract.language)
    made = Text(
        source, digest, extract.reader, extract.version, language,
        paragraphs_of(extract.blocks, nearest_table(language)),
        extract.guesses, (*extract.told, *_other_languages(language, user_language, extract.language)),
        user_language=user_language, name=extract.name,
    )  # fmt: skip
    others = [(p, other) for p in made.story if (other := in_another(p, language))] if language else []
    told = [f"paragraph {p.label} is in {name_of(other)}; nothing is proposed from it" for p, other in others]
    return replace(made, agency=agency_of(made), told=(*made.told, *told))


def _other_languages(language: str, user: str, page: str) -> Iterator[str]:
    """Yield what the user or the page says of the language, where the words say something else."""
    for who, said in (("you say", user), ("the page declares", page.casefold().partition("-")[0])):
        if said and language and said != language:
            yield f"{who} {name_of(said)}; its words are {name_of(language)}"


class Library:
    """Texts by source. What was read once stays in memory; files hold hashes alone."""

    def __init__(self, context: Context, store: DeskStore, folder: Path | None) -> None:
        self.context, self.store, self.folder = context, store, folder
        self._texts: dict[str, Text] = {}
        self._hashes: dict[str, Path] | None = None
        self.proposers: dict[str, Proposer] = {}

    def entries(self) -> dict[str, dict[str, Any]]:
        """Return what is noted of each text."""
        return {str(e["id"]): e for e in self.store.entries(TEXTS)}

    def sources(self) -> list[str]:
        """Return the sources whose texts were read, in the order in which they were."""
        return list(self.entries())

    def read(
        self, path: Path, *, source: str, outlet: str, date: dt.date | None, agency: str, language: str
    ) -> list[Text]:
        """Read a file or a folder and note it.

        Documents are taken apart first, which may take long; the lock is held while they get their sources.
        Files of a folder that are refused are told.

        Raises
        ------
        ReadError
            where nothing could be read.
        UsageError
            where one source is given for several documents.
        """
        before = {
            (str(e["sha256"]), int(e.get("part", 0))): str(e.get("user_language", ""))
            for e in self.entries().values()
        }
        found, failed = _taken_apart(path, language, before)
        if failed and not found:
            raise ReadError("\n".join(failed[:20]))
        if source and len({(text.sha256, part) for text, part in found}) > 1:
            raise UsageError(
                f"{path} holds {len(found)} documents, which cannot all be {source}\n"
                "  Name one of them, or leave out --source."
            )
        with self.store.files.locked():
            known, out = self.entries(), []
            for text, part in self._numbered(found, source, known):
                made = _noted(text, known.get(text.source, {}))
                day = date or made.date
                made = replace(made, outlet=outlet or made.outlet, agency=agency or made.agency, date=day)
                out.append((made, part))
            self.store.write_texts(out)
        texts = [made for made, _ in out]
        self._texts.update({made.source: made for made in texts})
        if failed:
            texts[-1] = replace(texts[-1], told=(*texts[-1].told, *(f"not read: {f}" for f in failed)))
        return texts

    def _numbered(
        self, found: Sequence[tuple[Text, int]], source: str, known: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[tuple[Text, int]]:
        """Yield documents under their sources: the one given, the one that each has, or a new one."""
        same = {(str(e["sha256"]), int(e.get("part", 0))): i for i, e in known.items()}
        taken = {*known, *ids(self.store.files.read(SOURCES))}
        numbers = [int(m.group(1)) for s in taken if (m := re.fullmatch(r"r(\d{3,})", s))]
        new = count(max(numbers, default=-1) + 1)
        for text, part in found:
            ident = source or same.get((text.sha256, part)) or f"r{next(new):03d}"
            same[text.sha256, part] = ident
            yield replace(text, source=ident), part

    def at_hand(self, source: str) -> bool:
        """Return whether a source's text can be read now."""
        try:
            self.text(source)
        except (UsageError, ReadError):
            return False
        return True

    def text(self, source: str) -> Text:
        """Return the text of a source.

        Raises
        ------
        UsageError
            where it was never read, or its file is not in the folder of texts.
        """
        if source in self._texts:
            return self._texts[source]
        entry = self.entries().get(source)
        if entry is None:
            read = ", ".join(self.entries()) or "none"
            raise UsageError(
                f"no text of {source!r} was read\n  Read it with `breakrank desk read`. Read are: {read}."
            )
        file = self._files().get(str(entry["sha256"]))
        if file is None:
            raise UsageError(
                f"the text of {source!r} is not at hand\n"
                f"  Name the folder that holds it with --texts; it is known by its hash."
            )
        with DocumentReader() as reader:
            data, found = reader.read(file)
        extract = found[int(entry.get("part", 0))]
        made = text_of(extract, source, sha256(data), str(entry.get("user_language", "")))
        self._texts[source] = _noted(made, entry)
        return self._texts[source]

    def _files(self) -> dict[str, Path]:
        if self._hashes is None:
            self._hashes = {}
            for file in files_of(self.folder) if self.folder is not None else ():
                try:
                    self._hashes[sha256(file_bytes(file))] = file
                except ReadError:
                    continue
        return self._hashes

    def texts(self) -> list[Text]:
        """Return all texts at hand."""
        return [self.text(s) for s in self.sources() if self.at_hand(s)]

    def set_kind(self, source: str, paragraph: int, kind: Kind) -> Text:
        """Note the kind of a paragraph and return the text numbered anew; call it under the lock."""
        made = self.text(source)
        if not 0 <= paragraph < len(made.paragraphs):
            raise UsageError(f"{source} has {counted(len(made.paragraphs), 'paragraph')}, and no such one")
        kinds = {**kinds_by_hand(self.entries().get(source, {})), made.paragraphs[paragraph].hash: kind}
        entries = self.store.entries(TEXTS)
        for e in entries:
            if e.get("id") == source:
                e["kinds"] = dict(kinds)
        self.store.write_entries(TEXTS, entries)
        self._texts[source] = made.with_kinds(kinds)
        return self._texts[source]

    def proposed(self, text: Text, own: list[Proposal]) -> list[Proposal]:
        """Return the desk's own proposals and those of plug-ins that its grammar can read."""
        have = {(p.anchor.hash, p.anchor.words) for p in own}
        for name, proposer in self.proposers.items():
            for paragraph in text.story:
                more = [replace(p, proposer=name) for p in proposer(paragraph)]
                own += [p for p in grammar_reads(text, more) if (p.anchor.hash, p.anchor.words) not in have]
        return own

    def source_entry(self, source: str) -> dict[str, Any]:
        """Return a new source of the ledger for a text; its title is in our words.

        Raises
        ------
        UsageError
            where neither a date nor a bracket of dates is known.
        """
        made = self.text(source)
        when = str(made.date) if made.date else bracket(made)
        if not when:
            raise UsageError(
                f"{source} has no date\n"
                f"  Give it: breakrank desk read CASE FILE --source {source} --date 2019-03-22"
            )
        publisher = made.outlet or "not known"
        entry: dict[str, Any] = {
            "id": source, "publisher": publisher, "title": f"Report by {publisher}, {when}", "date": when,
            "kind": "report", "reliability": "medium",
        }  # fmt: skip
        if made.date is None:
            entry["notes"] = "No date of its own; it lies after the last date it speaks of."
        return entry


def _taken_apart(
    path: Path, language: str, before: Mapping[tuple[str, int], str]
) -> tuple[list[tuple[Text, int]], list[str]]:
    """Return the documents of a file or folder, each with its place in its file, and what was not read.

    They are read in the language given, or in that which was given `before` for the same document.
    """
    found: list[tuple[Text, int]] = []
    failed: list[str] = []
    with DocumentReader() as reader:
        for file in files_of(path):
            try:
                data, documents = reader.read(file)
            except ReadError as error:
                failed.append(str(error))
                continue
            digest = sha256(data)
            for part, extract in enumerate(documents):
                user_language = language or before.get((digest, part), "")
                found.append((text_of(extract, "", digest, user_language), part))
    return found, failed


def _noted(text: Text, entry: Mapping[str, Any]) -> Text:
    """Return a text with what is noted of its source: kinds set by hand, outlet, agency and date."""
    if kinds := kinds_by_hand(entry):
        text = text.with_kinds(kinds)
        text = replace(text, agency=agency_of(text))
    if entry.get("sha256", text.sha256) != text.sha256:
        text = replace(text, told=(*text.told, f"it takes the place of another document of {text.source}"))
    day = dt.date.fromisoformat(str(entry["date"])) if entry.get("date") else None
    agency = str(entry.get("agency") or text.agency)
    return replace(text, outlet=str(entry.get("outlet", "")), agency=agency, date=day)


def bracket(text: Text) -> str:
    """Return between which days an undated text was published.

    From the last full date it states to its storing.
    """
    if unread(text):
        return ""
    words = table(text.language)
    told = [m.last for p in text.story for m in mentions(p.text, words, None) if m.why == "stated"]
    guesses = [dt.date.fromisoformat(g.value) for g in text.guesses if g.what == "date"]
    if not told:
        return ""
    after = [g for g in guesses if g >= max(told)]
    return f"{max(told)}/{min(after)}" if after and min(after) > max(told) else str(max(told))
