"""Two texts side by side: paragraph by paragraph, with the words that both have and those that differ."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from breakrank_desk.normal import words
from breakrank_desk.syndication import WIDTH, runs
from breakrank_desk.texts import Paragraph, Text

FEW = 250_000
"""Words of a paragraph times those of the other, up to which the two are aligned word by word."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a paragraph that the other text has too, or that it has not."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class Half:
    """A paragraph: its label and its pieces, in order; together they are its text."""

    label: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Paragraphs that belong together; ``None`` where the other text has none."""

    left: Half | None
    right: Half | None


def side_by_side(left: Text, right: Text) -> list[Pair]:
    """Return the stories of two texts beside each other.

    Words are shared in runs of five wherever they stand, and one by one within paragraphs of which the
    right one has half of its words in such runs. Every paragraph comes once, in the order of its text.
    """
    ours, theirs = ([p for p in text.story if p.words] for text in (left, right))
    here = {p.at: _in_runs(p, _runs(theirs)) for p in ours}
    there = {q.at: _in_runs(q, _runs(ours)) for q in theirs}
    partner = _partners(ours, theirs)
    at = {p.at: p for p in ours}
    for q in theirs:
        if q.at in partner:
            p = at[partner[q.at]]
            _align(p, q, here[p.at], there[q.at])

    out: list[Pair] = []
    waiting = list(theirs)
    for p in ours:
        halves = [q for q in theirs if partner.get(q.at) == p.at]
        while halves and waiting[0].at < halves[0].at and waiting[0].at not in partner:
            out.append(Pair(None, _half(waiting.pop(0), there)))
        out.append(Pair(_half(p, here), _half(halves[0], there) if halves else None))
        out += [Pair(None, _half(q, there)) for q in halves[1:]]
        waiting = [q for q in waiting if q not in halves]
    return [*out, *(Pair(None, _half(q, there)) for q in waiting)]


def _align(p: Paragraph, q: Paragraph, here: list[bool], there: list[bool]) -> None:
    """Mark the words that two paragraphs have one by one, where most of the second is shared already."""
    if 2 * sum(there) < len(there) or len(here) * len(there) > FEW:
        return
    for block in difflib.SequenceMatcher(None, p.words, q.words, autojunk=False).get_matching_blocks():
        here[block.a : block.a + block.size] = [True] * block.size
        there[block.b : block.b + block.size] = [True] * block.size


def _runs(paragraphs: Sequence[Paragraph]) -> set[tuple[str, ...]]:
    return runs([p.words for p in paragraphs])


def _in_runs(paragraph: Paragraph, known: set[tuple[str, ...]]) -> list[bool]:
    """Return for each word of a paragraph whether it stands in a run that the other text has."""
    own, out = paragraph.words, [False] * len(paragraph.words)
    for k in range(len(own) - WIDTH + 1):
        if tuple(own[k : k + WIDTH]) in known:
            out[k : k + WIDTH] = [True] * WIDTH
    return out


def _partners(ours: Sequence[Paragraph], theirs: Sequence[Paragraph]) -> dict[int, int]:
    """Return for paragraphs of the right text the one of the left with which it shares most runs."""
    where: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for p in ours:
        for run in _runs([p]):
            where[run].append(p.at)
    out = {}
    for q in theirs:
        counts = Counter(at for run in _runs([q]) for at in where.get(run, ()))
        if counts:
            out[q.at] = min(counts, key=lambda at: (-counts[at], at))
    return out


def _half(paragraph: Paragraph, flags: dict[int, list[bool]]) -> Half:
    """Return a paragraph in pieces; a word with its marks is one whole, and shared if all of it is."""
    shared, at, out = flags[paragraph.at], 0, list[Piece]()
    for m in re.finditer(r"\S+\s*", paragraph.text):
        count = len(words(m.group()))
        one = all(shared[at : at + count]) if count else bool(out and out[-1].shared)
        at += count
        if out and out[-1].shared == one:
            out[-1] = Piece(out[-1].text + m.group(), one)
            continue
        if out and one:  # the space between belongs to what is shared
            space = out[-1].text[len(out[-1].text.rstrip()) :]
            out[-1] = Piece(out[-1].text.rstrip(), False)
            out.append(Piece(space + m.group(), True))
        else:
            out.append(Piece(m.group(), one))
    return Half(paragraph.label, tuple(out))
