"""Anchors: where in a text an observation rests. They hold, move or orphan; they never guess."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from breakrank_desk.normal import digest, words
from breakrank_desk.texts import Paragraph

AROUND = 4
"""Words on each side that have to be alike for an anchor to move."""
State = Literal["holds", "moved", "orphan"]


@dataclass(frozen=True)
class Anchor:
    """A span of words in a paragraph.

    Attributes
    ----------
    source : id of the source.
    paragraph : its label when it was anchored: number or kind.
    hash : of the paragraph's words.
    words : first word and the one after the last, counted from 0.
    span_hash : of the words themselves.
    context_hash : of them with up to four words on each side; ``around`` says how many there were.
    """

    source: str
    paragraph: str
    hash: str
    words: tuple[int, int]
    span_hash: str
    context_hash: str
    around: tuple[int, int]

    @classmethod
    def at(cls, source: str, paragraph: Paragraph, first: int, end: int) -> Anchor:
        """Return the anchor of some words of a paragraph."""
        own = paragraph.words
        before, after = min(AROUND, first), min(AROUND, len(own) - end)
        return cls(
            source, paragraph.label, paragraph.hash, (first, end), digest(own[first:end]),
            digest(own[first - before : end + after]), (before, after),
        )  # fmt: skip

    def plain(self) -> dict[str, Any]:
        """Return it as written into a file."""
        return {
            "source": self.source, "paragraph": self.paragraph, "hash": self.hash, "words": list(self.words),
            "span_hash": self.span_hash, "context_hash": self.context_hash, "around": list(self.around),
        }  # fmt: skip

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Anchor:
        """Return an anchor as read from a file."""
        first, end = plain["words"]
        before, after = plain["around"]
        names = ("source", "paragraph", "hash", "span_hash", "context_hash")
        source, paragraph, own, span, context = (str(plain[n]) for n in names)
        return cls(source, paragraph, own, (int(first), int(end)), span, context, (int(before), int(after)))


@dataclass(frozen=True)
class Followed:
    """What became of an anchor: its state, and where it is now (``None`` for an orphan)."""

    state: State
    anchor: Anchor | None
    why: str


def follow(anchor: Anchor, paragraphs: Sequence[Paragraph]) -> Followed:
    """Return where an anchor stands in a text that may have changed.

    The same paragraph: it holds. Else the same words between the same words, in one place only: moved, to be
    confirmed by a human. Else an orphan. Nothing is compared fuzzily.
    """
    first, end = anchor.words
    same = [p for p in paragraphs if p.hash == anchor.hash and digest(p.words[first:end]) == anchor.span_hash]
    if same:
        best = next((p for p in same if p.number is not None), same[0])
        return Followed(
            "holds", Anchor.at(anchor.source, best, first, end), "the paragraph has the same words"
        )
    before, after = anchor.around
    if before + after < AROUND:
        return Followed("orphan", None, "too few words stood around it to know it again")
    length = before + (end - first) + after
    hits: list[tuple[Paragraph, int]] = []
    for p in paragraphs:
        if p.kind == "repeat":
            continue
        hits += [
            (p, k)
            for k in range(len(p.words) - length + 1)
            if digest(p.words[k : k + length]) == anchor.context_hash
        ]
    if len(hits) == 1:
        p, k = hits[0]
        moved = Anchor.at(anchor.source, p, k + before, k + before + end - first)
        if moved.span_hash == anchor.span_hash:
            return Followed(
                "moved", moved, f"the same words stand in paragraph {p.label} now; to be confirmed"
            )
    why = "its words stand in more than one place" if hits else "its words are not in the text any more"
    return Followed("orphan", None, why)


def word_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return which words of a text a span of characters covers."""
    first = _words_before(text, start)
    return first, max(first + 1, _words_before(text, end))


def _words_before(text: str, at: int) -> int:
    starts, counts = _pieces(text)
    k = bisect_right(starts, at) - 1
    return counts[k] + len(words(text[starts[k] : at])) if k >= 0 else 0


@lru_cache(maxsize=64)
def _pieces(text: str) -> tuple[list[int], list[int]]:
    """Return where the pieces between spaces start, and how many words stand before each.

    No word holds a space, so that a place is found by looking at its own piece alone.
    """
    starts, counts, so_far = list[int](), list[int](), 0
    for piece in re.finditer(r"\S+", text):
        starts.append(piece.start())
        counts.append(so_far)
        so_far += len(words(piece.group()))
    return starts, counts
