"""Which paragraphs tell the story, which stand around it, and why each is what it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from breakrank_desk.normal import plain, words
from breakrank_desk.sentences import sentences
from breakrank_desk.texts import Block, Kind, Paragraph, numbered
from breakrank_desk.words import WordTable

SHORT = 14
"""A block of at most so many words that ends no sentence is a head."""
MOST = 500
"""Candidates that are looked at; no report has so many, and a hostile file may not cost its square."""
_ENDS = re.compile(r"[.!?…:;,]['\")\]]*$")
_NAME = re.compile(r"^[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){1,3}$")


@dataclass(frozen=True)
class _Told:
    kind: Kind
    reason: str


def paragraphs_of(blocks: Sequence[Block], table: WordTable) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a document with their kinds, those of the story numbered.

    Parameters
    ----------
    blocks : as a reader found them, in order.
    table : the words of the text's language.
    """
    return numbered(
        [(b.text, t.kind, t.reason) for b, t in zip(blocks, _Sorter(blocks, table).told(), strict=True)]
    )


class _Sorter:
    """Sees all blocks at once: repeats and pull quotes are known by their other place."""

    def __init__(self, blocks: Sequence[Block], table: WordTable) -> None:
        self.blocks, self.table = blocks, table
        self.texts = [plain(b.text) for b in blocks]
        self.words = [words(b.text) for b in blocks]
        self.joined = [" ".join(w) for w in self.words]
        self.first = self._first_told()
        self.index: dict[str, list[int]] = {}
        for k, own in enumerate(self.words):
            for at in range(min(len(own), 400) - 4):
                self.index.setdefault(" ".join(own[at : at + 5]), []).append(k)
        self.stood: dict[str, int] = {}
        for k, one in enumerate(self.joined):
            self.stood.setdefault(one, k)
        self.quotes = 0

    def told(self) -> list[_Told]:
        """Return kind and reason of every block."""
        rules = (
            *(self._furniture, self._caption, self._repeat, self._source),
            *(self._bio, self._quote, self._head),
        )
        story = _Told("story", "sentences")
        out = [next((t for t in (r(k) for r in rules) if t), story) for k in range(len(self.blocks))]
        return self._around(out)

    def _first_told(self) -> int:
        """Return where the first block stands that looks like a paragraph of a story."""
        for k, text in enumerate(self.texts):
            if len(self.words[k]) >= 18 and _ENDS.search(text) and self.blocks[k].hint in ("text", "list"):
                return k
        return 0

    def _furniture(self, k: int) -> _Told | None:
        text, block = self.texts[k], self.blocks[k]
        if not self.words[k]:
            return _Told("furniture", "no words")
        if block.hint == "aside":
            return _Told("furniture", "the page's tags: around the text")
        found = self.table.pattern("furniture").search(text)
        if found and len(self.words[k]) <= 45:
            return _Told("furniture", "a phrase of page furniture")
        if block.main is False and block.hint in ("list", "text") and not self._tells(k):
            return _Told("furniture", "outside the main text")
        return None

    def _tells(self, k: int) -> bool:
        """Return whether a block that the extractor left out reads like the story all the same."""
        inside = [j for j, b in enumerate(self.blocks) if b.main]
        return (
            bool(inside)
            and inside[0] < k < inside[-1]
            and len(self.words[k]) >= 8
            and bool(_ENDS.search(self.texts[k]))
        )

    def _caption(self, k: int) -> _Told | None:
        if self.blocks[k].hint == "caption":
            return _Told("caption", "the page's tags")
        if self.table.pattern("captions").search(self.texts[k]):
            return _Told("caption", "a picture's credit or label")
        near = [
            j
            for j in range(max(0, k - 2), min(len(self.texts), k + 3))
            if j != k and self.joined[j] == self.joined[k]
        ]
        if (
            near
            and len(self.words[k]) >= 8
            and any(self._credit(j) for j in range(min(near[0], k) + 1, max(near[-1], k)))
        ):
            return _Told("caption", "stands twice around a credit")
        if self._credit(k) and 0 < k < len(self.texts) - 1 and self.joined[k - 1] == self.joined[k + 1]:
            return _Told("caption", "a credit between a caption and its repeat")
        return None

    def _credit(self, k: int) -> bool:
        return bool(_NAME.match(self.texts[k])) and len(self.words[k]) <= 4

    def _repeat(self, k: int) -> _Told | None:
        own = self.words[k]
        if len(own) < 3:
            return None
        if self.stood[self.joined[k]] < k:
            return _Told("repeat", "the same words stood before")
        if len(own) < 8:
            cut = k > 0 and self.joined[k - 1].startswith(self.joined[k]) and not _ENDS.search(self.texts[k])
            return (
                _Told("repeat", "the paragraph before, cut off")
                if cut and len(self.words[k - 1]) > len(own)
                else None
            )
        for j in self.index.get(" ".join(own[:5]), ())[:MOST]:
            if j != k and len(self.words[j]) > len(own) and f" {self.joined[k]}" in f" {self.joined[j]}":
                if self._only_quoted(k):
                    return None  # a pull quote says so itself
                return _Told("repeat", "its words stand in a longer paragraph")
        return None

    def _source(self, k: int) -> _Told | None:
        found = self.table.pattern("source_lines").search(self.texts[k])
        return (
            _Told("source line", "names a source or an owner") if found and len(self.words[k]) <= 25 else None
        )

    def _bio(self, k: int) -> _Told | None:
        found = self.table.pattern("bios").search(self.texts[k]) and len(self.words[k]) <= 45
        return _Told("bio", "says who wrote it") if found else None

    def _only_quoted(self, k: int) -> bool:
        text = self.texts[k]
        return (
            bool(re.match(r"^[\"'-]", text)) and bool(re.search(r"[\"'.!?…]$", text)) and text.count('"') <= 2
        )

    def _quote(self, k: int) -> _Told | None:
        if self.blocks[k].hint == "quote":
            return _Told("pull quote", "the page's tags")
        text = self.texts[k]
        attributed = re.search(r",[\"'] (?!-)\w", text)
        inner = re.findall(r"\"([^\"]+)\"?", text) if attributed and k < self.first else [text]
        self.quotes += text.startswith('"')
        if not text.startswith('"') or len(self.words[k]) > 80 or self.quotes > MOST:
            return None
        parts = [words(s) for quoted in inner for s in sentences(quoted, self.table)]
        parts = [p for p in parts if p]
        if not parts or sum(map(len, parts)) < 3:
            return None
        whole = [
            j
            for j in range(len(self.blocks))
            if j != k and len(self.words[j]) > len(self.words[k]) - 4 * bool(attributed)
        ]
        if (not attributed or k < self.first) and all(
            any(f" {' '.join(p)} " in f" {self.joined[j]} " for j in whole) for p in parts
        ):
            return _Told("pull quote", "a quotation that stands in a paragraph too")
        return None

    def _head(self, k: int) -> _Told | None:
        text, count = self.texts[k], len(self.words[k])
        if self.blocks[k].hint == "head":
            return _Told("head", "the page's tags")
        ended = bool(_ENDS.search(text))
        if not ended and count <= SHORT and not re.search(r"\"$", text):
            return _Told("head", "short, and no sentence")
        if not ended and k < self.first and count <= 40:
            return _Told("head", "before the story, and no sentence")
        return None

    def _around(self, told: list[_Told]) -> list[_Told]:
        """Mend what only the whole shows: a standfirst, and short leftovers before and after the story."""
        story = [k for k, t in enumerate(told) if t.kind == "story"]
        if not story:
            return told
        dated = next((k for k in story if re.match(self.table["dateline"], self.texts[k])), None)
        for k in story:
            if dated is not None and k < dated and k < self.first + 3:
                told[k] = _Told("head", "before the dateline")
            elif k < self.first and len(self.words[k]) < 12 and not self.texts[k].startswith('"'):
                told[k] = _Told("head", "a short line before the story")
        return told
