"""Figures in cells of tables: digits with any marks, or words, hedged or not, of the unit that is counted."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from breakrank.case.values import SlipError
from breakrank.outputs import CURRENCY, SHARE, WHOLE

ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
    }
)
"""Quotes and dashes as a typewriter has them."""


NUMERAL = r"(?:\d+(?:[.,']\d+| \d{3}(?!\d))*|\.\d+)(?:[eE][-+]?\d{1,3})?"
"""One number in digits, its marks included, in a text that :func:`typed` returned."""
_OTHER = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
        **{chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
        **dict(zip("٫٬٪≈∼≃", ".,%~~~", strict=True)),
        **dict.fromkeys("≤⩽", "<="),
        **dict.fromkeys("≥⩾", ">="),
    }
)


def typed(text: str) -> str:
    """Return a text as a plain keyboard writes it: digits 0 to 9, one kind of blank, quote and dash.

    Raised digits stay as they are: they are notes, no numbers.

    Examples
    --------
    >>> typed("１ ٢٠٠"), typed("5–10"), typed("1’200²")
    ('1 200', '5-10', "1'200²")
    """
    out = text.translate(_OTHER).translate(ALIKE)
    return "".join(str(unicodedata.decimal(c, c)) for c in out).strip()


def readings(numeral: str, *, whole: bool = False, scale: float = 1.0) -> dict[str, str]:
    """Return a number in plain digits by its decimal mark, "." and ",": both where its marks leave it open.

    Parameters
    ----------
    whole : whether it counts something, so that no part of one is possible.
    scale : what a word after it multiplies it by, as in "1.2 million".

    Examples
    --------
    >>> readings("1.200"), readings("1.200", whole=True), readings("1 200,5")
    ({'.': '1.200', ',': '1200'}, {',': '1200'}, {',': '1200.5'})
    """
    out = {}
    for mark, group in ((".", ","), (",", ".")):
        grouped = rf"[1-9]\d{{0,2}}(?P<group>[{group} '])\d{{3}}(?:(?P=group)\d{{3}})*"
        shape = rf"[-+]?(?=[.,]?\d)(?:{grouped}|\d*)(?:[{mark}]\d*)?(?:[eE][-+]?\d{{1,3}})?"
        if not re.fullmatch(shape, numeral):
            continue
        plain = re.sub(rf"[{group} ']", "", numeral).replace(mark, ".")
        value = float(plain) * scale
        if math.isfinite(value) and not (whole and abs(value - round(value)) > 1e-9 * max(1.0, abs(value))):
            out[mark] = plain
    return out


def is_open(found: Mapping[str, str]) -> bool:
    """Return whether a number can be read in two ways."""
    return len({float(plain) for plain in found.values()}) > 1


def column_mark(column: Iterable[Mapping[str, str]]) -> str:
    """Return the decimal mark that the readings of a column show; "" where none does, or they disagree."""
    shown = {mark for found in column if len(found) == 1 for mark in found}
    return shown.pop() if len(shown) == 1 else ""


def settled(numeral: str, found: Mapping[str, str], mark: str) -> str:
    """Return the one reading of a number, or the one with a decimal mark.

    Raises
    ------
    SlipError
        naming both readings, where they differ and no mark is given.
    """
    if not is_open(found):
        return next(iter(found.values()))
    if mark:
        return found[mark]
    both = [f"{float(plain):,.15g}" for plain in found.values()]
    raise SlipError(
        f"{numeral!r} can be read as {both[0]} or as {both[1]}",
        f"Write {both[0].replace(',', '')} or {both[1].replace(',', '')}.",
    )


def short(value: float) -> float | int:
    """Return a number as files have it: a whole one without a point."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else value


Bound = Literal["at_least", "at_most", "about"]


@dataclass(frozen=True, slots=True)
class CellFigure:
    """A figure as a cell states it.

    Attributes
    ----------
    low, high : the interval; ``high`` may be infinite where a figure is a lower bound.
    bound : where the words say so; ``about`` leaves low and high equal.
    """

    low: float
    high: float
    bound: Bound | None = None

    @property
    def value(self) -> float | None:
        """The figure itself where it is one number."""
        return self.low if self.low == self.high else None


REMEDY = "Write e.g. 850, 800 to 900, nearly 1,000, at least 300, <5 or hundreds."
MOST = 1e12
"""Largest figure that is read."""
_MISSING = {"", "-", "--", "---", "?", ":", "x", "/"}
_MISSING |= {"na", "n/a", "#n/a", "nan", "null", "none", "nd", "n/d", "unknown", "missing", "no data"}
_SIGNS = (
    (r"^(?:<=|=<) ?(?=[\d.$€£])", "at most "),
    (r"^(?:>=|=>) ?(?=[\d.$€£])", "at least "),
    (r"^< ?(?=[\d.$€£])", "less than "),
    (r"^> ?(?=[\d.$€£])", "more than "),
    (r"^(?:~|circa|ca?\.?|appro?x?\.?) ?(?=\d)", "about "),
    (r"(?<=\d) ?\+(?= |$)", " or more"),
    (r"(?<=[\d%]) ?- ?(?=[\d$€£])", " to "),
)
"""Signs of tables, and the words that stand for them."""
_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL: Final[Mapping[str, float]] = {
    **{word: float(k) for k, word in enumerate(f"{_ONES} sixteen seventeen eighteen nineteen".split())},
    **{word: 10.0 * k for k, word in enumerate(_TENS.split(), 2)},
}
_SCALES: Final[Mapping[str, float]] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "k": 1e3,
    "m": 1e6,
    "bn": 1e9,
}
VAGUE: Final[Mapping[str, tuple[float, float]]] = {
    "a couple of": (2, 2),
    "half a dozen": (6, 6),
    "a dozen": (12, 12),
    "two dozen": (24, 24),
    "three dozen": (36, 36),
    "several dozen": (36, 80),
    "a few dozen": (24, 60),
    "dozens": (24, 99),
    "scores": (40, 99),
    "a few hundred": (200, 500),
    "few hundred": (200, 500),
    "several hundred": (300, 900),
    "hundreds": (200, 999),
    "hundreds of thousands": (2e5, 999_999),
    "tens of thousands": (2e4, 99_999),
    "a few thousand": (2000, 5000),
    "few thousand": (2000, 5000),
    "several thousand": (3000, 9000),
    "thousands": (2000, 9999),
    "millions": (2e6, 9_999_999),
}
"""Amounts without a number, from the lowest to the highest that is meant."""
HEDGES: Final[Mapping[str, str | tuple[float, float]]] = {
    **dict.fromkeys(("nearly", "almost", "close to", "just under"), (0.95, 1.0)),
    **dict.fromkeys(("just over", "slightly more than"), (1.0, 1.05)),
    **dict.fromkeys(("about", "some", "around", "roughly", "approximately"), "about"),
    **dict.fromkeys(("an estimated", "estimated", "or so"), "about"),
    **dict.fromkeys(("at least", "no fewer than", "no less than", "upwards of", "or more"), "at_least"),
    **dict.fromkeys(("as many as", "up to", "at most", "no more than", "within"), "at_most"),
    **dict.fromkeys(("or fewer", "or less"), "at_most"),
    **dict.fromkeys(("more than", "over"), "above"),
    **dict.fromkeys(("less than", "fewer than", "under"), "below"),
    **dict.fromkeys(("only", "exactly"), "exact"),
}
"""What words before or after a figure make of it: shares of it, or a bound; above and below leave it out."""
_MONEY: Final[Mapping[str, str]] = {
    **dict.fromkeys(("$", "us$", "dollars", "dollar"), "US dollars"),
    "€": "euros",
    "euros": "euros",
    "£": "pounds",
    "pounds": "pounds",
    "bolivars": "bolivars",
    "pesos": "pesos",
    "rubles": "roubles",
    "roubles": "roubles",
    "marks": "marks",
}
_TIMES = re.compile(r"(second|minute|hour|day|night|week|month|year|decade)s?(?!\w)", re.IGNORECASE)
_PERCENT = re.compile(r"(?:%|per ?cent(?!\w)|percentage points(?!\w))", re.IGNORECASE)
_RATE = re.compile(
    r"(?:(?:an?|per|each|every) (?:hour|day|week|month|year)|daily|weekly|monthly|annually)(?!\w)",
    re.IGNORECASE,
)
_EVERY = {"daily": "day", "weekly": "week", "monthly": "month", "annually": "year"}
_KINDS = {"share": "a share", "money": "money", "duration": "a length of time", "rate": "a rate"}
_PEOPLE = {
    "soldiers": ("soldier", "soldiers", "troops", "men", "personnel", "persons", "people"),
    "persons": ("person", "persons", "people"),
}
"""Nouns that name a unit."""


def _any(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


_SCALE = rf"(?:[ -]?(?:{_any(_SCALES)})(?!\w))"
_SPELT = rf"(?:{_any((*_SMALL, *(word for word in _SCALES if len(word) > 2), 'a'))})(?!\w)"
_DIGITS = rf"(?:us\$|[$€£])? ?{NUMERAL}{_SCALE}?"
_ONE = rf"(?:(?:{_any(VAGUE)})(?!\w)|{_DIGITS}|{_SPELT}(?:[ -](?:and )?{_SPELT}){{0,11}})"
_NUMBER = re.compile(rf"(?<![\w.,'])(?P<n>{NUMERAL})(?P<scale>{_SCALE})?", re.IGNORECASE)
_FIGURE = re.compile(
    rf"(?:(?P<hedge>{_any(HEDGES)}) (?:the |an? )?)?(?P<between>between )?(?:from )?(?P<low>{_ONE})"
    rf"(?:%? (?(between)and|to) (?P<high>{_ONE}))?(?P<rest>.*)",
    re.IGNORECASE,
)
_AFTER = re.compile(rf" (?P<hedge>{_any(HEDGES)})(?!\w)", re.IGNORECASE)


def shown_mark(cells: Iterable[tuple[str, str]]) -> str:
    """Return the decimal mark that the numbers of a column show, each cell with its unit; "" where none."""
    return column_mark(found for cell, unit in cells for found in _readings(typed(cell), unit))


def _readings(text: str, unit: str) -> Iterator[dict[str, str]]:
    """Yield what each number in digits of a cell may be."""
    whole = unit in WHOLE and not _PERCENT.search(text)
    for match in _NUMBER.finditer(text):
        yield readings(match["n"], whole=whole, scale=_scale(match["scale"] or ""))


def _scale(text: str) -> float:
    """Return the factor that the last word of a number is; 1 if it is none."""
    last = re.search(r"[a-z]+$", text.lower())
    return _SCALES.get(last.group(), 1.0) if last else 1.0


def read_cell(cell: str, unit: str, shown: str = "", mark: str = ".", money: str = CURRENCY) -> CellFigure:
    """Return the figure that is all a cell says, checked against the unit of what it counts.

    A bound that is not reached is turned into one that is where things are counted one by one: "less than 5"
    is at most 4, and "more than 5" at least 6.

    Parameters
    ----------
    unit : of the measure, e.g. soldiers, share or currency.
    shown : the decimal mark that its column shows (:func:`shown_mark`).
    mark : the one that its table has by its separator; with it "1,200" is 1200, where the column shows none.
        What counts one by one and has a dot, as "5.000", is refused then: it is 5 or 5000.
    money : what ``currency`` is in this case.

    Raises
    ------
    SlipError
        for what is no figure, or one that the unit rules out: what was found, and what to write.

    Examples
    --------
    >>> [read_cell(text, "soldiers").low for text in ("1.200", "> 5", "c. 1 200", "dozens")]
    [1200.0, 6.0, 1200.0, 24.0]
    """
    text = typed(cell)
    if text.strip(" .").casefold() in _MISSING:
        raise SlipError(f"{cell!r} says that no figure is there", "Leave the row out, or write the figure.")
    if not text.strip("*†‡ "):  # each source has a rule of its own, so none is taken
        raise SlipError(
            f"{cell!r} stands for a count that its source keeps back",
            "Write what the source says of it, e.g. 1 to 4, or leave the row out.",
        )
    if re.match(r"-\s?[\d.$€£]|\(\s?[\d.,]+\s?\)$", text):
        raise SlipError(
            f"{cell!r} is negative, and {unit} are counted from 0",
            "Leave the row out if it stands for a figure that is missing.",
        )
    for sign, words in _SIGNS:
        text = re.sub(sign, words, text, flags=re.IGNORECASE)
    found = _FIGURE.fullmatch(" ".join(text.split()))
    if found is None or re.search(r"\d", found["rest"]):
        raise SlipError(f"{cell[:60]!r} is no figure", REMEDY)
    marks = (cell, unit, unit in WHOLE and not _PERCENT.search(text), shown, mark)
    low, high = _number(found["low"], *marks)
    if found["high"]:
        least, most = _number(found["high"], *marks)
        scale = _scale(found["high"])
        low *= scale if _scale(found["low"]) < scale and low < most / scale else 1  # "3 to 5 thousand"
        if low >= least:
            raise SlipError(f"{cell[:60]!r} is no range: its ends do not rise", REMEDY)
        high = most
    return _checked(cell, low, high, found, unit, money)


def _number(text: str, cell: str, unit: str, whole: bool, shown: str, mark: str) -> tuple[float, float]:
    """Return the least and the most that a number in digits or words is."""
    if text.lower() in VAGUE:
        return VAGUE[text.lower()]
    match = _NUMBER.search(text)
    if match is None:
        value = _spelt(text.lower())
        if value is None:
            raise SlipError(f"{cell[:60]!r} is no figure", REMEDY)
        return value, value
    numeral, scale = match["n"], _scale(match["scale"] or "")
    found = readings(numeral, whole=whole, scale=scale)
    if not found:
        part = readings(numeral) and unit in WHOLE
        counted = f"is no whole number, and {unit} are counted one by one"
        raise SlipError(f"{cell[:60]!r} {counted if part else 'is no number'}", REMEDY)
    open_mark = shown or ("" if unit in WHOLE and "." in numeral else mark)
    value = float(f"{float(settled(numeral, found, open_mark)) * scale:.15g}")
    if value > MOST:
        raise SlipError(f"{cell[:60]!r} is more than {MOST:,.0f}", REMEDY)
    return value, value


def _spelt(text: str) -> float | None:
    """Return a number in words; ``None`` for "a" alone."""
    words = [word for word in re.split("[ -]", text) if word != "and"]
    if words == ["a"]:
        return None
    total = current = 0.0
    for word in words:
        scale = _SCALES.get(word, 1.0)
        if scale == 1:
            current += _SMALL.get(word, 1.0)
        elif scale == 100:
            current = (current or 1) * 100
        else:
            total, current = total + (current or 1) * scale, 0.0
    return total + current


Kind = Literal["count", "vague", "share", "money", "duration", "rate"]


def _counted(found: re.Match[str]) -> tuple[Kind, str, str, str]:
    """Return what a figure counts: the sort, its unit, the words of a hedge that follows, and the rest."""
    sign, rest = re.match(r"us\$|[$€£]", found["low"], re.IGNORECASE), found["rest"]
    kind: Kind = "vague" if found["low"].lower() in VAGUE else "count"
    name, hedge = "", ""
    if sign:
        kind, name = "money", _MONEY[sign[0].lower()]
    for _ in range(2):  # a hedge may stand before or after the unit
        if hedged := _AFTER.match(rest):
            hedge, rest = hedged["hedge"].lower(), rest[hedged.end() :]
        if kind == "count" and (share := re.match(rf" ?{_PERCENT.pattern}", rest, re.IGNORECASE)):
            kind, rest = "share", rest[share.end() :]
        elif kind == "count" and (money := re.match(r" (\w+)", rest)) and money[1].lower() in _MONEY:
            kind, name, rest = "money", _MONEY[money[1].lower()], rest[money.end() :]
        elif kind == "count" and (time := re.match(rf"[ -]{_TIMES.pattern}", rest, re.IGNORECASE)):
            kind, name, rest = "duration", f"{time[1].lower()}s", rest[time.end() :]
    if rate := _RATE.search(rest):
        word = rate[0].lower().split()[-1]
        kind, name = "rate", f"a {_EVERY.get(word, word)}"
    return kind, name, hedge, rest.strip(" .")


def _checked(cell: str, low: float, high: float, found: re.Match[str], unit: str, money: str) -> CellFigure:
    """Return a figure as its unit has it; SlipError where its sort, its noun or its size is another."""
    kind, name, after, rest = _counted(found)
    if len([one for one in (found["hedge"], found["high"], after) if one]) > 1:  # "up to 5 or more"
        raise SlipError(f"{cell[:60]!r} is no figure", REMEDY)
    rule = HEDGES.get((found["hedge"] or after).lower(), "exact")
    unit_of = unit.removesuffix(" per day")
    fits = {SHARE: "share", "fraction": "share", CURRENCY: "money", "days": "duration"}.get(unit_of)
    shown = money if unit_of == CURRENCY else unit
    remedy = f"Write it in {shown}, or name the measure that it is of."
    if kind == "rate":
        remedy = "Write the figure alone, and the days in which it was counted: 2025-02-01/2025-02-28."
    if kind not in ("count", "vague", fits) or (kind == "vague" and unit not in WHOLE):
        sort = f"{_KINDS.get(kind, 'no number')}{f' ({name})' if name else ''}"
        raise SlipError(f"{cell[:60]!r} is {sort}, and what is counted is {shown}", remedy)
    if name and name != shown:
        raise SlipError(f"{cell[:60]!r} is in {name}, and what is counted is {shown}", remedy)
    if rest and rest.removeprefix("of ") not in _PEOPLE.get(unit, (unit, unit.removesuffix("s"))):
        raise SlipError(
            f"{cell[:60]!r} counts {rest[:40]!r}, and what is counted is {shown}",
            f"{REMEDY} A part of the force stands with the measure, as in left:rank=officer.",
        )
    part = 100 if kind == "share" else 1
    figure = _bounded(low / part, high / part, rule, whole=unit in WHOLE)
    if fits == "share" and max(figure.low, figure.high if math.isfinite(figure.high) else 0) > 1:
        raise SlipError(
            f"{cell[:60]!r} is more than the whole, and {unit} are 0 to 1", "Write e.g. 0.5 or 50%."
        )
    if figure.high < 0 or (unit == "1 or 0" and figure.low > 1):
        raise SlipError(f"no {unit} can be {cell[:60]!r}", REMEDY)
    return figure


def _bounded(low: float, high: float, rule: str | tuple[float, float], *, whole: bool) -> CellFigure:
    """Return a figure as its hedge has it, in whole numbers where things are counted one by one."""
    bound: Bound | None = None
    if isinstance(rule, tuple):
        low, high = float(f"{low * rule[0]:.12g}"), float(f"{high * rule[1]:.12g}")
    elif rule in ("at_least", "above"):
        high, bound = math.inf, "at_least"
    elif rule in ("at_most", "below"):
        low, bound = 0.0, "at_most"
    elif rule == "about":
        bound = "about"
    if whole:
        step = int(rule in ("above", "below"))
        low = math.floor(low + step if bound == "at_least" else low)
        high = math.ceil(high - step if bound == "at_most" else high) if math.isfinite(high) else high
    return CellFigure(float(low), float(high), bound)
