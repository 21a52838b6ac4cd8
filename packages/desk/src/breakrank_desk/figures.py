"""Figures in a sentence: what is stated, how it is hedged, and what it counts; by one small grammar."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from breakrank.case.cells import readings
from breakrank_desk.normal import bare
from breakrank_desk.numbers import WordTable, number_pattern, number_value, one_of, scale_of

Sort = Literal[
    "count", "share", "money", "age", "service", "duration", "length", "clock", "vague", "frequency"
]
Bound = Literal["at_least", "at_most", "about"]


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A figure as stated.

    Attributes
    ----------
    start, end : where it stands in its paragraph, hedge included.
    low, high : the interval; ``high`` may be infinite where a figure is a lower bound.
    bound : ``at_least``, ``at_most`` or ``about`` where the words say so; ``about`` leaves low and high
        equal.
    hedge : the words of the hedge, as in the table.
    unit : persons, share, US dollars, years, ...; with a rate "meals a day".
    counted : the noun that follows, as a few words at most.
    strict : whether a bound is not reached itself, as in "less than 5".
    """

    start: int
    end: int
    low: float
    high: float
    sort: Sort
    unit: str
    counted: str = ""
    hedge: str = ""
    bound: Bound | None = None
    strict: bool = False
    core: tuple[int, int] = (0, 0)

    @property
    def value(self) -> float | None:
        """The figure itself where it is one number."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True)
class Grammar:
    """The expressions of a language, compiled."""

    number: str
    ranges: tuple[re.Pattern[str], ...]
    single: re.Pattern[str]
    vague: re.Pattern[str]
    hedge: re.Pattern[str]
    after: re.Pattern[str]
    parts: re.Pattern[str]
    not_figures: re.Pattern[str]
    percent: re.Pattern[str]
    per: re.Pattern[str]
    money_after: re.Pattern[str]
    among: re.Pattern[str]
    clause_before: re.Pattern[str]
    verb_next: re.Pattern[str]


@lru_cache(maxsize=8)
def grammar(table: WordTable) -> Grammar:
    """Return the expressions of a language, compiled once."""
    number, flags = number_pattern(table), re.IGNORECASE

    signs = [m for m in table["money"] if not m[-1].isalpha()]
    nouns = [m for m in table["money"] if m[-1].isalpha()]
    percent = table.any_of("percent")
    return Grammar(
        number=number,
        ranges=tuple(re.compile(rf"(?<![\w.,]){_named(e, number)}(?![\w])", flags) for e in table["range"]),
        single=re.compile(rf"(?<![\w.,-])(?P<sign>{one_of(signs)})? ?(?P<n>{number})(?!\w)", flags),
        vague=re.compile(rf"(?<!\w)(?P<n>{table.any_of('vague')})(?!\w)", flags),
        hedge=re.compile(
            rf"(?<!\w)(?P<h>{table.any_of('hedges')})\s+(?:(?:the|a|an|los|las|el|la)\s+)?$", flags
        ),
        after=re.compile(rf"^\s+(?P<h>{table.any_of('hedges_after')})(?!\w)", flags),
        parts=re.compile(rf"(?<!\w)(?P<n>{table.any_of('parts')})(?!\w)", flags),
        not_figures=table.pattern("not_figures"),
        percent=re.compile(rf"^\s*(?:{percent})(?!\w)|^%", flags),
        per=re.compile(rf"^,?\s+(?P<per>{table.any_of('per')})(?!\w)", flags),
        money_after=re.compile(rf"^\s+(?:de\s+)?(?P<m>{one_of(nouns)})(?!\w)", flags),
        among=re.compile(_named(table["among"], number), flags),
        clause_before=re.compile(rf"(?:^|[.,;:]|\b(?:{table.any_of('clause_before')})) ?$", flags),
        verb_next=re.compile(table["verb_next"], flags),
    )


def _named(expression: str, number: str) -> str:
    return re.sub(r"(?<=>)N(?=\))", lambda _: number, expression)


def phrase_key(phrase: str, table: WordTable, part: str) -> str:
    """Return a phrase as the table writes it."""
    known = {bare(k): k for k in table[part]}
    return str(known[bare(phrase)])


def counted_in(text: str, table: WordTable, found: StatedFigure) -> StatedFigure:
    """Say what is counted: what follows the number, and a rate after it."""
    g, rest = grammar(table), text[found.end : found.end + 120]
    late = g.after.match(rest)
    if late:  # "300 or more soldiers"
        inner = counted_in(text[: found.end] + rest[late.end() :], table, found)
        return replace(inner, end=inner.end + (late.end() if inner.end > found.end else 0))
    share = g.percent.match(rest)
    if share:
        end, low, high = found.end + share.end(), found.low / 100, found.high / 100
        after = re.sub(r"^\s*(?:of|de|del)\s+(?:the|los|las|el|la)?\s*", " ", text[end : end + 80])
        counted = _noun(after, table)[0]
        return replace(found, end=end, low=low, high=high, sort="share", unit="share", counted=counted)
    money = g.money_after.match(rest)
    if money and not found.unit:
        unit = str(table["money"][phrase_key(money.group("m"), table, "money")])
        found = replace(found, unit=unit, sort="money", end=found.end + money.end())
        rest = rest[money.end() :]
    if not found.unit:
        found, rest = _measured(found, rest, table)
    per = g.per.match(rest)
    if per:
        word = str(table["per"][phrase_key(per.group("per"), table, "per")])
        sort: Sort = "frequency" if found.sort in ("count", "duration") else found.sort
        return replace(found, end=found.end + per.end(), unit=f"{found.unit} a {word}", sort=sort)
    return found


def _measured(found: StatedFigure, rest: str, table: WordTable) -> tuple[StatedFigure, str]:
    """Read a unit of time or length, or the noun that is counted."""
    rest = re.sub(r"^\s+(?:de|of)\s+(?:the\s+|los\s+|las\s+|their\s+|sus\s+)?", " ", rest)
    word = re.match(
        r"^[\s-]+(?:(?:more|straight|consecutive|long|largos|full|whole|\w+-\w+ing) )?([^\W\d_]+)",
        rest,
    )
    name = bare(word.group(1)) if word else ""
    parts: tuple[tuple[str, Sort], ...] = (("durations", "duration"), ("lengths", "length"))
    for part, sort in parts:
        known = table.lookup(part)
        if word and name in known:
            end = found.end + word.end()
            return replace(found, unit=str(known[name]), sort=sort, end=end, counted=name), rest[word.end() :]
    body = re.match(r"^-([^\W\d_]+)", rest)
    if body and bare(body.group(1)) in table.lookup("bodies"):
        return replace(found, unit="persons", end=found.end + body.end()), rest[body.end() :]
    counted, persons = _noun(rest, table)
    unit = "persons" if persons else (counted.split()[-1] if counted else "")
    unit = "" if bare(unit) in table.lookup("them") else unit
    at = rest.find(counted) + len(counted) if counted else 0
    return replace(found, unit=unit, counted=counted), rest[at:]


def _noun(rest: str, table: WordTable) -> tuple[str, bool]:
    """Return the few words after a number up to a stop, and whether they name persons."""
    stops, persons = table.lookup("stops"), table.lookup("persons")
    rest = re.sub(r"^(\s+)rank[ -]and[ -]file ", r"\1rank-and-file ", rest)
    piece = re.split(r"[,.;:()\"“”!?—–\n]", rest, maxsplit=1)[0]
    out: list[str] = []
    human = False
    parts = piece.split()[:6]
    for k, word in enumerate(parts):
        name = bare(re.sub(r"['’]s$", "", word))
        after = bare(parts[k + 1]) if k + 1 < len(parts) else ""
        if any(c.isdigit() for c in word) or (
            name in stops and not (after in persons and name.endswith("ed"))
        ):
            break
        out.append(word)
        if name in persons or (word[:1].isupper() and word.endswith("ns")):  # Venezuelans, Syrians
            human = True
            break
    return " ".join(out), human


def figures(text: str, table: WordTable, dates: tuple[tuple[int, int], ...] = ()) -> list[StatedFigure]:
    """Return the figures of a paragraph, in order; none overlap.

    Parameters
    ----------
    text : the paragraph as it stands.
    dates : where dates stand, which are no figures.
    """
    taken = bytearray(len(text) + 1)
    for a, b in (*dates, *(m.span() for m in grammar(table).not_figures.finditer(text))):
        taken[a:b] = b"x" * (b - a)
    out: list[StatedFigure] = []
    for found in _all(text, table):
        start, end = found.core
        if any(taken[start:end]):
            continue
        out.append(found)
        taken[found.start : found.end] = b"x" * (found.end - found.start)
    return sorted(out, key=lambda f: f.start)


def _all(text: str, table: WordTable) -> Iterator[StatedFigure]:
    """Yield candidates, the most specific readings first."""
    g = grammar(table)
    yield from _special(text, table)
    for match in g.parts.finditer(text):
        share = float(table["parts"][phrase_key(match.group("n"), table, "parts")])
        found = StatedFigure(*match.span(), share, share, "share", "share", core=match.span())
        yield _hedged(text, table, found)
    for match in g.vague.finditer(text):
        low, high = table["vague"][phrase_key(match.group("n"), table, "vague")]
        found = StatedFigure(*match.span(), float(low), float(high), "vague", "", core=match.span())
        yield _hedged(text, table, counted_in(text, table, found))
    for expression in g.ranges:
        for match in expression.finditer(text):
            low, high = number_value(match.group("low"), table), number_value(match.group("high"), table)
            scale = scale_of(match.group("high"), table)
            if low is not None and high is not None and scale_of(match.group("low"), table) < scale:
                low *= scale if low < high / scale else 1  # "3 to 5 thousand"
            if low is None or high is None or high <= low:
                continue
            found = StatedFigure(*match.span(), low, high, "count", "", core=match.span())
            yield counted_in(text, table, found)
    for match in g.single.finditer(text):
        value = number_value(match.group("n"), table)
        if value is None or not math.isfinite(value):
            continue
        one = match.group("n").casefold() in table["one"]
        unit = str(table["money"][_sign(match.group("sign"), table)]) if match.group("sign") else ""
        start = match.start("sign") if match.group("sign") else match.start("n")
        found = StatedFigure(
            start, match.end(), value, value, "money" if unit else "count", unit, core=(start, match.end())
        )
        found = counted_in(text, table, found)
        if found.unit == "persons" and not value.is_integer():  # "1.200 soldiers" in English
            other = readings(match.group("n"), whole=True)
            found = replace(found, low=float(other[","]), high=float(other[","])) if "," in other else found
        found = _hedged(text, table, found)
        bare_count = found.sort == "count" and not found.counted and not found.unit
        if bare_count and value < 10 and not found.hedge and not _among(text, *match.span(), value, table):
            continue
        if not one or (found.sort == "duration" and (found.hedge or _stands(text, found))):
            yield found


def _among(text: str, start: int, end: int, value: float, table: WordTable) -> bool:
    """Return whether a small number counts some of others: "seven of the 12 men", "Of the 12, four were"."""
    g = grammar(table)
    found = g.among.match(text, end)
    if found:
        return found.group("n") is None or (number_value(found.group("n"), table) or 0) > value
    return bool(g.clause_before.search(text, max(0, start - 12), start) and g.verb_next.match(text, end))


def _stands(text: str, found: StatedFigure) -> bool:
    """Return whether "a week" is a length of time, not a rate ("a week") or a date ("a week ago")."""
    before = text[: found.start].rstrip()
    return not re.search(r"[\d%s]$|(?:times|once|twice|veces|vez)$", before) and bool(
        re.search(
            r"(?:for|after|spent|within|lasted|of|took|durante|tras|pasó|en)$|(?:after|spent|for) [\w-]+$",
            before,
            re.I,
        )
        or re.search(r"(?:harrowing|whole|full|entire|long|entera?)\b", text[found.start : found.end + 12])
    )


def _sign(sign: str, table: WordTable) -> str:
    return next(str(k) for k in table["money"] if k.casefold() == sign.casefold())


def _special(text: str, table: WordTable) -> Iterator[StatedFigure]:
    for sort, unit in (("age", "years"), ("service", "years")):
        for match in table.pattern_list(sort):
            for m in match.finditer(text):
                value = number_value(m.group("n").split("-year")[0], table)
                if value is not None and (sort == "service" or 0 < value < 100):
                    span = m.span("n") if sort == "age" else m.span()
                    yield StatedFigure(m.start(), m.end(), value, value, sort, unit, counted=sort, core=span)  # type: ignore[arg-type]
    for match in table.pattern_list("clock"):
        for m in match.finditer(text):
            hour = _hour(m, table)
            if hour is not None:
                yield StatedFigure(m.start(), m.end(), hour, hour, "clock", "hour of the day", core=m.span())
    for m in re.finditer(table["each"], text, re.IGNORECASE):
        yield StatedFigure(m.start(), m.end(), 1.0, 1.0, "frequency", "a week", core=m.span())


def _hour(match: re.Match[str], table: WordTable) -> float | None:
    parts = match.groupdict()
    hour = number_value(parts["n"], table)
    if hour is None or not 0 <= hour <= 24 or (parts.get("m") and int(parts["m"]) > 59):
        return None
    half = (parts.get("half") or "").casefold()
    if (half == "p" or half in ("t", "n")) and hour < 12:
        hour += 12
    if half == "a" and hour == 12:
        hour = 0.0
    return round(hour + int(parts.get("m") or 0) / 60, 4)


def _hedged(text: str, table: WordTable, found: StatedFigure) -> StatedFigure:
    """Read a hedge before or after a figure into its interval."""
    g = grammar(table)
    before = g.hedge.search(text[max(0, found.start - 40) : found.start])
    after = g.after.match(text[found.core[1] : found.core[1] + 30])
    if before:
        word = phrase_key(before.group("h"), table, "hedges")
        found = replace(found, start=max(0, found.start - 40) + before.start(), hedge=word)
        return _interval(found, table["hedges"][word])
    if after:
        word = phrase_key(after.group("h"), table, "hedges_after")
        end = max(found.end, found.core[1] + after.end())
        return _interval(replace(found, hedge=word, end=end), table["hedges_after"][word])
    return found


def _interval(found: StatedFigure, rule: object) -> StatedFigure:
    if isinstance(rule, list | tuple):
        return replace(found, low=_round(found.low * rule[0]), high=_round(found.high * rule[1]))
    if rule in ("at_least", "above"):
        return replace(found, high=math.inf, bound="at_least", strict=rule == "above")
    if rule in ("at_most", "below"):
        return replace(found, low=0.0, bound="at_most", strict=rule == "below")
    return replace(found, bound="about") if rule == "about" else found


def _round(value: float) -> float:
    return float(f"{value:.12g}")
