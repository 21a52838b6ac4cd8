"""Figures in a sentence: what is stated, how it is hedged, and what it counts.

Read by one small grammar from the tables.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from breakrank.case.figures.counted import StatedFigure, counted_in, grammar, phrase_key
from breakrank.case.figures.numbers import number_value, readings, scale_of
from breakrank.case.figures.words import WordTable


def figures(
    text: str, table: WordTable, dates: tuple[tuple[int, int], ...] = (), *, settled: bool = False
) -> list[StatedFigure]:
    """Return the figures of a paragraph, in order; none overlap.

    Parameters
    ----------
    text : the paragraph as it stands.
    dates : where dates stand, which are no figures.
    settled : whether it is known that a point is a decimal one, also where persons seem to be counted.
    """
    taken = bytearray(len(text) + 1)
    for a, b in (*dates, *(m.span() for m in grammar(table).not_figures.finditer(text))):
        taken[a:b] = b"x" * (b - a)
    out: list[StatedFigure] = []
    for found in _all(text, table, settled):
        start, end = found.core
        if any(taken[start:end]):
            continue
        out.append(found)
        taken[found.start : found.end] = b"x" * (found.end - found.start)
    return sorted(out, key=lambda f: f.start)


def _all(text: str, table: WordTable, settled: bool) -> Iterator[StatedFigure]:
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
        if not settled and found.unit == "persons" and not value.is_integer():  # "1.200 soldiers" in English
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
    if isinstance(rule, list):
        return replace(found, low=_round(found.low * rule[0]), high=_round(found.high * rule[1]))
    if rule in ("at_least", "above"):
        return replace(found, high=math.inf, bound="at_least", strict=rule == "above")
    if rule in ("at_most", "below"):
        return replace(found, low=0.0, bound="at_most", strict=rule == "below")
    return replace(found, bound="about") if rule == "about" else found


def _round(value: float) -> float:
    return float(f"{value:.12g}")
