"""Proposals: each figure of a report with what the ledger needs to know of it. Computed anew every time."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from breakrank.case.dates import first_day, last_day
from breakrank.errors import UsageError
from breakrank.wording import HEDGES
from breakrank_desk.anchors import Anchor, word_span
from breakrank_desk.context import Context
from breakrank_desk.dates import Mention, calendar_around, date_spans
from breakrank_desk.figures import Bound, StatedFigure, figures
from breakrank_desk.languages import nearest_table, read_paragraphs, unread
from breakrank_desk.normal import bare
from breakrank_desk.people import Cast, cast_of
from breakrank_desk.places import dateline, places
from breakrank_desk.said import counts_speakers
from breakrank_desk.sentences import sentence_at, spans
from breakrank_desk.speakers import SAYS_SO, Talk, speakers, talk_of
from breakrank_desk.texts import Paragraph, Text
from breakrank_desk.when import Mentioned, dates_of, ranked, spent
from breakrank_desk.words import LANGUAGES, WordTable, table


@dataclass
class Used:
    """The last choices of somebody who codes, the newest first, and the last in each paragraph."""

    dates: list[str] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    here: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    def add(self, date: str, says: str, place: str | None, source: str, paragraph: object) -> None:
        """Remember an accepted entry of a paragraph of a source."""
        self.here[source, str(paragraph)] = (date, says)
        for part, new in ((self.dates, date), (self.says, says), (self.places, place)):
            if new:
                if new in part:
                    part.remove(new)
                part.insert(0, new)
                del part[5:]


OWN = "breakrank"
"""The proposer of what the desk's own grammar finds."""


@dataclass(frozen=True)
class Proposal:
    """A figure, or a sentence that somebody marked, as a form to be filled.

    Attributes
    ----------
    key : source, paragraph hash, words and kind; the same figure always has the same key.
    low, high : the interval; both ``None`` for a marked sentence.
    bound : ``at_least``, ``at_most`` or ``about`` where the words say so.
    unit, counted : what is counted.
    dates, says, places : pick lists, the likeliest first.
    words : the words it rests on; shown, and never written to a file.
    why : how it was read.
    span : first character of the words in their paragraph, and the one after the last.
    """

    key: str
    source: str
    kind: str
    low: float | None
    high: float | None
    bound: Bound | None
    hedge: str
    unit: str
    counted: str
    dates: tuple[Mention, ...]
    says: tuple[str, ...]
    places: tuple[str, ...]
    anchor: Anchor
    words: str = field(repr=False)
    why: str = ""
    proposer: str = OWN
    span: tuple[int, int] = (0, 0)

    @property
    def value(self) -> float | None:
        """The figure where it is a single one; a bound stands for itself."""
        if self.low is None or self.high is None:
            return None
        if self.bound == "at_least":
            return self.low
        if self.bound == "at_most":
            return self.high
        return self.low if self.low == self.high else None

    @property
    def range(self) -> tuple[float, float] | None:
        """The interval where it is one."""
        if self.low is None or self.high is None or self.value is not None or math.isinf(self.high):
            return None
        return (self.low, self.high)

    @property
    def figure(self) -> str:
        """The figure in words of the ledger."""
        sign = HEDGES.get(self.bound or "", "")
        if self.value is not None:
            return f"{sign}{self.value:,.10g} {self.unit}".strip()
        if self.range is None:
            return "no figure"
        return f"{self.range[0]:,.10g} to {self.range[1]:,.10g} {self.unit}".strip()


@dataclass(frozen=True)
class Surroundings:
    """What pick lists are made from, for one text; made once, used for each of its figures."""

    text: Text
    words: WordTable
    cast: Cast
    talk: Talk
    line: str
    agency: str
    known: dict[str, str]
    around: tuple[Mention, ...]
    published: dt.date | None
    mentioned: Mentioned
    own_places: tuple[str, ...]

    @classmethod
    def of(cls, text: Text, context: Context) -> Surroundings:
        """Return the surroundings of a text in a case."""
        words = table(text.language)
        line, agency = dateline(text.paragraphs, words)
        source = context.source(text.source)
        published = text.date
        if published is None and source is not None and len(source.date) == 10:
            published = dt.date.fromisoformat(source.date)
        known = dict(context.places(tuple(words["countries"])))
        told = Mentioned(
            (p.at, m)
            for p in text.paragraphs
            if p.kind in ("story", "caption")
            for m in dates_of(p, words, published)
        )
        cast = cast_of(text.paragraphs, words)
        talk = talk_of(text.paragraphs, cast, words, text.outlet)
        return cls(
            text,
            words,
            cast,
            talk,
            line,
            text.agency or agency,
            known,
            _around(published, context),
            published,
            told,
            context.own_places,
        )

    def dates(self, paragraph: Paragraph, at: int, used: Used, kind: str = "") -> tuple[Mention, ...]:
        """Return the dates to choose from: those that may hold here, the text's others, last used, events."""
        here = sentence_at(paragraph.text, at, self.words)
        now = kind == "age"
        now |= kind in ("count", "vague") and counts_speakers(paragraph.text, at, self.words)
        out = ranked(paragraph, at, here, self.mentioned, self.published, self.words, lasting=now)
        carried = used.here.get((self.text.source, str(paragraph.label)))
        if carried and out and out[0].end == 0 and out[0].why != "publication":
            out.insert(0, _given(carried[0], "last used, in this paragraph"))
        if kind == "duration" and self.published and not (out and out[0].end):
            out = [*spent(paragraph.text, at, here, self.mentioned, self.published, self.words), *out]
        elsewhere = self.mentioned.elsewhere(paragraph.at)
        out += [Mention(0, 0, m.first, m.last, "elsewhere in the text") for m in elsewhere]
        out += [_given(d, "last used") for d in used.dates]
        out += self.around
        seen: dict[tuple[dt.date, dt.date], Mention] = {}
        for m in out:
            seen.setdefault((m.first, m.last), m)
        return tuple(seen.values())

    def says(self, paragraph: Paragraph, at: int, used: Used) -> tuple[str, ...]:
        """Return who may have said it."""
        text = self.text
        every = speakers(
            paragraph, at, self._before(paragraph), self.cast, self.talk, self.words, text.outlet, self.agency
        )
        found = [s.says for s in every]
        carried = used.here.get((text.source, str(paragraph.label)))
        if carried and every[0].why != SAYS_SO:
            found.insert(0, carried[1])
        return tuple(dict.fromkeys([*found, *used.says]))

    def _before(self, paragraph: Paragraph) -> list[Paragraph]:
        """Return the story's paragraphs among the six before."""
        near = self.text.paragraphs[max(0, paragraph.at - 6) : paragraph.at]
        return [p for p in near if p.kind == "story"]

    def places(self, paragraph: Paragraph, at: int, used: Used) -> tuple[str, ...]:
        """Return where it may have been so."""
        before = self._before(paragraph)
        found = places(paragraph, at, before, self.known, self.words, self.line, used.places)
        named = [p for p in found if p in self.known.values() or not self.cast.names & set(bare(p).split())]
        none = self.words["none"]
        own = [p for p in self.own_places if p not in named]
        return (*named, *own, none) if named else (none, *own)


def _around(published: dt.date | None, context: Context) -> tuple[Mention, ...]:
    """Return the months and years around publication, and the case's events, the nearest first."""
    days = calendar_around(published) if published else []
    out = [Mention(0, 0, *ends, "around publication") for ends in days]
    centre = published or dt.date(2000, 1, 1)
    close = sorted(context.events, key=lambda e: abs((e[0] - centre).days))
    return (*out, *(Mention(0, 0, d, d, f"event: {title}") for d, title in close))


def _given(when: str, why: str) -> Mention:
    return Mention(0, 0, first_day(when), last_day(when), why)


def no_place(place: str) -> bool:
    """Return whether an entry of a list of places says that none is known."""
    return place in {table(language)["none"] for language in LANGUAGES}


def key_of(source: str, paragraph: Paragraph, span: tuple[int, int], kind: str) -> str:
    """Return the key of some words of a paragraph."""
    return f"{source}:{paragraph.hash}:{span[0]}-{span[1]}:{kind}"


def propose(text: Text, context: Context, used: Used | None = None) -> list[Proposal]:
    """Return the figures of a text as proposals, in reading order. The same text gives the same proposals."""
    if unread(text):
        return []
    around, out = Surroundings.of(text, context), []
    for paragraph in read_paragraphs(text):
        taken = date_spans(paragraph.text, around.words, around.published)
        found = figures(paragraph.text, around.words, taken)
        out += [_proposal(paragraph, f, around, used or Used()) for f in found]
    return out


def _proposal(paragraph: Paragraph, found: StatedFigure, around: Surroundings, used: Used) -> Proposal:
    span = word_span(paragraph.text, found.start, found.end)
    why = f"{found.sort}" + (f", hedged by '{found.hedge}'" if found.hedge else "")
    return Proposal(
        key_of(around.text.source, paragraph, span, found.sort), around.text.source, found.sort, found.low,
        found.high,
        found.bound, found.hedge, found.unit, found.counted,
        around.dates(paragraph, found.start, used, found.sort), around.says(paragraph, found.start, used),
        around.places(paragraph, found.start, used), Anchor.at(around.text.source, paragraph, *span),
        paragraph.text[found.start : found.end], why, span=(found.start, found.end),
    )  # fmt: skip


def mark(
    text: Text, paragraph: Paragraph, sentence: int, context: Context, used: Used | None = None
) -> Proposal:
    """Return a form for a sentence that a human marked: no figure, the pick lists filled.

    Parameters
    ----------
    sentence : which sentence of the paragraph, from 0.

    Raises
    ------
    UsageError
        where the desk does not read its language.
    """
    if why := unread(text):
        raise UsageError(why)
    around = Surroundings.of(text, context)
    cut = spans(paragraph.text, around.words)
    start, end = cut[min(sentence, len(cut) - 1)]
    span, used = word_span(paragraph.text, start, end), used or Used()
    return Proposal(
        key_of(text.source, paragraph, span, "sentence"), text.source, "sentence", None, None, None, "",
        "qualitative", "",
        around.dates(paragraph, start, used), around.says(paragraph, start, used), around.places(paragraph,
        start, used),
        Anchor.at(text.source, paragraph, *span), paragraph.text[start:end], "marked", "human",
        (start, end),
    )  # fmt: skip


def sentences_of(text: Text) -> list[tuple[Paragraph, int, tuple[int, int]]]:
    """Return the sentences that may be marked: paragraph, number in it from 0, and place in it."""
    words = nearest_table(text.language)
    told = (p for p in text.paragraphs if p.kind in ("story", "caption") and not unread(text))
    return [(p, k, span) for p in told for k, span in enumerate(spans(p.text, words))]


def marked_by(key: str, text: Text, context: Context, used: Used | None = None) -> Proposal | None:
    """Return the form of the marked sentence that has a key; ``None`` where none has."""
    for paragraph, k, span in sentences_of(text):
        if key == key_of(text.source, paragraph, word_span(paragraph.text, *span), "sentence"):
            return mark(text, paragraph, k, context, used)
    return None


def grammar_reads(text: Text, proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return those proposals of a plug-in whose figure the desk's own grammar reads in their words.

    Drop the rest.
    """
    out, words, readable = [], nearest_table(text.language), {p.hash: p for p in read_paragraphs(text)}
    for p in proposals:
        paragraph = readable.get(p.anchor.hash)
        if paragraph is None or p.low is None:
            continue
        own: Sequence[StatedFigure] = figures(paragraph.text, words, date_spans(paragraph.text, words))
        spans_ = [(f, word_span(paragraph.text, f.start, f.end)) for f in own]
        first, end = p.anchor.words
        if any(a < end and first < b and (f.low, f.high) == (p.low, p.high) for f, (a, b) in spans_):
            out.append(p)
    return out
