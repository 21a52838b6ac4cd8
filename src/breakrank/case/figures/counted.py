"""What a figure counts: percent, money, units of time and length, or the noun that follows; and rates."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from breakrank.case.figures.numbers import number_pattern
from breakrank.case.figures.words import WordTable, bare, one_of

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
    money_before: re.Pattern[str]
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
        money_before=re.compile(rf"(?P<sign>{one_of(signs)}) ?$", flags),
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
