"""When what a figure counts was so: the dates of its sentence, else the time the text speaks of, by tense.

A date beside a verb of saying is the day of saying, and gives way to a date of what is said. Without a
date, a present tense means the day of publication; a past tense takes up the last date before it, as
readers do. A day after publication is when something is planned, and seldom when it was counted.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from breakrank_desk.dates import COUNTED, Mention, length_at, mentions
from breakrank_desk.normal import bare, straight
from breakrank_desk.said import quote_at, sayings
from breakrank_desk.sentences import NEAR
from breakrank_desk.texts import Paragraph
from breakrank_desk.words import WordTable

Told = tuple[int, Mention]
"""A mention, and the paragraph it stands in."""
MOST = 40
"""Mentions looked back to, or offered from elsewhere in a text."""


class Mentioned:
    """The mentions of a text, by paragraph and place."""

    def __init__(self, told: Iterable[Told]) -> None:
        self.told = sorted(told, key=lambda t: (t[0], t[1].start))
        self._keys = [(k, m.start) for k, m in self.told]

    def within(self, paragraph: int, start: int, end: int) -> list[Mention]:
        """Return the mentions of a paragraph that begin between two places."""
        a, b = (bisect_left(self._keys, (paragraph, x)) for x in (start, end))
        return [m for _, m in self.told[a:b]]

    def before(self, paragraph: int, start: int) -> list[Told]:
        """Return the last mentions before a place, the nearest first."""
        end = bisect_left(self._keys, (paragraph, start))
        return self.told[max(0, end - MOST) : end][::-1]

    def first(self, fits: Callable[[Mention], bool]) -> Told | None:
        """Return the first mention of a text that fits, among its first few."""
        return next((t for t in self.told[:MOST] if fits(t[1])), None)

    def elsewhere(self, paragraph: int) -> list[Mention]:
        """Return mentions of other paragraphs, the nearest first."""
        a, b = bisect_left(self._keys, (paragraph, -1)), bisect_left(self._keys, (paragraph + 1, -1))
        near = [*self.told[max(0, a - MOST) : a], *self.told[b : b + MOST]]
        near.sort(key=lambda t: (abs(t[0] - paragraph), t[0]))
        return [m for _, m in near[:MOST]]


_YEAR = 300
"""Days from which a mention is too wide to be the time of an event."""

ROUNDED = ("counted from publication", "the span up to publication", "that long up to publication")
"""Why a mention holds that is a rounded span up to publication: "over the past month"."""
LONG = "that long up to publication"
"""Why a length of time is offered as a span: "for seven months, they slept"."""
ROUND = 0.15
"""Share of its length by which a span may be rounded."""


@lru_cache(maxsize=1024)
def _verbs(text: str, table: WordTable) -> tuple[int, ...]:
    return tuple(sorted(s.verb for s in sayings(text, table)))


def reporting(paragraph: Paragraph, mention: Mention, table: WordTable) -> bool:
    """Return whether a date is that of saying: "said on Monday", "in a statement on March 3"."""
    text, verbs = straight(paragraph.text), _verbs(paragraph.text, table)
    k = bisect_left(verbs, mention.start) - 1
    if k >= 0 and mention.start - verbs[k] < 60:
        gap = text[verbs[k] : mention.start]
        if len(gap.split()) <= 3 and not re.search(r"[,;\"]", gap):
            return True
    return bool(
        re.search(table["statement"], text[max(0, mention.start - 40) : mention.start], re.IGNORECASE)
    )


def dates_of(paragraph: Paragraph, table: WordTable, published: dt.date | None) -> list[Mention]:
    """Return the dates of a paragraph, with the spans that two of them make together.

    Ends of such spans, and dates that are those of saying, are marked.
    """
    found = mentions(paragraph.text, table, published)
    pairs = _paired(paragraph.text, found, table)
    ends = {m for m in found if any(p.start <= m.start and m.end <= p.end for p in pairs)}
    ends |= {m for m in found if any(x.why == COUNTED and x.end == m.start for x in found)}
    return [replace(m, part=m in ends, said=reporting(paragraph, m, table)) for m in (*pairs, *found)]


def _paired(text: str, found: Sequence[Mention], table: WordTable) -> list[Mention]:
    """Return the spans that two dates make together: "between 3 March and 8 May 2031"."""
    out = []
    for a, b in itertools.pairwise(found):
        between, before = text[a.end : b.start].strip().casefold(), text[max(0, a.start - 10) : a.start + 8]
        if between not in table["to"] or not re.search(table["from"], before, re.IGNORECASE):
            continue
        first = a.first
        if a.why != "stated" and b.why == "stated":
            years = (
                b.first.year - a.first.year - ((a.first.month, a.first.day) > (b.first.month, b.first.day))
            )
            first = a.first.replace(
                year=a.first.year + years, day=min(a.first.day, 28) if a.first.month == 2 else a.first.day
            )
        if first <= b.last:
            out.append(Mention(a.start, b.end, first, b.last, "from the one to the other"))
    return out


def ranked(
    paragraph: Paragraph, at: int, sentence: tuple[int, int], mentioned: Mentioned,
    published: dt.date | None, table: WordTable, *, lasting: bool = False,
) -> list[Mention]:  # fmt: skip
    """Return the dates that may hold for a place of a paragraph, the likeliest first.

    Parameters
    ----------
    sentence : where the sentence starts and ends.
    mentioned : all dates of the text in order, each with its paragraph, as :func:`dates_of` gives them.
    lasting : whether it is a trait that holds when the text is written, as an age.
    """
    text = paragraph.text
    inside = mentioned.within(paragraph.at, *sentence)
    ends = [m for m in inside if m.part]
    inside = [m for m in inside if not m.part]
    here = quote_at(text, at)
    said = [m for m in inside if m.said]
    apart = [m for m in inside if m not in said and quote_at(text, m.start) != here]
    inside = [m for m in inside if m not in said and m not in apart]
    inside.sort(key=lambda m: _order(m, at, text, sentence, table))
    out: list[Mention] = []
    day = [Mention(0, 0, published, published, "publication")] if published else []
    to_come = [m for m in inside if published and m.first > published]
    inside = [m for m in inside if m not in to_come]
    if published:
        inside = [_snapped(m, mentioned, published) for m in inside]
        spans = [replace(m, last=published, why="from there to publication") for m in inside if m.since]
        out += [m for m in spans if m.first < published]
    before = mentioned.before(paragraph.at, sentence[0])
    back = _taken_up(text[sentence[0] : sentence[1]], before, published, table)
    clause = _clause(text, at, sentence)
    now = bool(re.search(table["now"], clause, re.IGNORECASE))
    if not any(m.since for m in inside):  # "have been waiting since March 3" is the span from there
        now |= bool(re.search(table["still"], straight(clause), re.IGNORECASE))
    if lasting or now:
        out = [*day, *out, *back, *inside]
    else:
        past = is_past(text, at, sentence, table)
        vague = [] if past else [m for m in inside if _is_vague(m)]
        out += [*back, *(m for m in inside if m not in vague)]
        last = _last(paragraph, before, mentioned)
        last.sort(key=lambda m: m.first == m.last == published)  # the news of the day is told of last; stable
        if not inside and past and here is None:
            out += said[:1]
        out += [*last, *day] if past else [*said, *day, *vague, *last]
    out += [*to_come, *ends, *said, *day, *apart]
    around = mentioned.within(paragraph.at, at - 3 * NEAR, at + 3 * NEAR)
    out += [m for m in around if (m.last - m.first).days <= _YEAR]
    out += around
    return out


def spent(
    text: str, at: int, sentence: tuple[int, int], mentioned: Mentioned, published: dt.date, table: WordTable
) -> list[Mention]:  # fmt: skip
    """Return a past length of time up to publication, where it begins on a day that the text names."""
    length = length_at(text, at, table)
    if length is None or length > _YEAR or not is_past(text, at, sentence, table):
        return []
    span = Mention(0, 0, published - dt.timedelta(round(length)), published, LONG)
    found = _snapped(span, mentioned, published)
    return [found] if found is not span else []


def _snapped(m: Mention, mentioned: Mentioned, published: dt.date) -> Mention:
    """Return a rounded span up to publication from the day that it means: "over the past month", 25 days.

    A day that the text names stands for the beginning where it is as near as rounding allows.
    """
    length = (published - m.first).days
    if m.last != published or m.why not in ROUNDED or not 7 <= length <= _YEAR:
        return m
    days = [x.first for _, x in mentioned.told if x.first == x.last < published]
    near = min(days, key=lambda d: abs((d - m.first).days), default=None)
    if near is None or abs((near - m.first).days) > ROUND * length:
        return m
    return replace(m, first=near, why="a day named, up to publication")


def _order(
    m: Mention, at: int, text: str, sentence: tuple[int, int], table: WordTable
) -> tuple[bool, int, int]:
    """Order the dates of a sentence: events before whole years, the same clause first, then the nearest.

    A date that opens the sentence holds for all of it: the comma behind it opens no clause.
    """
    pair = m.why == "from the one to the other"
    wide = (m.last - m.first).days > _YEAR and not pair
    if pair and m.start <= at <= m.end:
        return (wide, 0, 0)
    between = straight(text[min(m.end, at) : max(m.start, at)])
    if m.start - sentence[0] < 12:
        between = re.sub(r"^\s*,", "", between)
    breaks = len(re.findall(r"[;,:(]| - ", between)) + len(re.findall(table["relatives_who"], between))
    return (wide, breaks, abs(m.start - at))


def _clause(text: str, at: int, sentence: tuple[int, int]) -> str:
    """Return the clause of a sentence that a place lies in."""
    cuts = _cuts(text)
    k = bisect_right(cuts, at)
    start, end = cuts[k - 1] if k else 0, cuts[k] if k < len(cuts) else len(text)
    return text[max(start, sentence[0]) : min(end, sentence[1])]


@lru_cache(maxsize=64)
def _cuts(text: str) -> tuple[int, ...]:
    """Return where clauses of a text may begin."""
    return tuple(m.start() for m in re.finditer(r"[,;:\"()]| - ", straight(text)))


def is_past(text: str, at: int, sentence: tuple[int, int], table: WordTable) -> bool:
    """Return whether the verb nearest to a place is in a past tense; verbs of saying are left out."""
    flat = straight(text)
    saying = _verbs(text, table)
    best: tuple[int, bool] | None = None
    for key, past in (("past", True), ("present", False)):
        for m in re.finditer(table[key], flat[sentence[0] : sentence[1]], re.IGNORECASE):
            start = sentence[0] + m.start()
            k = bisect_left(saying, start)
            if (k < len(saying) and saying[k] == start) or quote_at(text, start) != quote_at(text, at):
                continue
            crossed = len(re.findall(r"[,;:]", flat[min(start, at) : max(start, at)]))
            lead = flat[sentence[0] : start].split(" ")[-4:]
            if past and _participle(m.group(), lead, table):
                continue
            relative = bool(re.search(rf"{table['relatives_who'].rstrip()}$", " ".join(lead).rstrip()))
            away = abs(start - at) + 40 * crossed + (60 if relative and start < at else 0)
            if best is None or away < best[0]:
                best = (away, past)
    perfect = best and best[1] and re.search(table["perfect"], flat[sentence[0] : sentence[1]], re.IGNORECASE)
    return bool(best and best[1] and not perfect)


def _participle(word: str, lead: Sequence[str], table: WordTable) -> bool:
    """Return whether a form that may be past is a participle: "are allowed", "the defected members"."""
    near = [bare(w) for w in lead if w]
    if not re.search(table["participle"], word, re.IGNORECASE) or not near:
        return False
    return near[-1] in table["determiners"] or bool(set(near[-3:]) & {bare(w) for w in table["be_now"]})


def _taken_up(
    sentence: str, before: Sequence[Told], published: dt.date | None, table: WordTable
) -> list[Mention]:
    """Return the dates that "since then" and "that day" take up."""
    if not before:
        return []
    last = before[0][1]
    if re.search(table["then"], sentence, re.IGNORECASE) and published and last.first < published:
        return [Mention(0, 0, last.first, published, "from the date before to publication")]
    if re.search(table["that_day"], sentence, re.IGNORECASE):
        return [Mention(0, 0, last.first, last.last, "the date before")]
    return []


def _last(paragraph: Paragraph, before: Sequence[Told], mentioned: Mentioned) -> list[Mention]:
    """Return the dates before a sentence, the nearest first, and the text's first as the time it is about."""
    near = [m for k, m in before if paragraph.at - k <= 4 and _is_time(m)]
    near.sort(key=lambda m: m.said)  # stable
    first = mentioned.first(_is_time) if before else None
    told = [first[1]] if first and first in before else []
    return [Mention(0, 0, m.first, m.last, "the time told of") for m in (*near[:1], *told, *near[1:])]


def _is_vague(m: Mention) -> bool:
    """Return whether a mention is a span of years up to publication, as "recent years"."""
    return m.why == "counted from publication" and (m.last - m.first).days > 2 * _YEAR


def _is_time(m: Mention) -> bool:
    """Return whether a mention may be the time that a text tells of: no span such as "recent years"."""
    return not m.part and ((m.last - m.first).days <= _YEAR or m.why == "stated")
