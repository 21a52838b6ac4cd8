"""What is read: blocks as a reader finds them, paragraphs with kind and reason, and texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

from breakrank_desk.normal import digest, words

Kind = Literal["story", "caption", "head", "pull quote", "repeat", "source line", "bio", "furniture"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Hint = Literal["text", "head", "caption", "quote", "list", "aside"]
"""What the format itself says a block is; ``text`` where it says nothing."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text between breaks.

    Attributes
    ----------
    text : the words, without hidden characters.
    hint : what the format says it is.
    main : whether the extractor of main text kept it; ``None`` where none was asked.
    """

    text: str
    hint: Hint = "text"
    main: bool | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """Something proposed about a source, with where it was found; never taken by itself."""

    what: Literal["date", "outlet", "author", "agency", "title"]
    value: str
    why: str


@dataclass(frozen=True)
class Extract:
    """What a reader got out of one document.

    ``told`` are remarks: hidden characters removed, no text found, pages left out. ``language`` is what the
    page declares.
    """

    reader: str
    version: str
    blocks: tuple[Block, ...]
    guesses: tuple[Guess, ...] = ()
    told: tuple[str, ...] = ()
    language: str = ""
    name: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph: its kind, why, and its number where it belongs to the story.

    Attributes
    ----------
    at : position among all paragraphs of the text, from 0.
    number : number among the story's, from 1; ``None`` for any other kind.
    """

    at: int
    kind: Kind
    number: int | None
    text: str
    reason: str

    @cached_property
    def words(self) -> list[str]:
        """The words in small letters."""
        return words(self.text)

    @cached_property
    def hash(self) -> str:
        """What stands for its words in files."""
        return digest(self.words)

    @property
    def label(self) -> str:
        """How the ledger names it: the number, or the kind."""
        return str(self.number) if self.number is not None else self.kind


@dataclass(frozen=True)
class Text:
    """A report as read.

    ``language`` is empty where it cannot be told, ``user_language`` the one that the user says it is.
    """

    source: str
    sha256: str
    reader: str
    version: str
    language: str
    paragraphs: tuple[Paragraph, ...]
    guesses: tuple[Guess, ...] = ()
    told: tuple[str, ...] = ()
    outlet: str = ""
    agency: str = ""
    date: dt.date | None = None
    user_language: str = ""
    name: str = field(default="", compare=False)

    @property
    def story(self) -> tuple[Paragraph, ...]:
        """The numbered paragraphs."""
        return tuple(p for p in self.paragraphs if p.number is not None)

    def paragraph(self, label: str) -> Paragraph | None:
        """Return the paragraph with a number, or the first of a kind; ``None`` where there is none."""
        return next((p for p in self.paragraphs if p.label == label), None)

    def with_kinds(self, kinds: Mapping[str, Kind]) -> Text:
        """Return the text with the kinds of some paragraphs (by hash) set by hand, and numbered anew."""
        changed = [
            (p.text, kinds.get(p.hash, p.kind), p.reason if p.hash not in kinds else "set by hand")
            for p in self.paragraphs
        ]
        return replace(self, paragraphs=numbered(changed))

    def __repr__(self) -> str:
        counts = {k: sum(p.kind == k for p in self.paragraphs) for k in KINDS}
        kinds = ", ".join(f"{n} {k}" for k, n in counts.items() if n)
        return (
            f"Text {self.source} ({self.reader}, {self.language or 'language unknown'}): {kinds or 'empty'}"
        )


def numbered(parts: list[tuple[str, Kind, str]]) -> tuple[Paragraph, ...]:
    """Return paragraphs from texts, kinds and reasons, those of the story numbered from 1."""
    out: list[Paragraph] = []
    count = 0
    for at, (text, kind, reason) in enumerate(parts):
        count += kind == "story"
        out.append(Paragraph(at, kind, count if kind == "story" else None, text, reason))
    return tuple(out)
