"""Copies, partial copies, versions and shared quotations: which reports have one parent."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from breakrank.wording import HEDGES
from breakrank_desk.dates import date_spans
from breakrank_desk.figures import figures
from breakrank_desk.languages import nearest_table, unread
from breakrank_desk.normal import plain, words
from breakrank_desk.sentences import sentences
from breakrank_desk.texts import Text
from breakrank_desk.words import WordTable

Verdict = Literal["copy", "partial copy", "version", "shared quotation", "separate"]
WIDTH = 5
"""Words of a shingle."""
MANY = 20
"""Texts with one run of words from which each is compared with the first of them only."""
COPY, TOUCH = 0.5, 0.005
"""Containment of the shorter from which two texts are a copy, or worth a look."""
ALIKE = 0.75
"""Share of words that two sentences have in common, in order, to be one sentence in two wordings."""


@dataclass(frozen=True)
class Link:
    """How two texts belong together.

    Attributes
    ----------
    fuller, shorter : ids of the two sources.
    containment : share of the shorter's five-word runs that the fuller has too, quotations left out.
    quoted : the same within quotation marks.
    paragraphs : labels of the shorter's paragraphs that are copied, for a partial copy.
    only : labels of the shorter's paragraphs that say what the fuller does not.
    differs : (paragraph of the shorter, what differs), figures first.
    agency : the agency both name, where they do.
    """

    fuller: str
    shorter: str
    verdict: Verdict
    containment: float
    quoted: float
    paragraphs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    differs: tuple[tuple[str, str], ...] = ()
    agency: str = ""


@dataclass(frozen=True)
class Shingled:
    """The runs of five words of a text, outside and inside quotation marks."""

    text: Text
    told: frozenset[tuple[str, ...]]
    quoted: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, text: Text) -> Shingled:
        """Return the shingles of a text's story."""
        told: set[tuple[str, ...]] = set()
        quoted: set[tuple[str, ...]] = set()
        for p in text.story:
            outside, inside = _split(p.text)
            told.update(runs(outside))
            quoted.update(runs(inside))
        return cls(text, frozenset(told), frozenset(quoted))

    @property
    def all(self) -> frozenset[tuple[str, ...]]:
        """Both together."""
        return self.told | self.quoted


def _split(text: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return runs of words outside and inside quotation marks."""
    outside: list[list[str]] = []
    inside: list[list[str]] = []
    for k, piece in enumerate(re.split(r'"', plain(text))):
        (inside if k % 2 else outside).append(words(piece))
    return outside, inside


def runs(pieces: Sequence[list[str]]) -> set[tuple[str, ...]]:
    """Return every run of five words."""
    return {tuple(p[k : k + WIDTH]) for p in pieces for k in range(len(p) - WIDTH + 1)}


def links(texts: Sequence[Text]) -> list[Link]:
    """Return how texts belong together, in the order given; separate pairs are left out.

    Only pairs that share a run of five words are compared, by an index from runs to texts.
    """
    made = [Shingled.of(t) for t in texts]
    index: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for k, one in enumerate(made):
        for run in one.all:
            index[run].append(k)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for where in index.values():
        firsts = (
            where if len(where) <= MANY else where[:1]
        )  # of a report carried everywhere: each with the first
        for k, a in enumerate(firsts):
            for b in where[k + 1 :]:
                shared[a, b] += 1
    out = []
    for (a, b), count in sorted(shared.items()):
        if count >= 3:
            found = link(made[a], made[b])
            if found.verdict != "separate":
                out.append(found)
    return out


def link(one: Shingled, two: Shingled) -> Link:
    """Return how two texts belong together."""
    fuller, shorter = (one, two) if len(one.all) >= len(two.all) else (two, one)
    told = _share(shorter.told, fuller.told)
    quoted = _share(shorter.quoted, fuller.quoted)
    whole = _share(shorter.all, fuller.all)
    agency = shorter.text.agency if shorter.text.agency and shorter.text.agency == fuller.text.agency else ""
    copied = _copied(shorter, fuller)
    base = (fuller.text.source, shorter.text.source)
    if whole >= COPY:
        verdict: Verdict = "version" if one.text.outlet and one.text.outlet == two.text.outlet else "copy"
        differs, only = differences(shorter.text, fuller.text)
        return Link(*base, verdict, whole, quoted, (), only, differs, agency)
    if copied and told >= TOUCH:
        differs, only = differences(shorter.text, fuller.text, frozenset(copied))
        return Link(*base, "partial copy", whole, quoted, tuple(copied), only, differs, agency)
    if quoted > 0 and len(shorter.quoted & fuller.quoted) >= 3:
        return Link(*base, "shared quotation", whole, quoted, agency=agency)
    return Link(*base, "separate", whole, quoted)


def _share(few: frozenset[tuple[str, ...]], many: frozenset[tuple[str, ...]]) -> float:
    return len(few & many) / len(few) if few else 0.0


def _copied(shorter: Shingled, fuller: Shingled) -> list[str]:
    """Return the paragraphs of which half the runs outside quotation marks stand in the other text."""
    out = []
    for p in shorter.text.story:
        own = runs(_split(p.text)[0])
        if len(own) >= 8 and len(own & fuller.told) / len(own) >= 0.5:
            out.append(p.label)
    return out


def differences(
    shorter: Text, fuller: Text, within: frozenset[str] | None = None
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Align sentences; return what differs in those that are one (figures first).

    And what only the shorter says.

    What differs is told as words of a figure or as a count of words, never as a sentence.
    """
    grammar, readable = nearest_table(shorter.language), not unread(shorter)
    there = [s for p in fuller.story for s in sentences(p.text, grammar)]
    theirs = [words(s) for s in there]
    index: dict[str, set[int]] = defaultdict(set)
    for k, own in enumerate(theirs):
        for word in own:
            index[word].add(k)
    numbers: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    only: list[str] = []
    for p in shorter.story:
        if within is not None and p.label not in within:
            continue
        for sentence in sentences(p.text, grammar):
            own = words(sentence)
            best, alike = _nearest(own, theirs, index)
            if alike < ALIKE:
                only += [p.label] if len(own) >= 5 and p.label not in only else []
            elif alike < 1:
                a, b = (_figures_in(x, grammar) if readable else [] for x in (sentence, there[best]))
                if a != b:
                    numbers.append((p.label, f"{_list(a)} here, {_list(b)} there"))
                else:
                    others.append((p.label, f"{max(1, round((1 - alike) * len(own)))} words"))
    return (*numbers, *others), tuple(only)


def _nearest(own: list[str], theirs: list[list[str]], index: dict[str, set[int]]) -> tuple[int, float]:
    """Return which of their sentences is most like one of ours, and how like it is."""
    counts: dict[int, int] = defaultdict(int)
    for word in set(own):
        for k in index.get(word, ()):
            counts[k] += 1
    close = sorted(counts, key=lambda k: (-counts[k] / (len(theirs[k]) + len(own)), k))[:3]
    best = (-1, 0.0)
    for k in close:
        alike = (
            1.0 if theirs[k] == own else difflib.SequenceMatcher(None, own, theirs[k], autojunk=False).ratio()
        )
        if alike > best[1]:
            best = (k, alike)
    return best


def _figures_in(sentence: str, grammar: WordTable) -> list[str]:
    found = figures(sentence, grammar, date_spans(sentence, grammar))
    return [_said(f.bound, f.low, f.high) for f in found]


def _said(bound: str | None, low: float, high: float) -> str:
    if bound in HEDGES:
        return f"{HEDGES[bound]}{high if bound == 'at_most' else low:.10g}"
    return f"{low:.10g}" if low == high else f"{low:.10g} to {high:.10g}"


def _list(values: list[str]) -> str:
    return ", ".join(values) or "no figure"


def agency_of(text: Text) -> str:
    """Return the agency that a text names as the one it comes from; empty where it names none.

    A dateline's mark counts most, then who was told or spoken to, in the first six paragraphs.
    """
    grammar = nearest_table(text.language)
    told = {
        re.sub(r"^[Tt]he ", "", m.group("outlet")).rstrip(".")
        for p in text.story
        for m in re.finditer(grammar["told"], p.text)
    }
    if len(told) > 2:
        return ""  # it gathers what others were told
    for p in text.story[:6]:
        for name, marks in grammar["agency_marks"].items():
            if any(re.search(m, p.text) for m in marks):
                return str(name)
    return ""
