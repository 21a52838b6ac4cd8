"""Dates that a paragraph mentions, resolved against the day of publication where they are relative."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from breakrank_desk.normal import bare
from breakrank_desk.numbers import number_pattern, number_value
from breakrank_desk.words import WordTable

COUNTED = "counted from that date"
"""Why a mention holds that is told by its distance from another: "two days before March 3"."""
FEW = (1, 5)
"""Units that "a few" may mean: at least one, and at most five."""
_DAYS = {"hours": 1 / 24, "days": 1, "weeks": 7, "months": 30.44, "years": 365.25, "decades": 3652.5}


@dataclass(frozen=True, slots=True)
class Mention:
    """A date, month, year or span that a text speaks of.

    Attributes
    ----------
    start, end : where it stands; both 0 for dates that stand nowhere in the text.
    first, last : first and last day meant.
    why : from what it was resolved.
    since : whether a span begins there ("since").
    back : whether it is counted back ("two months ago"), and so a length of time as well.
    said : whether it is the day on which somebody said it.
    part : whether it is but an end of a span that stands here too ("from May 3 to June 8").
    """

    start: int
    end: int
    first: dt.date
    last: dt.date
    why: str
    since: bool = False
    back: bool = False
    part: bool = False
    said: bool = False

    @property
    def when(self) -> str:
        """How the ledger writes it."""
        return str(self.first) if self.first == self.last else f"{self.first}/{self.last}"


@lru_cache(maxsize=8)
def _forms(table: WordTable) -> tuple[re.Pattern[str], ...]:
    parts = {"M": "months", "W": "weekdays", "R": "relatives", "S": "spans"}
    inner = {"N": number_pattern(table), **{k: table.any_of(part) for k, part in parts.items()}}
    out = []
    for form in table["date_forms"]:
        text = re.sub(r"(?<=>)([MWRSN])(?=\))", lambda m: f"(?:{inner[m.group(1)]})", form)
        text = text.replace("(?:W)", f"(?:{inner['W']})")
        out.append(re.compile(rf"(?<!\w){text}(?!\w)", re.IGNORECASE))
    return tuple(out)


def mentions(text: str, table: WordTable, published: dt.date | None) -> list[Mention]:
    """Return the dates of a paragraph in order, none overlapping.

    Relative dates ("last month", "Monday", "in January") need the day of publication and are left out
    without it;
    where they stand is taken up all the same by :func:`date_spans`.
    """
    return sorted(
        (m for m in _found(text, table, published) if m.first != dt.date.min), key=lambda m: m.start
    )


def date_spans(text: str, table: WordTable, published: dt.date | None = None) -> tuple[tuple[int, int], ...]:
    """Return where dates stand, resolved or not, so that no figure is read there.

    "Two months ago" is a date and a length of time, and stays a figure.
    """
    return tuple((m.start, m.end) for m in _found(text, table, published) if m.back is False)


@lru_cache(maxsize=2048)
def _found(text: str, table: WordTable, published: dt.date | None) -> tuple[Mention, ...]:
    out: list[Mention] = []
    taken = bytearray(len(text) + 1)
    counted = re.search(table["counted_back"], text, re.IGNORECASE)
    for form in _forms(table):
        if "span" in form.groupindex and not counted:
            continue  # the costliest forms
        for match in form.finditer(text):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            parts = {k: v for k, v in match.groupdict().items() if v is not None}
            if "month" in parts and not _is_month(match):
                continue
            days = _resolved(parts, table, published)
            if days is None:
                continue
            taken[start:end] = b"x" * (end - start)
            since = bool(re.search(table["since"], text[max(0, start - 12) : end], re.IGNORECASE))
            out.append(Mention(start, end, *days, since, "ago" in parts))
    return (*out, *_counted_from(text, out, table))


def _counted_from(text: str, found: list[Mention], table: WordTable) -> Iterator[Mention]:
    """Yield the dates told by their distance from a day: "a few days before March 3"."""
    for m in found:
        start = max(0, m.start - 48)
        told = _distance(table).search(text[start : m.start]) if m.first == m.last != dt.date.min else None
        if told is None:
            continue
        count = number_value(told.group("n"), table) if told.group("n") else None
        few = FEW if told.group("few") else (count or 1, count or 1)
        days = _DAYS[str(table.lookup("spans")[bare(told.group("span"))])]
        sign = -1 if told.group("before") else 1
        if days < 1 or few[1] * days > 36_600:
            continue
        ends = sorted(m.first + dt.timedelta(round(sign * k * days)) for k in few)
        yield Mention(start + told.start(), m.start, ends[0], ends[-1], COUNTED, back=True)


@lru_cache(maxsize=8)
def _distance(table: WordTable) -> re.Pattern[str]:
    spans = table.any_of("spans")
    form = str(table["distance"]).replace("(?P<n>N)", f"(?P<n>{number_pattern(table)})")
    return re.compile(form.replace("(?P<span>S)", f"(?P<span>{spans})"), re.IGNORECASE)


def _is_month(match: re.Match[str]) -> bool:
    """Tell the month of May from the verb, and March from a march: months begin with a capital in English."""
    word = match.group("month")
    return word.casefold() not in ("may", "march", "mar", "sep", "dec") or word[:1].isupper()


_Days = tuple[dt.date, dt.date, str]


def _resolved(parts: dict[str, str], table: WordTable, published: dt.date | None) -> _Days | None:
    try:
        if "relative" in parts:
            span, count = table.lookup("relatives")[bare(parts["relative"])]
            return _relative(str(span), int(count), published)
        if "weekday" in parts:
            return _weekday(int(table.lookup("weekdays")[bare(parts["weekday"])]), published)
        if "ago" in parts or ("span" in parts):
            return _span(parts, table, published)
        month = int(parts["monthno"]) if "monthno" in parts else 0
        if "month" in parts:
            month = int(table.lookup("months")[bare(parts["month"])])
        day = int(parts["day"]) if "day" in parts else 0
        if "day2" in parts:
            year = parts.get("year")
            ends = [
                _whole(int(year), month, d, "stated") if year else _recent(month, d, published)
                for d in (day, int(parts["day2"]))
            ]
            return (ends[0][0], ends[1][1], ends[0][2]) if ends[0][0] <= ends[1][1] else None
        if "year" in parts:
            return _whole(int(parts["year"]), month, day, "stated")
        return _recent(month, day, published)
    except (ValueError, OverflowError):
        return None


def _whole(year: int, month: int, day: int, why: str) -> _Days:
    if day:
        one = dt.date(year, month, day)
        return one, one, why
    if month:
        return dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1]), why
    return dt.date(year, 1, 1), dt.date(year, 12, 31), why


def calendar_around(published: dt.date) -> list[tuple[dt.date, dt.date]]:
    """Return the month and the year of publication, and those before: people date to the month or year."""
    before = published.replace(day=1) - dt.timedelta(1)
    days = [_whole(d.year, d.month, 0, "") for d in (published, before)]
    days += [_whole(published.year - k, 0, 0, "") for k in (0, 1)]
    return [(first, last) for first, last, _ in days]


def length_at(text: str, at: int, table: WordTable) -> float | None:
    """Return the days of a length of time that begins at a place of a text: "seven long months"."""
    found = _length(table).match(text, at)
    count = number_value(found.group("n"), table) if found else None
    if found is None or count is None:
        return None
    return count * _DAYS[str(table.lookup("spans")[bare(found.group("span"))])]


@lru_cache(maxsize=8)
def _length(table: WordTable) -> re.Pattern[str]:
    form = rf"\W*(?P<n>{number_pattern(table)}) (?:[\w-]+ ){{0,2}}(?P<span>{table.any_of('spans')})s?(?!\w)"
    return re.compile(form, re.IGNORECASE)


def _unknown() -> _Days:
    return dt.date.min, dt.date.min, "needs the day of publication"


def _recent(month: int, day: int, published: dt.date | None) -> _Days:
    """Return the last such month or day up to a week after publication."""
    dt.date(2000, month, day or 1)
    if published is None:
        return _unknown()
    year = published.year
    if dt.date(year, month, min(day or 1, 28)) > published + dt.timedelta(7):
        year -= 1
    if month == 2 and day == 29 and not calendar.isleap(year):
        year -= 1
    return _whole(year, month, day, "the last before publication")


def _weekday(day: int, published: dt.date | None) -> _Days:
    if published is None:
        return _unknown()
    one = published - dt.timedelta((published.weekday() - day) % 7)
    return one, one, "the weekday up to publication"


def _relative(span: str, count: int, published: dt.date | None) -> _Days:
    if published is None:
        return _unknown()
    why = "counted from publication"
    if span == "day":
        one = published + dt.timedelta(count)
        return one, one, why
    if span == "week":
        first = published - dt.timedelta(published.weekday()) + dt.timedelta(7 * count)
        return first, first + dt.timedelta(6), why
    if span == "span":
        return published - dt.timedelta(count), published, why
    if span == "year":
        return _whole(published.year + count, 0, 0, why)
    months = published.year * 12 + published.month - 1 + count
    return _whole(months // 12, months % 12 + 1, 0, why)


def _span(parts: dict[str, str], table: WordTable, published: dt.date | None) -> _Days | None:
    unit = str(table.lookup("spans")[bare(parts["span"])])
    count = number_value(parts["ago"], table) if "ago" in parts else 1.0
    if "past" in parts:
        count = number_value(parts["past"], table)
    if count is None or count * _DAYS[unit] > 100_000:
        return None
    if published is None:
        return _unknown()
    then = published - dt.timedelta(round(count * _DAYS[unit]))
    if "ago" in parts:
        return then, then, "counted back from publication"
    return then, published, "the span up to publication"
