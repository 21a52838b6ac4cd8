"""A figure in a cell of a table: digits or words, hedged or not, of the unit that the table counts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from breakrank.case.figures.counted import StatedFigure
from breakrank.case.figures.numbers import NUMERAL, column_mark, readings, settled, typed
from breakrank.case.figures.prose import figures
from breakrank.case.figures.words import bare, figure_words, one_of
from breakrank.case.values import SlipError
from breakrank.outputs import CURRENCY, SHARE, WHOLE

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
    (r"^one(?= |$)", "1"),
    (r"(?<=\d) ?\+(?= |$)", " or more"),
    (r"(?<=[\d%]) ?- ?(?=[\d$€£])", " to "),
)
"""Signs of tables, and the words that stand for them."""
_PEOPLE = {
    "soldiers": ("soldier", "soldiers", "troops", "men", "personnel", "persons", "people"),
    "persons": ("person", "persons", "people"),
}
"""Nouns that name a unit."""
_SORTS = {
    "share": "a share",
    "money": "money",
    "duration": "a length of time",
    "length": "a length",
    "clock": "a time of day",
    "age": "an age",
    "service": "a length of time",
    "frequency": "a rate",
}
_EN = figure_words("en")
_NUMBER = re.compile(
    rf"(?<![\w.,'])(?P<n>{NUMERAL})(?P<scale>[ -]?(?:{one_of(_EN['scales'])})(?!\w))?", re.IGNORECASE
)


def shown_mark(cells: Iterable[tuple[str, str]]) -> str:
    """Return the decimal mark that the numbers of a column show, each cell with its unit; "" where none."""
    return column_mark(found for cell, unit in cells for _, found in _numbers(typed(cell), unit))


def _numbers(text: str, unit: str) -> Iterator[tuple[re.Match[str], dict[str, str]]]:
    """Yield the numbers in digits of a cell, with what each may be."""
    whole = unit in WHOLE and not re.search(_EN.any_of("percent"), text)
    for match in _NUMBER.finditer(text):
        word = bare((match.group("scale") or "").strip(" -"))
        yield match, readings(match.group("n"), whole=whole, scale=float(_EN.lookup("scales").get(word, 1)))


def read_cell(cell: str, unit: str, shown: str = "", mark: str = ".", money: str = CURRENCY) -> StatedFigure:
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
    text = _in_english(cell, text, unit, shown, mark)
    found = [one for one in figures(f"{text} soldiers", _EN, settled=True) if one.start < len(text)]
    if ends := re.fullmatch(r"(\d[\d,]*(?:\.\d+)?) to (\d[\d,]*(?:\.\d+)?)", text):
        low, high = (float(end.replace(",", "")) for end in ends.groups())
        if low >= high:
            raise SlipError(f"{cell[:60]!r} is no range: its ends do not rise", REMEDY)
    if len(found) != 1 or found[0].start != 0:
        raise SlipError(f"{cell[:60]!r} is no figure", REMEDY)
    return _checked(cell, found[0], text[found[0].end :].strip(" ."), unit, money)


def _in_english(cell: str, text: str, unit: str, shown: str, mark: str) -> str:
    """Return a text with each number in digits as English has it, which is what words are read with."""
    out, at = [], 0
    for match, found in _numbers(text, unit):
        if not found:
            part = readings(match.group("n")) and unit in WHOLE
            raise SlipError(
                f"{cell[:60]!r} is no whole number, and {unit} are counted one by one"
                if part
                else f"{cell[:60]!r} is no number",
                REMEDY,
            )
        open_mark = shown or ("" if unit in WHOLE and "." in match.group("n") else mark)
        value = float(settled(match.group("n"), found, open_mark))
        if value > MOST:
            raise SlipError(f"{cell[:60]!r} is more than {MOST:,.0f}", REMEDY)
        out += [text[at : match.start()], f"{value:,.6f}".rstrip("0").rstrip("."), match.group("scale") or ""]
        at = match.end()
    return "".join([*out, text[at:]])


def _checked(cell: str, found: StatedFigure, rest: str, unit: str, money: str) -> StatedFigure:
    """Return a figure as its unit has it; SlipError where its sort, its noun or its size is another."""
    unit_of = unit.removesuffix(" per day")
    fits = {SHARE: "share", "fraction": "share", CURRENCY: "money", "days": "duration"}.get(unit_of)
    shown = money if unit_of == CURRENCY else unit
    remedy = f"Write it in {shown}, or name the measure that it is of."
    if found.sort == "frequency":
        remedy = "Write the figure alone, and the days in which it was counted: 2025-02-01/2025-02-28."
    if found.sort not in ("count", "vague", fits) or (found.sort == "vague" and unit not in WHOLE):
        kind = _SORTS.get(found.sort, "no number") + (
            "" if found.sort == "share" else f" ({found.unit.strip()})"
        )
        raise SlipError(f"{cell[:60]!r} is {kind}, and what is counted is {shown}", remedy)
    if found.sort in ("money", "duration") and found.unit != shown:
        raise SlipError(f"{cell[:60]!r} is in {found.unit}, and what is counted is {shown}", remedy)
    if rest and rest.removeprefix("of ") not in _PEOPLE.get(unit, (unit, unit.removesuffix("s"))):
        raise SlipError(
            f"{cell[:60]!r} counts {rest[:40]!r}, and what is counted is {shown}",
            f"{REMEDY} A part of the force stands with the measure, as in left:rank=officer.",
        )
    low, high = found.low, found.high
    if unit in WHOLE:
        step = int(found.strict)
        low = math.floor(low + step if found.bound == "at_least" else low)
        high = math.ceil(high - step if found.bound == "at_most" else high) if math.isfinite(high) else high
    if fits == "share" and max(low, high if math.isfinite(high) else 0) > 1:
        raise SlipError(
            f"{cell[:60]!r} is more than the whole, and {unit} are 0 to 1", "Write e.g. 0.5 or 50%."
        )
    if high < 0 or (unit == "1 or 0" and low > 1):
        raise SlipError(f"no {unit} can be {cell[:60]!r}", REMEDY)
    return replace(found, low=float(low), high=float(high))
